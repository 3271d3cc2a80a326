"""What a linked program shows to glGetActiveUniform and its kin. Built by compiler.link, read by the front end."""

from functools import cache
from typing import Any, Self

STAGES = 6  # vertex, tessellation control, tessellation evaluation, geometry, fragment, compute: an index everywhere
VERTEX, TESS_CONTROL, TESS_EVALUATION, GEOMETRY, FRAGMENT, COMPUTE = range(STAGES)
STAGE_NAMES = ("vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute")
GL_STAGES = {0x8B31: VERTEX, 0x8E88: TESS_CONTROL, 0x8E87: TESS_EVALUATION, 0x8DD9: GEOMETRY, 0x8B30: FRAGMENT,
             0x91B9: COMPUTE}

# Descriptor sets: one dense space of bindings each, the same in every stage of the program.
SET_UNIFORM_BLOCKS, SET_SAMPLERS, SET_STORAGE_BLOCKS, SET_IMAGES = range(4)
FIRST_USER_BLOCK = STAGES  # bindings 0 to 5 of set 0 are the constants blocks of the stages


class Record:
    """Its members are those annotated, in that order; what has a value there may be left out, and a list or dict is copied.

    So much of a dataclass as is wanted here. Making a dozen of those takes 7 ms of every program's start.
    """

    def __init__(self, *values: Any, **named: Any) -> None:
        kind, members = type(self), self.__dict__
        members.update(zip(kind.__annotations__, values), **named)
        for name in kind.__annotations__:
            if name not in members:
                default = getattr(kind, name)
                members[name] = default.copy() if isinstance(default, (list, dict)) else default
        if len(members) != len(kind.__annotations__):
            raise TypeError(f"{kind.__name__} has no {', '.join(members.keys() - kind.__annotations__.keys())}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None     # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def but(self, **changed: Any) -> Self:
        return type(self)(**{**self.__dict__, **changed})

    def plain(self) -> list:
        """The members, records in them likewise: what marshal can write."""
        records = records_in(type(self))
        return [_plain(self.__dict__[name]) if name in records else self.__dict__[name] for name in type(self).__annotations__]

    @classmethod
    def from_plain(cls, values: list) -> Self:
        made = cls.__new__(cls)
        members = made.__dict__
        members.update(zip(cls.__annotations__, values, strict=True))
        for name, kind in records_in(cls).items():
            found = members[name]
            members[name] = ({key: kind.from_plain(value) for key, value in found.items()} if isinstance(found, dict)
                             else [kind.from_plain(value) for value in found])
        return made


def _plain(found: Any) -> Any:
    return {key: value.plain() for key, value in found.items()} if isinstance(found, dict) else [value.plain() for value in found]


@cache
def records_in(kind: type[Record]) -> dict[str, type[Record]]:
    """Members that are lists of records, or dicts whose values are."""
    found = {name: annotated.__args__[-1] for name, annotated in kind.__annotations__.items()
             if getattr(annotated, "__origin__", None) in (list, dict)}
    return {name: inner for name, inner in found.items() if isinstance(inner, type) and issubclass(inner, Record)}


class CompiledShader(Record):
    """The result of compiling one shader."""

    ok: bool
    log: str


class Attribute(Record):
    name: str      # "[0]" at the end of an array
    gl_type: int
    size: int
    location: int  # -1 of gl_VertexID and gl_InstanceID


class Uniform(Record):
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
    stage_offsets: list[int] = [-1] * STAGES  # bytes in each stage's constants block
    slot: int = -1          # first binding in its set
    resource_set: int = -1  # SET_SAMPLERS or SET_IMAGES
    atomic_buffer: int = -1  # index into atomic_buffers
    writable: bool = True    # of an image
    initial: list[float] | None = None  # the initialiser's components; of opaque uniforms the unit of each element


class Block(Record):
    """A uniform or storage block; each element of an array of blocks is one."""

    name: str
    size_bytes: int
    slot: int             # binding in its set
    initial_binding: int  # layout(binding = …), else 0
    stages: int           # mask of 1 << stage
    members: list[int]    # indices into uniforms, or into storage_members
    writable: bool = False


class StorageMember(Record):
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


class Variable(Record):
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


class SubroutineUniform(Record):
    name: str             # "[0]" at the end of an array
    size: int
    location: int         # of element 0; the others follow
    offset: int           # bytes of element 0 in the stage's constants block, which holds the number of a function
    array_stride: int
    compatible: list[int]  # numbers of the functions that it may choose


class Subroutines(Record):
    """Of one stage."""

    functions: list[tuple[str, int]] = []      # names and numbers, by number
    uniforms: list[SubroutineUniform] = []

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


class FragmentOutput(Record):
    name: str
    gl_type: int
    size: int
    location: int
    index: int            # 1: the second source of dual-source blending


class FeedbackVarying(Record):
    name: str
    gl_type: int          # 0 of gl_NextBuffer and gl_SkipComponents
    size: int
    spirv_name: str       # what the server captures it by
    components: int       # of 32 bits


class Linked(Record):
    """The result of linking. Without ok only log means anything."""

    ok: bool
    log: str
    spirv: dict[int, bytes] = {}  # by stage index
    attributes: list[Attribute] = []
    uniforms: list[Uniform] = []
    uniform_blocks: list[Block] = []
    storage_blocks: list[Block] = []
    storage_members: list[StorageMember] = []
    atomic_buffers: list[Block] = []  # their slots are those of storage blocks
    inputs: list[Variable] = []
    outputs: list[Variable] = []
    fragment_outputs: list[FragmentOutput] = []
    feedback_varyings: list[FeedbackVarying] = []
    feedback_mode: int = 0     # GL enum
    feedback_buffers: int = 0  # bit per buffer that they are captured into
    subroutines: dict[int, Subroutines] = {}    # by stage index
    interface: list[dict] = []     # of a separable program: inputs and outputs between stages
    constants_size: list[int] = [0] * STAGES  # bytes of each stage's constants block
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
