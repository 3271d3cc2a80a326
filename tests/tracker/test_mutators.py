"""Every command that changes state says so: by exactly the dirty bit or generation that catalogue/mutators.py declares."""

import re
from pathlib import Path

import pytest
from mgpipe.catalogue import entry_points
from mgpipe.catalogue.mutators import MUTATES, NOTHING
from mgpipe.front import _gl
from mgpipe.tracker import _probe
from mutator_recipes import RECIPES, Scene, family, of_named

CONTEXT = Path(__file__).parents[2] / "src/mgpipe/front/context.pxd"
BITS = {name.lower(): 1 << int(bit) for name, bit in re.findall(r"DIRTY_(\w+) = 1 << (\d+)", CONTEXT.read_text())}
DECLARED = {name: frozenset(row.raises.split()) for row in MUTATES for name in row.commands.split()}
VERBS = {name for row in MUTATES if row.verb for name in row.commands.split()}
HARMLESS = {name for names in NOTHING.values() for name in names.split()}
IMPLEMENTED = sorted(entry_points.IMPLEMENTED)
QUERIES = re.compile(r"(Getn?|Is)[A-Z]|CheckFramebufferStatus$|CheckNamedFramebufferStatus$")

UNDECLARED = """gl{0} is implemented, and catalogue/mutators.py does not say what it changes.
- If a draw or another verb can see the change, add {0} to the row of MUTATES whose dirty bits or generation it raises,
  and to tests/tracker/mutator_recipes.py arguments that change something in the scene there.
- If no verb can see anything of it, add {0} to NOTHING, under the reason."""


def risen(before: tuple[int, int, int], after: tuple[int, int, int]) -> frozenset[str]:
    names = {name for name, bit in BITS.items() if after[0] & ~before[0] & bit}
    names |= {"group"} if after[1] != before[1] else set()
    names |= {"constants"} if after[2] & ~before[2] else set()
    return frozenset(names)


def undeclared(names: list[str]) -> list[str]:
    return [name for name in names if not QUERIES.match(name) and name not in DECLARED and name not in HARMLESS]


def recipes(name: str) -> list[str]:
    text = RECIPES.get(name) or of_named(name) or family(name, lambda uniform: f"location('{uniform}')")
    return text.split("\n") if text else []


def test_every_command_is_declared():
    missing = undeclared(IMPLEMENTED)
    assert not missing, "\n".join(UNDECLARED.format(name) for name in missing)


def test_nothing_is_declared_twice_or_in_vain():
    listed = [name for row in MUTATES for name in row.commands.split()] + [n for names in NOTHING.values() for n in names.split()]
    assert sorted(name for name in set(listed) if listed.count(name) > 1) == []
    assert sorted(set(listed) - set(IMPLEMENTED)) == []
    assert sorted(n for row in MUTATES for n in row.raises.split() if n not in {*BITS, "group", "constants", "contents"}) == []


def test_a_command_that_nobody_declared_is_seen():
    assert undeclared(["BlendFunc", "GetIntegerv", "InventedParameteri"]) == ["InventedParameteri"]


@pytest.fixture(scope="module")
def scenes():
    """Fresh scenes in contexts of one session, whose driver draws nothing."""
    from gl import fresh

    def make():
        return fresh(driver="null", gl_version="4.6")

    return make


@pytest.mark.parametrize("name", DECLARED)
def test_what_a_command_changes_is_announced(scenes, name):
    assert recipes(name), f"tests/tracker/mutator_recipes.py has no arguments for gl{name}"
    for recipe in recipes(name):
        with scenes() as gl:
            scene = Scene(gl)
            raised, seen = announced(gl, scene, name, recipe)
            assert raised >= DECLARED[name], f"gl{name}({recipe})"
            assert raised == DECLARED[name] or name in VERBS, f"gl{name}({recipe})"
            assert seen, f"gl{name}({recipe}): the next draw's state is the same"


def announced(gl, scene: Scene, name: str, recipe: str) -> tuple[frozenset[str], bool]:
    """What rose when the command was called, and whether the next draw saw a change."""
    *first, last = recipe.split(" ; ")
    for step in first:
        eval(step, {}, scene)
    arguments = eval(f"({last},)", {"location": scene.location}, scene)
    scene.draw()
    address = _gl.context_address()
    uploads = gl.loader.stats()["uploads"]
    state, before = _probe.snapshot(address), _probe.changes(address)
    getattr(gl, name)(*arguments)
    assert gl.error() == "NO_ERROR", f"gl{name}({recipe})"
    after = _probe.changes(address)
    scene.draw()
    gl.error()              # the scene may no longer be one that can be drawn
    seen = _probe.snapshot(address) != state
    if gl.loader.stats()["uploads"] > uploads:
        return risen(before, after) | {"contents"}, True
    return risen(before, after), seen
