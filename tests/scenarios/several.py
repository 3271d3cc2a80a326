"""Runs several examples one after the other in one process: several.py FOLDER FRAMES PROGRAM…

Saves the interpreter, the imports and the server's start for each; and one session then serves many contexts.
"""

import runpy
import sys
from pathlib import Path

FOLDER, FRAMES, *PROGRAMS = sys.argv[1:]
sys.path.insert(0, str(Path(PROGRAMS[0]).parent))
for program in PROGRAMS:
    sys.argv = [program, str(Path(FOLDER) / f"{Path(program).stem}.png"), "--frames", FRAMES]
    runpy.run_path(program, run_name="__main__")
