"""Posts to build from: any number, each of 900 words, the same ones for the same seed.

    python -m bench.posts FOLDER [--number 10000] [--words 900] [--seed 1]

They read like notes on GPU computing: headings, paragraphs with links, emphasis and code, listings, now and then a
table or a list. Nine in ten have YAML front matter, the others TOML; each has one to four of 30 tags.
"""

import argparse
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

TAGS = (
    "CUDA ROCm HIP SYCL Vulkan Metal OpenCL WebGPU Triton oneAPI kernels memory caches occupancy tensor-cores warps "
    "profiling compilers PTX SPIR-V LLVM GEMM convolution sparsity reductions atomics streams graphs multi-GPU fp8"
).split()
NOUNS = (
    "kernel warp block grid register cache line bank tile fragment barrier stream queue buffer texture sampler shader "
    "compiler scheduler wavefront lane thread core unit pipeline driver runtime allocator pool page fence graph node "
    "launch occupancy latency bandwidth throughput stall counter profile trace matrix vector row column stride offset"
).split()
VERBS = (
    "waits hides loads stores computes issues stalls overlaps splits merges reads writes copies maps pins schedules "
    "evicts coalesces broadcasts reduces scans sorts packs unrolls fuses spills predicts measures shows needs"
).split()
OTHERS = (
    "fast slow wide narrow shared global local constant aligned strided sparse dense small large whole half early late "
    "cold hot idle busy single double mixed signed plain odd even first last other same"
).split()
JOINTS = "and while because so although until when where but if".split()
LISTING = """```cuda
__global__ void {name}(const float* a, float* b, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > {number}.0f) b[i] = a[i] * {number}.5f;  // {words}
}}
{name}<<<(n + 255) / 256, 256>>>(a, b, n);
```"""
START = datetime(2010, 1, 1, 8, tzinfo=UTC)
STEP = timedelta(minutes=73)


def write(folder: Path, number: int, words: int = 900, seed: int = 1) -> None:
    """Write posts into a folder, a thousand to a subfolder; the last ones are the newest."""
    for place in range(number):
        path = folder / f"{place // 1000:03}" / f"{place:06}-{_slug(place)}.md"
        if place % 1000 == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(post(place, words, seed), "utf-8")


def post(place: int, words: int = 900, seed: int = 1) -> str:
    """Return the text of one post."""
    chance = random.Random(seed * 1_000_003 + place)
    title = f"{_sentence(chance, 5).rstrip('.')} {place}"
    tags = chance.sample(TAGS, chance.choice((1, 2, 2, 3, 3, 4)))
    date = START + place * STEP
    head = _toml(title, tags, date) if place % 10 == 9 else _yaml(title, tags, date, chance)
    return f"{head}\n{_body(chance, words)}"


def _slug(place: int) -> str:
    return f"{NOUNS[place % len(NOUNS)]}-{VERBS[place % len(VERBS)]}"


def _yaml(title: str, tags: list[str], date: datetime, chance: random.Random) -> str:
    quoted = f'"{title}: a note"' if chance.random() < 0.3 else title
    listed = "\n" + "\n".join(f"  - {tag}" for tag in tags) if chance.random() < 0.3 else f" [{', '.join(tags)}]"
    author = "author: Ada Example\n" if chance.random() < 0.2 else ""
    lines = f"title: {quoted}\ndate: {date:%Y-%m-%dT%H:%M:%SZ}\n{author}tags:{listed}\n"
    return f"---\n{lines}---\n"


def _toml(title: str, tags: list[str], date: datetime) -> str:
    listed = ", ".join(f'"{tag}"' for tag in tags)
    return f'+++\ntitle = "{title}"\ndate = {date:%Y-%m-%dT%H:%M:%SZ}\ntags = [{listed}]\n+++\n'


def _body(chance: random.Random, words: int) -> str:
    blocks, count = [], 0
    for block in _blocks(chance):
        blocks.append(block)
        count += len(block.split())
        if count >= words:
            break
    return "\n\n".join(blocks) + "\n"


def _blocks(chance: random.Random) -> Iterator[str]:
    while True:
        yield _paragraph(chance)
        yield _paragraph(chance)
        kind = chance.random()
        if kind < 0.3:
            name = f"{chance.choice(NOUNS)}_{chance.choice(VERBS)}"
            yield LISTING.format(name=name, number=chance.randrange(100), words=_sentence(chance, 6))
        elif kind < 0.5:
            yield "\n".join(f"- {_sentence(chance, 7)}" for _ in range(chance.randint(3, 6)))
        elif kind < 0.6:
            rows = "\n".join(f"| {chance.choice(NOUNS)} | {chance.randrange(10_000)} |" for _ in range(5))
            yield f"| what | µs |\n|---|---:|\n{rows}"
        yield f"## {_sentence(chance, 4).rstrip('.')}"


def _paragraph(chance: random.Random) -> str:
    sentences = [_sentence(chance, chance.randint(8, 22)) for _ in range(chance.randint(3, 6))]
    if chance.random() < 0.6:
        noun = chance.choice(NOUNS)
        address = f"https://docs.example/{noun}/{chance.randrange(500)}"
        sentences.insert(1, f"See [the notes on the {noun}]({address}) first.")
    if chance.random() < 0.3:
        code = f"{chance.choice(NOUNS)}<{chance.randrange(64)}>"
        sentences.append(f"Here `{code}` is **{chance.choice(OTHERS)}** & cheap.")
    return " ".join(sentences)


def _sentence(chance: random.Random, words: int) -> str:
    said: list[str] = []
    while len(said) < words:
        said += ["the", chance.choice(OTHERS), chance.choice(NOUNS), chance.choice(VERBS)]
        said += [chance.choice(JOINTS)] if chance.random() < 0.4 else []
    text = " ".join(said[:words])
    return f"{text[0].upper()}{text[1:]}."


def main() -> None:
    """Write a folder of posts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    write(asked.folder, asked.number, asked.words, asked.seed)


if __name__ == "__main__":
    main()
