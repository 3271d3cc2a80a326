"""Every struct of the front end: contexts, share groups and the objects in them. The state *is* these structs.

Setters write them and set a dirty bit (context state) or raise the group's generation (shared objects); nothing is sent
until the tracker validates before a verb. Rule: whatever a verb could notice is covered by exactly one of the two.
"""

from libc.stdint cimport (int8_t, int16_t, int32_t, int64_t, intptr_t, uint8_t, uint16_t, uint32_t, uint64_t,
                          uintptr_t)
from pipe cimport (pipe_AttribValue, pipe_DynamicState, pipe_PipelineState, pipe_SamplerState, pipe_VertexAttrib,
                   pipe_VertexBuffer, pipe_handle, pipe_set_patch_state)
from mgpipe.client.session cimport Session
from mgpipe.links.shadow cimport Block, Shadow
from mgpipe.tracker.ranges cimport Ranges

cdef extern from "mgpipe/front/gl_types.h" nogil:      # from C, so that exported functions may have them
    ctypedef uint32_t GLenum
    ctypedef uint32_t GLuint
    ctypedef int32_t GLint
    ctypedef int32_t GLsizei
    ctypedef uint32_t GLbitfield
    ctypedef uint8_t GLboolean
    ctypedef float GLfloat
    ctypedef double GLdouble
    ctypedef char GLchar
    ctypedef int8_t GLbyte
    ctypedef uint8_t GLubyte
    ctypedef int16_t GLshort
    ctypedef uint16_t GLushort
    ctypedef intptr_t GLintptr
    ctypedef intptr_t GLsizeiptr
    ctypedef int64_t GLint64
    ctypedef uint64_t GLuint64

# Where a unit keeps the texture of each target (TextureUnit.bound, Texture.target_index, ProgramSlot.target_index).
cdef enum:
    INDEX_1D = 0
    INDEX_2D = 1
    INDEX_3D = 2
    INDEX_1D_ARRAY = 3
    INDEX_2D_ARRAY = 4
    INDEX_RECTANGLE = 5
    INDEX_CUBE = 6
    INDEX_CUBE_ARRAY = 7
    INDEX_BUFFER = 8
    INDEX_2D_MULTISAMPLE = 9
    INDEX_2D_MULTISAMPLE_ARRAY = 10
    INDEX_NONE = 11

cdef enum:
    TEXTURE_UNITS = 96              # promised combined units; unit targets below
    TEXTURE_TARGETS = 11
    UNIFORM_BINDINGS = 84
    STORAGE_BINDINGS = 96
    ATOMIC_BINDINGS = 8
    IMAGE_UNITS = 32
    FEEDBACK_BINDINGS = 4
    QUERY_PLACES = 32               # kinds of query that can be active at a time, those of a vertex stream once a stream
    ATTRIBS = 16
    LEVELS = 16
    COLOR_ATTACHMENTS = 8
    STAGES = 6

# Why entry points take the slow way in (Context.gate).
cdef enum:
    GATE_LOCK = 1 << 0              # more than one thread is in this session: the session lock first
    GATE_DYING = 1 << 1             # destroyed while current: only the release is left
    GATE_DEBUG = 1 << 2             # debug output is on: each command is looked at when it is over
    GATE_TRACE = 1 << 3             # the session is traced: each command is looked at

