"""Stages of separately linked programs put together into one (OpenGL 4.6 sections 7.4 and 7.4.1), for a program pipeline.

The boundary binds whole programs. What separate links could not agree on are numbers: those of inputs and outputs, and
bindings, which each program counts from the start. Both are decorations in SPIR-V, so nothing is compiled again: the
inputs and outputs that meet are numbered anew, by name as in any link, and each program's bindings move behind those of
the one before. Constants blocks are the stages' own and stay as they are. Blocks, samplers and images of equal names
are different ones in different programs, so that all but the first program's get other names for the driver.
"""

import struct
from collections.abc import Iterable, Sequence

from mgpipe.shaders import numbering, reflection
from mgpipe.shaders.numbering import INPUT, OUTPUT, Item, LinkError
from mgpipe.shaders.reflection import (
    FIRST_USER_BLOCK, FRAGMENT, GEOMETRY, STAGE_NAMES, TESS_CONTROL, TESS_EVALUATION, VERTEX, Linked,
)

OP_NAME, OP_VARIABLE, OP_DECORATE = 5, 59, 71
UNIFORM_CONSTANT, UNIFORM, STORAGE_BUFFER = 0, 2, 12
LOCATION, BINDING, DESCRIPTOR_SET = 30, 33, 34
STORAGE = {1: INPUT, 3: OUTPUT}
# glsl_interpolation bit → decoration
INTERPOLATION = {1: 14, 2: 13, 4: 16, 8: 17}
HEADER_WORDS = 5
CONSTANTS_BLOCKS = frozenset(f"mgpipe_{stage.replace('tessellation', 'tess').replace(' ', '_')}".encode() for stage in STAGE_NAMES)

Offsets = dict[int, int]                        # by descriptor set


def combine(parts: Sequence[tuple[Linked, Iterable[int]]]) -> tuple[Linked, list[Offsets]]:
    """One program of the given stages of each part, and how far each part's bindings moved. LinkError: they do not fit."""
    owner = {stage: index for index, (_, stages) in enumerate(parts) for stage in stages}
    items = {stage: [Item(stage, -1, fields) for fields in parts[index][0].interface if fields["stage"] == stage]
             for stage, index in owner.items()}
    ordered = sorted(owner)
    if VERTEX not in owner or (TESS_CONTROL in owner and TESS_EVALUATION not in owner):
        raise LinkError("error: a stage of the pipeline has no program")
    for writer, reader in zip(ordered, ordered[1:]):
        numbering.place_varyings([item for item in items[writer] if item.kind == OUTPUT],
                                 [item for item in items[reader] if item.kind == INPUT], separable=False)
    offsets = _stack(parts)
    merged = Linked(True, "")
    for stage, index in owner.items():
        part = parts[index][0]
        spirv = renumbered(part.spirv[stage], items[stage], offsets[index])
        merged.spirv[stage] = renamed(spirv, f"_{index}") if index else spirv
        merged.constants_size[stage] = part.constants_size[stage]
    _resources(merged, parts, offsets)
    _properties(merged, parts, owner)
    return merged, offsets


def _stack(parts: Sequence[tuple[Linked, Iterable[int]]]) -> list[Offsets]:
    offsets, used = [], dict.fromkeys(numbering.SETS.values(), 0)
    for part, _ in parts:
        offsets.append(dict(used))
        for number in used:
            used[number] += _slots(part, number)
    for number, count in used.items():
        first = FIRST_USER_BLOCK if number == reflection.SET_UNIFORM_BLOCKS else 0
        if count + first > numbering.MAX_SLOTS[number]:
            raise LinkError(f"error: too many {numbering.CLASS_NAMES[number]}: the pipeline needs {count + first} of "
                            f"{numbering.MAX_SLOTS[number]}")
    return offsets


def _slots(part: Linked, number: int) -> int:
    """How many bindings of the set the part uses."""
    if number == reflection.SET_UNIFORM_BLOCKS:
        return max((block.slot + 1 - FIRST_USER_BLOCK for block in part.uniform_blocks), default=0)
    if number == reflection.SET_STORAGE_BLOCKS:
        return max((block.slot + 1 for block in part.storage_blocks + part.atomic_buffers), default=0)
    return max((uniform.slot + max(uniform.size, 1) for uniform in part.uniforms if uniform.resource_set == number), default=0)


