# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffers as OpenGL ES can read them, where it cannot read them as they are: a copy, made again when the bytes changed.

Vertices keep their strides and offsets: a double becomes a float at its place, blue and red change theirs. Indices
that restart primitives become the largest of a type that has room for it.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.espryt.buffers cimport buffer_unmap
from mgpipe.backends.espryt.espryt cimport *


cdef uint32_t cooked_bindings(const VertexElements* elements) noexcept nogil:
    """A bit for each binding that some attribute cannot be read from as it is."""
    cdef uint32_t found = 0, i
    for i in range(elements.attrib_count):
        if elements.attribs[i].type == PIPE_VERTEX_TYPE_DOUBLE or elements.attribs[i].kind == PIPE_ATTRIB_KIND_BGRA:
            found |= <uint32_t>1 << elements.attribs[i].binding
    return found


cdef bint fresh(const Cooked* cooked, Resource* source, uint64_t offset, uint32_t stride) noexcept nogil:
    return (cooked.buffer != 0 and cooked.serial == source.serial and cooked.version == source.version
            and cooked.offset == offset and cooked.stride == stride and not source.gpu_writes)


cdef uint8_t* contents(Espryt* es, Resource* source) noexcept nogil:
    """A copy of all its bytes. NULL: it has none, or there is no room."""
    cdef GL* gl = gl_of(es)
    cdef uint8_t* bytes = NULL
    cdef void* mapped
    if source.size == 0:
        return NULL
    bytes = <uint8_t*>malloc(source.size)
    buffer_unmap(es, source)
    gl.BindBuffer(GL_COPY_READ_BUFFER, source.name)
    mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, source.size, GL_MAP_READ_BIT)
    if bytes == NULL or mapped == NULL:
        free(bytes)
        bytes = NULL
    else:
        memcpy(bytes, mapped, source.size)
    if mapped != NULL:
        gl.UnmapBuffer(GL_COPY_READ_BUFFER)
    return bytes


cdef void keep(Espryt* es, Cooked* cooked, Resource* source, uint64_t offset, uint32_t stride, const void* bytes,
               uint64_t size) noexcept nogil:
    cdef GL* gl = gl_of(es)
    if cooked.buffer == 0:
        gl.GenBuffers(1, &cooked.buffer)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, cooked.buffer)
    gl.BufferData(GL_COPY_WRITE_BUFFER, size, bytes, GL_DYNAMIC_DRAW)
    cooked.serial = source.serial
    cooked.version = source.version
    cooked.offset = offset
    cooked.stride = stride
    cooked.size = size
    source.is_cooked = True


cdef bint cook_vertices(Espryt* es, Context* ctx, VertexElements* elements, uint32_t binding, Cooked* cooked) noexcept nogil:
    cdef BufferBinding* wanted = &array_of(ctx).buffers[binding]
    cdef Resource* source = <Resource*>alive(&wanted.resource)
    cdef const pipe_VertexAttrib* a
    cdef uint8_t* bytes
    cdef uint64_t at, end, size
    cdef uint32_t i
    if source == NULL:
        return False
    if fresh(cooked, source, wanted.offset, wanted.stride):
        return True
    bytes = contents(es, source)
    if bytes == NULL:
        return False
    for i in range(elements.attrib_count):
        a = &elements.attribs[i]
        if a.binding != binding or (a.type != PIPE_VERTEX_TYPE_DOUBLE and a.kind != PIPE_ATTRIB_KIND_BGRA):
            continue
        size = <uint64_t>a.size * 8 if a.type == PIPE_VERTEX_TYPE_DOUBLE else 4
        at = wanted.offset + a.relative_offset
        if wanted.offset > source.size:
            continue
        while at <= source.size and size <= source.size - at:
            if a.type == PIPE_VERTEX_TYPE_DOUBLE:
                narrow(bytes + at, a.size)
            else:
                swap_red_and_blue(bytes + at, a.type)
            if wanted.stride == 0:
                break
            at += wanted.stride
    keep(es, cooked, source, wanted.offset, wanted.stride, bytes, source.size)
    free(bytes)
    return True


cdef void narrow(uint8_t* at, uint32_t components) noexcept nogil:
    cdef double wide[4]
    cdef float small[4]
    cdef uint32_t i
    memcpy(wide, at, components * 8)
    for i in range(components):
        small[i] = <float>wide[i]
    memcpy(at, small, components * 4)


cdef void swap_red_and_blue(uint8_t* at, uint32_t kind) noexcept nogil:
    cdef uint32_t packed, outer = 0xC00FFC00
    cdef uint8_t blue
    if kind == PIPE_VERTEX_TYPE_UNSIGNED_BYTE:
        blue = at[0]
        at[0] = at[2]
        at[2] = blue
        return
    memcpy(&packed, at, 4)          # ten bits each, alpha on top
    packed = packed & outer | (packed & 0x3FF) << 20 | (packed >> 20 & 0x3FF)
    memcpy(at, &packed, 4)


cdef bint cook_indices(Espryt* es, Context* ctx, Resource* buffer, uint32_t index_size, uint32_t restart,
                       Cooked* cooked) noexcept nogil:
    """All of the buffer, from its start, each index twice as wide: the largest is then an index of no vertex. Of 32
    bits no vertex has it either."""
    cdef uint32_t wide = 2 * index_size if index_size < 4 else 4
    cdef uint64_t count = buffer.size // index_size, i
    cdef uint8_t* bytes
    cdef uint8_t* out
    cdef uint32_t index
    # The offset that is drawn from need not be a whole index: each phase would be a copy of its own, and is refused.
    if fresh(cooked, buffer, restart, index_size):
        return True
    bytes = contents(es, buffer)
    out = <uint8_t*>malloc(count * wide) if bytes != NULL else NULL
    if out == NULL:
        free(bytes)
        return False
    for i in range(count):
        if index_size == 1:
            index = bytes[i]
            (<uint16_t*>out)[i] = <uint16_t>(0xFFFF if index == restart else index)
        elif index_size == 2:
            index = (<uint16_t*>bytes)[i]
            (<uint32_t*>out)[i] = 0xFFFFFFFF if index == restart else index
        else:
            index = (<uint32_t*>bytes)[i]
            (<uint32_t*>out)[i] = 0xFFFFFFFF if index == restart else index
    keep(es, cooked, buffer, restart, index_size, out, count * wide)
    free(bytes)
    free(out)
    return True


cdef void free_cooked(Espryt* es, Cooked* cooked, uint32_t count) noexcept nogil:
    cdef uint32_t i
    if cooked == NULL:
        return
    for i in range(count):
        if cooked[i].buffer:
            gl_of(es).DeleteBuffers(1, &cooked[i].buffer)
    free(cooked)


cdef void free_own_copies(Espryt* es, Context* ctx) noexcept nogil:
    free_cooked(es, ctx.own_array.cooked, BUFFERS)
    ctx.own_array.cooked = NULL
    if ctx.indices.buffer:
        gl_of(es).DeleteBuffers(1, &ctx.indices.buffer)
        ctx.indices.buffer = 0