# Value state that changed since the last validation of this context.
cdef enum:
    DIRTY_PIPELINE = 1 << 0         # ctx.pipeline
    DIRTY_DYNAMIC = 1 << 1          # ctx.dynamic (not the clear values, which only clear looks at)
    DIRTY_CLEAR_VALUES = 1 << 2
    DIRTY_FRAMEBUFFER = 1 << 3      # a binding, attachment, draw buffer of the bound framebuffers
    DIRTY_PROGRAM = 1 << 4          # current program: another one, or relinked
    DIRTY_VERTEX = 1 << 5           # vertex array binding or contents, index buffer
    DIRTY_ATTRIB_VALUES = 1 << 6
    DIRTY_TEXTURES = 1 << 7         # unit bindings, sampler bindings, sampler uniforms
    DIRTY_UNIFORM_BUFFERS = 1 << 8  # indexed bindings, block bindings
    DIRTY_PATCHES = 1 << 16         # ctx.patches
    DIRTY_STORAGE = 1 << 17         # storage and atomic counter bindings, block bindings
    DIRTY_IMAGES = 1 << 18          # image units, image uniforms
    # Draws and dispatches share the program's slots: after one kind, the other looks at all of them again.
    DIRTY_FOR_DRAWS = 1 << 19
    DIRTY_FOR_COMPUTE = 1 << 20
    DIRTY_ALL = 0x1FF | 0x1F << 16
    DIRTY_MAPS = 1 << 30            # stays set while the group has coherent mappings: every draw looks at those it reads

cdef enum OwnerMark:                # whose bytes are newest
    OWNER_NONE = 0                  # undefined contents
    OWNER_CLIENT = 1
    OWNER_GPU = 2
    OWNER_BOTH = 3

cdef struct Names:                  # GL name → object, dense
    void** items                    # NULL: not in use; NAME_RESERVED: generated, no object yet
    uint32_t capacity
    uint32_t lowest_free
    uint32_t live
    uint32_t label_capacity
    char** labels                   # glObjectLabel; NULL: none. Gone with the name

cdef struct Pending:                # link of the group's list of resources with bytes to send before the next verb
    void* resource
    uint32_t is_texture
    Pending* next

cdef struct Buffer:
    uint32_t name, refs
    pipe_handle handle
    uint64_t size
    uint32_t usage, storage_flags, immutable, deleted
    uint32_t owner                  # OwnerMark: none, client (the shadow has all bytes), GPU (but for those in `gpu`)
    uint32_t respecify              # storage must be (re)defined on the server
    uint64_t sent_epoch             # session.mirror_epoch under which the server knows it; 0: never
    Shadow shadow
    Ranges pending                  # bytes of the shadow not sent yet
    Ranges gpu                      # bytes that a verb may have written: only the server has them
    uint32_t pending_linked
    uint32_t map_access             # 0: not mapped
    uint64_t map_offset, map_length
    uint8_t* map_pointer
    void* persistent                # of a persistent mapping, private to tracker/maps; NULL: none
    uint32_t coherent               # it is one whose changes verbs see by themselves
    uint32_t gpu_marks              # counts the additions to `gpu`
    uint32_t pinned                 # its shadow's block is its storage: the driver, the program's mapping and we use the same bytes
    Block* store                    # block that the server's buffer stands on (tracker/pins), NULL: on the driver's own memory

cdef struct Level:                  # one level of one face (or of all layers)
    uint32_t width, height, depth   # depth: slices or layers
    uint32_t internal_format        # as the program said it
    uint32_t format                 # index into the format table (front/formats.pyx); 0: undefined
    uint32_t owner                  # OwnerMark; with `layers`, the marks of all of them together (tracker/owners.pyx)
    uint32_t respecify
    uint32_t region_count, region_capacity
    uint8_t* layers                 # OwnerMark of each layer or slice; NULL: all as `owner` says
    void* regions                   # pipe_Box[region_capacity] not sent yet
    Shadow shadow                   # tight canonical texels; empty until bytes are given

cdef struct Texture:
    uint32_t name, refs
    pipe_handle handle
    GLenum target                   # 0: name generated, never bound
    uint32_t target_index           # index into a unit's bindings
    uint32_t faces                  # 6 for cube maps, else 1
    uint32_t samples, fixed_samples, immutable_levels, deleted
    Level* levels                   # [face * LEVELS + level]
    uint32_t base_level, max_level
    uint32_t swizzle[4]
    uint32_t depth_stencil_mode
    pipe_SamplerState sampler
    uint32_t params_dirty           # set_texture_params must be sent
    uint64_t sent_epoch
    uint32_t pending_linked, pad0
    uint32_t shared_storage         # views have made its texels another texture's, too: only the server has them
    uint32_t view_level, view_levels, view_layer, view_layers   # GL_TEXTURE_VIEW_MIN_LEVEL, _NUM_LEVELS, …; 0: mutable
    Buffer* buffer                  # GL_TEXTURE_BUFFER
    uint64_t buffer_offset, buffer_size

