# What the records said: a mirror of the state, made of the records alone. Part of watch.pyx.
#
# Objects are kept by handle, as the applier keeps them; a binding is kept as the handle that was named and looked up when
# a snapshot is compared, so that a binding whose object has died since shows as one.

cdef struct ToldRenderState:
    pipe_PipelineState state

cdef struct ToldElements:
    uint32_t attrib_count, binding_count
    pipe_VertexAttrib attribs[32]
    pipe_VertexBinding bindings[32]

cdef struct ToldVertexArray:
    pipe_handle elements, index_buffer
    pipe_VertexBuffer buffers[32]

cdef struct ToldSampler:
    pipe_SamplerState state

cdef struct ToldShader:
    pipe_SnapshotStage stages[6]
    uint8_t* constants[6]

cdef struct ToldResource:
    pipe_SnapshotTexture texture    # without what is bound with it
    uint64_t size                   # of a buffer
    uint32_t gl_name, pad0

cdef struct ToldStreamOutput:
    pipe_handle shader
    uint32_t mode
    pipe_BufferRange targets[4]

cdef struct ToldSurface:
    uint32_t width, height

cdef struct ToldContext:
    uint64_t supplied               # sections that a record has told of
    pipe_set_framebuffer_state draw, read
    pipe_handle render_state, vertex_array, shader, compute
    ToldVertexArray own_array
    pipe_DynamicState dynamic
    pipe_SnapshotPatch patch
    pipe_AttribValue attrib_values[32]
    pipe_BoundView views[192]
    pipe_BoundSampler samplers[192]
    pipe_BufferRange ranges[3][96]  # by buffer class
    uint64_t storage_written
    pipe_ImageView images[32]
    pipe_handle capture             # the stream output that draws go to
    pipe_set_indirect_buffers commands


# -- keeping

cdef void told_begin(Watch* watch) noexcept nogil:
    cdef uint32_t kind, size
    for kind in range(PIPE_HANDLE_KINDS):
        size = 8
        if kind == PIPE_HANDLE_RENDER_STATE: size = sizeof(ToldRenderState)
        if kind == PIPE_HANDLE_VERTEX_ELEMENTS: size = sizeof(ToldElements)
        if kind == PIPE_HANDLE_VERTEX_ARRAY: size = sizeof(ToldVertexArray)
        if kind == PIPE_HANDLE_SAMPLER: size = sizeof(ToldSampler)
        if kind == PIPE_HANDLE_SHADER: size = sizeof(ToldShader)
        if kind == PIPE_HANDLE_RESOURCE: size = sizeof(ToldResource)
        if kind == PIPE_HANDLE_STREAM_OUTPUT: size = sizeof(ToldStreamOutput)
        if kind == PIPE_HANDLE_SURFACE: size = sizeof(ToldSurface)
        if kind == PIPE_HANDLE_CONTEXT: size = sizeof(ToldContext)
        table_init(&watch.told[kind], size, MOST_SLOTS)


cdef void told_end(Watch* watch) noexcept nogil:
    cdef uint32_t slot, kind
    cdef pipe_handle handle
    cdef ToldShader* shader
    for slot in range(watch.told[PIPE_HANDLE_SHADER].capacity):
        shader = <ToldShader*>table_living(&watch.told[PIPE_HANDLE_SHADER], slot, &handle)
        if shader != NULL:
            drop_constants(shader)
    for kind in range(PIPE_HANDLE_KINDS):
        table_free(&watch.told[kind])


cdef inline void* told_new(Watch* watch, uint32_t kind, pipe_handle handle) noexcept nogil:
    """NULL: no memory. The applier has admitted it, so it is new here, too, or said again (which nobody does)."""
    return table_admit(&watch.told[kind], handle)


cdef inline void* told_of(Watch* watch, uint32_t kind, pipe_handle handle) noexcept nogil:
    return table_find(&watch.told[kind], handle)


cdef inline ToldContext* told_context(Watch* watch) noexcept nogil:
    return <ToldContext*>told_of(watch, PIPE_HANDLE_CONTEXT, watch.context)


cdef inline ToldVertexArray* array_of(Watch* watch, ToldContext* context) noexcept nogil:
    cdef ToldVertexArray* array = <ToldVertexArray*>told_of(watch, PIPE_HANDLE_VERTEX_ARRAY, context.vertex_array)
    return array if array != NULL else &context.own_array


