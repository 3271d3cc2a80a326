"""A call's way is straight: front → tracker → links → server → backends, and no folder reaches round its neighbour."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/mgpipe"

# Folder → what it may name of the others: a folder, or one module of it with the reason.
MAY_NAME = {
    "catalogue": (),
    "links": ("catalogue",),
    "texels": ("catalogue",),
    "shaders": ("catalogue",),
    "control": ("catalogue",),
    "backends": ("catalogue", "shaders", "texels"),
    "server": (
        "catalogue", "links", "control", "backends",
        "client.launch",                # the process of one session is started as the supervisor itself is
    ),
    "client": (
        "catalogue", "links", "control",
        "server.applier", "server.apply_loop", "server.tally",      # monolith and inproc apply in this process
    ),
    "tracker": (
        "catalogue", "links", "client",
        "front.context", "front.formats",           # the structs and tables that it compares; none of the front's functions
    ),
    "front": (
        "catalogue", "tracker", "client", "shaders", "texels",
        "links.shadow", "links.segments",           # the one copy of a program's bytes is made at the GL call
    ),
    "bindings": ("catalogue", "client", "front"),
    "tools": ("catalogue", "bindings", "client", "control", "server", "shaders"),
}


def names(file: Path) -> set[str]:
    """Modules of mgpipe that a source file imports or cimports, as `links.ring`."""
    found = set()
    for package, members in re.findall(
        r"^\s*(?:from|cimport|import)\s+mgpipe\.([\w.]+)(?:\s+c?import\s+([^\n#(]+))?", file.read_text(), re.MULTILINE
    ):
        found |= {f"{package}.{member.split()[0]}" for member in members.split(",") if member.strip()} or {package}
    return found


def reaching_round(source: Path) -> list[str]:
    out = []
    for file in sorted(path for path in source.rglob("*.p*") if path.suffix in (".py", ".pyx", ".pxd", ".pxi")):
        folder, *rest = file.relative_to(source).parts
        if rest:                        # files at the top are the ways in
            allowed = (folder, *MAY_NAME[folder])
            out += [f"{file.relative_to(source)} names {name}" for name in sorted(names(file))
                    if not any(name == a or name.startswith(a + ".") for a in allowed)]
    return out


def test_no_folder_reaches_round_its_neighbour():
    assert reaching_round(SOURCE) == []


def test_a_back_end_that_asks_the_front_is_found(tmp_path):
    (tmp_path / "backends").mkdir()
    (tmp_path / "backends/espryt.pyx").write_text("from libc.string cimport memcpy\nfrom mgpipe.front cimport context, state\n")
    assert reaching_round(tmp_path) == [
        "backends/espryt.pyx names front.context", "backends/espryt.pyx names front.state"]
