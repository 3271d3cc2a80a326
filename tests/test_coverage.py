"""docs/coverage.md: what is implemented of OpenGL, command by command."""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def coverage():
    spec = importlib.util.spec_from_file_location("coverage_page", ROOT / "generator/coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_that_of_a_fresh_run(tmp_path):
    fresh = tmp_path / "coverage.md"
    subprocess.run([sys.executable, "-B", str(ROOT / "generator/coverage.py"), "--page", str(fresh)], check=True)
    assert fresh.read_text() == (ROOT / "docs/coverage.md").read_text(), "run `make coverage` and look at the difference"


def test_the_page_lists_each_command_once():
    names = [line.split("`")[1] for line in (ROOT / "docs/coverage.md").read_text().splitlines() if line.startswith("| `gl")]
    assert len(names) == len(set(names)) and len(names) > 650


def test_tables_of_what_is_partial_name_commands_that_there_are():
    from mgpipe.catalogue.deviations import DEVIATIONS
    from mgpipe.catalogue.partials import ES_COMMANDS, PARTIALS

    known = {name.removeprefix("gl") for names in coverage().versions().values() for name in names}
    assert {command for row in PARTIALS for command in row.commands.split()} <= known
    assert {command for commands in ES_COMMANDS.values() for command in commands.split()} <= known
    assert set(ES_COMMANDS) <= {row.name for row in DEVIATIONS}