cdef void note_session_reset(Watch* watch) noexcept nogil:
    told_end(watch)
    told_begin(watch)
    memset(&watch.context, 0, sizeof(pipe_handle))


# -- contexts and surfaces

cdef void note_create_context(Watch* watch, const pipe_create_context* p) noexcept nogil:
    cdef ToldContext* context = <ToldContext*>told_new(watch, PIPE_HANDLE_CONTEXT, p.context)


cdef void note_destroy_context(Watch* watch, const pipe_destroy_context* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_CONTEXT], p.context)


cdef void note_bind_context(Watch* watch, const pipe_bind_context* p) noexcept nogil:
    watch.context = p.context
    watch.draw_surface = p.draw
    watch.read_surface = p.read


cdef void note_create_surface(Watch* watch, const pipe_create_surface* p) noexcept nogil:
    cdef ToldSurface* surface = <ToldSurface*>told_new(watch, PIPE_HANDLE_SURFACE, p.surface)
    if surface != NULL:
        surface.width = p.width
        surface.height = p.height


cdef void note_resize_surface(Watch* watch, const pipe_resize_surface* p) noexcept nogil:
    cdef ToldSurface* surface = <ToldSurface*>told_of(watch, PIPE_HANDLE_SURFACE, p.surface)
    if surface != NULL:
        surface.width = p.width
        surface.height = p.height


cdef void note_destroy_surface(Watch* watch, const pipe_destroy_surface* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_SURFACE], p.surface)


# -- resources

cdef void note_resource_create(Watch* watch, const pipe_resource_create* p) noexcept nogil:
    cdef ToldResource* resource = <ToldResource*>told_new(watch, PIPE_HANDLE_RESOURCE, p.resource)
    if resource != NULL:
        resource.texture.target = p.target
        resource.gl_name = p.gl_name


cdef void note_resource_respecify(Watch* watch, const pipe_resource_respecify* p) noexcept nogil:
    cdef ToldResource* resource = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, p.resource)
    if resource == NULL:
        return
    if p.target == PIPE_RESOURCE_TARGET_BUFFER:
        resource.size = p.size
        return
    resource.texture.target = p.target
    if p.view_of.gen == 0 and (p.level != 0 or p.upload_target != 0):
        return
    resource.texture.format = p.format
    resource.texture.width = p.width
    resource.texture.height = p.height
    resource.texture.depth = p.depth
    resource.texture.samples = p.samples
    if p.view_of.gen:
        note_view(watch, p, resource)
        return
    resource.texture.buffer = p.buffer
    resource.texture.buffer_offset = p.offset
    resource.texture.buffer_size = p.size


cdef void note_pin_memory(Watch* watch, const pipe_pin_memory* p, const uint8_t* bytes_at) noexcept nogil:
    cdef ToldResource* resource = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, p.resource)
    if resource != NULL:
        resource.size = p.bytes.size


cdef void note_view(Watch* watch, const pipe_resource_respecify* p, ToldResource* view) noexcept nogil:
    """Counted from the first level and layer of the storage, as the front end does: a view may be of a view."""
    cdef ToldResource* seen = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, p.view_of)
    view.texture.first_level = p.level + (seen.texture.first_level if seen != NULL else 0)
    view.texture.first_layer = p.first_layer + (seen.texture.first_layer if seen != NULL else 0)


cdef void note_resource_destroy(Watch* watch, const pipe_resource_destroy* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_RESOURCE], p.resource)


cdef void note_set_texture_params(Watch* watch, const pipe_set_texture_params* p) noexcept nogil:
    cdef ToldResource* resource = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, p.resource)
    cdef uint32_t i
    if resource == NULL:
        return
    resource.texture.base_level = p.base_level
    resource.texture.max_level = p.max_level
    for i in range(4):
        resource.texture.swizzle[i] = p.swizzle[i]
    resource.texture.stencil_sampling = p.stencil_sampling


# -- constant state

cdef void note_create_render_state(Watch* watch, const pipe_create_render_state* p) noexcept nogil:
    cdef ToldRenderState* cso = <ToldRenderState*>told_new(watch, PIPE_HANDLE_RENDER_STATE, p.cso)
    if cso != NULL:
        cso.state = p.state


