"""What transform feedback captures: the names that a program gave, found among its last stage's outputs.

Names are those of OpenGL 4.6 section 7.3.1.1 ("color", "place[2]", "Block.member"); the server gets them as the SPIR-V has
them. An anonymous block's members go by their own names in OpenGL and by Block.member from here on. Variables of their own
get names here that no dialect keeps for itself: "sample" and "texture" are outputs in one version and words in another.
"""

import sys
from array import array

from collections.abc import Iterable
from typing import NamedTuple

from mgpipe.shaders.numbering import OUTPUT, Item, LinkError
from mgpipe.shaders.reflection import FRAGMENT, STAGE_NAMES, FeedbackVarying

INTERLEAVED, SEPARATE = 0x8C8C, 0x8C8D
NEXT_BUFFER = "gl_NextBuffer"
SKIPS = {f"gl_SkipComponents{n}": n for n in range(1, 5)}
BUILT_IN = {"gl_Position": 0x8B52, "gl_PointSize": 0x1406, "gl_PrimitiveID": 0x1404, "gl_Layer": 0x1404,
            "gl_ViewportIndex": 0x1404, **{f"gl_ClipDistance[{i}]": 0x1406 for i in range(8)},
            **{f"gl_CullDistance[{i}]": 0x1406 for i in range(8)}}


class Request(NamedTuple):
    """What glTransformFeedbackVaryings said, and what may be captured at most."""

    names: tuple[str, ...] = ()
    mode: int = INTERLEAVED
    interleaved_components: int = 64
    separate_components: int = 4
    buffers: int = 4


class Leaf(NamedTuple):
    spirv_name: str
    gl_type: int
    size: int
    is_array: bool


def capture(request: Request, items: Iterable[Item], stages: Iterable[int], plain: str) -> list[FeedbackVarying]:
    """The varyings in order. `plain`: a prefix that words renamed for glslang carry."""
    if not request.names:
        return []
    last = max((stage for stage in stages if stage < FRAGMENT), default=-1)
    if last < 0:
        raise LinkError("error: transform feedback needs a vertex, tessellation evaluation or geometry shader")
    leaves = dict(_leaves(items, last, plain))
    varyings = [_find(name, leaves, last) for name in request.names]
    _check(request, varyings)
    return varyings


def _leaves(items: Iterable[Item], last: int, plain: str) -> Iterable[tuple[str, Leaf]]:
    for item in items:
        if item.stage != last or item.kind != OUTPUT:
            continue
        for leaf in item.fields["leaves"]:
            name: str = leaf["name"]
            said = name if item.fields["has_instance_name"] else name.split(".", 1)[1]
            said = ".".join(part.removeprefix(plain) for part in said.split("."))
            yield said, Leaf(name, leaf["gl_type"], max(leaf["array_size"], 1), bool(leaf["is_array"]))


def _find(name: str, leaves: dict[str, Leaf], last: int) -> FeedbackVarying:
    if name == NEXT_BUFFER or name in SKIPS:
        return FeedbackVarying(name, 0, SKIPS.get(name, 0), name, SKIPS.get(name, 0))
    if name in BUILT_IN:
        return FeedbackVarying(name, BUILT_IN[name], 1, name, components(BUILT_IN[name]))
    leaf = leaves.get(name)
    if leaf is not None:
        return FeedbackVarying(name, leaf.gl_type, leaf.size, leaf.spirv_name, leaf.size * components(leaf.gl_type))
    base, bracket, index = name.removesuffix("]").rpartition("[")
    leaf = leaves.get(base) if bracket and name.endswith("]") else None
    if leaf is not None and leaf.is_array and index.isdigit() and int(index) < leaf.size:
        return FeedbackVarying(name, leaf.gl_type, 1, f"{leaf.spirv_name}[{int(index)}]", components(leaf.gl_type))
    raise LinkError(f"error: transform feedback varying '{name}' is not an output of the {STAGE_NAMES[last]} shader")


