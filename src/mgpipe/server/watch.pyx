# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verify mode, server side. See watch.pxd; told.pxi notes the records, the client's half is tracker/snapshot.pyx.

A session that does not verify never gets here: its applier calls the back end's own table.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset, strlen
from pipe cimport *
from pipe_formats cimport pipe_read_layouts
from pipe_snapshot cimport *
from mgpipe.backends.host cimport Host
from mgpipe.server.tables cimport Table, table_admit, table_dismiss, table_find, table_free, table_init, table_living

cdef enum:
    MOST_SLOTS = 1 << 20
    TEXT = 256

cdef struct Watch:
    BackEnd inner
    Host* host
    Table told[PIPE_HANDLE_KINDS]       # what records said of objects
    pipe_handle context, draw_surface, read_surface
    uint32_t verb                       # that the last snapshot was for; 0: it has been used
    uint32_t running                    # that was begun last
    uint64_t withheld                   # sections that no verb is supplied with, for tests
    pipe_Snapshot said, told_state      # the client's, and what the records come to


# Sections that come by records of their own, and so may be missing; of the others an empty one is no mistake.
cdef uint64_t TOLD_OF = (PIPE_SECTION_PIPELINE | PIPE_SECTION_DYNAMIC | PIPE_SECTION_DRAW_FRAMEBUFFER
                         | PIPE_SECTION_READ_FRAMEBUFFER | PIPE_SECTION_ATTRIBS | PIPE_SECTION_SHADER)

include "told.pxi"


# -- comparing

cdef void append(char* text, const char* more) noexcept nogil:
    cdef size_t used = strlen(text)
    if used < TEXT - 1:
        snprintf(text + used, TEXT - used, "%s", more)


cdef void append_index(char* text, uint32_t index) noexcept nogil:
    cdef char[16] digits
    snprintf(digits, sizeof(digits), "[%u]", index)
    append(text, digits)


cdef void value_text(char* text, uint32_t size, uint32_t type, const uint8_t* at) noexcept nogil:
    if type == PIPE_FIELD_U32 and (<uint32_t*>at)[0] < 0x10000:
        snprintf(text, size, "%u", (<uint32_t*>at)[0])
    elif type == PIPE_FIELD_U32:
        snprintf(text, size, "0x%x", (<uint32_t*>at)[0])
    elif type == PIPE_FIELD_I32:
        snprintf(text, size, "%d", (<int32_t*>at)[0])
    elif type == PIPE_FIELD_F32:
        snprintf(text, size, "%g", <double>(<float*>at)[0])
    elif type == PIPE_FIELD_F64:
        snprintf(text, size, "%g", (<double*>at)[0])
    elif type == PIPE_FIELD_HANDLE and (<pipe_handle*>at).gen == 0:
        snprintf(text, size, "null")
    elif type == PIPE_FIELD_HANDLE:
        snprintf(text, size, "object %u.%u", (<pipe_handle*>at).slot, (<pipe_handle*>at).gen)
    else:
        snprintf(text, size, "%llu", (<unsigned long long*>at)[0])


cdef bint differs(const pipe_field* fields, uint64_t mask, const uint8_t* told, const uint8_t* said, char* path, char* values) noexcept nogil:
    """The first of the fields (those in `mask`) that is not bitwise equal, by path and values. False: all are."""
    cdef const pipe_field* field = fields
    cdef uint32_t i, count, used
    cdef const uint8_t* a
    cdef const uint8_t* b
    cdef char[40] first
    cdef char[40] second
    while field.name != NULL:
        count = field.count if field.count else 1
        if mask >> <uint32_t>(field - fields) & 1 and memcmp(told + field.offset, said + field.offset, count * field.size) != 0:
            used = <uint32_t>strlen(path)
            for i in range(count):
                a = told + field.offset + i * field.size
                b = said + field.offset + i * field.size
                if memcmp(a, b, field.size) == 0:
                    continue
                path[used] = 0
                if used:
                    append(path, ".")
                append(path, field.name)
                if field.count:
                    append_index(path, i)
                if field.type == PIPE_FIELD_STRUCT:
                    if differs(field.members, <uint64_t>-1, a, b, path, values):
                        return True
                    continue            # only padding differs
                value_text(first, sizeof(first), field.type, a)
                value_text(second, sizeof(second), field.type, b)
                snprintf(values, 2 * sizeof(first), "%s, the program's state says %s", first, second)
                return True
            path[used] = 0
        field += 1
    return False


cdef void mismatch(Watch* watch, const char* text) noexcept nogil:
    watch.host.fault(watch.host.self, PIPE_FAULT_VERIFY_MISMATCH, text)