cdef struct Renderbuffer:
    uint32_t name, refs
    pipe_handle handle
    uint32_t width, height, samples, internal_format, format, owner, respecify, deleted
    uint64_t sent_epoch

cdef struct Sampler:
    uint32_t name, refs
    uint32_t deleted, pad0
    pipe_SamplerState state

cdef struct VertexBinding:          # where the attributes that name it find their bytes
    Buffer* buffer
    uint64_t offset
    uint32_t stride                 # what glVertexAttribPointer calls 0 is one vertex here
    uint32_t divisor

cdef struct VertexInput:            # what the tracker has made of a vertex array: constant state and buffers
    uint64_t made_of                # the array's generation then, plus 1; 0: not made yet
    uint64_t told_at                # the group's generation, plus 1, when the server last had all of it; 0: it has not
    uint32_t elements_at            # the constant state's place in the mirror's cache
    uint32_t count                  # of buffers
    pipe_handle elements
    uint64_t buffers_hash
    Buffer* sources[ATTRIBS]
    pipe_VertexBuffer buffers[ATTRIBS]

cdef struct VertexArray:            # per context
    uint32_t name
    uint32_t enabled                # bit per attribute
    pipe_VertexAttrib attribs[ATTRIBS]      # `binding`: which of the bindings
    VertexBinding bindings[ATTRIBS]
    uint32_t given_strides[ATTRIBS] # as glVertexAttribPointer said it; 0: tight
    uint64_t pointers[ATTRIBS]      # likewise
    Buffer* elements
    uint32_t generation             # raised by every mutator
    pipe_handle handle
    uint64_t sent_epoch             # session.mirror_epoch under which the server knows it; 0: never
    VertexInput input
    pipe_handle sent_elements, sent_index_buffer        # what the records said of it last
    uint64_t sent_buffers_hash

cdef struct FramebufferAttachment:
    uint32_t kind                   # 0 none, GL_TEXTURE, GL_RENDERBUFFER
    uint32_t level, layer, layered, face
    uint32_t pad0
    Texture* texture
    Renderbuffer* renderbuffer

cdef struct Framebuffer:            # per context
    uint32_t name
    uint32_t generation
    pipe_handle handle
    FramebufferAttachment color[COLOR_ATTACHMENTS]
    FramebufferAttachment depth, stencil
    GLenum draw_buffers[COLOR_ATTACHMENTS]
    GLenum read_buffer
    uint64_t sent_epoch             # as in Buffer
    uint32_t is_default
    uint32_t default_width, default_height, default_samples, default_layers   # GL 4.3 parameters; default framebuffer: surface size
    uint32_t default_fixed_samples
    uint32_t status                 # of glCheckFramebufferStatus, valid while status_generation == group.generation and status_own == generation
    uint32_t status_own
    uint64_t status_generation

cdef struct Uniform:                # one active uniform (loose, or sampler)
    uint32_t type                   # GL enum
    uint32_t array_size             # 1 for non-arrays
    uint32_t location               # of element 0
    uint32_t is_sampler, slot       # first dense texture slot
    uint32_t is_image               # slot is then the first dense image slot
    uint32_t stages                 # that read it, a bit each
    uint32_t array_stride[STAGES], matrix_stride[STAGES]
    int32_t offsets[STAGES]         # byte offset in that stage's constants; -1: not used there
    uint32_t is_array, row_major, columns, rows, scalar    # scalar: GL_FLOAT, GL_INT, GL_UNSIGNED_INT, GL_BOOL, GL_DOUBLE

cdef struct ProgramSlot:            # a texture slot of the program
    uint32_t target_index           # which binding of the unit
    int32_t unit                    # set by glUniform1i
    uint32_t sampler_type, pad0

