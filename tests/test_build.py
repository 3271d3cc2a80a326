"""A changed declaration rebuilds its dependants: what ninja recorded from Cython's depfiles, in the folder of `make build`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/wheel"
MODULES = sorted((ROOT / "src").rglob("*.pyx"))


@pytest.fixture(scope="module")
def recorded() -> dict[str, set[Path]]:
    """Generated C file → every file that Cython read for it."""
    ninja = Path(sys.executable).with_name("ninja")
    table = subprocess.run([ninja, "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    entries = (entry.splitlines() for entry in table.split("\n\n") if entry.strip())
    return {
        target.split(": #deps")[0]: {(BUILD / line.strip()).resolve() for line in lines}
        for target, *lines in ((e if not e[0].startswith("ninja:") else e[1:]) for e in entries)
    }


def declared(module: Path) -> set[Path]:
    """Its own .pxd, and those of ours that it names in a cimport."""
    names = re.findall(r"^\s*from (mgpipe[\w.]*) cimport ([^\n(]*)", module.read_text(), re.MULTILINE)
    dotted = {p for package, members in names for p in (package, *(f"{package}.{m.strip()}" for m in members.split(",")))}
    candidates = {module.with_suffix(".pxd"), *(ROOT / "src" / (name.replace(".", "/") + ".pxd") for name in dotted)}
    return {path.resolve() for path in candidates if path.exists()}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT / "src/mgpipe")))
def test_a_module_is_rebuilt_when_its_declarations_change(module, recorded):
    read = [files for target, files in recorded.items() if target.endswith(f"/{module.stem}.c") and module in files]
    assert len(read) == 1, "no meson.build names it"
    assert read[0] >= declared(module)
