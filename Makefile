# `make run` and `make test` do all of their own set-up: they need Python 3.11 or later, pip, and nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TESTS ?= tests

.PHONY: run test check format bench lock clean

run: $(VENV)/run
	$(BIN)/feedsvc build
	$(BIN)/feedsvc serve

test: $(VENV)/dev
	$(BIN)/python -m pytest -n auto $(TESTS)

check: $(VENV)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/feedsvc check

format: $(VENV)/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/dev
	$(BIN)/python -m bench

# Needs pip-tools; the two files keep to what pyproject.toml allows.
lock:
	pip-compile -q --strip-extras --no-emit-index-url --allow-unsafe --generate-hashes -o requirements.lock pyproject.toml
	pip-compile -q --strip-extras --no-emit-index-url --allow-unsafe --generate-hashes --extra dev \
		-c requirements.lock -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run: $(VENV)/bin/python requirements.lock pyproject.toml
	$(PIP) install --quiet --require-hashes --no-deps -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/dev: $(VENV)/bin/python requirements-dev.lock pyproject.toml
	$(PIP) install --quiet --require-hashes --no-deps -r requirements-dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@ $(VENV)/run