cdef void note_bind_render_state(Watch* watch, const pipe_bind_render_state* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.render_state = p.cso
        context.supplied |= PIPE_SECTION_PIPELINE


cdef void note_delete_render_state(Watch* watch, const pipe_delete_render_state* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_RENDER_STATE], p.cso)


cdef void note_create_vertex_elements(Watch* watch, const pipe_create_vertex_elements* p, const pipe_VertexAttrib* attribs,
                                      const pipe_VertexBinding* bindings) noexcept nogil:
    cdef ToldElements* cso = <ToldElements*>told_new(watch, PIPE_HANDLE_VERTEX_ELEMENTS, p.cso)
    if cso == NULL:
        return
    cso.attrib_count = p.attrib_count
    cso.binding_count = p.binding_count
    memcpy(cso.attribs, attribs, p.attrib_count * sizeof(pipe_VertexAttrib))
    memcpy(cso.bindings, bindings, p.binding_count * sizeof(pipe_VertexBinding))


cdef void note_bind_vertex_elements(Watch* watch, const pipe_bind_vertex_elements* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        array_of(watch, context).elements = p.cso
        context.supplied |= PIPE_SECTION_ATTRIBS


cdef void note_delete_vertex_elements(Watch* watch, const pipe_delete_vertex_elements* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_VERTEX_ELEMENTS], p.cso)


cdef void note_create_sampler_state(Watch* watch, const pipe_create_sampler_state* p) noexcept nogil:
    cdef ToldSampler* cso = <ToldSampler*>told_new(watch, PIPE_HANDLE_SAMPLER, p.cso)
    if cso != NULL:
        cso.state = p.state


cdef void note_delete_sampler_state(Watch* watch, const pipe_delete_sampler_state* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_SAMPLER], p.cso)


# -- programs

cdef void drop_constants(ToldShader* shader) noexcept nogil:
    cdef uint32_t stage
    for stage in range(6):
        free(shader.constants[stage])
        shader.constants[stage] = NULL


cdef void note_create_shader_state(Watch* watch, const pipe_create_shader_state* p, uint8_t** code,
                                   uint8_t* feedback) noexcept nogil:
    """Constants begin as zeros, as a linked program's uniforms do."""
    cdef ToldShader* shader = <ToldShader*>told_new(watch, PIPE_HANDLE_SHADER, p.cso)
    cdef uint32_t stage, size
    if shader == NULL:
        return
    for stage in range(6):
        if code[stage] != NULL:
            shader.stages[stage].code_hash = pipe_snapshot_hash(code[stage], p.stages[stage].code.size)
        size = p.stages[stage].constants_size
        shader.constants[stage] = <uint8_t*>calloc(1, size) if 0 < size <= 65536 else NULL
        shader.stages[stage].constants_size = size if shader.constants[stage] != NULL else 0


