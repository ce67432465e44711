"""What holds for every test: properties have no deadline, since a machine that is busy is no fault (no timings).

Where CI runs, examples are the same each time: a change is judged by what it changed. At home they are new ones.
"""

import os

from hypothesis import settings

settings.register_profile("calm", deadline=None)
settings.register_profile("same", deadline=None, derandomize=True, database=None)
settings.load_profile("same" if os.environ.get("CI") else "calm")
