"""From the sources of a program to SPIR-V and to everything GL may be asked about it.

Two passes of glslang. The first reads as OpenGL does: its log is the user's log, and it knows the locations and
initialisers of uniforms. The second makes SPIR-V, stage by stage, under relaxed Vulkan rules: loose uniforms become one
block a stage, holding what that stage reads and no more. numbering.py gives the numbers in between.
"""

import re
from array import array
from collections.abc import Mapping, Sequence

from mgpipe.shaders import numbering, reflection
from mgpipe.shaders._glslang import Program
from mgpipe.shaders.feedback import Request, buffers, capture, name_safely
from mgpipe.shaders.numbering import (
    CONSTANTS, IMAGE, INPUT, OUTPUT, SAMPLER, STORAGE_BLOCK, UNIFORM_BLOCK, Item, LinkError,
)
from mgpipe.shaders.reflection import (
    COMPUTE, FRAGMENT, GEOMETRY, GL_STAGES, STAGE_NAMES, TESS_CONTROL, TESS_EVALUATION, VERTEX, CompiledShader, Linked,
)
from mgpipe.shaders.sources import DRAW_PARAMETERS, NEWEST, RENAMED, Refused, Source, prepare, promote
from mgpipe.shaders.subroutines import CALL_PREFIX, UNIFORM_PREFIX

__all__ = ["CompiledShader", "Linked", "compile_shader", "link", "warm_up"]

SPIRV_HEADER_WORDS, OP_EXECUTION_MODE = 5, 16
PIXEL_CENTER_INTEGER, ORIGIN_UPPER_LEFT, ORIGIN_LOWER_LEFT = 6, 7, 8
MAX_UNIFORM_LOCATIONS = 4096  # GL_MAX_UNIFORM_LOCATIONS
MAX_SUBROUTINES, MAX_SUBROUTINE_LOCATIONS = 256, 1024  # GL_MAX_SUBROUTINES, GL_MAX_SUBROUTINE_UNIFORM_LOCATIONS
MAX_CONSTANTS_BYTES = 65536  # of one stage; the uniform buffer that common drivers take


def compile_shader(stage: int, sources: Sequence[bytes], newest: int = NEWEST) -> CompiledShader:
    """glCompileShader. `stage` is the GL enum, `newest` the version of GLSL that the context promises."""
    try:
        source = prepare(GL_STAGES[stage], sources, newest)
    except Refused as refusal:
        return CompiledShader(False, f"{refusal}\n")
    _, ok, log = _parse_view(Program(spirv=False), source)
    return CompiledShader(ok, _user_log(log))


def link(shaders: Sequence[tuple[int, Sequence[bytes]]], attribute_bindings: Mapping[str, int] | None = None,
         fragdata_bindings: Mapping[str, tuple[int, int]] | None = None, separable: bool = False,
         feedback: Request = Request()) -> Linked:
    """glLinkProgram. `shaders` are (GL stage enum, strings) of compiled shader objects."""
    try:
        if not shaders:
            raise LinkError("error: no shader is attached")
        sources = [prepare(GL_STAGES[stage], strings) for stage, strings in shaders]
        return _link(sources, attribute_bindings or {}, fragdata_bindings or {}, separable, feedback)
    except (LinkError, Refused) as error:
        return Linked(False, f"{error}\n")


def warm_up() -> None:
    """Read GLSL's built-in functions ahead of the first program, which else pays some 40 ms. For a thread: no GIL."""
    link([(0x8B31, [b"#version 330 core\nvoid main() {}\n"]), (0x8B30, [b"#version 330 core\nvoid main() {}\n"])])