def renumbered(spirv: bytes, items: Iterable[Item], offsets: Offsets) -> bytes:
    """The module with the items' locations, their interpolation, and bindings moved by `offsets`."""
    words = list(struct.unpack(f"<{len(spirv) // 4}I", spirv))
    storage: dict[int, int] = {}
    sets: dict[int, int] = {}
    decorations: list[tuple[int, int, int]] = []                # position, id, kind
    at = HEADER_WORDS
    while at < len(words):
        opcode, size = words[at] & 0xFFFF, words[at] >> 16
        if opcode == OP_VARIABLE:
            storage[words[at + 2]] = STORAGE.get(words[at + 3], -1)
        elif opcode == OP_DECORATE:
            decorations.append((at, words[at + 1], words[at + 2]))
            if words[at + 2] == DESCRIPTOR_SET:
                sets[words[at + 1]] = words[at + 3]
        at += size
    moved = {(item.kind, item.fields["placed"]): item for item in items}
    dropped: list[tuple[int, int]] = []                         # position, words
    added: list[int] = []
    for at, target, kind in decorations:
        item = moved.get((storage.get(target, -1), words[at + 3])) if kind == LOCATION else None
        if kind == BINDING and target in sets:
            if sets[target] != reflection.SET_UNIFORM_BLOCKS or words[at + 3] >= FIRST_USER_BLOCK:
                words[at + 3] += offsets[sets[target]]
        elif item is not None:
            words[at + 3] = item.location
            if item.interpolation != item.fields["interpolation"]:
                dropped += [(place, words[place] >> 16) for place, name, what in decorations
                            if name == target and what in INTERPOLATION.values()]
                added += [word for bit, what in INTERPOLATION.items() if item.interpolation & bit
                          for word in (3 << 16 | OP_DECORATE, target, what)]
    if added or dropped:
        first = decorations[0][0]
        for at, size in sorted(dropped, reverse=True):
            del words[at:at + size]
        words[first:first] = added
    return struct.pack(f"<{len(words)}I", *words)


def renamed(spirv: bytes, suffix: str) -> bytes:
    """The module with other names for its blocks, samplers and images."""
    words = struct.unpack(f"<{len(spirv) // 4}I", spirv)
    pointees: dict[int, int] = {}               # of pointers and arrays
    resources: set[int] = set()
    at = HEADER_WORDS
    while at < len(words):
        match words[at] & 0xFFFF:
            case 32:                            # OP_TYPE_POINTER
                pointees[words[at + 1]] = words[at + 3]
            case 28 | 29:                       # OP_TYPE_ARRAY, OP_TYPE_RUNTIME_ARRAY
                pointees[words[at + 1]] = words[at + 2]
            case 59 if words[at + 3] in (UNIFORM_CONSTANT, UNIFORM, STORAGE_BUFFER):        # OP_VARIABLE
                target = words[at + 1]
                while target in pointees:
                    target = pointees[target]
                resources.add(words[at + 2] if words[at + 3] == UNIFORM_CONSTANT else target)
        at += words[at] >> 16
    out = list(words[:HEADER_WORDS])
    at = HEADER_WORDS
    while at < len(words):
        size = words[at] >> 16
        if words[at] & 0xFFFF == OP_NAME and words[at + 1] in resources:
            text = struct.pack(f"<{size - 2}I", *words[at + 2:at + size]).split(b"\0", 1)[0]
            if text not in CONSTANTS_BLOCKS:    # those are the stages' own
                text += suffix.encode()
            text += bytes(4 - len(text) % 4)
            out += [(2 + len(text) // 4) << 16 | OP_NAME, words[at + 1], *struct.unpack(f"<{len(text) // 4}I", text)]
        else:
            out += words[at:at + size]
        at += size
    return struct.pack(f"<{len(out)}I", *out)


def _resources(merged: Linked, parts: Sequence[tuple[Linked, Iterable[int]]], offsets: list[Offsets]) -> None:
    for (part, _), offset in zip(parts, offsets):
        for name, number in (("uniform_blocks", reflection.SET_UNIFORM_BLOCKS), ("storage_blocks", reflection.SET_STORAGE_BLOCKS),
                             ("atomic_buffers", reflection.SET_STORAGE_BLOCKS)):
            getattr(merged, name).extend(block.but(slot=block.slot + offset[number], members=[])
                                         for block in getattr(part, name))
        for uniform in part.uniforms:
            if uniform.slot >= 0:               # the others are bytes of a constants block and need no name here
                merged.uniforms.append(uniform.but(location=_next_location(merged), block=-1,
                                                   slot=uniform.slot + offset[uniform.resource_set]))


def _next_location(merged: Linked) -> int:
    last = merged.uniforms[-1] if merged.uniforms else None
    return last.location + max(last.size, 1) if last else 0


def _properties(merged: Linked, parts: Sequence[tuple[Linked, Iterable[int]]], owner: dict[int, int]) -> None:
    fields = {VERTEX: ("attributes",), FRAGMENT: ("fragment_outputs", "early_fragment_tests"),
              GEOMETRY: tuple(name for name in Linked.__annotations__ if name.startswith("geometry_")),
              TESS_CONTROL: ("tess_control_vertices",),
              TESS_EVALUATION: ("tess_mode", "tess_spacing", "tess_order", "tess_points")}
    for stage, names in fields.items():
        if stage in owner:
            for name in names:
                setattr(merged, name, getattr(parts[owner[stage]][0], name))
    last = max(stage for stage in owner if stage != FRAGMENT)
    for name in ("feedback_varyings", "feedback_mode", "feedback_buffers"):
        setattr(merged, name, getattr(parts[owner[last]][0], name))
