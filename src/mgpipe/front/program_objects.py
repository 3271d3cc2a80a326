"""Shader and program objects: sources, logs, and everything OpenGL answers about a linked program.

Python, since none of it runs per draw. programs.pyx calls in here from the entry points; a `GLError` raised
here is what glGetError must say.
"""

from math import prod

from mgpipe.shaders import feedback, service
from mgpipe.shaders.feedback import INTERLEAVED, SEPARATE
from mgpipe.shaders.jobs import Job
from mgpipe.shaders.reflection import SET_IMAGES, STAGE_NAMES, Attribute, Block, CompiledShader, Linked, Uniform

INVALID_ENUM, INVALID_VALUE, INVALID_OPERATION = 0x0500, 0x0501, 0x0502

INVALID_INDEX = 0xFFFFFFFF
SHADER_TYPES = {0x8B31: 33, 0x8E88: 40, 0x8E87: 40, 0x8DD9: 33, 0x8B30: 33, 0x91B9: 43}     # and the OpenGL that each came with
MAX_ATTRIBS, MAX_DRAW_BUFFERS = 16, 8


class Of:
    """Names of what may be asked. In a class: `case` compares dotted names by value."""

    SHADER_TYPE, DELETE_STATUS, COMPILE_STATUS, INFO_LOG_LENGTH, SHADER_SOURCE_LENGTH = 0x8B4F, 0x8B80, 0x8B81, 0x8B84, 0x8B88
    LINK_STATUS, VALIDATE_STATUS, ATTACHED_SHADERS = 0x8B82, 0x8B83, 0x8B85
    ACTIVE_UNIFORMS, ACTIVE_UNIFORM_MAX_LENGTH = 0x8B86, 0x8B87
    ACTIVE_ATTRIBUTES, ACTIVE_ATTRIBUTE_MAX_LENGTH = 0x8B89, 0x8B8A
    ACTIVE_UNIFORM_BLOCKS, ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH = 0x8A36, 0x8A35
    FEEDBACK_BUFFER_MODE, FEEDBACK_VARYINGS, FEEDBACK_VARYING_MAX_LENGTH = 0x8C7F, 0x8C83, 0x8C76
    GEOMETRY_VERTICES_OUT, GEOMETRY_INPUT_TYPE, GEOMETRY_OUTPUT_TYPE = 0x8916, 0x8917, 0x8918
    SEPARABLE, BINARY_RETRIEVABLE, BINARY_LENGTH = 0x8258, 0x8257, 0x8741
    GEOMETRY_INVOCATIONS, TESS_CONTROL_VERTICES = 0x887F, 0x8E75
    TESS_MODE, TESS_SPACING, TESS_ORDER, TESS_POINTS = 0x8E76, 0x8E77, 0x8E78, 0x8E79
    UNIFORM_TYPE, UNIFORM_SIZE, UNIFORM_NAME_LENGTH, UNIFORM_BLOCK_INDEX = 0x8A37, 0x8A38, 0x8A39, 0x8A3A
    UNIFORM_OFFSET, UNIFORM_ARRAY_STRIDE, UNIFORM_MATRIX_STRIDE, UNIFORM_IS_ROW_MAJOR = 0x8A3B, 0x8A3C, 0x8A3D, 0x8A3E
    UNIFORM_ATOMIC_BUFFER_INDEX, ACTIVE_ATOMIC_BUFFERS = 0x92DA, 0x92D9
    BLOCK_BINDING, BLOCK_DATA_SIZE, BLOCK_NAME_LENGTH = 0x8A3F, 0x8A40, 0x8A41
    BLOCK_ACTIVE_UNIFORMS, BLOCK_ACTIVE_UNIFORM_INDICES = 0x8A42, 0x8A43


