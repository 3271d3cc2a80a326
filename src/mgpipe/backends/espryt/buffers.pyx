# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffers: storage and bytes. False: the range leaves the buffer.

Edits go through the copy targets, which no draw looks at.

What the program writes through a persistent mapping is written through one here, where the driver takes no memory of ours: the
program keeps off the bytes that commands still use, so they need not wait for any. A mapping is made when the first bytes
of one of the program's come, which waits for all commands before, as the program's own would. When another record has
written the buffer since, order matters again: the rest of that mapping's bytes are commands. So they are where shaders write it.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from driver_gl cimport *
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.host cimport part_bytes
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.pins cimport pin_let_go, pins_work

cdef enum:
    MAPPED = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT


cdef inline bint inside(Resource* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    return offset <= buffer.size and size <= buffer.size - offset


cdef bint buffer_storage(Espryt* es, Resource* buffer, uint64_t size, uint32_t usage, uint32_t flags) noexcept nogil:
    """Immutability and map flags are promises to the program, kept by the client; here every buffer can be written."""
    cdef uint64_t pinned = buffer.pinned_bytes
    if buffer.can_map:
        buffer_changed(es, buffer)
        return size == buffer.size
    if not GL_STREAM_DRAW <= usage <= GL_DYNAMIC_COPY:
        usage = GL_DYNAMIC_DRAW
    buffer.size = size
    buffer_changed(es, buffer)
    gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name)
    if size and flags & MAPPED == MAPPED and gl_of(es).BufferStorage != NULL and not pinned and not pins_work(es):
        buffer.can_map = 1
        flags &= GL_MAP_READ_BIT | MAPPED | GL_MAP_COHERENT_BIT | GL_CLIENT_STORAGE_BIT
        if es.driver.dialect != DIALECT_GL:
            flags |= GL_MAP_READ_BIT            # it has no other way to read
        gl_of(es).BufferStorage(GL_COPY_WRITE_BUFFER, size, NULL, flags | GL_MAP_COHERENT_BIT | GL_DYNAMIC_STORAGE_BIT)
        return True
    if pinned:                  # a driver may give new storage of the same size the memory that it had
        gl_of(es).BufferData(GL_COPY_WRITE_BUFFER, 0, NULL, usage)
        buffer.pinned_bytes = 0
    gl_of(es).BufferData(GL_COPY_WRITE_BUFFER, size, NULL, usage)
    pin_let_go(es, pinned)
    return True


cdef void buffer_unmap(Espryt* es, Resource* buffer) noexcept nogil:
    if buffer.mapped != NULL:
        gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name)
        gl_of(es).UnmapBuffer(GL_COPY_WRITE_BUFFER)
        buffer.mapped = NULL
        buffer.mapping = 0


cdef bint buffer_map(Espryt* es, Resource* buffer, uint32_t mapping) noexcept nogil:
    """Whether bytes of this mapping can be written without order."""
    if mapping == buffer.mapping and (buffer.mapped == NULL or buffer.version == buffer.mapped_version):
        return buffer.mapped != NULL
    if mapping == buffer.mapping:
        buffer_unmap(es, buffer)
        buffer.mapping = mapping
        return False
    buffer_unmap(es, buffer)
    buffer.mapping = mapping
    if not buffer.can_map or buffer.gpu_writes:
        return False
    gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name)
    buffer.mapped = <uint8_t*>gl_of(es).MapBufferRange(GL_COPY_WRITE_BUFFER, 0, buffer.size, MAPPED | GL_MAP_COHERENT_BIT)
    return buffer.mapped != NULL


cdef bint buffer_write(Espryt* es, Resource* buffer, uint64_t offset, const uint8_t* bytes, uint64_t size,
                       uint32_t mapping) noexcept nogil:
    if not inside(buffer, offset, size):
        return False
    if mapping and buffer_map(es, buffer, mapping):
        memcpy(buffer.mapped + offset, bytes, size)
        buffer_changed(es, buffer)
        buffer.mapped_version = buffer.version
        return True
    gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name)
    gl_of(es).BufferSubData(GL_COPY_WRITE_BUFFER, offset, size, bytes)
    buffer_changed(es, buffer)
    return True


cdef bint buffer_read(Espryt* es, Resource* buffer, uint64_t offset, uint8_t* into, uint64_t size) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef void* mapped
    if not inside(buffer, offset, size):
        return False
    if size == 0:
        return True
    gl.BindBuffer(GL_COPY_READ_BUFFER, buffer.name)
    if es.driver.dialect == DIALECT_GL:
        gl.GetBufferSubData(GL_COPY_READ_BUFFER, offset, size, into)
        return True
    buffer_unmap(es, buffer)
    mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, offset, size, GL_MAP_READ_BIT)
    if mapped == NULL:
        memset(into, 0, size)
        return True
    memcpy(into, mapped, size)
    gl.UnmapBuffer(GL_COPY_READ_BUFFER)
    return True


cdef bint buffer_answer(Espryt* es, Resource* buffer, uint64_t offset, uint8_t* into, uint64_t size) noexcept nogil:
    """Mapped, where a driver would take its time to get the bytes: see docs/performance.md."""
    cdef GL* gl = gl_of(es)
    cdef uint64_t part = part_bytes(es.host, size), done = 0
    cdef uint8_t* mapped
    if not inside(buffer, offset, size):
        return False
    if size == 0:
        return True
    if buffer.can_map and es.driver.dialect == DIALECT_GL:      # storage that need not be readable, and may be mapped
        return buffer_read(es, buffer, offset, into, size)
    buffer_unmap(es, buffer)
    gl.BindBuffer(GL_COPY_READ_BUFFER, buffer.name)
    mapped = <uint8_t*>gl.MapBufferRange(GL_COPY_READ_BUFFER, offset, size, GL_MAP_READ_BIT)
    if mapped == NULL:
        memset(into, 0, size)
        return True
    while done < size:
        part = min(part, size - done)
        memcpy(into + done, mapped + done, part)
        done += part
        if done < size:
            es.host.part(es.host.self, done)
    gl.UnmapBuffer(GL_COPY_READ_BUFFER)
    return True


cdef bint buffer_fill(Espryt* es, Resource* buffer, uint64_t offset, uint64_t size, const uint8_t* pattern,
                      uint32_t pattern_size) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint8_t* mapped
    cdef uint64_t done = 0
    if not inside(buffer, offset, size):
        return False
    if size == 0:
        return True
    buffer_unmap(es, buffer)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name)
    mapped = <uint8_t*>gl.MapBufferRange(GL_COPY_WRITE_BUFFER, offset, size,
                                         GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT)
    if mapped == NULL:
        return True
    if pattern_size == 0:
        memset(mapped, 0, size)
    else:
        while done < size:
            memcpy(mapped + done, pattern, pattern_size if size - done >= pattern_size else size - done)
            done += pattern_size
    gl.UnmapBuffer(GL_COPY_WRITE_BUFFER)
    buffer_changed(es, buffer)
    return True


cdef bint buffer_copy_range(Espryt* es, Resource* source, Resource* target, uint64_t source_offset,
                            uint64_t target_offset, uint64_t size) noexcept nogil:
    cdef GL* gl = gl_of(es)
    if not inside(source, source_offset, size) or not inside(target, target_offset, size):
        return False
    gl.BindBuffer(GL_COPY_READ_BUFFER, source.name)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, target.name)
    gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, source_offset, target_offset, size)
    buffer_changed(es, target)
    return True