cdef struct ProgramBlock:
    uint32_t slot, binding          # SPIR-V binding (from 6); glUniformBlockBinding
    uint64_t size

cdef struct StorageBlock:           # a storage block, or a buffer of atomic counters
    uint32_t slot, binding          # SPIR-V binding; glShaderStorageBlockBinding, or that of the counters
    uint32_t is_atomic, writable

cdef struct ImageSlot:
    int32_t unit                    # set by glUniform1i
    uint32_t type, writable, pad0

cdef struct SubroutineSlot:         # one location of a stage's subroutine uniforms
    uint32_t stage, location
    uint32_t offset                 # of the function's number in the stage's constants
    uint32_t first                  # the function it calls when nothing was chosen

cdef struct Shader:                 # shares the programs' names: the first three members are the same
    uint32_t name, refs, is_shader
    uint32_t type, compiled, deleted
    void* object                    # the Python object with source and log (owned)

cdef struct Program:
    uint32_t name, refs, is_shader  # refs: the name, and each context it is current in
    uint32_t linked, deleted, validated
    pipe_handle handle
    uint64_t sent_epoch
    uint32_t link_generation
    uint32_t location_count         # locations 0 … count - 1
    uint32_t* location_uniform      # location → uniform index, all ones: none
    uint32_t uniform_count, slot_count, block_count, stage_mask
    Uniform* uniforms
    ProgramSlot* slots
    ProgramBlock* blocks
    uint32_t storage_count, storage_slots, image_count      # storage_slots: one behind the highest slot
    uint32_t local_size[3]          # of a compute shader
    StorageBlock* storage           # the storage blocks by index, then the atomic counter buffers
    ImageSlot* images               # by slot
    uint8_t* constants[STAGES]
    uint32_t constants_size[STAGES]
    uint32_t dirty_low[STAGES], dirty_high[STAGES]
    uint32_t constants_dirty        # bit per stage with a span not sent yet
    uint32_t stage_spirv_size[STAGES]
    uint8_t* stage_spirv[STAGES]    # kept: the mirror may be dropped
    uint32_t attribute_mask         # locations that the vertex shader reads
    uint32_t draw_modes             # bit per primitive mode that its geometry or tessellation stages take
    # -- transform feedback
    uint32_t output_primitive       # that a geometry or tessellation shader makes: GL_POINTS + 1, …; 0: none, as the draw has it
    uint32_t feedback_mode          # GL_INTERLEAVED_ATTRIBS, GL_SEPARATE_ATTRIBS; 0: nothing is captured
    uint32_t feedback_buffers       # bit per binding that is captured into
    uint32_t feedback_size          # bytes of `feedback`
    char* feedback                  # names for the server, each with its zero byte
    uint32_t captures               # feedback objects whose active capture is this program's
    SubroutineSlot* subroutines
    uint32_t subroutine_count
    uint32_t separable              # linked for pipelines
    uint64_t link_serial            # no two links of a group share one
    # -- of a program made of a pipeline's stages (front/pipelines.pyx), which has no name and no Python object
    uint32_t is_combined
    uint32_t offsets[24]            # [stage * 4 + set]: how far the bindings of the stage's program moved
    uint64_t source_links[STAGES]   # the links that its stages come from; 0: none
    Program* next_combined
    void* object                    # the Python object with source, logs and introspection (owned)

cdef struct IndexedBuffer:
    Buffer* buffer
    uint64_t offset, size           # size 0: whole buffer

cdef struct Feedback:               # a transform feedback object, per context
    uint32_t name
    uint32_t active, paused
    uint32_t ended                  # a capture was completed: it can be drawn from
    GLenum mode                     # of the active capture
    uint32_t pad0
    pipe_handle handle
    Program* program                # of the active capture
    IndexedBuffer buffers[FEEDBACK_BINDINGS]

cdef struct Pipeline:               # program pipeline object; per context
    uint32_t name, validated
    Program* stages[STAGES]         # each a reference
    Program* active                 # that glUniform goes to; a reference
    Program* combined               # those it was used with, the last used first
    void* log                       # Python bytes (owned), or NULL

