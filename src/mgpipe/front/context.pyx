# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Names, share groups, and contexts in the state that the specification's tables of section 23 call initial."""

from cpython.ref cimport Py_DECREF
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from glenum cimport *
from pipe cimport PIPE_RESTART_OFF, pipe_BlendTarget, pipe_StencilFace
from mgpipe.links.shadow cimport block_release, shadow_clear
from mgpipe.tracker.maps cimport map_end

cdef enum:
    FIRST_NAMES = 64            # capacity of a table of names that is used at all


# ------------------------------------------------------------------------------------------------------- names

cdef bint reserve_names(Names* names, uint32_t capacity) noexcept nogil:
    cdef void** items
    cdef uint32_t larger = names.capacity if names.capacity else FIRST_NAMES
    if capacity <= names.capacity:
        return True
    while larger < capacity:
        larger *= 2
    items = <void**>realloc(names.items, larger * sizeof(void*))
    if items == NULL:
        return False
    memset(items + names.capacity, 0, (larger - names.capacity) * sizeof(void*))
    names.items = items
    names.capacity = larger
    return True


cdef uint32_t name_generate(Names* names) noexcept nogil:
    cdef uint32_t name = names.lowest_free if names.lowest_free else 1
    while name < names.capacity and names.items[name] != NULL:
        name += 1
    if not reserve_names(names, name + 1):
        return 0
    names.items[name] = NAME_RESERVED
    names.lowest_free = name + 1
    return name


cdef void names_generate(Context* ctx, Names* names, GLsizei n, GLuint* made) noexcept nogil:
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        made[i] = name_generate(names)
        if made[i] == 0:
            set_error(ctx, GL_OUT_OF_MEMORY)


cdef void name_put(Names* names, uint32_t name, void* item) noexcept nogil:
    if names.items[name] == NAME_RESERVED:
        names.live += 1
    names.items[name] = item


cdef void* name_make(Context* ctx, Names* names, uint32_t name, size_t size) noexcept nogil:
    """A zeroed object for a generated name that has none yet. NULL: the error is set.

    In the core profile names come from glGen… only, and most objects exist once they are first bound."""
    cdef void* item
    if not name_reserved(names, name):
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    item = calloc(1, size)
    if item == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    name_put(names, name, item)
    return item


cdef void* name_remove(Names* names, uint32_t name) noexcept nogil:
    cdef void* item
    if name == 0 or name >= names.capacity:
        return NULL
    item = names.items[name]
    names.items[name] = NULL
    if name < names.label_capacity:
        free(names.labels[name])
        names.labels[name] = NULL
    if name < names.lowest_free:
        names.lowest_free = name
    if item == NULL or item == NAME_RESERVED:
        return NULL
    names.live -= 1
    return item


# ------------------------------------------------------------------------------------------- pending resources

cdef void pending_add(ShareGroup* group, void* resource, bint is_texture) noexcept nogil:
    cdef Pending* link
    cdef uint32_t* linked = &(<Texture*>resource).pending_linked if is_texture else &(<Buffer*>resource).pending_linked
    if linked[0]:
        return
    link = <Pending*>calloc(1, sizeof(Pending))
    if link == NULL:                        # the resource is still sent by whichever verb binds it
        return
    linked[0] = 1
    link.resource = resource
    link.is_texture = is_texture
    if group.pending_last == NULL:
        group.pending = link
    else:
        group.pending_last.next = link
    group.pending_last = link


# -------------------------------------------------------------------------------------------- initial state

cdef void default_pipeline(Context* ctx) noexcept nogil:
    cdef pipe_BlendTarget* target
    cdef pipe_StencilFace* face
    cdef uint32_t i
    for i in range(8):
        target = &ctx.pipeline.blend[i]
        target.rgb_func = target.alpha_func = GL_FUNC_ADD
        target.rgb_src = target.alpha_src = GL_ONE
        target.rgb_dst = target.alpha_dst = GL_ZERO
        target.write_mask = 0xF
    for i in range(2):
        face = &ctx.pipeline.stencil[i]
        face.func = GL_ALWAYS
        face.fail = face.depth_fail = face.depth_pass = GL_KEEP
        face.value_mask = face.write_mask = <uint32_t>-1
    ctx.pipeline.depth_write = 1
    ctx.pipeline.depth_func = GL_LESS
    ctx.pipeline.cull_face = GL_BACK
    ctx.pipeline.front_face = GL_CCW
    ctx.pipeline.polygon_mode = GL_FILL
    ctx.pipeline.multisample = 1
    ctx.pipeline.sample_coverage_value = 1.0
    ctx.pipeline.sample_mask_value = <uint32_t>-1
    ctx.pipeline.logic_op = GL_COPY
    ctx.pipeline.dither = 1
    ctx.pipeline.primitive_restart = PIPE_RESTART_OFF
    ctx.pipeline.provoking_vertex = GL_LAST_VERTEX_CONVENTION
    ctx.pipeline.point_origin = GL_UPPER_LEFT
    ctx.clamp_read_color = GL_FIXED_ONLY


cdef void default_dynamic(Context* ctx) noexcept nogil:
    cdef uint32_t i
    for i in range(16):
        ctx.dynamic.viewports[i].far = 1.0
    ctx.dynamic.line_width = 1.0
    ctx.dynamic.point_size = 1.0
    ctx.dynamic.clear_depth = 1.0


cdef void default_vertex_array(VertexArray* array) noexcept nogil:
    cdef uint32_t i
    for i in range(ATTRIBS):
        array.attribs[i].location = array.attribs[i].binding = i
        array.attribs[i].size = 4
        array.attribs[i].type = GL_FLOAT
        array.bindings[i].stride = 16


