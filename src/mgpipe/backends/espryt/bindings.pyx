# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Textures, samplers and uniform blocks by the slots of the bound program.

A slot is a texture unit, and a uniform block's slot a binding point, so these records are applied when they come: the
client only sends what changed, and here what the driver has already is skipped.
"""

from libc.stdint cimport uint32_t, uint64_t
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.images cimport rebind_images
from mgpipe.backends.espryt.storage cimport bind_again, bind_range, rebind_storage, set_storage_buffers
from mgpipe.backends.espryt.textures cimport driver_target


cdef void install_bindings(BackEnd* table) noexcept nogil:
    table.create_sampler_state = create_sampler_state
    table.delete_sampler_state = delete_sampler_state
    table.create_sampler_view = create_sampler_view
    table.delete_sampler_view = delete_sampler_view
    table.set_sampler_views = set_sampler_views
    table.bind_sampler_states = bind_sampler_states
    table.set_shader_buffers = set_shader_buffers


cdef void create_sampler_state(void* self, const pipe_create_sampler_state* p, void* cso) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef const pipe_SamplerState* s = &p.state
    cdef Sampler* it = <Sampler*>cso
    it.serial = new_serial(es)
    gl.GenSamplers(1, &it.name)
    gl.SamplerParameteri(it.name, GL_TEXTURE_MIN_FILTER, s.min_filter)
    gl.SamplerParameteri(it.name, GL_TEXTURE_MAG_FILTER, s.mag_filter)
    gl.SamplerParameteri(it.name, GL_TEXTURE_WRAP_S, s.wrap_s)
    gl.SamplerParameteri(it.name, GL_TEXTURE_WRAP_T, s.wrap_t)
    gl.SamplerParameteri(it.name, GL_TEXTURE_WRAP_R, s.wrap_r)
    gl.SamplerParameterf(it.name, GL_TEXTURE_MIN_LOD, s.min_lod)
    gl.SamplerParameterf(it.name, GL_TEXTURE_MAX_LOD, s.max_lod)
    gl.SamplerParameteri(it.name, GL_TEXTURE_COMPARE_MODE, s.compare_mode)
    gl.SamplerParameteri(it.name, GL_TEXTURE_COMPARE_FUNC, s.compare_func)
    if s.max_anisotropy > 1.0:
        gl.SamplerParameterf(it.name, GL_TEXTURE_MAX_ANISOTROPY, s.max_anisotropy)
    if s.lod_bias != 0.0:
        # Not in ES; the drivers met so far take it all the same, in a sampler object.
        gl.SamplerParameterf(it.name, GL_TEXTURE_LOD_BIAS, s.lod_bias)
    if s.border_kind == PIPE_BORDER_KIND_FLOAT:
        gl.SamplerParameterfv(it.name, GL_TEXTURE_BORDER_COLOR, <const float*>s.border)
    elif s.border_kind == PIPE_BORDER_KIND_INT:
        gl.SamplerParameterIiv(it.name, GL_TEXTURE_BORDER_COLOR, <const GLint*>s.border)
    else:
        gl.SamplerParameterIuiv(it.name, GL_TEXTURE_BORDER_COLOR, s.border)


cdef void delete_sampler_state(void* self, const pipe_delete_sampler_state* p, void* cso) noexcept nogil:
    gl_of(<Espryt*>self).DeleteSamplers(1, &(<Sampler*>cso).name)


cdef void create_sampler_view(void* self, const pipe_create_sampler_view* p, void* cso, void* resource) noexcept nogil:
    """A driver's texture view, which needs immutable storage; the client makes one only where it differs from the whole."""
    cdef Espryt* es = <Espryt*>self
    cdef SamplerView* it = <SamplerView*>cso
    cdef Resource* texture = <Resource*>resource
    cdef uint32_t format = format_number(p.format)
    it.serial = new_serial(es)
    it.target = driver_target(es, p.target)
    if gl_of(es).TextureView == NULL or not texture.immutable or format == 0:
        es.host.unimplemented(es.host.self, b"create_sampler_view", b"view of a mutable texture, or no texture views here")
        return
    gl_of(es).GenTextures(1, &it.name)
    gl_of(es).TextureView(it.name, it.target, texture.name,
                          pipe_formats[format].internal if es.driver.dialect == DIALECT_GL else pipe_formats[format].es_internal,
                          p.min_level, p.num_levels, p.min_layer, p.num_layers)