def _link(sources: list[Source], attribute_bindings: Mapping[str, int],
          fragdata_bindings: Mapping[str, tuple[int, int]], separable: bool,
          feedback: Request) -> Linked:
    _check_stages({source.stage for source in sources}, separable)
    view = Program(spirv=False)
    for i, source in enumerate(sources):
        sources[i], ok, log = _parse_view(view, source)
        if not ok:
            raise LinkError(_user_log(log))
    # Two stages of a separable program are checked against each other only when both are in it, as here.
    if not view.link():
        raise LinkError(_user_log(view.log))

    units = {stage: _parse_spirv(stage, [source for source in sources if source.stage == stage])
             for stage in sorted({source.stage for source in sources})}
    items = [Item(stage, position, fields) for stage, unit in units.items()
             for position, fields in enumerate(unit.items())]
    _refuse_unimplemented(view, units, items)

    numbering.place_resources(items)
    numbering.place_attributes(items, attribute_bindings)
    numbering.place_fragment_outputs(items, fragdata_bindings)
    stages = [stage for stage in units if stage != COMPUTE]
    edges = [(-1, stages[0]), *zip(stages, stages[1:]), (stages[-1], -1)] if stages else []
    for writer, reader in edges:
        outputs = [item for item in items if item.stage == writer != FRAGMENT and item.kind == OUTPUT]
        inputs = [item for item in items if item.stage == reader != VERTEX and item.kind == INPUT]
        numbering.place_varyings(outputs, inputs, separable)
    for item in items:
        if item.kind > OUTPUT or item.location >= 0:
            units[item.stage].place(item.position, item.set, item.slot, item.location, item.index, item.interpolation)

    linked = Linked(True, _user_log(view.log))
    for stage, unit in units.items():
        linked.spirv[stage] = unit.emit()
        if unit.log:
            raise LinkError(f"error: the {STAGE_NAMES[stage]} shader cannot be expressed in SPIR-V: {unit.log.strip()}")
    if FRAGMENT in units:
        linked.spirv[FRAGMENT] = _with_coordinates(linked.spirv[FRAGMENT], view.properties(FRAGMENT))
    reflector = _Reflector(linked, items, view.facts())
    reflector.fill()
    linked.subroutines = _subroutines(sources, reflector.choices)
    _fill_properties(linked, view, units)
    if separable:
        linked.interface = [item.fields | {"stage": item.stage, "placed": item.location} for item in items
                            if (item.kind == INPUT and item.stage != VERTEX) or (item.kind == OUTPUT and item.stage != FRAGMENT)
                            if not item.fields["is_builtin"]]
    linked.feedback_varyings = capture(feedback, items, stages, RENAMED)
    linked.feedback_mode = feedback.mode
    if linked.feedback_varyings:
        last = max(stage for stage in stages if stage < FRAGMENT)
        linked.spirv[last], linked.feedback_varyings = name_safely(linked.spirv[last], linked.feedback_varyings)
    linked.feedback_buffers = buffers(linked.feedback_varyings, feedback.mode)
    if COMPUTE in units:
        linked.inputs = _variables([item for item in items if item.kind == INPUT])
    if stages:
        linked.inputs = _variables([item for item in items if item.stage == stages[0] and item.kind == INPUT])
        linked.outputs = _variables([item for item in items if item.stage == stages[-1] and item.kind == OUTPUT])
    return linked


def _check_stages(stages: set[int], separable: bool) -> None:
    if COMPUTE in stages and len(stages) > 1:
        raise LinkError("error: a compute shader cannot be linked with shaders of other stages")
    if COMPUTE not in stages and VERTEX not in stages and not separable:
        raise LinkError("error: the program has no vertex shader")
    if TESS_CONTROL in stages and TESS_EVALUATION not in stages and not separable:
        raise LinkError("error: the program has a tessellation control shader and no tessellation evaluation shader")


def _parse_view(view: Program, source: Source) -> tuple[Source, bool, str]:
    """Parse as GL; where an extension is in the way that is core by now, once more as GLSL 4.60."""
    if view.add(source.stage, source.version_line, source.strings, source.view_preamble):
        return source, True, view.log
    log = view.log
    unknown = "extension not supported" in log or any(f"'{name}' : undeclared" in log for name in DRAW_PARAMETERS)
    if unknown and (newer := promote(source)) is not None:
        if view.add(newer.stage, newer.version_line, newer.strings, newer.view_preamble):
            return newer, True, view.log
    return source, False, log


