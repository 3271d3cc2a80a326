# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The front end's state for one verb, from scratch. See snapshot.pxd.

Reads the front end's structs and nothing else: no cache, hash, dirty bit or generation of the tracker, and none of its
functions, so that a mistake there is not made here again. The only things of the tracker's making are the objects'
handles. catalogue/snapshot.py declares what is in a snapshot, and says what a new member takes.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport *
from pipe_snapshot cimport pipe_snapshot_hash
from mgpipe.front.context cimport (ATOMIC_BINDINGS, ATTRIBS, COLOR_ATTACHMENTS, FEEDBACK_BINDINGS, IMAGE_UNITS, LEVELS, STAGES,
                                   STORAGE_BINDINGS, TEXTURE_UNITS, UNIFORM_BINDINGS, Buffer, ImageUnit, StorageBlock,
                                   Context, Feedback, Framebuffer, FramebufferAttachment, IndexedBuffer, Level, Program,
                                   Surface, Texture, TextureUnit, VertexArray, VertexBinding,
                                   attrib_offset, binding_of)
from mgpipe.tracker.resources cimport slot_target

cdef enum:
    FIRST_BLOCK_SLOT = 6            # below lie the stages' loose uniforms


cdef void snapshot_fill(Context* ctx, pipe_Snapshot* out) noexcept nogil:
    cdef uint32_t i
    memset(out, 0, sizeof(pipe_Snapshot))
    out.context = ctx.handle
    fill_surface(ctx.draw_surface, &out.draw_surface)
    fill_surface(ctx.read_surface, &out.read_surface)
    fill_framebuffer(ctx.draw_framebuffer, &out.draw_framebuffer)
    fill_framebuffer(ctx.read_framebuffer, &out.read_framebuffer)
    out.pipeline = ctx.pipeline
    fill_dynamic(ctx, out)
    out.patch.vertices = ctx.patches.vertices
    for i in range(4):
        out.patch.outer[i] = ctx.patches.outer[i]
    for i in range(2):
        out.patch.inner[i] = ctx.patches.inner[i]
    fill_vertex(ctx, out)
    if ctx.program != NULL:
        fill_program(ctx.program, out)
        fill_uniforms(ctx, ctx.program, out)
        fill_storage(ctx, ctx.program, out)
        fill_images(ctx, ctx.program, out)
        fill_textures(ctx, ctx.program, out)
    fill_capture(ctx, out)


cdef void snapshot_commands(Context* ctx, uint32_t op, const void* record, pipe_Snapshot* out) noexcept nogil:
    if op == PIPE_OP_DRAW_INDIRECT:
        out.counts.commands = 3 if (<const pipe_draw_indirect*>record).has_count else 1
        out.commands.draw = handle_of(ctx.draw_indirect_buffer)
        if (<const pipe_draw_indirect*>record).has_count:
            out.commands.parameter = handle_of(ctx.parameter_buffer)
    elif op == PIPE_OP_LAUNCH_GRID and (<const pipe_launch_grid*>record).indirect:
        out.counts.commands = 4
        out.commands.dispatch = handle_of(ctx.dispatch_indirect_buffer)


cdef pipe_handle handle_of(Buffer* buffer) noexcept nogil:
    cdef pipe_handle none
    none.slot = none.gen = 0
    return buffer.handle if buffer != NULL else none


cdef void fill_capture(Context* ctx, pipe_Snapshot* out) noexcept nogil:
    cdef Feedback* feedback = ctx.feedback
    cdef uint32_t i
    if not feedback.active or feedback.paused:
        return
    out.capture.stream_output = feedback.handle
    out.capture.shader = feedback.program.handle
    out.capture.mode = feedback.mode
    for i in range(FEEDBACK_BINDINGS):
        if feedback.program.feedback_buffers >> i & 1:
            fill_range(&feedback.buffers[i], &out.capture.targets[i])


cdef void fill_dynamic(Context* ctx, pipe_Snapshot* out) noexcept nogil:
    """Clear values are a section of their own: only clears look at them."""
    cdef uint32_t i
    out.dynamic = ctx.dynamic
    for i in range(4):
        out.clear_values.color[i] = ctx.dynamic.clear_color[i]
        out.dynamic.clear_color[i] = 0
    out.clear_values.depth = ctx.dynamic.clear_depth
    out.clear_values.stencil = ctx.dynamic.clear_stencil
    out.dynamic.clear_depth = 0
    out.dynamic.clear_stencil = 0


# -- framebuffers

cdef void fill_surface(Surface* surface, pipe_SnapshotSurface* out) noexcept nogil:
    if surface != NULL:
        out.surface = surface.handle
        out.width = surface.width
        out.height = surface.height


