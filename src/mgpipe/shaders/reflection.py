"""What a linked program shows to glGetActiveUniform and its kin. Built by compiler.link, read by the front end."""

from dataclasses import dataclass, field

STAGES = 6  # vertex, tessellation control, tessellation evaluation, geometry, fragment, compute: an index everywhere
VERTEX, TESS_CONTROL, TESS_EVALUATION, GEOMETRY, FRAGMENT, COMPUTE = range(STAGES)
STAGE_NAMES = ("vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute")
GL_STAGES = {0x8B31: VERTEX, 0x8E88: TESS_CONTROL, 0x8E87: TESS_EVALUATION, 0x8DD9: GEOMETRY, 0x8B30: FRAGMENT,
             0x91B9: COMPUTE}

# Descriptor sets: one dense space of bindings each, the same in every stage of the program.
SET_UNIFORM_BLOCKS, SET_SAMPLERS, SET_STORAGE_BLOCKS, SET_IMAGES = range(4)
FIRST_USER_BLOCK = STAGES  # bindings 0 to 5 of set 0 are the constants blocks of the stages


@dataclass(slots=True)
class CompiledShader:
    """The result of compiling one shader."""

    ok: bool
    log: str


@dataclass(slots=True)
class Attribute:
    name: str      # "[0]" at the end of an array
    gl_type: int
    size: int
    location: int  # -1 of gl_VertexID and gl_InstanceID


@dataclass(slots=True)
class Uniform:
    """An active uniform: loose, a member of a block, or an opaque one (slot is then not -1)."""

    name: str
    gl_type: int
    size: int               # array elements, 1 when not an array
    is_array: bool
    location: int = -1      # of element 0; the others follow. -1: member of a block
    block: int = -1         # index into uniform_blocks
    offset: int = -1        # bytes in the block
    array_stride: int = 0   # bytes, also in the constants blocks
    matrix_stride: int = 0
    row_major: bool = False
    stages: int = 0         # mask of 1 << stage
    stage_offsets: list[int] = field(default_factory=lambda: [-1] * STAGES)  # bytes in each stage's constants block
    slot: int = -1          # first binding in its set
    resource_set: int = -1  # SET_SAMPLERS or SET_IMAGES
    atomic_buffer: int = -1  # index into atomic_buffers
    writable: bool = True    # of an image
    initial: list[float] | None = None  # the initialiser's components; of opaque uniforms the unit of each element


@dataclass(slots=True)
class Block:
    """A uniform or storage block; each element of an array of blocks is one."""

    name: str
    size_bytes: int
    slot: int             # binding in its set
    initial_binding: int  # layout(binding = …), else 0
    stages: int           # mask of 1 << stage
    members: list[int]    # indices into uniforms, or into storage_members
    writable: bool = False


@dataclass(slots=True)
class StorageMember:
    name: str
    gl_type: int
    size: int             # 0: an open array
    block: int
    offset: int
    array_stride: int
    matrix_stride: int
    row_major: bool
    is_array: bool
    top_array_size: int = 1   # of the block's member that it lies in: 1 when that is no array of aggregates, 0 when open
    top_array_stride: int = 0


@dataclass(slots=True)
class Variable:
    """An input of the first stage or an output of the last."""

    name: str
    gl_type: int
    size: int
    is_array: bool
    location: int
    component: int
    index: int            # of a fragment output, else -1
    is_patch: bool
    stages: int


@dataclass(slots=True)
class SubroutineUniform:
    name: str             # "[0]" at the end of an array
    size: int
    location: int         # of element 0; the others follow
    offset: int           # bytes of element 0 in the stage's constants block, which holds the number of a function
    array_stride: int
    compatible: list[int]  # numbers of the functions that it may choose


@dataclass(slots=True)
class Subroutines:
    """Of one stage."""

    functions: list[tuple[str, int]] = field(default_factory=list)      # names and numbers, by number
    uniforms: list[SubroutineUniform] = field(default_factory=list)

    @property
    def function_numbers(self) -> int:
        """Numbers are below this: some are in use by nobody where the source gave numbers."""
        return self.functions[-1][1] + 1 if self.functions else 0

    def location_of(self, name: str) -> int:
        base, bracket, element = name.rpartition("[")
        for uniform in self.uniforms:
            if name in (uniform.name, uniform.name.removesuffix("[0]")):
                return uniform.location
            if bracket and uniform.name == f"{base}[0]" and element[:-1].isdigit() and int(element[:-1]) < uniform.size:
                return uniform.location + int(element[:-1])
        return -1

    @property
    def locations(self) -> int:
        return max((uniform.location + uniform.size for uniform in self.uniforms), default=0)


@dataclass(slots=True)
class FragmentOutput:
    name: str
    gl_type: int
    size: int
    location: int
    index: int            # 1: the second source of dual-source blending


@dataclass(slots=True)
class FeedbackVarying:
    name: str
    gl_type: int          # 0 of gl_NextBuffer and gl_SkipComponents
    size: int
    spirv_name: str       # what the server captures it by
    components: int       # of 32 bits


@dataclass(slots=True)
class Linked:
    """The result of linking. Without ok only log means anything."""

    ok: bool
    log: str
    spirv: dict[int, bytes] = field(default_factory=dict)  # by stage index
    attributes: list[Attribute] = field(default_factory=list)
    uniforms: list[Uniform] = field(default_factory=list)
    uniform_blocks: list[Block] = field(default_factory=list)
    storage_blocks: list[Block] = field(default_factory=list)
    storage_members: list[StorageMember] = field(default_factory=list)
    atomic_buffers: list[Block] = field(default_factory=list)  # their slots are those of storage blocks
    inputs: list[Variable] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    fragment_outputs: list[FragmentOutput] = field(default_factory=list)
    feedback_varyings: list[FeedbackVarying] = field(default_factory=list)
    feedback_mode: int = 0     # GL enum
    feedback_buffers: int = 0  # bit per buffer that they are captured into
    subroutines: dict[int, Subroutines] = field(default_factory=dict)    # by stage index
    interface: list[dict] = field(default_factory=list)     # of a separable program: inputs and outputs between stages
    constants_size: list[int] = field(default_factory=lambda: [0] * STAGES)  # bytes of each stage's constants block
    local_size: tuple[int, int, int] = (0, 0, 0)
    geometry_input: int = 0   # GL enums
    geometry_output: int = 0
    geometry_vertices: int = 0
    geometry_invocations: int = 0
    tess_control_vertices: int = 0
    tess_mode: int = 0        # GL enums: GL_TRIANGLES, GL_QUADS, GL_ISOLINES
    tess_spacing: int = 0
    tess_order: int = 0
    tess_points: bool = False
    early_fragment_tests: bool = False