cdef void delete_sampler_view(void* self, const pipe_delete_sampler_view* p, void* cso) noexcept nogil:
    if (<SamplerView*>cso).name:
        gl_of(<Espryt*>self).DeleteTextures(1, &(<SamplerView*>cso).name)


cdef void set_sampler_views(void* self, const pipe_set_sampler_views* p, const pipe_BoundView* views,
                            void** views_resource, void** views_view) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef Resource* texture
    cdef SamplerView* view
    cdef uint32_t i, slot
    if ctx == NULL:
        return
    for i in range(p.count):
        slot = views[i].slot
        if slot >= es.units:
            es.host.unimplemented(es.host.self, b"set_sampler_views", b"more texture units than the driver has")
            continue
        texture = <Resource*>views_resource[i]
        view = <SamplerView*>views_view[i]
        if view != NULL and view.name != 0:
            bind_unit(es, ctx, slot, view.serial, view.target, view.name)
            ctx.unit_texture[slot] = ref_to(NULL)
        elif (texture != NULL and texture.kind != PIPE_RESOURCE_TARGET_BUFFER
              and texture.kind != PIPE_RESOURCE_TARGET_RENDERBUFFER):
            bind_unit(es, ctx, slot, texture.serial, texture.target, texture.name)
            ctx.unit_texture[slot] = ref_to(texture)
            ctx.unit_name[slot] = texture.name
        else:
            bind_unit(es, ctx, slot, 0, driver_target(es, views[i].target), 0)
            ctx.unit_texture[slot] = ref_to(NULL)


cdef void bind_unit(Espryt* es, Context* ctx, uint32_t slot, uint64_t serial, GLenum target, GLuint name) noexcept nogil:
    """A unit has one texture of each target; a program's slot reads one target only, so one is remembered."""
    if ctx.unit_serial[slot] == serial and ctx.unit_target[slot] == target:
        return
    if ctx.active_unit != slot:
        gl_of(es).ActiveTexture(GL_TEXTURE0 + slot)
        ctx.active_unit = slot
    gl_of(es).BindTexture(target, name)
    ctx.unit_serial[slot] = serial
    ctx.unit_target[slot] = target


cdef void bind_sampler_states(void* self, const pipe_bind_sampler_states* p, const pipe_BoundSampler* samplers,
                              void** samplers_sampler) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef Sampler* sampler
    cdef uint64_t serial
    cdef uint32_t i, slot
    if ctx == NULL:
        return
    for i in range(p.count):
        slot = samplers[i].slot
        sampler = <Sampler*>samplers_sampler[i]
        serial = sampler.serial if sampler != NULL else 0
        if slot < es.units and ctx.sampler_serial[slot] != serial:
            gl_of(es).BindSampler(slot, sampler.name if sampler != NULL else 0)
            ctx.sampler_serial[slot] = serial


cdef void set_shader_buffers(void* self, const pipe_set_shader_buffers* p, const pipe_BufferRange* ranges,
                             void** ranges_resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef uint32_t i, slot
    if ctx == NULL:
        return
    if p.buffer_class == PIPE_BUFFER_CLASS_STORAGE:
        set_storage_buffers(es, ctx, p, ranges, ranges_resource)
        return
    if p.buffer_class != PIPE_BUFFER_CLASS_UNIFORM:
        es.host.unimplemented(es.host.self, b"set_shader_buffers", b"a class of its own for atomic counters")
        return
    for i in range(p.count):
        slot = p.start + i
        if slot < STAGES or slot >= es.blocks:      # the first ones are the stages' loose uniforms
            es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"set_shader_buffers.start")
            return
        ctx.ranges[slot].resource = ref_to(ranges_resource[i])
        ctx.ranges[slot].offset = ranges[i].offset
        ctx.ranges[slot].size = ranges[i].size
        bind_range(es, GL_UNIFORM_BUFFER, slot, &ctx.ranges[slot], &ctx.blocks[slot])


cdef void rebind_blocks(Espryt* es, Context* ctx) noexcept nogil:
    cdef uint32_t slot
    for slot in range(STAGES, es.blocks):
        if alive(&ctx.ranges[slot].resource) != NULL:
            bind_again(es, GL_UNIFORM_BUFFER, slot, &ctx.ranges[slot], &ctx.blocks[slot])
    rebind_storage(es, ctx)
    rebind_images(es, ctx)