cdef struct Query:                  # per context
    uint32_t name, target, active, result_ready
    uint32_t stream                 # vertex stream while it is active
    uint32_t run                    # counts its begins and timestamps: what the server tells of an older one is no answer
    pipe_handle handle
    uint64_t result
    uint64_t ended                  # ordinal of the record that made the result

cdef struct Sync:
    uint32_t refs, signalled
    pipe_handle handle
    uint64_t ordinal

cdef struct ShareGroup:
    Session* session
    pipe_handle handle
    uint32_t refs
    uint32_t contexts
    uint64_t generation             # raised by every mutation of a shared object that a verb could notice
    uint64_t sent_epoch             # as in Buffer
    Names buffers, textures, renderbuffers, samplers, shaders_programs, syncs
    uint64_t link_serials           # the last one given to a program
    Texture* default_textures[TEXTURE_TARGETS]    # named zero; NULL until a command needs one
    Pending* pending                # resources with unsent bytes or storage, oldest first
    Pending* pending_last
    void* maps                      # persistent mappings of its buffers, private to tracker/maps
    uint32_t coherent_maps          # of those, how many may change without a call: verbs look at them
    uint32_t mappings               # there have been

cdef struct TextureUnit:
    Texture* bound[TEXTURE_TARGETS]
    Sampler* sampler

cdef struct ImageUnit:
    Texture* texture                # NULL: none
    uint32_t level, layered, layer, access, format      # as glBindImageTexture said them
    uint32_t number                 # of the format in the format table

cdef struct PixelStore:
    int32_t swap_bytes, lsb_first, row_length, image_height, skip_rows, skip_pixels, skip_images, alignment
    int32_t block_width, block_height, block_depth, block_size      # of compressed images; 0: the store is not for them

cdef struct Surface:
    uint32_t id, refs
    pipe_handle handle
    Session* session
    uint32_t width, height, config, samples, depth_size, stencil_size, srgb, alpha
    uint32_t owner
    uint64_t sent_epoch
    uint64_t frames

cdef struct Tracked:                # what the tracker remembers having sent for this context: part of the server mirror
    uint64_t epoch                  # session.mirror_epoch this was sent under
    uint64_t generation             # group.generation seen by the last full validation
    uint32_t pipeline_hash_low, pipeline_hash_high
    pipe_handle pipeline, vertex_array, shader, compute
    pipe_DynamicState dynamic
    uint64_t framebuffer_hash, read_framebuffer_hash, views_hash, samplers_hash, uniform_buffers_hash
    uint64_t attrib_values_hash
    pipe_set_patch_state patches
    uint64_t storage_hash, images_hash
    pipe_handle draw_indirect, draw_parameter, dispatch_indirect
    void* cache                     # private to tracker/

