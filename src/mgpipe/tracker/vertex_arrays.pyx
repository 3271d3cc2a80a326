# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Vertex arrays. See vertex_arrays.pxd.

What an array comes to (its constant state and its buffers) is worked out once and kept in it (`VertexInput`) until the
array changes; what the server was told of it last stands beside that, and the difference is sent once it is bound.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from pipe cimport (PIPE_HANDLE_VERTEX_ARRAY, PIPE_HANDLE_VERTEX_ELEMENTS, pipe_VertexAttrib, pipe_VertexBinding,
                   pipe_bind_vertex_array, pipe_bind_vertex_elements, pipe_create_vertex_elements,
                   pipe_delete_vertex_elements, pipe_handle, pipe_set_index_buffer, pipe_set_vertex_buffers,
                   pipe_vertex_array_destroy)
from mgpipe.client.session cimport Session, handle_free, handle_new
from mgpipe.front.context cimport (ATTRIBS, DIRTY_VERTEX, Buffer, Context, VertexArray, VertexBinding, VertexInput, attrib_offset,
                                   binding_of)
from mgpipe.tracker.mirror cimport CachedState, Mirror, cache_lookup, enter_context, hash_bytes, mirror_of, same_handle, was_sent
from mgpipe.tracker.resources cimport ensure_buffer

cdef enum:
    # Attributes of one interleaved buffer share a binding while they start this close together
    # (GL guarantees MAX_VERTEX_ATTRIB_RELATIVE_OFFSET of 2047).
    RELATIVE_REACH = 2048

cdef struct ElementsContent:
    uint32_t attrib_count, binding_count
    pipe_VertexAttrib attribs[ATTRIBS]
    pipe_VertexBinding bindings[ATTRIBS]


cdef void find_elements(Context* ctx, const ElementsContent* content, VertexInput* input) noexcept nogil:
    """The server's constant state of this content, made now if there is none."""
    cdef Session* session = ctx.session
    cdef Mirror* mirror = mirror_of(session)
    cdef pipe_create_vertex_elements create
    cdef pipe_delete_vertex_elements dead
    cdef bint found = False
    cdef CachedState* entry = cache_lookup(&mirror.vertex_elements, mirror, content, sizeof(ElementsContent), &found,
                                           &dead.cso)
    if dead.cso.gen:
        session.context.delete_vertex_elements(session.self, &dead)
        handle_free(session, PIPE_HANDLE_VERTEX_ELEMENTS, dead.cso)
    if not found:
        entry.handle = handle_new(session, PIPE_HANDLE_VERTEX_ELEMENTS)
        create.cso = entry.handle
        create.attrib_count = content.attrib_count
        create.binding_count = content.binding_count
        session.context.create_vertex_elements(session.self, &create, content.attribs, content.bindings)
        session.stats.cso_mints += 1
    else:
        session.stats.cso_hits += 1
    input.elements = entry.handle
    input.elements_at = <uint32_t>(entry - mirror.vertex_elements.entries)


cdef void make_input(Context* ctx, VertexArray* array) noexcept nogil:
    cdef VertexInput* input = &array.input
    cdef ElementsContent content
    cdef VertexBinding* binding
    cdef uint64_t base[ATTRIBS]
    cdef uint64_t offset
    cdef uint32_t i, j, n = 0, used = 0
    cdef pipe_VertexAttrib* attrib
    memset(&content, 0, sizeof(content))
    memset(input, 0, sizeof(VertexInput))
    for i in range(ATTRIBS):
        if not array.enabled & (<uint32_t>1 << i):
            continue
        binding = binding_of(array, i)
        offset = attrib_offset(array, i)
        for j in range(n):
            # an interleaved vertex is one binding: the first attribute's offset, the others relative to it
            if (binding.buffer != NULL and input.sources[j] == binding.buffer
                    and input.buffers[j].stride == binding.stride and content.bindings[j].divisor == binding.divisor
                    and base[j] <= offset < base[j] + RELATIVE_REACH):
                break
        else:
            j = n
            n += 1
            input.sources[j] = binding.buffer
            input.buffers[j].binding = j
            input.buffers[j].stride = binding.stride
            input.buffers[j].offset = offset
            if binding.buffer != NULL:
                input.buffers[j].resource = binding.buffer.handle
            base[j] = offset
            content.bindings[j].binding = j
            content.bindings[j].divisor = binding.divisor
        attrib = &content.attribs[used]
        attrib[0] = array.attribs[i]
        attrib.location = i
        attrib.binding = j
        attrib.relative_offset = <uint32_t>(offset - base[j])
        used += 1
    content.attrib_count = used
    content.binding_count = n
    find_elements(ctx, &content, input)
    input.count = n
    input.buffers_hash = hash_bytes(input.buffers, n * sizeof(input.buffers[0]), n + 1)
    input.made_of = <uint64_t>array.generation + 1