def _with_coordinates(spirv: bytes, fragment: dict) -> bytes:
    """The module with gl_FragCoord as OpenGL has it: Vulkan's rules know the upper left corner and pixel centers only."""
    words = list(memoryview(spirv).cast("I"))
    at = SPIRV_HEADER_WORDS
    while words[at] & 0xFFFF != OP_EXECUTION_MODE or words[at + 2] != ORIGIN_UPPER_LEFT:
        at += words[at] >> 16
    if not fragment["origin_upper_left"]:
        words[at + 2] = ORIGIN_LOWER_LEFT
    if fragment["pixel_center_integer"]:
        words[at:at] = [3 << 16 | OP_EXECUTION_MODE, words[at + 1], PIXEL_CENTER_INTEGER]
    return array("I", words).tobytes()


def _parse_spirv(stage: int, sources: list[Source]) -> Program:
    unit = Program(spirv=True)
    for source in sources:
        if not unit.add(stage, source.version_line, source.strings, source.spirv_preamble):
            raise LinkError(f"error: the {STAGE_NAMES[stage]} shader uses what mgpipe cannot express in SPIR-V:\n"
                            + _user_log(unit.log))
    if not unit.link():
        raise LinkError(_user_log(unit.log))
    return unit


def _refuse_unimplemented(view: Program, units: Mapping[int, Program], items: list[Item]) -> None:
    for item in items:
        if item.kind == CONSTANTS:
            for leaf in item.fields["leaves"]:
                if leaf["gl_type"] not in _SCALARS and leaf["gl_type"] not in _COMPONENTS:
                    raise LinkError(f"error: '{leaf['name']}': this sampler or image within a structure is not "
                                    "implemented by mgpipe yet; declare it as a uniform of its own")
            if item.fields["size_bytes"] > MAX_CONSTANTS_BYTES:
                raise LinkError(f"error: the {STAGE_NAMES[item.stage]} shader reads {item.fields['size_bytes']} bytes "
                                f"of uniforms outside of blocks, the most is {MAX_CONSTANTS_BYTES}")
    for stage in units:
        if view.properties(stage)["xfb_layout"]:
            raise LinkError(f"error: layout(xfb_offset = …) in the {STAGE_NAMES[stage]} shader is not implemented by mgpipe "
                            "yet; name what is captured with glTransformFeedbackVaryings")


def _fill_properties(linked: Linked, view: Program, units: Mapping[int, Program]) -> None:
    if GEOMETRY in units:
        geometry = view.properties(GEOMETRY)
        linked.geometry_input, linked.geometry_output = geometry["input_primitive"], geometry["output_primitive"]
        linked.geometry_vertices, linked.geometry_invocations = geometry["vertices_out"], geometry["invocations"]
    if TESS_CONTROL in units:
        linked.tess_control_vertices = view.properties(TESS_CONTROL)["vertices_out"]
    if TESS_EVALUATION in units:
        evaluation = view.properties(TESS_EVALUATION)
        linked.tess_mode, linked.tess_spacing = evaluation["tess_mode"], evaluation["tess_spacing"]
        linked.tess_order, linked.tess_points = evaluation["tess_order"], bool(evaluation["tess_points"])
    if COMPUTE in units:
        linked.local_size = tuple(view.properties(COMPUTE)["local_size"])
    if FRAGMENT in units:
        linked.early_fragment_tests = bool(view.properties(FRAGMENT)["early_fragment_tests"])


def _subroutines(sources: list[Source], choices: Mapping[int, list[dict]]) -> dict[int, reflection.Subroutines]:
    """What the stages declared, and of their uniforms those that the stage reads."""
    found: dict[int, reflection.Subroutines] = {}
    for source in sources:
        if source.declared is None:
            continue
        if source.stage in found:
            raise LinkError(f"error: subroutines in two {STAGE_NAMES[source.stage]} shaders of a program are not "
                            "implemented by mgpipe")
        stage = found[source.stage] = reflection.Subroutines()
        functions = source.declared.functions
        stage.functions = sorted(((name, index) for name, (index, _) in functions.items()), key=lambda pair: pair[1])
        for leaf in choices.get(source.stage, ()):
            name = leaf["name"].removeprefix(f"{UNIFORM_PREFIX}{source.stage}_")
            type_name, location = source.declared.uniforms[name]
            stage.uniforms.append(reflection.SubroutineUniform(
                f"{name}[0]" if leaf["is_array"] else name, leaf["array_size"], location, leaf["offset"], leaf["array_stride"],
                sorted(index for index, types in functions.values() if type_name in types)))
        _locate_subroutines(stage)
        if stage.function_numbers > MAX_SUBROUTINES or stage.locations > MAX_SUBROUTINE_LOCATIONS:
            raise LinkError(f"error: too many subroutines in the {STAGE_NAMES[source.stage]} shader: {stage.function_numbers} "
                            f"functions of {MAX_SUBROUTINES}, {stage.locations} locations of {MAX_SUBROUTINE_LOCATIONS}")
    return found


