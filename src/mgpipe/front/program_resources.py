"""Program interface query (OpenGL 4.6 section 7.3.1): one list of resources an interface, one table of properties.

Everything is answered from the reflection of the last successful link (shaders/reflection.py).
"""

from collections.abc import Callable, Sequence
from typing import Any

from mgpipe.front.program_objects import (
    INTERLEAVED, INVALID_ENUM, INVALID_INDEX, INVALID_OPERATION, INVALID_VALUE, GLError, ProgramObject, columns,
    split_element,
)
from mgpipe.shaders.reflection import STAGES, Record

UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT = 0x92E1, 0x92E2, 0x92E3, 0x92E4
BUFFER_VARIABLE, SHADER_STORAGE_BLOCK, ATOMIC_COUNTER_BUFFER = 0x92E5, 0x92E6, 0x92C0
FEEDBACK_VARYING, FEEDBACK_BUFFER = 0x92F4, 0x8C8E
SUBROUTINES, SUBROUTINE_UNIFORMS = range(0x92E8, 0x92EE), range(0x92EE, 0x92F4)     # by stage
INTERFACES = frozenset([UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT, BUFFER_VARIABLE, SHADER_STORAGE_BLOCK,
                        ATOMIC_COUNTER_BUFFER, FEEDBACK_VARYING, FEEDBACK_BUFFER, *SUBROUTINES, *SUBROUTINE_UNIFORMS])
BLOCKS = frozenset([UNIFORM_BLOCK, SHADER_STORAGE_BLOCK, ATOMIC_COUNTER_BUFFER, FEEDBACK_BUFFER])
NAMELESS = frozenset([ATOMIC_COUNTER_BUFFER, FEEDBACK_BUFFER])
LOCATED = frozenset([UNIFORM, PROGRAM_INPUT, PROGRAM_OUTPUT, *SUBROUTINE_UNIFORMS])
VARIABLES = frozenset([UNIFORM, BUFFER_VARIABLE])
ENDS = frozenset([PROGRAM_INPUT, PROGRAM_OUTPUT])       # of the pipeline
ACTIVE_RESOURCES, MAX_NAME_LENGTH, MAX_NUM_ACTIVE_VARIABLES, MAX_NUM_COMPATIBLE_SUBROUTINES = range(0x92F5, 0x92F9)


class SubroutineFunction(Record):
    name: str


class FeedbackBuffer(Record):
    binding: int
    members: list[int]          # indices of varyings
    stride: int                 # bytes


class Resource(Record):
    """One resource: the object of the reflection, and the program it belongs to."""

    program: ProgramObject
    interface: int
    index: int
    item: Any

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def stages(self) -> int:
        view, item = self.program.linked, self.item
        if self.interface == BUFFER_VARIABLE:
            return view.storage_blocks[item.block].stages
        if self.interface == UNIFORM and item.block >= 0:
            return view.uniform_blocks[item.block].stages
        return item.stages

    @property
    def in_block(self) -> bool:
        return self.interface == BUFFER_VARIABLE or self.item.block >= 0 or self.item.atomic_buffer >= 0

    @property
    def array_size(self) -> int:
        if self.interface in VARIABLES or self.interface in ENDS:
            return self.item.size if self.item.is_array else 1
        return max(self.item.size, 1)

    @property
    def binding(self) -> int:
        if self.interface == UNIFORM_BLOCK:
            return self.program.bindings[self.index]
        if self.interface == SHADER_STORAGE_BLOCK:
            return self.program.storage_bindings[self.index]
        return self.item.binding if self.interface == FEEDBACK_BUFFER else self.item.initial_binding


def feedback_layout(program: ProgramObject) -> tuple[list[tuple[int, int]], list[FeedbackBuffer]]:
    """(buffer, byte offset) of each captured varying, and the buffers."""
    places: list[tuple[int, int]] = []
    buffers: list[FeedbackBuffer] = []
    if program.linked is None:
        return places, buffers
    interleaved = program.linked_feedback.mode == INTERLEAVED
    current = FeedbackBuffer(0, [], 0)
    for index, varying in enumerate(program.linked.feedback_varyings):
        if varying.name == "gl_NextBuffer":
            buffers.append(current)
            current = FeedbackBuffer(current.binding + 1, [], 0)
            places.append((-1, 0))
            continue
        places.append((len(buffers), current.stride))
        if varying.gl_type:
            current.members.append(index)
        current.stride += 4 * varying.components
        if not interleaved:
            buffers.append(current)
            current = FeedbackBuffer(current.binding + 1, [], 0)
    if current.stride:
        buffers.append(current)
    return places, buffers


