"""Espryt's objects: what each handle and each context has become in the driver.

All native contexts of a session share one object space: handles already keep the client's share groups apart, and a
twin then needs one native name only. Framebuffers and vertex arrays, which GL never shares, are made per context.

Two rules keep cached bindings honest, and both rest on `serial`, a number that no two objects of a session ever share:
- what is kept of an object beyond its record is a Ref, and a Ref whose object has another serial by now is null;
- what is believed of the driver's bindings is the serial of the object bound, never its address or its GL name, since
  both are used again for later objects.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from driver_gl cimport GL, EGLContext, GLenum, GLint, GLsync, GLuint
from pipe cimport (pipe_Caps, pipe_DynamicState, pipe_PipelineState, pipe_SamplerState, pipe_resource_respecify, pipe_VertexAttrib, pipe_VertexBinding)
from pipe_formats cimport FORMAT_COUNT
from mgpipe.backends.driver cimport Driver
from mgpipe.backends.host cimport Host
from mgpipe.shaders._spirv_cross cimport spirv_move

cdef enum:
    STAGES = 6
    COLORS = 8
    UNITS = 192
    BLOCKS = 96
    PRESENTS = 64           # unfinished ones of a session: more than any client's credit
    STORAGE = 32                    # slots of storage blocks, and of images
    IMAGES = 32
    BUFFERS = 32
    ATTRIBS = 32
    LEVELS = 16
    UNWRITTEN = 16

# What a context's next verb must look at again.
cdef enum:
    DIRTY_FRAMEBUFFER = 1
    DIRTY_PIPELINE = 2
    DIRTY_DYNAMIC = 4
    DIRTY_VERTEX = 8
    DIRTY_PROGRAM = 16
    DIRTY_BLOCKS = 32               # uniform blocks must be bound again, whatever is known of them
    DIRTY_ALL = 63
    DIRTY_SKIPPED = 64              # a condition that is not the driver's: nothing is drawn until it ends

cdef struct Twin:                   # how every twin begins
    uint64_t serial

cdef struct Ref:
    Twin* twin
    uint64_t serial

cdef inline Ref ref_to(void* twin) noexcept nogil:
    cdef Ref ref
    ref.twin = <Twin*>twin
    ref.serial = ref.twin.serial if twin != NULL else 0
    return ref

cdef inline void* alive(Ref* ref) noexcept nogil:
    return ref.twin if ref.twin != NULL and ref.twin.serial == ref.serial else NULL

cdef struct Resource:               # a buffer, texture or renderbuffer
    uint64_t serial
    uint64_t group                  # serial of the share group it dies with
    uint32_t kind                   # PIPE_RESOURCE_TARGET_*
    GLuint name
    GLenum target                   # where the driver binds it
    uint32_t format                 # position in pipe_formats[]; of level 0 for mutable textures
    uint8_t level_formats[LEVELS]   # of each level
    uint32_t width, height, depth, samples, levels, immutable
    uint64_t size                   # of a buffer
    uint64_t version                # of a buffer's bytes, as far as records change them; of a texture: another one when
                                    # `name` is another object of the driver than before
    uint32_t gpu_writes             # a buffer that shaders, feedback or pixels were written to
    uint32_t is_cooked              # copies were made of it: contexts hear when it changes
    uint32_t converted              # OpenGL ES: a texture made immutable for an image unit (images.pyx)
    uint32_t widened                # OpenGL ES: three components stored as four (widened.pyx)
    uint32_t shared, pad0           # its texels are those of views, or it is one: the driver's object cannot be another
    uint64_t pinned_bytes           # a buffer over the client's memory: so much of it; 0: the driver's own (pins.pyx)
    uint8_t* mapped                 # a buffer that the program has mapped persistently, and so have we; NULL: not, or not yet
    uint64_t mapped_version         # `version` that the mapping's last bytes made
    uint32_t mapping                # which mapping of the program's that is, or was
    uint32_t can_map                # its storage is of the kind

cdef struct Surface:
    uint64_t serial
    uint32_t width, height, color_format, depth_format, samples, srgb
    uint64_t version                # serial of its present storage
    GLuint color, depth
    GLuint resolved                 # one sample of `color`, for reads; 0: not made yet
    uint64_t resolved_version       # `version` that it was made for
    uint32_t fresh                  # storage was never drawn to

cdef struct Attached:               # one attachment, wanted or made
    uint64_t serial                 # 0: none
    uint64_t version                # of the resource, when made
    Resource* resource
    GLuint renderbuffer             # of a surface, which has no Resource
    uint32_t level, layer, layered

cdef struct Wanted:                 # a framebuffer as the client described it
    Attached color[COLORS]
    Attached depth, stencil
    int32_t draw_buffers[COLORS]
    int32_t read_buffer
    uint32_t width, height, layers, samples, fixed_samples

cdef struct Fbo:                    # a framebuffer as it is in the driver
    GLuint name
    uint64_t owner                  # serial of the context it was made in
    Attached color[COLORS]
    Attached depth, stencil
    GLenum draw_buffers[COLORS]
    GLenum read_buffer
    uint32_t width, height, layers, samples, fixed_samples    # parameters of one without attachments
    uint32_t place[COLORS]          # attachment point of each colour attachment; in ES not its own number

cdef struct Framebuffer:
    uint64_t serial
    Wanted wanted
    Fbo fbo

cdef struct RenderState:
    uint64_t serial
    pipe_PipelineState state

cdef struct VertexElements:
    uint64_t serial
    uint32_t attrib_count, binding_count
    uint32_t attrib_mask            # bit per location
    uint32_t binding_mask           # bit per binding that an attribute reads
    pipe_VertexAttrib attribs[ATTRIBS]
    pipe_VertexBinding bindings[BUFFERS]

cdef struct Sampler:
    uint64_t serial
    GLuint name

cdef struct SamplerView:
    uint64_t serial
    GLuint name                     # a texture view, or 0: the resource itself
    GLenum target

cdef struct Constants:              # one stage's loose uniforms
    uint8_t* bytes
    uint32_t size
    uint32_t dirty_low, dirty_high  # low >= high: the buffer holds the bytes
    GLuint buffer
    spirv_move* moves               # ES: where its parts lie in the driver's buffer; NULL: where they lie in `bytes`
    uint32_t move_count
    uint32_t native_size            # of the driver's buffer then
    uint32_t plain                  # no buffer: it is an array of so many vec4, a uniform of the program
    GLint plain_at                  # its location

cdef enum ProgramStatus:
    PROGRAM_NOT_BUILT = 0
    PROGRAM_BUILT = 1
    PROGRAM_FAILED = 2

cdef struct VariantKey:             # what a program's text depends on beside its stages; all zero in desktop GL
    uint32_t point_size             # points are as large as a uniform says
    uint32_t logic_op               # of colours with what is in the target, GL's enumerant; 0: none
    uint32_t alpha_one              # alpha of colours is one
    uint32_t patch_vertices         # of a generated tessellation control stage; 0: none is
    uint32_t corners                # of a generated geometry stage's primitives; 0: none is. The rest is for it
    uint32_t adjacency, shown_as, first_provokes, strip, fan, cull_clockwise, cull_counter
    uint8_t image_formats[IMAGES]   # positions in pipe_formats[] of what is bound, where the shader names none

cdef struct Variant:
    uint64_t serial
    VariantKey key
    Variant* next
    uint32_t status                 # ProgramStatus
    GLuint name
    # -- uniforms that only the server knows of: where (-1: nowhere) and what the driver has
    GLint point_size_at, outer_at, inner_at, base_instance_at, base_vertex_at, draw_id_at
    float point_size
    float levels[6]                 # outer, inner
    uint32_t per_draw               # some of the last three are there

cdef struct Program:
    uint64_t serial
    uint64_t group
    Variant* variants               # built at the first verb that needs them
    uint32_t stage_mask
    uint32_t corners                # of the primitives that its last stage makes; 0: the draw says
    uint32_t formatless             # some of its images name no format
    uint32_t flat                   # its fragment stage has inputs that are not interpolated
    uint32_t constants_dirty        # bit per stage
    uint32_t* code[STAGES]          # SPIR-V
    uint32_t words[STAGES]
    Constants constants[STAGES]
    # -- what transform feedback captures of it
    uint32_t feedback_mode          # PIPE_FEEDBACK_MODE_*
    uint32_t feedback_count         # names
    uint32_t feedback_targets       # bit per buffer that they need
    char* feedback                  # each with its zero byte

cdef struct StreamOutput:           # a transform feedback object
    uint64_t serial
    uint64_t context                # serial of the only context that knows its name
    GLuint name
    uint32_t active, paused, mode
    # ES, which draws no captured number of vertices by itself: how many primitives were written
    GLuint counter                  # query of the part since begin or resume; 0: none yet
    uint32_t counting, to_add       # it is active; it has ended, and its result is not in `written`
    uint32_t uncounted              # a query of the program's was in the way: the number is not known
    uint64_t written                # primitives of the parts before
    uint64_t program_serial, variant_serial     # of the active capture

cdef struct Query:
    uint64_t serial
    uint64_t context                # serial of the only context that knows its name
    uint32_t target
    GLuint name                     # 0: this driver has no such queries
    uint32_t slot, gen              # its handle, for the event
    uint32_t run                    # begins and timestamps so far
    uint32_t pending, done          # ended and not told yet; told
    uint64_t result
    Query* next                     # of those pending
    Query* previous

cdef struct Fence:
    uint64_t serial
    GLsync sync                     # NULL: signalled
    uint32_t slot, gen              # its handle, for the event
    Fence* next                     # of those not seen signalled yet
    Fence* previous

cdef struct Present:                # one that the driver has not finished
    GLsync sync                     # NULL: the driver made none, and is not asked
    uint32_t slot, gen              # of its surface
    uint64_t serial

cdef struct ShareGroup:
    uint64_t serial

cdef struct BufferBinding:
    Ref resource
    uint64_t offset
    uint64_t size
    uint32_t stride

cdef struct Image:                  # what an image unit is to hold
    Ref resource
    uint32_t format, level, layer, layered, access, pad0

cdef struct BoundBuffer:            # what the driver has at an indexed binding
    uint64_t serial
    uint64_t offset
    uint64_t size
    uint32_t stride

cdef struct Cooked:                 # a copy that OpenGL ES can read: cooked.pyx
    GLuint buffer
    uint64_t serial                 # of what it was made of
    uint64_t version
    uint64_t offset
    uint32_t stride
    uint64_t size

cdef struct VertexArray:
    uint64_t serial
    # -- what the client asked for
    Ref elements, index_buffer
    uint64_t index_offset
    BufferBinding buffers[BUFFERS]
    # -- what the driver is known to have
    uint64_t context                # serial of the only one that knows its name
    GLuint name
    uint64_t elements_serial        # of the VertexElements that its formats are of
    uint32_t enabled                # bit per location
    pipe_VertexAttrib attribs[ATTRIBS]      # by location
    uint32_t divisors[BUFFERS]
    uint64_t index_serial
    BoundBuffer bound[BUFFERS]
    uint32_t cooked_mask            # bindings that are copies
    Cooked* cooked                  # by binding; NULL: none ever was

cdef struct Context:
    uint64_t serial
    uint64_t group
    EGLContext native
    Context* next                   # of the session's contexts
    Context* previous
    uint32_t dirty
    Ref draw_surface, read_surface
    # -- what the client asked for
    Ref render_state, program, draw_framebuffer, read_framebuffer
    Ref vertex_array                # dead: its own
    VertexArray own_array
    GLuint condition                # query that the driver's conditional rendering looks at; 0: none
    uint32_t condition_mode
    uint32_t counts_written         # ES: a query of the program's counts primitives written
    Ref capture                     # the StreamOutput that draws are captured by now
    pipe_DynamicState dynamic
    int32_t draw_buffers[COLORS]    # of the default framebuffer
    int32_t read_buffer
    uint32_t patch_vertices
    float patch_levels[6]           # outer, inner
    BufferBinding ranges[BLOCKS]    # of uniform blocks, by slot
    BufferBinding storage[STORAGE]  # of storage blocks
    Image images[IMAGES]
    Ref compute                     # the program of dispatches
    Ref draw_commands, draw_count, dispatch_commands
    # -- what the driver is known to have
    uint32_t known                  # False: nothing is; everything is applied
    pipe_PipelineState pipeline
    pipe_DynamicState applied_dynamic
    uint32_t blends_alike           # all targets of `pipeline`, and the driver was told so
    uint64_t pipeline_serial        # of the RenderState that `pipeline` came from
    uint64_t program_serial         # of the Variant in use
    GLuint draw_fbo, read_fbo
    Variant* variant                # of `program`, as long as that is alive and DIRTY_PROGRAM is not set
    uint32_t mode                   # ES: primitives drawn last, which the variant depends on
    uint32_t first_instance         # that instanced attributes are bound for, where a driver takes none: vertex.pyx
    GLuint active_unit
    uint32_t restarts               # ES: primitives restart at the largest index; neither 0 nor 1: unknown
    GLuint vertex_array_name
    GLuint stream_output            # name of the transform feedback object bound
    uint64_t unit_serial[UNITS]     # of the resource or view bound
    GLenum unit_target[UNITS]
    Ref unit_texture[UNITS]         # that texture, where it is a whole one …
    GLuint unit_name[UNITS]         # … and what the driver calls it, if it is still the same
    uint64_t sampler_serial[UNITS]
    BoundBuffer blocks[BLOCKS]
    BoundBuffer bound_storage[STORAGE]
    Cooked indices                  # with another restart index
    Fbo surface_draw, surface_read, surface_resolved, scratch[2]

cdef struct Redraw:                 # a native context of the server's own: redraw.pyx
    EGLContext context              # NULL: not needed yet
    unsigned long owner             # where the bound context was current before
    GLuint array, framebuffer
    GLuint programs[3]

cdef struct Unwritten:              # storage that holds what the driver left in it
    Ref resource
    pipe_resource_respecify storage

cdef struct Espryt:
    Driver driver                   # first, and in it the functions: see gl_of
    Host* host
    uint64_t serials                # the last one given out
    pipe_Caps caps                  # dialect 0: nobody has asked yet
    EGLContext spare                # a native context that no client context has yet
    Context* contexts
    Context* bound                  # whom records belong to; NULL: nobody
    unsigned long thread            # where a native context was made current last
    Fence* fences
    Query* queries
    uint64_t presents_begin, presents_end   # ever finished, ever made
    Present presents[PRESENTS]      # by its number, modulo
    GLuint tiny_buffer              # for captures without room; 0: not needed yet
    GLuint zero_buffer              # read by attributes whose buffer is missing
    GLuint scratch_unit             # texture unit for uploads: draws never use it
    uint32_t units, blocks          # how many the driver has, at most UNITS, BLOCKS
    uint32_t deviations             # those of catalogue/deviations.py that were told
    uint32_t storage, images        # … STORAGE, IMAGES
    Redraw redraw
    uint32_t wide_targets           # some target of three components is stored as four
    uint8_t attachable[FORMAT_COUNT]        # 0: not tried yet
    uint32_t fills_unwritten, unwritten_count
    Unwritten unwritten[UNWRITTEN]
    void* timing                    # private to timing.pyx; NULL: the session is not traced
    uint32_t pins                   # PINS_*: whether buffers over the client's memory work; 0: not tried yet
    uint32_t loose_seen             # somebody looked since the first of them
    uint64_t held                   # ordinal of the oldest record that let go of memory which the driver may still use; 0: none
    uint64_t loose_from             # of the oldest that no fence covers yet
    uint64_t loose_bytes
    GLsync pin_fence
    uint8_t* convert                # room for converted texels
    uint64_t convert_size

cdef inline GL* gl_of(Espryt* es) noexcept nogil:
    return &es.driver.gl

cdef inline VertexArray* array_of(Context* ctx) noexcept nogil:
    cdef VertexArray* bound = <VertexArray*>alive(&ctx.vertex_array)
    return bound if bound != NULL else &ctx.own_array

cdef inline uint64_t new_serial(Espryt* es) noexcept nogil:
    es.serials += 1
    return es.serials

cdef inline void buffer_changed(Espryt* es, Resource* buffer) noexcept nogil:
    """By a record; see gpu_writes_to for what draws and dispatches write."""
    cdef Context* ctx
    buffer.version += 1
    if buffer.is_cooked:
        ctx = es.contexts
        while ctx != NULL:
            ctx.dirty |= DIRTY_VERTEX
            ctx = ctx.next

cdef inline void gpu_writes_to(Espryt* es, Resource* buffer) noexcept nogil:
    """From now on its bytes may be others at any verb: no copy of them is believed again."""
    if not buffer.gpu_writes:
        buffer.gpu_writes = 1
        buffer_changed(es, buffer)

cdef inline uint32_t format_number(uint32_t format) noexcept nogil:
    """A record's format field, checked: 0 is none."""
    return format if format < FORMAT_COUNT else 0