cdef struct Context:
    # -- first cache lines: what every entry point and draw looks at
    uint32_t gate                   # not 0: entry points take the slow way in (lost, foreign after fork, locked)
    uint32_t dirty
    GLenum error
    uint32_t active_unit
    ShareGroup* group
    Session* session
    Program* program                # what draws use: the current program or what the bound pipeline has become
    Program* current_program        # of glUseProgram; a reference
    Program* uniform_program        # what glUniform goes to
    VertexArray* vertex_array
    Framebuffer* draw_framebuffer
    Framebuffer* read_framebuffer
    uint32_t inside                 # a command of this context is running: whoever arms the gate waits for it
    uint32_t reset_reported         # glGetGraphicsResetStatus and glGetError told of the loss once
    uint32_t capture                # primitive mode + 1 of the transform feedback that draws go to now; 0: none
    uint32_t pad0
    Tracked tracked
    # -- value state
    pipe_PipelineState pipeline
    pipe_DynamicState dynamic
    pipe_AttribValue attrib_values[ATTRIBS]
    Pipeline* program_pipeline      # bound; counts while there is no current program
    pipe_set_patch_state patches    # vertices of a patch, levels used without a control shader
    TextureUnit units[TEXTURE_UNITS]
    Level* proxies                  # [target index * LEVELS + level]; NULL until a proxy target is used
    Buffer* array_buffer
    Buffer* copy_read_buffer
    Buffer* copy_write_buffer
    Buffer* pixel_pack_buffer
    Buffer* pixel_unpack_buffer
    Buffer* texture_buffer
    Buffer* uniform_buffer
    Buffer* feedback_buffer
    Buffer* query_buffer            # GL_QUERY_BUFFER (4.4)
    IndexedBuffer uniform_buffers[UNIFORM_BINDINGS]
    Feedback* feedback              # the bound one
    Feedback default_feedback       # named zero
    # storage, atomic counters, images, indirect commands
    Buffer* storage_buffer
    Buffer* atomic_buffer
    Buffer* draw_indirect_buffer
    Buffer* dispatch_indirect_buffer
    Buffer* parameter_buffer
    IndexedBuffer storage_buffers[STORAGE_BINDINGS]
    IndexedBuffer atomic_buffers[ATOMIC_BINDINGS]
    ImageUnit images[IMAGE_UNITS]
    Renderbuffer* renderbuffer
    PixelStore pack, unpack
    GLenum clamp_read_color         # GL_CLAMP_READ_COLOR: the server reads as it is, this side clamps
    uint32_t restart_index_enabled, restart_fixed_enabled    # pipeline.primitive_restart is made of these two
    float point_fade_threshold
    uint32_t viewports_apart        # which of viewports, depth ranges, scissors were set one by one (viewports.pyx)
    uint32_t debug_flags            # GL_DEBUG_OUTPUT (bit 0), GL_DEBUG_OUTPUT_SYNCHRONOUS (bit 1)
    uint32_t debug_group_depth
    uint32_t debug_logged, debug_next_length      # messages in the log, length of the oldest
    GLenum debug_error              # the last error that was raised since debug.pyx looked
    const char* debug_why           # and its sentence; NULL: the usual one
    void* debug_callback
    const void* debug_user_param
    void* debug_output              # the Python object with log, filter and groups (owned); NULL: nobody needed one
    uint64_t debug_round_trips, debug_reads       # of the session when debug.pyx looked last
    Query* active_queries[QUERY_PLACES]
    Query* condition                # of conditional rendering; NULL: none
    # -- objects that are never shared
    Names vertex_arrays, framebuffers, queries, feedbacks, pipelines
    Framebuffer default_framebuffer
    VertexArray default_vertex_array      # core profile: drawing with it is an error; kept so that pointers are never NULL
    # -- identity
    pipe_handle handle
    uint32_t id, refs, version, profile, flags, robust
    uint32_t current_thread, destroyed, was_current, config
    Surface* draw_surface
    Surface* read_surface
    uint64_t sent_epoch
    uint32_t hints[8]
    # what glGetString answers, once asked for
    char renderer[320]
    char version_text[64]
    char language_text[8]

cdef extern from *:
    """
    #define MGPIPE_NAME_RESERVED ((void*)1)
    #define MGPIPE_SET_GATE(ctx, bits) __atomic_fetch_or(&(ctx)->gate, bits, __ATOMIC_ACQ_REL)
    #define MGPIPE_CLEAR_GATE(ctx, bits) __atomic_fetch_and(&(ctx)->gate, ~(bits), __ATOMIC_ACQ_REL)
    """
    void* NAME_RESERVED "MGPIPE_NAME_RESERVED"
    # Its own thread and one that joins the session may change a gate at once.
    void set_gate "MGPIPE_SET_GATE" (Context* ctx, uint32_t bits) nogil
    void clear_gate "MGPIPE_CLEAR_GATE" (Context* ctx, uint32_t bits) nogil

cdef inline bint buffer_mapped(const Buffer* buffer) noexcept nogil:
    """Mapped so that commands may not use it: a persistent mapping (0x40, GL_MAP_PERSISTENT_BIT) is no hindrance."""
    return buffer.map_access != 0 and not buffer.map_access & 0x40