def _check(request: Request, varyings: list[FeedbackVarying]) -> None:
    seen: set[str] = set()
    total = 0
    for varying in varyings:
        if varying.gl_type == 0:
            total = 0 if varying.name == NEXT_BUFFER else total + varying.components
            continue
        if varying.spirv_name in seen:
            raise LinkError(f"error: transform feedback varying '{varying.name}' is named twice")
        seen.add(varying.spirv_name)
        total += varying.components
        if request.mode == SEPARATE and varying.components > request.separate_components:
            raise LinkError(f"error: transform feedback varying '{varying.name}' has {varying.components} components, "
                            f"the most of one buffer is {request.separate_components}")
        if request.mode == INTERLEAVED and total > request.interleaved_components:
            raise LinkError(f"error: transform feedback varyings up to '{varying.name}' have {total} components, "
                            f"the most is {request.interleaved_components}")


def name_safely(spirv: bytes, varyings: list[FeedbackVarying]) -> tuple[bytes, list[FeedbackVarying]]:
    """The module with the captured variables renamed, and the varyings by their new names. Blocks are interfaces between
    stages by name, so they keep theirs."""
    names, outputs = _output_names(spirv)
    roots = {_root(varying.spirv_name) for varying in varyings if varying.gl_type and varying.name not in BUILT_IN}
    renamed = {root: f"mgpipe_capture_{n}" for n, root in enumerate(sorted(roots & set(outputs.values())))}
    words = array("I", spirv[:20])
    for opcode, instruction in _instructions(spirv):
        if opcode == OP_NAME and outputs.get(instruction[1]) in renamed:
            text = renamed[names[instruction[1]]].encode() + b"\0"
            text += bytes(-len(text) % 4)
            instruction = array("I", [(2 + len(text) // 4) << 16 | OP_NAME, instruction[1]]) + array("I", text)
        words.extend(instruction)
    return words.tobytes(), [
        varying.but(spirv_name=renamed[root] + varying.spirv_name[len(root):])
        if (root := _root(varying.spirv_name)) in renamed and varying.gl_type else varying for varying in varyings]


def _root(name: str) -> str:
    return name.split(".", 1)[0].split("[", 1)[0]


OP_NAME, OP_TYPE_POINTER, OP_VARIABLE, OP_DECORATE = 5, 32, 59, 71
STORAGE_OUTPUT, DECORATION_BLOCK = 3, 2


def _instructions(spirv: bytes) -> Iterable[tuple[int, array]]:
    assert sys.byteorder == "little"
    words = array("I", spirv)
    at = 5
    while at < len(words):
        yield words[at] & 0xFFFF, words[at:at + (words[at] >> 16)]
        at += words[at] >> 16


def _output_names(spirv: bytes) -> tuple[dict[int, str], dict[int, str]]:
    """Every name by its id; those of output variables that are no blocks."""
    names: dict[int, str] = {}
    pointees: dict[int, int] = {}
    blocks: set[int] = set()
    outputs: dict[int, int] = {}
    for opcode, words in _instructions(spirv):
        if opcode == OP_NAME:
            names[words[1]] = words[2:].tobytes().split(b"\0", 1)[0].decode("utf-8", "replace")
        elif opcode == OP_TYPE_POINTER:
            pointees[words[1]] = words[3]
        elif opcode == OP_DECORATE and words[2] == DECORATION_BLOCK:
            blocks.add(words[1])
        elif opcode == OP_VARIABLE and words[3] == STORAGE_OUTPUT:
            outputs[words[2]] = words[1]
    return names, {id: names.get(id, "") for id, pointer in outputs.items() if pointees.get(pointer) not in blocks}


def buffers(varyings: list[FeedbackVarying], mode: int) -> int:
    """Bit per buffer binding that something is captured into."""
    mask = at = 0
    for varying in varyings:
        if varying.name == NEXT_BUFFER:
            at += 1
            continue
        mask |= 1 << at
        at += mode == SEPARATE
    return mask


def components(gl_type: int) -> int:
    """Of 32 bits, as the limits count them."""
    return _COMPONENTS.get(gl_type, 1)


_COMPONENTS = {
    **{first + n: n + 2 for first in (0x8B50, 0x8B53, 0x8DC6) for n in range(3)},  # vec2 to vec4, ivec, uvec
    **{0x8B5A + n: (n + 2) ** 2 for n in range(3)},
    **{0x8B65 + n: size for n, size in enumerate((6, 8, 6, 12, 8, 12))},
    0x140A: 2, **{0x8FFC + n: 2 * (n + 2) for n in range(3)}, **{0x8F46 + n: 2 * (n + 2) ** 2 for n in range(3)},
    **{0x8F49 + n: 2 * size for n, size in enumerate((6, 8, 6, 12, 8, 12))},
}
