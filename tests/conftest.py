"""What holds for every test: properties have no deadline, since a machine that is busy is no fault (no timings)."""

from hypothesis import settings

settings.register_profile("calm", deadline=None)
settings.load_profile("calm")
