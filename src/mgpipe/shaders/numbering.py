"""Gives every resource of a program its binding and every input and output its location.

The server finds nothing by name: what is numbered here is what it binds (see the sets in reflection.py). Resources are
numbered by name over all stages, so that one block or sampler is one binding. Inputs and outputs take what the source
says, then what glBindAttribLocation and glBindFragDataLocation said, then the lowest that is free; between stages by
sorted name, so that separately linked stages with equal names agree.
"""

from collections.abc import Iterable, Mapping

from mgpipe.shaders import reflection
from mgpipe.shaders.reflection import FIRST_USER_BLOCK, FRAGMENT, STAGE_NAMES, VERTEX

INPUT, OUTPUT, CONSTANTS, UNIFORM_BLOCK, STORAGE_BLOCK, SAMPLER, IMAGE = range(7)  # glsl_item_kind
ATOMICS = "mgpipe_atomics"  # glslang_program.h: a block for each buffer of atomic counters
SETS = {UNIFORM_BLOCK: reflection.SET_UNIFORM_BLOCKS, SAMPLER: reflection.SET_SAMPLERS,
        STORAGE_BLOCK: reflection.SET_STORAGE_BLOCKS, IMAGE: reflection.SET_IMAGES}
FLAT = 1

MAX_VERTEX_ATTRIBUTES = 16
MAX_DRAW_BUFFERS = 8
MAX_VARYING_LOCATIONS = 31  # 32 vectors, one of them the position's
MAX_SLOTS = {reflection.SET_UNIFORM_BLOCKS: 72, reflection.SET_SAMPLERS: 96, reflection.SET_STORAGE_BLOCKS: 32,
             reflection.SET_IMAGES: 32}  # MAX_COMBINED_… of catalogue/limits.py
CLASS_NAMES = {reflection.SET_UNIFORM_BLOCKS: "uniform blocks", reflection.SET_SAMPLERS: "samplers",
               reflection.SET_STORAGE_BLOCKS: "storage blocks", reflection.SET_IMAGES: "images"}


class LinkError(Exception):
    """The program does not link; the text is its log."""


class Item:
    """One glsl_item of a stage with the numbers it gets."""

    __slots__ = ("stage", "position", "fields", "name", "kind", "slots", "set", "slot", "location", "index",
                 "interpolation")

    def __init__(self, stage: int, position: int, fields: dict) -> None:
        self.stage = stage
        self.position = position  # in Program.items(), for Program.place()
        self.fields = fields
        self.name: str = fields["name"]
        self.kind: int = fields["kind"]
        self.slots: int = fields["slots"]
        self.set = self.slot = self.index = -1
        self.location: int = fields["location"]
        self.interpolation: int = fields["interpolation"]

    @property
    def is_counters(self) -> bool:
        return self.kind == STORAGE_BLOCK and self.name.startswith(ATOMICS)

    @property
    def counters_binding(self) -> int:
        return int(self.name.rpartition("_")[2])

    @property
    def shape(self) -> list[tuple]:
        """What must be equal where two stages share this item."""
        leaves = self.fields["leaves"]
        if self.kind <= OUTPUT:  # their names may differ where locations match
            cut = len(self.name)
            return [(leaf["name"][cut:], leaf["gl_type"], leaf["array_size"], leaf["is_array"]) for leaf in leaves]
        return [tuple(leaf[key] for key in ("name", "gl_type", "array_size", "is_array", "offset")) for leaf in leaves]


def place_resources(items: Iterable[Item]) -> None:
    """Bindings by name, in order of appearance, for blocks, samplers and images.

    A sampler within an array of structures may be an element of "m[].map" in one stage and "m[1].map" in another
    (glslang_lift.cpp): arrays come first, and the others find their place in them."""
    next_slot = {number: 0 for number in SETS.values()}
    next_slot[reflection.SET_UNIFORM_BLOCKS] = FIRST_USER_BLOCK
    known: dict[tuple[int, str], Item] = {}
    in_arrays: dict[tuple[int, str], int] = {}
    for item in sorted(items, key=lambda item: "[]" not in item.name):
        if item.kind == CONSTANTS:
            item.set, item.slot = reflection.SET_UNIFORM_BLOCKS, item.stage
            continue
        if item.kind not in SETS:
            continue
        item.set = SETS[item.kind]
        if (item.set, item.name) in in_arrays:
            item.slot = in_arrays[item.set, item.name]
            continue
        counters = item.is_counters
        first = known.setdefault((item.set, f"{ATOMICS}{item.counters_binding}" if counters else item.name), item)
        if first is not item:
            if counters:
                pass  # each stage lists the counters that it uses
            elif first.shape != item.shape or first.slots != item.slots:
                raise LinkError(f"error: '{item.name}' is declared differently in the {STAGE_NAMES[first.stage]} and "
                                f"the {STAGE_NAMES[item.stage]} shader")
            item.slot = first.slot
            continue
        item.slot = next_slot[item.set]
        if "[]" in item.name:
            in_arrays |= {(item.set, leaf["name"]): item.slot + leaf["offset"] for leaf in item.fields["leaves"]}
        next_slot[item.set] += item.slots
        if next_slot[item.set] > MAX_SLOTS[item.set]:
            raise LinkError(f"error: too many {CLASS_NAMES[item.set]}: at '{item.name}' the program needs "
                            f"{next_slot[item.set]} of {MAX_SLOTS[item.set]}")