cdef void default_pixel_store(PixelStore* store) noexcept nogil:
    store.alignment = 4


cdef ShareGroup* group_new(Session* session) noexcept nogil:
    cdef ShareGroup* group = <ShareGroup*>calloc(1, sizeof(ShareGroup))
    if group != NULL:
        group.session = session
        group.generation = 1
    return group


cdef Context* context_new(Session* session, ShareGroup* group) noexcept nogil:
    cdef Context* ctx = <Context*>calloc(1, sizeof(Context))
    cdef uint32_t i
    if ctx == NULL:
        return NULL
    if group == NULL:
        group = group_new(session)
        if group == NULL:
            free(ctx)
            return NULL
    group.refs += 1
    group.contexts += 1
    ctx.session = session
    ctx.gate = GATE_TRACE if session.trace != NULL else 0
    ctx.group = group
    ctx.dirty = DIRTY_ALL
    ctx.refs = 1
    default_pipeline(ctx)
    default_dynamic(ctx)
    for i in range(ATTRIBS):
        ctx.attrib_values[i].location = i
        (<float*>&ctx.attrib_values[i].value[3])[0] = 1.0
    ctx.patches.vertices = 3
    for i in range(4):
        ctx.patches.outer[i] = 1.0
    ctx.patches.inner[0] = ctx.patches.inner[1] = 1.0
    default_pixel_store(&ctx.pack)
    default_pixel_store(&ctx.unpack)
    for i in range(8):
        ctx.hints[i] = GL_DONT_CARE
    for i in range(IMAGE_UNITS):
        ctx.images[i].access = GL_READ_ONLY
        ctx.images[i].format = GL_R8
    ctx.point_fade_threshold = 1.0
    default_vertex_array(&ctx.default_vertex_array)
    ctx.vertex_array = &ctx.default_vertex_array
    ctx.default_framebuffer.is_default = 1
    ctx.draw_framebuffer = ctx.read_framebuffer = &ctx.default_framebuffer
    ctx.feedback = &ctx.default_feedback
    ctx.version = session.gl_version
    return ctx


# ------------------------------------------------------------------------------------------------------ deaths

cdef void release_python(void* owned) noexcept nogil:
    if owned != NULL:
        with gil:
            Py_DECREF(<object>owned)


cdef void shader_free(Shader* shader) noexcept nogil:
    release_python(shader.object)
    free(shader)


cdef void program_clear(Program* program) noexcept nogil:
    """Drops what linking made."""
    cdef uint32_t i
    free(program.location_uniform)
    free(program.uniforms)
    free(program.slots)
    free(program.blocks)
    free(program.feedback)
    program.feedback = NULL
    program.feedback_size = program.feedback_mode = program.feedback_buffers = program.output_primitive = 0
    free(program.storage)
    free(program.images)
    free(program.subroutines)
    program.location_uniform = NULL
    program.uniforms = NULL
    program.slots = NULL
    program.blocks = NULL
    program.storage = NULL
    program.images = NULL
    program.storage_count = program.storage_slots = program.image_count = 0
    program.subroutines = NULL
    program.subroutine_count = 0
    program.location_count = program.uniform_count = program.slot_count = program.block_count = program.stage_mask = 0
    for i in range(STAGES):
        free(program.constants[i])
        free(program.stage_spirv[i])
        program.constants[i] = program.stage_spirv[i] = NULL
        program.constants_size[i] = program.stage_spirv_size[i] = 0
        program.dirty_low[i] = program.dirty_high[i] = 0
    program.constants_dirty = 0
    program.attribute_mask = program.draw_modes = 0


cdef void program_free(Program* program) noexcept nogil:
    program_clear(program)
    release_python(program.object)
    free(program)


cdef void free_names(Names* names, bint items) noexcept nogil:
    cdef uint32_t i
    if items:
        for i in range(names.capacity):
            if names.items[i] != NULL and names.items[i] != NAME_RESERVED:
                free(names.items[i])
    for i in range(names.label_capacity):
        free(names.labels[i])
    free(names.labels)
    free(names.items)
    memset(names, 0, sizeof(Names))


cdef void group_free(ShareGroup* group) noexcept nogil:
    """Its objects have ended with its last context (objects.pyx)."""
    free_names(&group.shaders_programs, False)
    free_names(&group.buffers, False)
    free_names(&group.textures, False)
    free_names(&group.renderbuffers, False)
    free_names(&group.samplers, False)
    free_names(&group.syncs, False)
    free(group)


cdef void buffer_free(ShareGroup* group, Buffer* buffer) noexcept nogil:
    map_end(group, buffer)
    shadow_clear(group.session.shadow, &buffer.shadow)
    if buffer.store != NULL:                    # of a lost session, which no record tells
        block_release(group.session.shadow, buffer.store)
    free(buffer)


cdef void texture_free(ShareGroup* group, Texture* texture) noexcept nogil:
    cdef uint32_t i
    if texture.levels != NULL:
        for i in range(texture.faces * LEVELS):
            shadow_clear(group.session.shadow, &texture.levels[i].shadow)
            free(texture.levels[i].regions)
            free(texture.levels[i].layers)
        free(texture.levels)
    free(texture)


cdef void context_free(Context* ctx) noexcept nogil:
    cdef ShareGroup* group = ctx.group
    free_names(&ctx.vertex_arrays, True)
    free_names(&ctx.framebuffers, True)
    free_names(&ctx.queries, True)
    release_python(ctx.debug_output)
    free_names(&ctx.feedbacks, True)
    free_names(&ctx.pipelines, False)
    free(ctx.proxies)
    free(ctx)
    group.contexts -= 1
    group.refs -= 1
    if group.refs == 0:
        group_free(group)
