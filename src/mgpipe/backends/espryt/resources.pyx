# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The resource rows: which of buffers.pyx and textures.pyx they mean."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.espryt.buffers cimport *
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.fills cimport texture_fill
from mgpipe.backends.espryt.pins cimport pin_let_go, pin_memory
from mgpipe.backends.espryt.textures cimport *
from mgpipe.backends.espryt.zeroes cimport forget_unwritten, note_contents, note_storage


cdef void install_resources(BackEnd* table) noexcept nogil:
    table.resource_create = resource_create
    table.resource_respecify = resource_respecify
    table.resource_destroy = resource_destroy
    table.resource_subdata = resource_subdata
    table.resource_clear = resource_clear
    table.resource_invalidate = resource_invalidate
    table.resource_flush_range = resource_flush_range
    table.resource_readback = resource_readback
    table.resource_copy_region = resource_copy_region
    table.buffer_copy = buffer_copy
    table.generate_mipmap = generate_mipmap
    table.set_texture_params = set_texture_params
    table.pin_memory = pin_buffer
    table.copy_framebuffer_to_texture = copy_framebuffer_to_texture


cdef bint is_buffer(Espryt* es, Resource* resource, const char* where) noexcept nogil:
    if resource.kind == PIPE_RESOURCE_TARGET_BUFFER:
        return True
    es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, where)
    return False


cdef bint is_texture(Espryt* es, Resource* resource, const char* where) noexcept nogil:
    if resource.kind != PIPE_RESOURCE_TARGET_BUFFER and resource.kind != PIPE_RESOURCE_TARGET_RENDERBUFFER:
        return True
    es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, where)
    return False


cdef void resource_create(void* self, const pipe_resource_create* p, void* resource, void* group) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    it.serial = new_serial(es)
    it.group = (<ShareGroup*>group).serial
    it.kind = p.target
    it.target = driver_target(es, p.target)
    if p.target == PIPE_RESOURCE_TARGET_BUFFER:
        gl_of(es).GenBuffers(1, &it.name)
    elif p.target == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        gl_of(es).GenRenderbuffers(1, &it.name)
    else:
        gl_of(es).GenTextures(1, &it.name)


cdef void resource_respecify(void* self, const pipe_resource_respecify* p, void* resource, void* view_of,
                             void* buffer) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    if p.target != it.kind:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resource_respecify.target: not the one it was created with")
    elif it.kind == PIPE_RESOURCE_TARGET_BUFFER:
        if not buffer_storage(es, it, p.size, p.usage, p.storage_flags):
            es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resource_respecify.size: immutable storage has another")
    elif (buffer == NULL or is_buffer(es, <Resource*>buffer, b"resource_respecify.buffer: not a buffer")) and (
            view_of == NULL or is_texture(es, <Resource*>view_of, b"resource_respecify.view_of: not a texture")):
        texture_storage(es, it, p, <Resource*>view_of, <Resource*>buffer)
    if es.fills_unwritten:
        note_storage(es, it, p)


cdef void resource_destroy(void* self, const pipe_resource_destroy* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    if it.kind == PIPE_RESOURCE_TARGET_BUFFER:
        gl_of(es).DeleteBuffers(1, &it.name)
        pin_let_go(es, it.pinned_bytes)
    elif it.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        gl_of(es).DeleteRenderbuffers(1, &it.name)
    else:
        gl_of(es).DeleteTextures(1, &it.name)


cdef void resource_subdata(void* self, const pipe_resource_subdata* p, void* resource, uint8_t* bytes_at,
                           const pipe_SubRegion* regions) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    cdef bint fits
    if es.unwritten_count:
        note_contents(es, it, p, regions)
    if it.kind == PIPE_RESOURCE_TARGET_BUFFER:
        fits = buffer_write(es, it, p.offset, bytes_at, p.bytes.size, p.mapping)
    elif is_texture(es, it, b"resource_subdata.resource: a renderbuffer"):
        fits = texture_write(es, it, p.level, bytes_at, p.bytes.size, regions, p.region_count, p.texels)
    else:
        return
    if not fits:
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"resource_subdata")


cdef void pin_buffer(void* self, const pipe_pin_memory* p, void* resource, uint8_t* bytes_at) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if is_buffer(es, <Resource*>resource, b"pin_memory.resource: not a buffer"):
        forget_unwritten(es, <Resource*>resource)
        pin_memory(es, <Resource*>resource, bytes_at, p.bytes.size, p.usage)


cdef void resource_clear(void* self, const pipe_resource_clear* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    if it.kind == PIPE_RESOURCE_TARGET_BUFFER:
        if not buffer_fill(es, it, p.offset, p.size, <const uint8_t*>p.pattern, p.pattern_size):
            es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"resource_clear")
    elif is_texture(es, it, b"resource_clear.resource: a renderbuffer"):
        texture_fill(es, it, p)


cdef void resource_invalidate(void* self, const pipe_resource_invalidate* p, void* resource) noexcept nogil:
    """A hint. No driver met so far gains by it for buffers and textures."""


cdef void resource_flush_range(void* self, const pipe_resource_flush_range* p, void* resource) noexcept nogil:
    """Nothing to do: driver mappings that outlive a record are coherent."""


cdef void resource_readback(void* self, const pipe_resource_readback* p, void* resource, uint8_t* into_at,
                            pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* it = <Resource*>resource
    reply.status = PIPE_REPLY_ERROR
    if not is_buffer(es, it, b"resource_readback.resource: not a buffer"):
        return
    if not buffer_answer(es, it, p.offset, into_at, p.into.size):
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"resource_readback")
        return
    reply.status = PIPE_REPLY_OK


cdef void resource_copy_region(void* self, const pipe_resource_copy_region* p, void* source, void* target) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if ((<Resource*>source).kind == PIPE_RESOURCE_TARGET_BUFFER
            or (<Resource*>target).kind == PIPE_RESOURCE_TARGET_BUFFER):
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resource_copy_region: a buffer")
        return
    texture_copy(es, <Resource*>source, <Resource*>target, p)


cdef void buffer_copy(void* self, const pipe_buffer_copy* p, void* source, void* target) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if (not is_buffer(es, <Resource*>source, b"buffer_copy.source: not a buffer")
            or not is_buffer(es, <Resource*>target, b"buffer_copy.target: not a buffer")):
        return
    if not buffer_copy_range(es, <Resource*>source, <Resource*>target, p.source_offset, p.target_offset, p.size):
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"buffer_copy")


cdef void generate_mipmap(void* self, const pipe_generate_mipmap* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if is_texture(es, <Resource*>resource, b"generate_mipmap.resource: not a texture"):
        texture_mipmaps(es, <Resource*>resource, p.base_level, p.max_level)


cdef void set_texture_params(void* self, const pipe_set_texture_params* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if is_texture(es, <Resource*>resource, b"set_texture_params.resource: not a texture"):
        texture_params(es, <Resource*>resource, p)


cdef void copy_framebuffer_to_texture(void* self, const pipe_copy_framebuffer_to_texture* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"copy_framebuffer_to_texture")
    elif is_texture(es, <Resource*>resource, b"copy_framebuffer_to_texture.resource: not a texture"):
        texture_copy_from_framebuffer(es, es.bound, <Resource*>resource, p)