def place_attributes(items: list[Item], bindings: Mapping[str, int]) -> None:
    inputs = [item for item in items if item.stage == VERTEX and item.kind == INPUT and not item.fields["is_builtin"]]
    for item in inputs:
        if item.location < 0:
            item.location = bindings.get(item.name, -1)
    _fill(inputs, MAX_VERTEX_ATTRIBUTES, "vertex attribute")


def place_fragment_outputs(items: list[Item], bindings: Mapping[str, tuple[int, int]]) -> None:
    outputs = [item for item in items if item.stage == FRAGMENT and item.kind == OUTPUT]
    for item in outputs:
        item.index = max(item.fields["index"], 0)
        if item.location < 0 and item.name in bindings:
            item.location, item.index = bindings[item.name]
    for index in (0, 1):
        _fill([item for item in outputs if item.index == index], MAX_DRAW_BUFFERS, "fragment output")


def place_varyings(outputs: list[Item], inputs: list[Item], separable: bool) -> None:
    """Between two neighbouring stages. `inputs` of a later stage read the `outputs` of the earlier one."""
    outputs = [item for item in outputs if not item.fields["is_builtin"]]
    inputs = [item for item in inputs if not item.fields["is_builtin"]]
    by_location = {(item.location, max(item.fields["component"], 0)): item for item in outputs if item.location >= 0}
    by_name = {item.name: item for item in outputs}
    for item in inputs:
        # A location in the source decides; without one, the name.
        source = (by_location.get((item.location, max(item.fields["component"], 0))) if item.location >= 0
                  else by_name.get(item.name))
        if source is None:
            if separable:
                continue
            raise LinkError(f"error: the {STAGE_NAMES[item.stage]} shader reads '{item.name}', "
                            "which no earlier stage writes")
        if source.shape != item.shape and not separable:
            raise LinkError(f"error: type of '{item.name}' differs between the {STAGE_NAMES[source.stage]} and the "
                            f"{STAGE_NAMES[item.stage]} shader")
        if item.stage == FRAGMENT:
            # GLSL ES wants the qualifiers equal on both sides; in GLSL 4.40 and later the reader's count.
            source.interpolation = item.interpolation
    used = {location for item in outputs + inputs if item.location >= 0
            for location in range(item.location, item.location + item.slots)}
    pending: dict[str, list[Item]] = {}
    for item in sorted(outputs + inputs, key=lambda item: item.name):
        if item.location < 0:
            pending.setdefault(item.name, []).append(item)
    for name, pair in pending.items():
        location = _first_free(used, pair[0].slots)
        if location + pair[0].slots > MAX_VARYING_LOCATIONS:
            raise LinkError(f"error: too many varyings between two stages: no location is left for '{name}'")
        used.update(range(location, location + pair[0].slots))
        for item in pair:
            item.location = location


def _first_free(used: set[int], slots: int) -> int:
    location = 0
    while any(number in used for number in range(location, location + slots)):
        location += 1
    return location


def _fill(items: list[Item], limit: int, what: str) -> None:
    """Locations for the items without one; SPIR-V allows no two to share, unless by component."""
    taken: dict[int, Item] = {}
    for item in items:
        if item.location < 0:
            continue
        for number in range(item.location, item.location + item.slots):
            other = taken.setdefault(number, item)
            if other is not item and item.fields["component"] < 0 and other.fields["component"] < 0:
                raise LinkError(f"error: {what}s '{other.name}' and '{item.name}' share location {number}")
    used = set(taken)
    for item in items:
        if item.location < 0:
            item.location = _first_free(used, item.slots)
            used.update(range(item.location, item.location + item.slots))
        if item.location + item.slots > limit:
            raise LinkError(f"error: {what} '{item.name}' needs locations up to {item.location + item.slots - 1}, "
                            f"the highest is {limit - 1}")