cdef void verify_snapshot(void* self, const pipe_verify_snapshot* p, const uint8_t* data) noexcept nogil:
    cdef Watch* watch = <Watch*>self
    cdef char[TEXT] path
    cdef char[80] values
    cdef char[480] text
    if p.verb == 0:
        return
    if p.verb >= PIPE_OP_COUNT + 1 or pipe_verb_sections[p.verb] == 0 or p.byte_count > sizeof(pipe_Snapshot):
        watch.host.fault(watch.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"verify_snapshot.verb")
        return
    memset(&watch.said, 0, sizeof(pipe_Snapshot))
    memcpy(&watch.said, data, p.byte_count)
    if (watch.said.counts.uniforms > 96 or watch.said.counts.storage > 32
            or watch.said.counts.images > 32 or watch.said.counts.textures > 192):
        watch.host.fault(watch.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"verify_snapshot.counts")
        return
    fill_told(watch, p.verb, &watch.said.counts, &watch.told_state)
    watch.verb = p.verb
    path[0] = 0
    if differs(pipe_fields_Snapshot, pipe_verb_sections[p.verb], <uint8_t*>&watch.told_state, <uint8_t*>&watch.said,
               path, values):
        snprintf(text, sizeof(text), "%s: %s is %s", pipe_op_names[p.verb], path, values)
        mismatch(watch, text)


cdef void verify_contents(void* self, const pipe_verify_contents* p, void* resource, uint8_t* bytes_at) noexcept nogil:
    """The driver's bytes are read here, where no answer needs to travel."""
    cdef Watch* watch = <Watch*>self
    cdef ToldResource* told = <ToldResource*>told_of(watch, PIPE_HANDLE_RESOURCE, p.resource)
    cdef bint texture = told != NULL and told.texture.target != PIPE_RESOURCE_TARGET_BUFFER
    cdef uint64_t step = pipe_read_layouts[p.layout].texel_bytes if texture else 1
    cdef uint64_t texel = p.texel_bytes if texture else 1
    cdef uint64_t count = p.bytes.size // texel if texel else 0
    cdef uint64_t i
    cdef uint8_t* held
    cdef char[160] text
    if told == NULL or bytes_at == NULL:
        return
    if texel == 0 or texel > step or (texture and count != <uint64_t>p.box.width * p.box.height * p.box.depth):
        watch.host.fault(watch.host.self, PIPE_FAULT_BLOB_SIZE, b"verify_contents.bytes")
        return
    held = <uint8_t*>malloc(count * step)
    if held != NULL and read_held(watch, p, resource, texture, held, count * step):
        for i in range(count):
            if memcmp(held + i * step, bytes_at + i * texel, texel) != 0:
                snprintf(text, sizeof(text), b"contents of texture %u: the driver's texel %llu is not the client's", told.gl_name,
                         <unsigned long long>i)
                if not texture:
                    snprintf(text, sizeof(text), b"contents of buffer %u: the driver's byte %llu is not the client's",
                             told.gl_name, <unsigned long long>(p.offset + i))
                mismatch(watch, text)
                break
    free(held)


cdef bint read_held(Watch* watch, const pipe_verify_contents* p, void* resource, bint texture, uint8_t* held,
                    uint64_t size) noexcept nogil:
    """False: this driver cannot read it."""
    cdef pipe_resource_readback buffer
    cdef pipe_get_texture_image image
    cdef pipe_reply reply
    memset(&reply, 0, sizeof(reply))
    memset(&buffer, 0, sizeof(buffer))
    memset(&image, 0, sizeof(image))
    if texture:
        image.resource = p.resource
        image.level = p.level
        image.layout = p.layout
        image.box = p.box
        image.into.size = size
        watch.inner.get_texture_image(watch.inner.self, &image, resource, held, &reply)
    else:
        buffer.resource = p.resource
        buffer.offset = p.offset
        buffer.into.size = size
        watch.inner.resource_readback(watch.inner.self, &buffer, resource, held, &reply)
    return reply.status == PIPE_REPLY_OK


cdef bint verb_begins(Watch* watch, uint32_t op) noexcept nogil:
    cdef char[96] text
    if watch.verb != op:
        snprintf(text, sizeof(text), "%s: no snapshot came for it", pipe_op_names[op])
        mismatch(watch, text)
        return False
    watch.verb = 0
    watch.running = op
    watch.host.supplied = pipe_verb_sections[op] & ~watch.withheld & (supplied_sections(watch) | ~TOLD_OF)
    return True


cdef void verb_ends(Watch* watch) noexcept nogil:
    watch.host.supplied = <uint64_t>-1


cdef const char* watch_verb(Watch* watch) noexcept nogil:
    return pipe_op_names[watch.running if watch != NULL else 0]


cdef void watch_withhold(Watch* watch, uint64_t sections) noexcept nogil:
    if watch != NULL:
        watch.withheld = sections


include "watch.pxi"


# -- beginning and end

cdef Watch* watch_begin(BackEnd* table, Host* host) noexcept nogil:
    cdef Watch* watch = <Watch*>calloc(1, sizeof(Watch))
    if watch == NULL:
        return NULL
    watch.inner = table[0]
    watch.host = host
    told_begin(watch)
    install_watch(table, &watch.inner)
    table.self = watch
    table.verify_snapshot = verify_snapshot
    table.verify_contents = verify_contents
    return watch


cdef void watch_end(Watch* watch, BackEnd* table) noexcept nogil:
    if watch == NULL:
        return
    table[0] = watch.inner
    told_end(watch)
    free(watch)