def _locate_subroutines(stage: reflection.Subroutines) -> None:
    used: set[int] = set()
    for uniform in sorted(stage.uniforms, key=lambda uniform: uniform.location < 0):    # those with a location first
        if uniform.location < 0:
            uniform.location = 0
            while not used.isdisjoint(range(uniform.location, uniform.location + uniform.size)):
                uniform.location += 1
        run = range(uniform.location, uniform.location + uniform.size)
        if not used.isdisjoint(run):
            raise LinkError(f"error: subroutine uniform '{uniform.name}' shares location {uniform.location} with another")
        used.update(run)


def _user_log(log: str) -> str:
    return _SUBROUTINE_NAME.sub("", log.replace(RENAMED, ""))


_SUBROUTINE_NAME = re.compile(rf"{UNIFORM_PREFIX}\d_|{CALL_PREFIX}")


def _gl_name(leaf: dict) -> str:
    """As glGetActiveUniform says it, words renamed for glslang back in place."""
    name = leaf["name"]
    if name.startswith(RENAMED) or f".{RENAMED}" in name:
        name = ".".join(part.removeprefix(RENAMED) for part in name.split("."))
    return f"{name}[0]" if leaf["is_array"] else name


def _root(name: str) -> str:
    """The variable that a leaf belongs to."""
    return name.split(".", 1)[0].split("[", 1)[0]


def _element(number: int, dimensions: Sequence[int]) -> str:
    """[0], [1] …; of an array of arrays [0][0], [0][1] …: the last index counts first."""
    text = ""
    for size in reversed(dimensions):
        number, index = divmod(number, size)
        text = f"[{index}]{text}"
    return text


def _components(gl_type: int) -> int:
    return _COMPONENTS.get(gl_type, 1)


UNSIGNED_INT_ATOMIC_COUNTER = 0x92DB

_SCALARS = (0x1404, 0x1405, 0x1406, 0x140A, 0x8B56)  # int, uint, float, double, bool
_COMPONENTS = {
    **{first + n: n + 2 for first in (0x8B50, 0x8B53, 0x8B57, 0x8DC6, 0x8FFC) for n in range(3)},  # vec2 to vec4
    **{0x8B5A + n: (n + 2) ** 2 for n in range(3)}, **{0x8F46 + n: (n + 2) ** 2 for n in range(3)},  # square matrices
    **{first + n: size for first in (0x8B65, 0x8F49) for n, size in enumerate((6, 8, 6, 12, 8, 12))},
}