cdef void fill_framebuffer(Framebuffer* framebuffer, pipe_SnapshotFramebuffer* out) noexcept nogil:
    cdef uint32_t i, attached
    for i in range(COLOR_ATTACHMENTS):
        out.draw_buffers[i] = attachment_index(framebuffer, framebuffer.draw_buffers[i], i)
    out.read_buffer = attachment_index(framebuffer, framebuffer.read_buffer, 0)
    if framebuffer.is_default:
        return
    out.framebuffer = framebuffer.handle
    for i in range(COLOR_ATTACHMENTS):
        fill_attachment(&framebuffer.color[i], &out.color[i])
    fill_attachment(&framebuffer.depth, &out.depth)
    fill_attachment(&framebuffer.stencil, &out.stencil)
    attached = framebuffer.depth.kind | framebuffer.stencil.kind
    for i in range(COLOR_ATTACHMENTS):
        attached |= framebuffer.color[i].kind
    if not attached:
        out.default_width = framebuffer.default_width
        out.default_height = framebuffer.default_height
        out.default_layers = framebuffer.default_layers
        out.default_samples = framebuffer.default_samples
        out.default_fixed_samples = framebuffer.default_fixed_samples


cdef int32_t attachment_index(Framebuffer* framebuffer, uint32_t buffer, uint32_t output) noexcept nogil:
    """The default framebuffer has one colour buffer, whatever name of it is selected."""
    if framebuffer.is_default:
        return 0 if buffer != GL_NONE and output == 0 else -1
    return <int32_t>(buffer - GL_COLOR_ATTACHMENT0) if buffer - GL_COLOR_ATTACHMENT0 < COLOR_ATTACHMENTS else -1


cdef void fill_attachment(FramebufferAttachment* attachment, pipe_Attachment* out) noexcept nogil:
    if attachment.kind == GL_TEXTURE and attachment.texture != NULL:
        out.resource = attachment.texture.handle
        out.format = attachment.texture.levels[attachment.face * LEVELS + attachment.level].format
        out.level = attachment.level
        out.layer = attachment.layer if attachment.texture.target != GL_TEXTURE_CUBE_MAP else attachment.face
        out.layered = attachment.layered
    elif attachment.kind == GL_RENDERBUFFER and attachment.renderbuffer != NULL:
        out.resource = attachment.renderbuffer.handle
        out.format = attachment.renderbuffer.format


# -- vertex input

cdef void fill_vertex(Context* ctx, pipe_Snapshot* out) noexcept nogil:
    cdef VertexArray* array = ctx.vertex_array
    cdef VertexBinding* binding
    cdef pipe_SnapshotAttrib* at
    cdef uint32_t i
    for i in range(ATTRIBS):
        out.attrib_values[i] = ctx.attrib_values[i]
        if not array.enabled >> i & 1:
            continue
        at = &out.attribs[i]
        at.enabled = 1
        at.size = array.attribs[i].size
        at.type = array.attribs[i].type
        at.kind = array.attribs[i].kind
        binding = binding_of(array, i)
        at.offset = attrib_offset(array, i)
        at.stride = binding.stride
        at.divisor = binding.divisor
        if binding.buffer != NULL:
            at.buffer = binding.buffer.handle
            at.buffer_size = binding.buffer.size
    if array.elements != NULL:
        out.index_buffer.buffer = array.elements.handle
        out.index_buffer.size = array.elements.size


# -- what the program reads

cdef void fill_program(Program* program, pipe_Snapshot* out) noexcept nogil:
    cdef uint32_t stage
    out.shader = program.handle
    for stage in range(STAGES):
        if program.stage_spirv_size[stage]:
            out.stages[stage].code_hash = pipe_snapshot_hash(program.stage_spirv[stage], program.stage_spirv_size[stage])
        out.stages[stage].constants_size = program.constants_size[stage]
        if program.constants_size[stage]:
            out.stages[stage].constants_hash = pipe_snapshot_hash(program.constants[stage], program.constants_size[stage])


cdef void fill_range(IndexedBuffer* bound, pipe_SnapshotRange* out) noexcept nogil:
    if bound.buffer != NULL:
        out.buffer = bound.buffer.handle
        out.buffer_size = bound.buffer.size
        out.offset = bound.offset
        out.size = bound.size if bound.size else <uint64_t>-1


cdef void fill_uniforms(Context* ctx, Program* program, pipe_Snapshot* out) noexcept nogil:
    cdef uint32_t i, slot
    for i in range(program.block_count):
        slot = program.blocks[i].slot
        if slot >= 96:
            continue
        out.counts.uniforms = max(out.counts.uniforms, slot + 1)
        if program.blocks[i].binding < UNIFORM_BINDINGS:
            fill_range(&ctx.uniform_buffers[program.blocks[i].binding], &out.uniforms[slot])