# What is asked of one stage: the stage, and where its answer stands in Linked.
STAGE_PROPERTIES = {
    Of.GEOMETRY_VERTICES_OUT: (3, "geometry_vertices"), Of.GEOMETRY_INPUT_TYPE: (3, "geometry_input"),
    Of.GEOMETRY_OUTPUT_TYPE: (3, "geometry_output"), Of.GEOMETRY_INVOCATIONS: (3, "geometry_invocations"),
    Of.TESS_CONTROL_VERTICES: (1, "tess_control_vertices"), Of.TESS_MODE: (2, "tess_mode"),
    Of.TESS_SPACING: (2, "tess_spacing"), Of.TESS_ORDER: (2, "tess_order"), Of.TESS_POINTS: (2, "tess_points"),
}
BLOCK_REFERENCED = {0x8A44: 0, 0x84F0: 1, 0x84F1: 2, 0x8A45: 3, 0x8A46: 4, 0x90EC: 5}
ATOMIC_REFERENCED = {0x92C7: 0, 0x92C8: 1, 0x92C9: 2, 0x92CA: 3, 0x92CB: 4, 0x90ED: 5}


class GLError(Exception):
    """What glGetError must say."""

    def __init__(self, code: int) -> None:
        super().__init__(hex(code))
        self.code = code


class ShaderObject:
    def __init__(self, type: int, newest_glsl: int) -> None:
        self.type = type
        self.newest_glsl = newest_glsl              # what the context that made it promises
        self.sources: list[bytes] = []
        self.compiled_sources: list[bytes] = []     # a link uses what was compiled, not what was set since
        self._job: Job | None = None                # of the last glCompileShader
        self._result = CompiledShader(False, "")

    def compile(self) -> None:
        """Begin to; whoever asks for what came of it waits."""
        self.compiled_sources = list(self.sources)
        self._job = service.compile_shader(self.type, self.compiled_sources, self.newest_glsl)

    @property
    def result(self) -> CompiledShader:
        if self._job is not None:
            self._job, job = None, self._job
            self._result = job.result()
        return self._result

    @property
    def compiled(self) -> bool:
        return self.result.ok

    @property
    def log(self) -> bytes:
        return self.result.log.encode()

    def parameter(self, pname: int, deleted: bool) -> int:
        source = b"".join(self.sources)
        match pname:
            case Of.SHADER_TYPE: return self.type
            case Of.DELETE_STATUS: return deleted
            case Of.COMPILE_STATUS: return self.compiled
            case Of.INFO_LOG_LENGTH: return length(self.log)
            case Of.SHADER_SOURCE_LENGTH: return length(source)
        raise GLError(INVALID_ENUM)

    def source(self) -> bytes:
        return b"".join(self.sources)