cdef void note_bind_shader_state(Watch* watch, const pipe_bind_shader_state* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.shader = p.cso
        context.supplied |= PIPE_SECTION_SHADER


cdef void note_bind_compute_state(Watch* watch, const pipe_bind_compute_state* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.compute = p.cso
        context.supplied |= PIPE_SECTION_SHADER


cdef void note_delete_shader_state(Watch* watch, const pipe_delete_shader_state* p) noexcept nogil:
    cdef ToldShader* shader = <ToldShader*>told_of(watch, PIPE_HANDLE_SHADER, p.cso)
    if shader != NULL:
        drop_constants(shader)
    table_dismiss(&watch.told[PIPE_HANDLE_SHADER], p.cso)


cdef void note_set_constants(Watch* watch, const pipe_set_constants* p, uint8_t* bytes_at) noexcept nogil:
    cdef ToldShader* shader = <ToldShader*>told_of(watch, PIPE_HANDLE_SHADER, p.shader)
    if (shader != NULL and bytes_at != NULL and p.offset <= shader.stages[p.stage].constants_size
            and p.bytes.size <= shader.stages[p.stage].constants_size - p.offset):
        memcpy(shader.constants[p.stage] + p.offset, bytes_at, p.bytes.size)


# -- state of the bound context

cdef void note_set_dynamic_state(Watch* watch, const pipe_set_dynamic_state* p, const pipe_DynamicChunk* chunks,
                                 const uint8_t* data) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i, at = 0
    if context == NULL:
        return
    context.supplied |= PIPE_SECTION_DYNAMIC
    for i in range(p.chunk_count):
        if (chunks[i].offset > sizeof(pipe_DynamicState) or chunks[i].size > sizeof(pipe_DynamicState) - chunks[i].offset
                or chunks[i].size > p.byte_count - at):
            return                      # the back end faults
        memcpy(<uint8_t*>&context.dynamic + chunks[i].offset, data + at, chunks[i].size)
        at += chunks[i].size


cdef void note_set_framebuffer_state(Watch* watch, const pipe_set_framebuffer_state* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context == NULL:
        return
    if p.target == PIPE_FRAMEBUFFER_TARGET_DRAW or p.target == PIPE_FRAMEBUFFER_TARGET_BOTH:
        context.draw = p[0]
        context.supplied |= PIPE_SECTION_DRAW_FRAMEBUFFER
    if p.target == PIPE_FRAMEBUFFER_TARGET_READ or p.target == PIPE_FRAMEBUFFER_TARGET_BOTH:
        context.read = p[0]
        context.supplied |= PIPE_SECTION_READ_FRAMEBUFFER


cdef void note_bind_vertex_array(Watch* watch, const pipe_bind_vertex_array* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if p.array.gen != 0 and told_of(watch, PIPE_HANDLE_VERTEX_ARRAY, p.array) == NULL:
        told_new(watch, PIPE_HANDLE_VERTEX_ARRAY, p.array)
    if context != NULL:
        context.vertex_array = p.array


cdef void note_vertex_array_destroy(Watch* watch, const pipe_vertex_array_destroy* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_VERTEX_ARRAY], p.array)


cdef void note_set_vertex_buffers(Watch* watch, const pipe_set_vertex_buffers* p, const pipe_VertexBuffer* buffers) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        for i in range(p.count):
            array_of(watch, context).buffers[buffers[i].binding] = buffers[i]


cdef void note_set_index_buffer(Watch* watch, const pipe_set_index_buffer* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        array_of(watch, context).index_buffer = p.resource


cdef void note_set_vertex_attrib_defaults(Watch* watch, const pipe_set_vertex_attrib_defaults* p,
                                          const pipe_AttribValue* values) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        for i in range(p.count):
            context.attrib_values[values[i].location] = values[i]


cdef void note_set_patch_state(Watch* watch, const pipe_set_patch_state* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.patch.vertices = p.vertices
        memcpy(context.patch.outer, p.outer, sizeof(p.outer))
        memcpy(context.patch.inner, p.inner, sizeof(p.inner))


cdef void note_set_sampler_views(Watch* watch, const pipe_set_sampler_views* p, const pipe_BoundView* views) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        for i in range(p.count):
            context.views[views[i].slot] = views[i]


cdef void note_bind_sampler_states(Watch* watch, const pipe_bind_sampler_states* p, const pipe_BoundSampler* samplers) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        for i in range(p.count):
            context.samplers[samplers[i].slot] = samplers[i]


cdef void note_set_shader_buffers(Watch* watch, const pipe_set_shader_buffers* p, const pipe_BufferRange* ranges) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        if p.buffer_class == PIPE_BUFFER_CLASS_STORAGE:
            context.storage_written = p.writable_mask
        for i in range(p.count):
            if p.start + i < 96:
                context.ranges[p.buffer_class][p.start + i] = ranges[i]


cdef void note_set_shader_images(Watch* watch, const pipe_set_shader_images* p, const pipe_ImageView* images) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef uint32_t i
    if context != NULL:
        for i in range(p.count):
            context.images[images[i].slot] = images[i]


cdef void note_set_indirect_buffers(Watch* watch, const pipe_set_indirect_buffers* p) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.commands = p[0]


# -- transform feedback

cdef inline void capture_into(Watch* watch, pipe_handle stream_output) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    if context != NULL:
        context.capture = stream_output


cdef void note_begin_stream_output(Watch* watch, const pipe_begin_stream_output* p, const pipe_BufferRange* targets) noexcept nogil:
    cdef ToldStreamOutput* output = <ToldStreamOutput*>told_of(watch, PIPE_HANDLE_STREAM_OUTPUT, p.stream_output)
    if output == NULL:
        output = <ToldStreamOutput*>told_new(watch, PIPE_HANDLE_STREAM_OUTPUT, p.stream_output)
    if output == NULL:
        return
    memset(output, 0, sizeof(ToldStreamOutput))
    output.shader = p.shader
    output.mode = p.mode
    memcpy(output.targets, targets, p.count * sizeof(pipe_BufferRange))
    capture_into(watch, p.stream_output)


cdef void note_pause_stream_output(Watch* watch, const pipe_pause_stream_output* p) noexcept nogil:
    cdef pipe_handle none
    none.slot = none.gen = 0
    capture_into(watch, none)


cdef void note_resume_stream_output(Watch* watch, const pipe_resume_stream_output* p) noexcept nogil:
    capture_into(watch, p.stream_output)


cdef void note_end_stream_output(Watch* watch, const pipe_end_stream_output* p) noexcept nogil:
    cdef pipe_handle none
    none.slot = none.gen = 0
    capture_into(watch, none)


cdef void note_delete_stream_output(Watch* watch, const pipe_delete_stream_output* p) noexcept nogil:
    table_dismiss(&watch.told[PIPE_HANDLE_STREAM_OUTPUT], p.stream_output)


cdef uint64_t supplied_sections(Watch* watch) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    return context.supplied if context != NULL else 0


# -- what it comes to

cdef inline uint64_t buffer_size(Watch* watch, pipe_handle handle) noexcept nogil:
    cdef ToldResource* resource = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, handle)
    return resource.size if resource != NULL else 0


cdef void told_surface(Watch* watch, pipe_handle handle, pipe_SnapshotSurface* out) noexcept nogil:
    cdef ToldSurface* surface = <ToldSurface*>told_of(watch, PIPE_HANDLE_SURFACE, handle)
    out.surface = handle
    if surface != NULL:
        out.width = surface.width
        out.height = surface.height


cdef void told_framebuffer(const pipe_set_framebuffer_state* p, pipe_SnapshotFramebuffer* out) noexcept nogil:
    cdef uint32_t i, attached
    out.framebuffer = p.framebuffer
    memcpy(out.draw_buffers, p.draw_buffers, sizeof(p.draw_buffers))
    out.read_buffer = p.read_buffer
    memcpy(out.color, p.color, sizeof(p.color))
    out.depth = p.depth
    out.stencil = p.stencil
    attached = p.depth.resource.gen | p.stencil.resource.gen
    for i in range(8):
        attached |= p.color[i].resource.gen
    if p.framebuffer.gen and not attached:
        out.default_width = p.width
        out.default_height = p.height
        out.default_layers = p.layers
        out.default_samples = p.samples
        out.default_fixed_samples = p.fixed_samples


cdef void told_vertex(Watch* watch, ToldContext* context, pipe_Snapshot* out) noexcept nogil:
    cdef ToldVertexArray* array = array_of(watch, context)
    cdef ToldElements* elements = <ToldElements*>told_of(watch, PIPE_HANDLE_VERTEX_ELEMENTS, array.elements)
    cdef pipe_SnapshotAttrib* at
    cdef pipe_VertexAttrib* attrib
    cdef pipe_VertexBuffer* buffer
    cdef uint32_t i, j
    memcpy(out.attrib_values, context.attrib_values, sizeof(out.attrib_values))
    out.index_buffer.buffer = array.index_buffer
    out.index_buffer.size = buffer_size(watch, array.index_buffer)
    if elements == NULL:
        return
    for i in range(elements.attrib_count):
        attrib = &elements.attribs[i]
        if attrib.location >= 16:
            continue
        at = &out.attribs[attrib.location]
        buffer = &array.buffers[attrib.binding]
        at.enabled = 1
        at.size = attrib.size
        at.type = attrib.type
        at.kind = attrib.kind
        at.buffer = buffer.resource
        at.buffer_size = buffer_size(watch, buffer.resource)
        at.offset = buffer.offset + attrib.relative_offset
        at.stride = buffer.stride
        for j in range(elements.binding_count):
            if elements.bindings[j].binding == attrib.binding:
                at.divisor = elements.bindings[j].divisor


cdef void told_program(Watch* watch, pipe_handle program, pipe_Snapshot* out) noexcept nogil:
    cdef ToldShader* shader = <ToldShader*>told_of(watch, PIPE_HANDLE_SHADER, program)
    cdef uint32_t stage
    out.shader = program
    if shader == NULL:
        return
    memcpy(out.stages, shader.stages, sizeof(out.stages))
    for stage in range(6):
        if shader.constants[stage] != NULL:
            out.stages[stage].constants_hash = pipe_snapshot_hash(shader.constants[stage], shader.stages[stage].constants_size)


cdef void told_ranges(Watch* watch, pipe_BufferRange* ranges, uint32_t count, pipe_SnapshotRange* out) noexcept nogil:
    cdef uint32_t i
    for i in range(count):
        out[i].buffer = ranges[i].resource
        out[i].buffer_size = buffer_size(watch, ranges[i].resource)
        out[i].offset = ranges[i].offset
        out[i].size = ranges[i].size


cdef void told_textures(Watch* watch, ToldContext* context, uint32_t count, pipe_SnapshotTexture* out) noexcept nogil:
    cdef ToldResource* resource
    cdef ToldSampler* sampler
    cdef uint32_t i
    for i in range(count):
        resource = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, context.views[i].resource)
        if resource != NULL:
            out[i] = resource.texture
        out[i].resource = context.views[i].resource
        out[i].target = context.views[i].target
        sampler = <ToldSampler*>told_of(watch, PIPE_HANDLE_SAMPLER, context.samplers[i].sampler)
        if sampler != NULL:
            out[i].sampler = sampler.state


cdef void told_capture(Watch* watch, ToldContext* context, pipe_SnapshotCapture* out) noexcept nogil:
    cdef ToldStreamOutput* output = <ToldStreamOutput*>told_of(watch, PIPE_HANDLE_STREAM_OUTPUT, context.capture)
    out.stream_output = context.capture
    if output != NULL:
        out.shader = output.shader
        out.mode = output.mode
        told_ranges(watch, output.targets, 4, out.targets)


cdef void told_images(ToldContext* context, uint32_t count, pipe_SnapshotImage* out) noexcept nogil:
    cdef uint32_t i
    for i in range(count):
        out[i].resource = context.images[i].resource
        out[i].format = context.images[i].format
        out[i].level = context.images[i].level
        out[i].layer = context.images[i].layer
        out[i].layered = context.images[i].layered
        out[i].access = context.images[i].access


cdef void fill_told(Watch* watch, uint32_t verb, const pipe_SnapshotCounts* counts, pipe_Snapshot* out) noexcept nogil:
    cdef ToldContext* context = told_context(watch)
    cdef ToldRenderState* render_state
    memset(out, 0, sizeof(pipe_Snapshot))
    out.counts = counts[0]
    out.context = watch.context
    told_surface(watch, watch.draw_surface, &out.draw_surface)
    told_surface(watch, watch.read_surface, &out.read_surface)
    if context == NULL:
        return
    told_framebuffer(&context.draw, &out.draw_framebuffer)
    told_framebuffer(&context.read, &out.read_framebuffer)
    render_state = <ToldRenderState*>told_of(watch, PIPE_HANDLE_RENDER_STATE, context.render_state)
    if render_state != NULL:
        out.pipeline = render_state.state
    out.dynamic = context.dynamic
    memcpy(out.clear_values.color, context.dynamic.clear_color, sizeof(out.clear_values.color))
    out.clear_values.depth = context.dynamic.clear_depth
    out.clear_values.stencil = context.dynamic.clear_stencil
    memset(out.dynamic.clear_color, 0, sizeof(out.dynamic.clear_color))
    out.dynamic.clear_depth = 0
    out.dynamic.clear_stencil = 0
    out.patch = context.patch
    told_vertex(watch, context, out)
    told_program(watch, context.compute if verb == PIPE_OP_LAUNCH_GRID else context.shader, out)
    told_ranges(watch, context.ranges[PIPE_BUFFER_CLASS_UNIFORM], counts.uniforms, out.uniforms)
    told_ranges(watch, context.ranges[PIPE_BUFFER_CLASS_STORAGE], counts.storage, out.storage)
    if counts.storage:
        out.storage_written = context.storage_written
    told_capture(watch, context, &out.capture)
    if counts.commands & 1: out.commands.draw = context.commands.draw
    if counts.commands & 2: out.commands.parameter = context.commands.parameter
    if counts.commands & 4: out.commands.dispatch = context.commands.dispatch
    told_images(context, counts.images, out.images)
    told_textures(watch, context, counts.textures, out.textures)