class _Reflector:
    """Merges the items of the stages into the lists of a Linked."""

    def __init__(self, linked: Linked, items: list[Item], facts: list[tuple[str, int, int, list[float], int]]) -> None:
        self.linked = linked
        self.items = items
        self.facts = {name: (location, binding, values) for name, location, binding, values, _ in facts}
        self.counter_offsets = {name: offset for name, _, _, _, offset in facts}
        self.loose: dict[str, reflection.Uniform] = {}
        self.blocks: dict[tuple[int, str], list[reflection.Block]] = {}
        self.explicit: dict[str, int] = {}  # loose uniforms with layout(location = …)
        self.roots: dict[str, list[reflection.Uniform]] = {}
        self.choices: dict[int, list[dict]] = {}  # leaves of subroutine uniforms, by stage

    def fill(self) -> None:
        for item in self.items:
            {INPUT: self.attribute, OUTPUT: self.output, CONSTANTS: self.constants, SAMPLER: self.opaque,
             IMAGE: self.opaque, UNIFORM_BLOCK: self.uniform_block, STORAGE_BLOCK: self.storage_block}[item.kind](item)
        self.initialise()
        self.locate()

    def attribute(self, item: Item) -> None:
        if item.stage == VERTEX:
            for leaf in item.fields["leaves"]:
                location = -1 if item.fields["is_builtin"] else item.location + leaf["offset"]
                self.linked.attributes.append(
                    reflection.Attribute(_gl_name(leaf), leaf["gl_type"], leaf["array_size"], location))

    def output(self, item: Item) -> None:
        if item.stage == FRAGMENT:
            for leaf in item.fields["leaves"]:
                self.linked.fragment_outputs.append(reflection.FragmentOutput(
                    _gl_name(leaf), leaf["gl_type"], leaf["array_size"], item.location + leaf["offset"], item.index))

    def uniform(self, leaf: dict, stage: int) -> reflection.Uniform:
        """A loose uniform: one for all stages that have it."""
        name = _gl_name(leaf)
        known = self.loose.get(name)
        if known is None:
            known = self.loose[name] = reflection.Uniform(
                name, leaf["gl_type"], leaf["array_size"], bool(leaf["is_array"]), array_stride=leaf["array_stride"],
                matrix_stride=leaf["matrix_stride"], row_major=bool(leaf["row_major"]))
            self.linked.uniforms.append(known)
            self.roots.setdefault(_root(leaf["name"]), []).append(known)
        elif (known.gl_type, known.size) != (leaf["gl_type"], leaf["array_size"]):
            raise LinkError(f"error: uniform '{name}' has different types in two stages")
        known.stages |= 1 << stage
        return known

    def constants(self, item: Item) -> None:
        self.linked.constants_size[item.stage] = (item.fields["size_bytes"] + 15) & ~15
        for leaf in item.fields["leaves"]:
            if leaf["name"].startswith(UNIFORM_PREFIX):
                self.choices.setdefault(item.stage, []).append(leaf)
                continue
            self.uniform(leaf, item.stage).stage_offsets[item.stage] = leaf["offset"]

    def opaque(self, item: Item) -> None:
        binding = self.facts.get(item.name, (-1, -1, []))[1]
        for leaf in item.fields["leaves"]:
            uniform = self.uniform(leaf, item.stage)
            uniform.slot, uniform.resource_set = item.slot + leaf["offset"], item.set
            uniform.writable = not item.fields["is_readonly"]
            first = binding + leaf["offset"] if binding >= 0 else 0
            uniform.initial = [first + i if binding >= 0 else 0 for i in range(leaf["array_size"])]

    def uniform_block(self, item: Item) -> None:
        blocks = self.block_of(item, self.linked.uniform_blocks)
        if blocks[0].members:
            return
        for leaf in item.fields["leaves"]:
            blocks[0].members.append(len(self.linked.uniforms))
            self.linked.uniforms.append(reflection.Uniform(
                _gl_name(leaf), leaf["gl_type"], leaf["array_size"], bool(leaf["is_array"]),
                block=self.linked.uniform_blocks.index(blocks[0]), offset=leaf["offset"],
                array_stride=leaf["array_stride"], matrix_stride=leaf["matrix_stride"],
                row_major=bool(leaf["row_major"])))
        for other in blocks[1:]:
            other.members = blocks[0].members

    def storage_block(self, item: Item) -> None:
        if item.is_counters:
            self.counters(item)
            return
        blocks = self.block_of(item, self.linked.storage_blocks)
        for block in blocks:
            block.writable = block.writable or not item.fields["is_readonly"]
        if blocks[0].members:
            return
        for leaf in item.fields["leaves"]:
            blocks[0].members.append(len(self.linked.storage_members))
            self.linked.storage_members.append(reflection.StorageMember(
                _gl_name(leaf), leaf["gl_type"], leaf["array_size"], self.linked.storage_blocks.index(blocks[0]),
                leaf["offset"], leaf["array_stride"], leaf["matrix_stride"], bool(leaf["row_major"]),
                bool(leaf["is_array"]), leaf["top_array_size"], leaf["top_array_stride"]))
        for other in blocks[1:]:
            other.members = blocks[0].members

    def counters(self, item: Item) -> None:
        """A buffer of atomic counters, which glslang made a storage block of, and the counters in it."""
        buffers = self.linked.atomic_buffers
        buffer = next((b for b in buffers if b.initial_binding == item.counters_binding), None)
        if buffer is None:
            buffer = reflection.Block("", 0, item.slot, item.counters_binding, 0, [], writable=True)
            buffers.append(buffer)
        buffer.stages |= 1 << item.stage
        for leaf in item.fields["leaves"]:
            if leaf["name"].startswith("mgpipe_hole"):
                continue
            if self.counter_offsets.get(leaf["name"], leaf["offset"]) != leaf["offset"]:
                raise LinkError(f"error: atomic counter '{leaf['name']}' takes its offset from a declaration without a "
                                "name, which is not implemented by mgpipe yet; give it an offset of its own")
            uniform = self.uniform(leaf | {"gl_type": UNSIGNED_INT_ATOMIC_COUNTER}, item.stage)
            if uniform.atomic_buffer < 0:
                buffer.members.append(self.linked.uniforms.index(uniform))
            uniform.atomic_buffer, uniform.offset = buffers.index(buffer), leaf["offset"]
            buffer.size_bytes = max(buffer.size_bytes, leaf["offset"] + 4 * leaf["array_size"])

    def block_of(self, item: Item, blocks: list[reflection.Block]) -> list[reflection.Block]:
        """The item's blocks, one for each element of an array of blocks."""
        mine = self.blocks.get((item.set, item.name))
        if mine is None:
            binding = self.facts.get(item.name, (-1, -1, []))[1]
            size = item.fields["size_bytes"]
            if item.kind == UNIFORM_BLOCK:
                size = (size + 15) & ~15  # drivers say it so: a std140 block ends on a vec4
            mine = self.blocks[item.set, item.name] = [
                reflection.Block(item.name + _element(i, item.fields["dimensions"][:item.fields["dimension_count"]]), size,
                                 item.slot + i, max(binding, 0) + (i if binding >= 0 else 0), 0, [])
                for i in range(item.slots)]
            blocks.extend(mine)
        for block in mine:
            block.stages |= 1 << item.stage
        return mine

    def initialise(self) -> None:
        """Deal a variable's initialiser out to its leaves."""
        for root, uniforms in self.roots.items():
            values = self.facts.get(root, (-1, -1, []))[2]
            at = 0
            for uniform in uniforms:
                if uniform.slot < 0 and values:
                    count = _components(uniform.gl_type) * uniform.size
                    uniform.initial = values[at:at + count]
                    at += count

    def locate(self) -> None:
        """GL locations: the source's, else the lowest run that is free; one for each array element."""
        used: set[int] = set()
        pending = []
        for root, uniforms in self.roots.items():
            if uniforms[0].atomic_buffer >= 0:
                continue  # counters have an offset and no location
            location = self.facts.get(root, (-1, -1, []))[0]
            if location < 0:
                pending += uniforms
                continue
            for uniform in uniforms:
                uniform.location = location
                location += uniform.size
                run = range(uniform.location, location)
                if location > MAX_UNIFORM_LOCATIONS:
                    raise LinkError(f"error: uniform '{uniform.name}' has location {location - 1}, the highest is "
                                    f"{MAX_UNIFORM_LOCATIONS - 1}")
                if not used.isdisjoint(run):
                    raise LinkError(f"error: uniform '{uniform.name}' shares location {uniform.location} with another")
                used.update(run)
        start = 0
        for uniform in pending:
            location = start
            while not used.isdisjoint(range(location, location + uniform.size)):
                location += 1
            uniform.location = location
            used.update(range(location, location + uniform.size))
            while start in used:
                start += 1


def _variables(items: list[Item]) -> list[reflection.Variable]:
    return [reflection.Variable(
        _gl_name(leaf), leaf["gl_type"], leaf["array_size"], bool(leaf["is_array"]),
        -1 if item.fields["is_builtin"] and item.kind == INPUT else item.location + leaf["offset"],
        max(item.fields["component"], 0), item.index if item.stage == FRAGMENT and item.kind == OUTPUT else -1,
        bool(item.fields["is_patch"]), 1 << item.stage) for item in items for leaf in item.fields["leaves"]]