def resources(program: ProgramObject, interface: int) -> Sequence[Any]:
    view = program.linked
    if interface not in INTERFACES:
        raise GLError(INVALID_ENUM)
    if view is None:
        return ()
    match interface:
        case 0x92E1: return view.uniforms
        case 0x92E2: return view.uniform_blocks
        case 0x92E3: return view.inputs
        case 0x92E4: return view.outputs
        case 0x92E5: return view.storage_members
        case 0x92E6: return view.storage_blocks
        case 0x92C0: return view.atomic_buffers
        case 0x92F4: return view.feedback_varyings
        case 0x8C8E: return feedback_layout(program)[1]
    if interface in SUBROUTINES:
        stage = view.subroutines.get(SUBROUTINES.index(interface))
        return [SubroutineFunction(name) for name, _ in stage.functions] if stage else ()
    stage = view.subroutines.get(SUBROUTINE_UNIFORMS.index(interface))
    return stage.uniforms if stage else ()


def resource(program: ProgramObject, interface: int, index: int) -> Resource:
    items = resources(program, interface)
    if index >= len(items):
        raise GLError(INVALID_VALUE)
    return Resource(program, interface, index, items[index])


def matrix_or(resource: Resource, value: int) -> int:
    return value if resource.in_block else -1


# property → (interfaces that have it, what it is)
PROPERTIES: dict[int, tuple[frozenset[int], Callable[[Resource], int | list[int]]]] = {
    0x92F9: (INTERFACES - NAMELESS, lambda r: len(r.name) + 1),                                 # NAME_LENGTH
    0x92FA: (VARIABLES | ENDS | {FEEDBACK_VARYING}, lambda r: r.item.gl_type),                  # TYPE
    0x92FB: (VARIABLES | ENDS | {FEEDBACK_VARYING, *SUBROUTINE_UNIFORMS}, lambda r: r.array_size),      # ARRAY_SIZE
    0x92FC: (VARIABLES | {FEEDBACK_VARYING}, lambda r: feedback_layout(r.program)[0][r.index][1]        # OFFSET
             if r.interface == FEEDBACK_VARYING else matrix_or(r, r.item.offset)),
    0x92FD: (VARIABLES, lambda r: r.item.block),                                                # BLOCK_INDEX
    0x92FE: (VARIABLES, lambda r: matrix_or(r, r.item.array_stride)),                           # ARRAY_STRIDE
    0x92FF: (VARIABLES, lambda r: matrix_or(r, r.item.matrix_stride)),                          # MATRIX_STRIDE
    0x9300: (VARIABLES, lambda r: int(r.in_block and r.item.row_major)),                        # IS_ROW_MAJOR
    0x9301: (frozenset([UNIFORM]), lambda r: r.item.atomic_buffer),                             # ATOMIC_COUNTER_BUFFER_INDEX
    0x9302: (BLOCKS, lambda r: r.binding),                                                      # BUFFER_BINDING
    0x9303: (BLOCKS - {FEEDBACK_BUFFER}, lambda r: r.item.size_bytes),                          # BUFFER_DATA_SIZE
    0x9304: (BLOCKS, lambda r: len(r.item.members)),                                            # NUM_ACTIVE_VARIABLES
    0x9305: (BLOCKS, lambda r: list(r.item.members)),                                           # ACTIVE_VARIABLES
    **{0x9306 + stage: (VARIABLES | ENDS | BLOCKS - {FEEDBACK_BUFFER}, lambda r, stage=stage: r.stages >> stage & 1)
       for stage in range(STAGES)},                                                             # REFERENCED_BY_…
    0x930C: (frozenset([BUFFER_VARIABLE]), lambda r: r.item.top_array_size),                    # TOP_LEVEL_ARRAY_SIZE
    0x930D: (frozenset([BUFFER_VARIABLE]), lambda r: r.item.top_array_stride),                  # TOP_LEVEL_ARRAY_STRIDE
    0x930E: (LOCATED, lambda r: r.item.location),                                               # LOCATION
    0x930F: (frozenset([PROGRAM_OUTPUT]), lambda r: r.item.index),                              # LOCATION_INDEX
    0x92E7: (ENDS, lambda r: int(r.item.is_patch)),                                             # IS_PER_PATCH
    0x934A: (ENDS, lambda r: r.item.component),                                                 # LOCATION_COMPONENT
    0x934B: (frozenset([FEEDBACK_VARYING]), lambda r: feedback_layout(r.program)[0][r.index][0]),  # …_BUFFER_INDEX
    0x934C: (frozenset([FEEDBACK_BUFFER]), lambda r: r.item.stride),                            # …_BUFFER_STRIDE
    0x8E4A: (frozenset(SUBROUTINE_UNIFORMS), lambda r: len(r.item.compatible)),                 # NUM_COMPATIBLE_SUBROUTINES
    0x8E4B: (frozenset(SUBROUTINE_UNIFORMS), lambda r: list(r.item.compatible)),                # COMPATIBLE_SUBROUTINES
}