class ProgramObject:
    def __init__(self) -> None:
        self.shaders: list[tuple[int, ShaderObject]] = []       # (name, object) in the order of attachment
        self.attribute_bindings: dict[str, int] = {}
        self.fragment_bindings: dict[str, tuple[int, int]] = {}
        self.feedback = feedback.Request()      # for the next link
        self.linked_feedback = feedback.Request()
        self.linked: Linked | None = None       # of the last link; None when it failed
        self.installed: Linked | None = None    # of the last successful link: what is in use
        self.separable_wanted = False           # for the next link
        self.separable = False                  # of the last successful link
        self.retrievable = False
        self.link_alone = False                 # glCreateShaderProgramv: a link that fails reports the shader's log, too
        self.ok = False                         # of the last link
        self.validated = False
        self.log = b""
        self.bindings: list[int] = []           # of uniform blocks, as glUniformBlockBinding set them
        self.storage_bindings: list[int] = []   # of storage blocks, as glShaderStorageBlockBinding set them

    def attach(self, name: int, shader: ShaderObject) -> None:
        if any(known == name for known, _ in self.shaders):
            raise GLError(INVALID_OPERATION)
        self.shaders.append((name, shader))

    def detach(self, name: int) -> None:
        kept = [(known, shader) for known, shader in self.shaders if known != name]
        if len(kept) == len(self.shaders):
            raise GLError(INVALID_OPERATION)
        self.shaders = kept

    def bind_attribute(self, index: int, name: str) -> None:
        if index >= MAX_ATTRIBS:
            raise GLError(INVALID_VALUE)
        if name.startswith("gl_"):
            raise GLError(INVALID_OPERATION)
        self.attribute_bindings[name] = index

    def bind_fragment(self, color: int, index: int, name: str) -> None:
        if index > 1 or color >= (MAX_DRAW_BUFFERS if index == 0 else 1):
            raise GLError(INVALID_VALUE)
        if name.startswith("gl_"):
            raise GLError(INVALID_OPERATION)
        self.fragment_bindings[name] = (color, index)

    def set_feedback(self, request: feedback.Request, separators: bool) -> None:
        """Specification 11.1.2.1. `separators`: gl_NextBuffer and gl_SkipComponents mean something (4.0)."""
        if request.mode not in (INTERLEAVED, SEPARATE):
            raise GLError(INVALID_ENUM)
        if request.mode == SEPARATE and len(request.names) > request.buffers:
            raise GLError(INVALID_VALUE)
        special = [name for name in request.names if name == feedback.NEXT_BUFFER or name in feedback.SKIPS]
        if special and separators and (request.mode == SEPARATE or special.count(feedback.NEXT_BUFFER) >= request.buffers):
            raise GLError(INVALID_OPERATION)
        self.feedback = request

    def set_parameter(self, pname: int, value: int) -> None:
        if pname == Of.SEPARABLE:
            self.separable_wanted = bool(value)
        else:
            self.retrievable = bool(value)

    def link(self, limits: dict) -> Linked | None:
        """The new executable, or None with the reason in the log; the old one then stays in use."""
        self.validated = False
        uncompiled = [name for name, shader in self.shaders if not shader.compiled]
        if uncompiled:
            logs = b"".join(shader.log for _, shader in self.shaders) if self.link_alone else b""
            self.ok, self.log = False, logs + f"error: shader {uncompiled[0]} is not compiled\n".encode()
            return None
        linked = service.link(
            [(shader.type, shader.compiled_sources) for _, shader in self.shaders],
            self.attribute_bindings, self.fragment_bindings, self.separable_wanted, self.feedback,
        )
        self.ok, self.log = linked.ok, linked.log.encode()
        if linked.ok and (excess := over_limit(linked, limits)):
            self.ok, self.log = False, f"error: {excess}\n".encode()
        if not self.ok:
            self.linked = None                  # introspection answers for the failed link, as drivers do
            return None
        self.linked = self.installed = linked
        self.linked_feedback, self.separable = self.feedback, self.separable_wanted
        self.bindings = [block.initial_binding for block in linked.uniform_blocks]
        self.storage_bindings = [block.initial_binding for block in linked.storage_blocks]
        return linked

    def validate(self) -> None:
        self.validated = self.ok
        if not self.ok:
            self.log = b"error: the program is not linked\n"

    # -- introspection

    def parameter(self, pname: int, deleted: bool) -> int:
        view = self.linked
        match pname:
            case Of.DELETE_STATUS: return deleted
            case Of.LINK_STATUS: return self.ok
            case Of.VALIDATE_STATUS: return self.validated
            case Of.INFO_LOG_LENGTH: return length(self.log)
            case Of.SEPARABLE: return self.separable_wanted
            case Of.BINARY_RETRIEVABLE: return self.retrievable
            case Of.BINARY_LENGTH: return 0         # there are no formats
            case Of.ATTACHED_SHADERS: return len(self.shaders)
            case Of.ACTIVE_UNIFORMS: return len(view.uniforms) if view else 0
            case Of.ACTIVE_UNIFORM_MAX_LENGTH: return longest(view.uniforms if view else ())
            case Of.ACTIVE_ATTRIBUTES: return len(view.attributes) if view else 0
            case Of.ACTIVE_ATTRIBUTE_MAX_LENGTH: return longest(view.attributes if view else ())
            case Of.ACTIVE_UNIFORM_BLOCKS: return len(view.uniform_blocks) if view else 0
            case Of.ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH: return longest(view.uniform_blocks if view else ())
            case Of.ACTIVE_ATOMIC_BUFFERS: return len(view.atomic_buffers) if view else 0
            case Of.FEEDBACK_BUFFER_MODE: return self.linked_feedback.mode
            case Of.FEEDBACK_VARYINGS: return len(self.linked_feedback.names)
            case Of.FEEDBACK_VARYING_MAX_LENGTH: return max((len(name) + 1 for name in self.linked_feedback.names), default=0)
        if pname in STAGE_PROPERTIES:
            stage, field = STAGE_PROPERTIES[pname]
            if view is None or stage not in view.spirv:
                raise GLError(INVALID_OPERATION)
            return int(getattr(view, field))
        raise GLError(INVALID_ENUM)

    def executable(self) -> Linked:
        if self.linked is None or not self.ok:
            raise GLError(INVALID_OPERATION)
        return self.linked

    def attribute(self, index: int) -> Attribute:
        return at(self.linked.attributes if self.linked else [], index)

    def uniform(self, index: int) -> Uniform:
        return at(self.linked.uniforms if self.linked else [], index)

    def block(self, index: int) -> Block:
        return at(self.linked.uniform_blocks if self.linked else [], index)

    def feedback_varying(self, index: int) -> tuple[str, int, int]:
        varying = at(self.executable().feedback_varyings, index)
        return varying.name, varying.size, varying.gl_type

    def attribute_location(self, name: str) -> int:
        view = self.executable()
        base, element = split_element(name)
        for attribute in view.attributes:
            if attribute.name.removesuffix("[0]") == base and element < max(attribute.size, 1):
                return attribute.location + element * columns(attribute.gl_type) if attribute.location >= 0 else -1
        return -1

    def fragment_location(self, name: str, index: bool = False) -> int:
        view = self.executable()
        base, element = split_element(name)
        for output in view.fragment_outputs:
            if output.name.removesuffix("[0]") == base and element < max(output.size, 1):
                return output.index if index else output.location + element
        return -1

    def uniform_location(self, name: str) -> int:
        view = self.executable()
        base, element = split_element(name)
        for uniform in view.uniforms:
            if uniform.location < 0:
                continue
            if uniform.is_array:
                if uniform.name.removesuffix("[0]") == base and element < uniform.size:
                    return uniform.location + element
            elif uniform.name == name:
                return uniform.location
        return -1

    def uniform_index(self, name: str) -> int:
        if self.linked is None:
            return INVALID_INDEX
        for index, uniform in enumerate(self.linked.uniforms):
            if uniform.name == name or (uniform.is_array and uniform.name == name + "[0]"):
                return index
        return INVALID_INDEX

    def uniform_parameter(self, index: int, pname: int) -> int:
        uniform = self.uniform(index)
        in_block = uniform.block >= 0 or uniform.atomic_buffer >= 0
        match pname:
            case Of.UNIFORM_TYPE: return uniform.gl_type
            case Of.UNIFORM_SIZE: return uniform.size
            case Of.UNIFORM_NAME_LENGTH: return len(uniform.name) + 1
            case Of.UNIFORM_BLOCK_INDEX: return uniform.block
            case Of.UNIFORM_OFFSET: return uniform.offset if in_block else -1
            case Of.UNIFORM_ARRAY_STRIDE: return uniform.array_stride if in_block else -1
            case Of.UNIFORM_MATRIX_STRIDE: return uniform.matrix_stride if in_block else -1
            case Of.UNIFORM_IS_ROW_MAJOR: return uniform.row_major if in_block else 0
            case Of.UNIFORM_ATOMIC_BUFFER_INDEX: return uniform.atomic_buffer
        raise GLError(INVALID_ENUM)

    def atomic_buffer(self, index: int, pname: int) -> list[int]:
        return atomic_parameter(at(self.linked.atomic_buffers if self.linked else [], index), pname)

    def block_index(self, name: str) -> int:
        for index, block in enumerate(self.linked.uniform_blocks if self.linked else ()):
            if block.name == name:
                return index
        return INVALID_INDEX

    def block_parameter(self, index: int, pname: int) -> list[int]:
        block = self.block(index)
        match pname:
            case Of.BLOCK_BINDING: return [self.bindings[index]]
            case Of.BLOCK_DATA_SIZE: return [block.size_bytes]
            case Of.BLOCK_NAME_LENGTH: return [len(block.name) + 1]
            case Of.BLOCK_ACTIVE_UNIFORMS: return [len(block.members)]
            case Of.BLOCK_ACTIVE_UNIFORM_INDICES: return list(block.members)
        if pname in BLOCK_REFERENCED:
            return [block.stages >> BLOCK_REFERENCED[pname] & 1]
        raise GLError(INVALID_ENUM)