cdef bint elements_live(Mirror* mirror, VertexInput* input) noexcept nogil:
    """The constant state has not left the cache: now it is its newest."""
    cdef CachedState* elements = &mirror.vertex_elements.entries[input.elements_at]
    if not same_handle(input.elements, elements.handle):
        return False
    mirror.tick += 1
    elements.used = mirror.tick
    return True


cdef bint still_true(Mirror* mirror, VertexArray* array) noexcept nogil:
    """Neither has the array changed nor have its objects other handles now. What it names, it holds."""
    cdef VertexInput* input = &array.input
    cdef uint32_t i
    if input.made_of != <uint64_t>array.generation + 1:
        return False
    for i in range(input.count):
        if input.sources[i] != NULL and not same_handle(input.sources[i].handle, input.buffers[i].resource):
            return False
    return elements_live(mirror, input)


cdef void ensure_buffers(Context* ctx, VertexArray* array) noexcept nogil:
    cdef VertexInput* input = &array.input
    cdef Buffer* buffer
    cdef uint32_t i
    if input.made_of == <uint64_t>array.generation + 1:
        for i in range(input.count):
            if input.sources[i] != NULL:
                ensure_buffer(ctx, input.sources[i])
    else:
        for i in range(ATTRIBS):
            buffer = binding_of(array, i).buffer if array.enabled >> i & 1 else NULL
            if buffer != NULL:
                ensure_buffer(ctx, buffer)
    if array.elements != NULL:
        ensure_buffer(ctx, array.elements)


cdef inline bint all_told(Context* ctx, VertexArray* array) noexcept nogil:
    """Since the server last had all of it nothing has changed in the array, nor in anything shared."""
    return (array.input.told_at == ctx.group.generation + 1 and array.input.made_of == <uint64_t>array.generation + 1
            and array.sent_epoch == ctx.session.mirror_epoch + 1 and elements_live(mirror_of(ctx.session), &array.input))


cdef void enter_array(Context* ctx, VertexArray* array) noexcept nogil:
    """The server knows the array, and records of vertex input are this one's."""
    cdef Session* session = ctx.session
    cdef uint64_t epoch = session.mirror_epoch + 1
    cdef pipe_bind_vertex_array bind
    if array.sent_epoch != epoch:
        destroy(ctx, array)
        array.handle = handle_new(session, PIPE_HANDLE_VERTEX_ARRAY)
        array.sent_epoch = epoch
    elif same_handle(array.handle, ctx.tracked.vertex_array):
        return
    bind.array = array.handle
    session.context.bind_vertex_array(session.self, &bind)
    ctx.tracked.vertex_array = array.handle


cdef void send_vertex_array(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef VertexArray* array = ctx.vertex_array
    cdef VertexInput* input = &array.input
    cdef pipe_bind_vertex_elements bind
    cdef pipe_set_vertex_buffers set_buffers
    cdef pipe_set_index_buffer set_index
    if all_told(ctx, array):
        session.stats.cso_hits += 1
        enter_array(ctx, array)
        return
    enter_array(ctx, array)
    ensure_buffers(ctx, array)
    if still_true(mirror_of(session), array):
        session.stats.cso_hits += 1
    else:
        make_input(ctx, array)
    if not same_handle(input.elements, array.sent_elements):
        bind.cso = input.elements
        session.context.bind_vertex_elements(session.self, &bind)
        array.sent_elements = input.elements
    if not was_sent(session, &array.sent_buffers_hash, input.buffers_hash):
        set_buffers.count = input.count
        set_buffers.base_instance = 0
        set_buffers.content_hash = input.buffers_hash
        session.context.set_vertex_buffers(session.self, &set_buffers, input.buffers)
    memset(&set_index, 0, sizeof(set_index))
    if array.elements != NULL:
        set_index.resource = array.elements.handle
    if not same_handle(set_index.resource, array.sent_index_buffer):
        session.context.set_index_buffer(session.self, &set_index)
        array.sent_index_buffer = set_index.resource
    input.told_at = ctx.tracked.generation + 1


cdef void destroy(Context* ctx, VertexArray* array) noexcept nogil:
    """On the server. A new object is told everything again."""
    cdef pipe_vertex_array_destroy dead
    cdef pipe_handle none
    none.slot = none.gen = 0
    if array.handle.gen != 0:
        dead.array = array.handle
        ctx.session.context.vertex_array_destroy(ctx.session.self, &dead)
        handle_free(ctx.session, PIPE_HANDLE_VERTEX_ARRAY, array.handle)
    array.handle = array.sent_elements = array.sent_index_buffer = none
    array.sent_buffers_hash = 0


cdef void track_delete_vertex_array(Context* ctx, VertexArray* array) noexcept nogil:
    if array.handle.gen == 0:
        return
    enter_context(ctx)                      # its own, as of framebuffers
    destroy(ctx, array)
    array.sent_epoch = 0
    ctx.dirty |= DIRTY_VERTEX