def interface_parameter(program: ProgramObject, interface: int, pname: int) -> int:
    items = resources(program, interface)
    match pname:
        case 0x92F5:            # ACTIVE_RESOURCES
            return len(items)
        case 0x92F6:            # MAX_NAME_LENGTH
            if interface in NAMELESS:
                raise GLError(INVALID_OPERATION)
            return max((len(item.name) + 1 for item in items), default=0)
        case 0x92F7:            # MAX_NUM_ACTIVE_VARIABLES
            if interface not in BLOCKS:
                raise GLError(INVALID_OPERATION)
            return max((len(item.members) for item in items), default=0)
        case 0x92F8:            # MAX_NUM_COMPATIBLE_SUBROUTINES
            if interface not in SUBROUTINE_UNIFORMS:
                raise GLError(INVALID_OPERATION)
            return max((len(item.compatible) for item in items), default=0)
    raise GLError(INVALID_ENUM)


def resource_index(program: ProgramObject, interface: int, name: str) -> int:
    if interface in NAMELESS:
        raise GLError(INVALID_ENUM)
    for index, item in enumerate(resources(program, interface)):
        if item.name == name or item.name == name + "[0]":
            return index
    return INVALID_INDEX


def resource_name(program: ProgramObject, interface: int, index: int) -> str:
    if interface in NAMELESS:
        raise GLError(INVALID_ENUM)
    return resource(program, interface, index).name


def resource_properties(program: ProgramObject, interface: int, index: int, properties: Sequence[int]) -> list[int]:
    found = resource(program, interface, index)
    for number in properties:
        if number not in PROPERTIES:
            raise GLError(INVALID_ENUM)
        if interface not in PROPERTIES[number][0]:
            raise GLError(INVALID_OPERATION)
    values: list[int] = []
    for number in properties:
        value = PROPERTIES[number][1](found)
        values += value if isinstance(value, list) else [value]
    return values


def resource_location(program: ProgramObject, interface: int, name: str, index: bool = False) -> int:
    """The location of a name, which may be that of an element; or the index of a fragment output."""
    if interface not in ((PROGRAM_OUTPUT,) if index else LOCATED):
        raise GLError(INVALID_ENUM)
    program.executable()
    if interface == UNIFORM:
        return program.uniform_location(name)
    if interface in SUBROUTINE_UNIFORMS:
        stage = program.executable().subroutines.get(SUBROUTINE_UNIFORMS.index(interface))
        return stage.location_of(name) if stage else -1
    base, element = split_element(name)
    for item in resources(program, interface):
        plain = item.name.removesuffix("[0]")
        if item.location < 0 or not (item.name == name or (item.is_array and plain == base and element < item.size)):
            continue
        if index:
            return item.index
        return item.location + element * (columns(item.gl_type) if item.is_array else 0)
    return -1