cdef inline bint buffer_range_mapped(const Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    return buffer_mapped(buffer) and offset < buffer.map_offset + buffer.map_length and buffer.map_offset < offset + size

cdef inline void set_error(Context* ctx, GLenum error) noexcept nogil:
    """Keeps the first error until glGetError takes it (specification 2.3.1)."""
    if ctx.error == 0:
        ctx.error = error
    ctx.debug_error = error
    ctx.debug_why = NULL

cdef inline void set_error_why(Context* ctx, GLenum error, const char* why) noexcept nogil:
    """The same with a sentence for debug output, for errors that can mean many things."""
    set_error(ctx, error)
    ctx.debug_why = why

cdef inline void arm_debug(Context* ctx, bint on) noexcept nogil:
    """Debug output is switched on or off: what happened before is nobody's business."""
    ctx.debug_error = 0
    ctx.debug_why = NULL
    ctx.debug_round_trips = ctx.session.stats.round_trips
    ctx.debug_reads = ctx.session.stats.reads
    if on:
        set_gate(ctx, <uint32_t>GATE_DEBUG)
    else:
        clear_gate(ctx, <uint32_t>GATE_DEBUG)

cdef inline bint framebuffer_empty(Framebuffer* framebuffer) noexcept nogil:
    """Nothing is attached: its size is that of its parameters (OpenGL 4.3)."""
    cdef uint32_t i
    for i in range(COLOR_ATTACHMENTS):
        if framebuffer.color[i].kind:
            return False
    return framebuffer.depth.kind == 0 and framebuffer.stencil.kind == 0


cdef inline VertexBinding* binding_of(VertexArray* array, uint32_t attrib) noexcept nogil:
    return &array.bindings[array.attribs[attrib].binding]


cdef inline uint64_t attrib_offset(VertexArray* array, uint32_t attrib) noexcept nogil:
    """Of its first value in the buffer."""
    return binding_of(array, attrib).offset + array.attribs[attrib].relative_offset


cdef inline void touch_group(Context* ctx) noexcept nogil:
    ctx.group.generation += 1


# Names. An object's name is its index; 0 is never one.
cdef inline void* name_get(Names* names, uint32_t name) noexcept nogil:
    """The object, or NULL when the name is unused or merely generated."""
    cdef void* item = names.items[name] if name < names.capacity else NULL
    return NULL if item == NAME_RESERVED else item

cdef inline bint name_reserved(Names* names, uint32_t name) noexcept nogil:
    """Generated, and no object made yet."""
    return name < names.capacity and names.items[name] == NAME_RESERVED

cdef uint32_t name_generate(Names* names) noexcept nogil             # lowest unused name, reserved; 0: out of memory
cdef void names_generate(Context* ctx, Names* names, GLsizei n, GLuint* made) noexcept nogil     # what every glGen… does
cdef void name_put(Names* names, uint32_t name, void* item) noexcept nogil    # of a name that was generated: it has its place
cdef void* name_make(Context* ctx, Names* names, uint32_t name, size_t size) noexcept nogil
cdef void* name_remove(Names* names, uint32_t name) noexcept nogil            # what name_get said; the name is free again

cdef Context* context_new(Session* session, ShareGroup* group) noexcept nogil      # state at specification defaults; group NULL: a new one
cdef void context_free(Context* ctx) noexcept nogil
cdef void default_vertex_array(VertexArray* array) noexcept nogil    # zeroed memory → the initial state
# Client memory only; the tracker's track_delete_* tells the server.
cdef void buffer_free(ShareGroup* group, Buffer* buffer) noexcept nogil
cdef void texture_free(ShareGroup* group, Texture* texture) noexcept nogil
cdef void shader_free(Shader* shader) noexcept nogil
cdef void program_clear(Program* program) noexcept nogil
cdef void program_free(Program* program) noexcept nogil
# Marks a buffer or texture as holding something the next verb must send first.
cdef void pending_add(ShareGroup* group, void* resource, bint is_texture) noexcept nogil