def atomic_parameter(buffer: Block, pname: int) -> list[int]:
    """glGetActiveAtomicCounterBufferiv."""
    match pname:
        case 0x92C1: return [buffer.initial_binding]    # GL_ATOMIC_COUNTER_BUFFER_BINDING, …_DATA_SIZE
        case 0x92C4: return [buffer.size_bytes]
        case 0x92C5: return [len(buffer.members)]       # …_ACTIVE_ATOMIC_COUNTERS, …_COUNTER_INDICES
        case 0x92C6: return list(buffer.members)
    if pname in ATOMIC_REFERENCED:
        return [buffer.stages >> ATOMIC_REFERENCED[pname] & 1]
    raise GLError(INVALID_ENUM)


def at(items: list, index: int):
    if index >= len(items):
        raise GLError(INVALID_VALUE)
    return items[index]


def over_limit(linked: Linked, limits: dict) -> str:
    """What the program has more of than this driver takes, or nothing. Counters take the places of storage blocks."""
    storage = linked.storage_blocks + linked.atomic_buffers
    images = [uniform for uniform in linked.uniforms if uniform.resource_set == SET_IMAGES for _ in range(max(uniform.size, 1))]
    for kind, words, users in (("storage", "storage blocks", storage), ("counters", "buffers of atomic counters", linked.atomic_buffers),
                               ("images", "images", images)):
        if not users:
            continue
        of_stage, of_program = limits[kind]
        for stage, most in enumerate(of_stage):
            if (count := sum(user.stages >> stage & 1 for user in users)) > most:
                return f"the {STAGE_NAMES[stage]} shader has {count} {words}, the most is {most}"
        if len(users) > of_program:
            return f"the program has {len(users)} {words}, the most is {of_program}"
    sizes, invocations = limits["group"]
    if any(size > most for size, most in zip(linked.local_size, sizes)) or prod(linked.local_size) > invocations:
        return f"work groups of {linked.local_size}; the most is {tuple(sizes)}, and {invocations} invocations"
    return ""


def length(text: bytes) -> int:
    """As OpenGL counts: with the terminator, 0 for nothing."""
    return len(text) + 1 if text else 0


def longest(items) -> int:
    return max((len(item.name) + 1 for item in items), default=0)


def split_element(name: str) -> tuple[str, int]:
    """'a.b[3]' → ('a.b', 3); 'a' → ('a', 0)."""
    base, bracket, rest = name.rpartition("[")
    if bracket and rest.endswith("]") and rest[:-1].isdigit() and (rest == "0]" or not rest.startswith("0")):
        return base, int(rest[:-1])
    return name, 0


def columns(gl_type: int) -> int:
    """Locations one element of an attribute takes: the columns of a matrix, else 1."""
    for square, other in ((0x8B5A, 0x8B65), (0x8F46, 0x8F49)):     # of floats, of doubles
        if square <= gl_type < square + 3:
            return gl_type - square + 2
        if other <= gl_type < other + 6:
            return 2 + (gl_type - other) // 2
    return 1
