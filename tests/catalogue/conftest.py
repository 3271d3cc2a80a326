"""The generator's modules and this folder's helpers are found by their bare names, as the generator itself finds them."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parents[1] / "generator"):
    sys.path.insert(0, str(folder))