cdef void fill_storage(Context* ctx, Program* program, pipe_Snapshot* out) noexcept nogil:
    """Atomic counters come as storage blocks: one kind of slot for both."""
    cdef StorageBlock* block
    cdef uint32_t i
    out.counts.storage = min(program.storage_slots, <uint32_t>32)
    for i in range(program.storage_count):
        block = &program.storage[i]
        if block.slot >= 32:
            continue
        if block.writable:
            out.storage_written |= <uint64_t>1 << block.slot
        if block.is_atomic and block.binding < ATOMIC_BINDINGS:
            fill_range(&ctx.atomic_buffers[block.binding], &out.storage[block.slot])
        elif not block.is_atomic and block.binding < STORAGE_BINDINGS:
            fill_range(&ctx.storage_buffers[block.binding], &out.storage[block.slot])


cdef void fill_images(Context* ctx, Program* program, pipe_Snapshot* out) noexcept nogil:
    cdef ImageUnit* unit
    cdef uint32_t i
    out.counts.images = min(program.image_count, <uint32_t>32)
    for i in range(out.counts.images):
        out.images[i].access = GL_READ_ONLY
        if not 0 <= program.images[i].unit < IMAGE_UNITS:
            continue
        unit = &ctx.images[program.images[i].unit]
        if unit.texture != NULL and unit.level < LEVELS:
            out.images[i].resource = unit.texture.handle
            out.images[i].format = unit.number
            out.images[i].level = unit.level
            out.images[i].layer = unit.layer
            out.images[i].layered = unit.layered
            out.images[i].access = unit.access


cdef void fill_textures(Context* ctx, Program* program, pipe_Snapshot* out) noexcept nogil:
    cdef TextureUnit* unit
    cdef Texture* texture
    cdef uint32_t i
    out.counts.textures = min(program.slot_count, <uint32_t>192)
    for i in range(out.counts.textures):
        out.textures[i].target = slot_target(program.slots[i].target_index)
        if not 0 <= program.slots[i].unit < TEXTURE_UNITS:
            continue
        unit = &ctx.units[program.slots[i].unit]
        texture = unit.bound[program.slots[i].target_index]
        if texture != NULL and texture.target != 0:
            fill_texture(texture, &out.textures[i])
            out.textures[i].sampler = unit.sampler.state if unit.sampler != NULL else texture.sampler


cdef void fill_texture(Texture* texture, pipe_SnapshotTexture* out) noexcept nogil:
    cdef Level* base = &texture.levels[0]
    cdef uint32_t i
    out.resource = texture.handle
    out.target = target_of(texture.target)
    if texture.target == GL_TEXTURE_BUFFER:
        if texture.buffer != NULL:
            out.buffer = texture.buffer.handle
            out.buffer_offset = texture.buffer_offset
            out.buffer_size = texture.buffer_size
            out.format = base.format
        return
    if base.format:
        out.format = base.format
        out.width = base.width
        out.height = base.height
        out.depth = base.depth
        out.samples = texture.samples
        out.first_level = texture.view_level
        out.first_layer = texture.view_layer
    out.base_level = texture.base_level
    out.max_level = texture.max_level
    for i in range(4):
        out.swizzle[i] = texture.swizzle[i]
    out.stencil_sampling = texture.depth_stencil_mode == GL_STENCIL_INDEX


cdef uint32_t target_of(uint32_t target) noexcept nogil:
    if target == GL_TEXTURE_1D: return PIPE_TEXTURE_TARGET_TEX1D
    if target == GL_TEXTURE_2D: return PIPE_TEXTURE_TARGET_TEX2D
    if target == GL_TEXTURE_3D: return PIPE_TEXTURE_TARGET_TEX3D
    if target == GL_TEXTURE_1D_ARRAY: return PIPE_TEXTURE_TARGET_TEX1D_ARRAY
    if target == GL_TEXTURE_2D_ARRAY: return PIPE_TEXTURE_TARGET_TEX2D_ARRAY
    if target == GL_TEXTURE_CUBE_MAP: return PIPE_TEXTURE_TARGET_TEX_CUBE
    if target == GL_TEXTURE_CUBE_MAP_ARRAY: return PIPE_TEXTURE_TARGET_TEX_CUBE_ARRAY
    if target == GL_TEXTURE_2D_MULTISAMPLE: return PIPE_TEXTURE_TARGET_TEX2D_MS
    if target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY: return PIPE_TEXTURE_TARGET_TEX2D_MS_ARRAY
    if target == GL_TEXTURE_BUFFER: return PIPE_TEXTURE_TARGET_TEX_BUFFER
    if target == GL_TEXTURE_RECTANGLE: return PIPE_TEXTURE_TARGET_TEX_RECT
    return 0
