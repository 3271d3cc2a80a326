# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Vertex arrays, vertex and index buffers, current attribute values.

Formats are constant (VertexElements) and buffers are not, as glVertexAttribFormat and glBindVertexBuffer have it. Each
vertex array of the client's is one of the driver's, brought up to date when a draw finds it bound: where nothing differs, a
switch between two is one call.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcmp, memcpy, memset
from driver_gl cimport *
from pipe cimport *
from pipe_snapshot cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.cooked cimport cook_vertices, cooked_bindings, free_cooked
from mgpipe.backends.espryt.contexts cimport enter_any_context, leave_any_context
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.host cimport needs


cdef void install_vertex(BackEnd* table) noexcept nogil:
    table.create_vertex_elements = create_vertex_elements
    table.bind_vertex_elements = bind_vertex_elements
    table.delete_vertex_elements = delete_vertex_elements
    table.bind_vertex_array = bind_vertex_array
    table.vertex_array_destroy = vertex_array_destroy
    table.set_vertex_buffers = set_vertex_buffers
    table.set_index_buffer = set_index_buffer
    table.set_vertex_attrib_defaults = set_vertex_attrib_defaults


cdef void create_vertex_elements(void* self, const pipe_create_vertex_elements* p, void* cso,
                                 const pipe_VertexAttrib* attribs, const pipe_VertexBinding* bindings) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef VertexElements* it = <VertexElements*>cso
    cdef uint32_t i
    it.serial = new_serial(es)
    it.attrib_count = p.attrib_count
    it.binding_count = p.binding_count
    memcpy(it.attribs, attribs, p.attrib_count * sizeof(pipe_VertexAttrib))
    memcpy(it.bindings, bindings, p.binding_count * sizeof(pipe_VertexBinding))
    for i in range(p.attrib_count):
        it.attrib_mask |= <uint32_t>1 << attribs[i].location
        it.binding_mask |= <uint32_t>1 << attribs[i].binding


cdef void bind_vertex_elements(void* self, const pipe_bind_vertex_elements* p, void* cso) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        array_of(ctx).elements = ref_to(cso)
        ctx.dirty |= DIRTY_VERTEX


cdef void delete_vertex_elements(void* self, const pipe_delete_vertex_elements* p, void* cso) noexcept nogil:
    """Its place is forgotten by the applier; an array that still has it sees a dead Ref."""


cdef void bind_vertex_array(void* self, const pipe_bind_vertex_array* p, void* array) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef VertexArray* it = <VertexArray*>array
    if es.bound == NULL:
        return
    if it != NULL and it.serial == 0:
        it.serial = new_serial(es)
    es.bound.vertex_array = ref_to(it)
    es.bound.dirty |= DIRTY_VERTEX


cdef void vertex_array_destroy(void* self, const pipe_vertex_array_destroy* p, void* array) noexcept nogil:
    """In another context its name means nothing; it goes with its own."""
    cdef Espryt* es = <Espryt*>self
    cdef VertexArray* it = <VertexArray*>array
    if es.bound != NULL and it.context == es.bound.serial:
        gl_of(es).DeleteVertexArrays(1, &it.name)
        es.bound.vertex_array_name = <GLuint>-1
        es.bound.dirty |= DIRTY_VERTEX
    free_copies(es, it)


cdef bint buffer_or_null(Espryt* es, Resource* resource, const char* where) noexcept nogil:
    if resource == NULL or resource.kind == PIPE_RESOURCE_TARGET_BUFFER:
        return True
    es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, where)
    return False


cdef void set_vertex_buffers(void* self, const pipe_set_vertex_buffers* p, const pipe_VertexBuffer* buffers,
                             void** buffers_resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef BufferBinding* at
    cdef uint32_t i
    if ctx == NULL:
        return
    for i in range(p.count):
        if not buffer_or_null(es, <Resource*>buffers_resource[i], b"set_vertex_buffers.resource: not a buffer"):
            return
        at = &array_of(ctx).buffers[buffers[i].binding]
        at.resource = ref_to(buffers_resource[i])
        at.offset = buffers[i].offset
        at.stride = buffers[i].stride
    ctx.dirty |= DIRTY_VERTEX


cdef void set_index_buffer(void* self, const pipe_set_index_buffer* p, void* resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    if ctx != NULL and buffer_or_null(es, <Resource*>resource, b"set_index_buffer.resource: not a buffer"):
        array_of(ctx).index_buffer = ref_to(resource)
        array_of(ctx).index_offset = p.offset
        ctx.dirty |= DIRTY_VERTEX


cdef void set_vertex_attrib_defaults(void* self, const pipe_set_vertex_attrib_defaults* p,
                                     const pipe_AttribValue* values) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef uint32_t i
    if es.bound == NULL:
        return
    for i in range(p.count):
        if values[i].location >= 16:        # no driver has more, and the client promises no more
            continue
        if values[i].kind == PIPE_ATTRIB_KIND_INTEGER:
            gl_of(es).VertexAttribI4uiv(values[i].location, values[i].value)
        elif values[i].kind == PIPE_ATTRIB_KIND_DOUBLE:
            set_double(es, values[i].location, <const double*>values[i].value)
        else:
            gl_of(es).VertexAttrib4fv(values[i].location, <const float*>values[i].value)


cdef void set_double(Espryt* es, GLuint location, const double* value) noexcept nogil:
    """OpenGL ES has no doubles in shaders: there the attribute has become floats."""
    cdef float[4] narrow
    cdef uint32_t i
    if gl_of(es).VertexAttribL4dv != NULL:
        gl_of(es).VertexAttribL4dv(location, value)
        return
    for i in range(4):
        narrow[i] = <float>value[i]
    gl_of(es).VertexAttrib4fv(location, narrow)


# -- before a draw

cdef bint apply_vertex(Espryt* es, Context* ctx) noexcept nogil:
    cdef VertexArray* array = array_of(ctx)
    cdef VertexElements* elements = <VertexElements*>alive(&array.elements)
    cdef Resource* index
    needs(es.host, PIPE_SECTION_ATTRIBS, b"attribs")
    if elements == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"vertex elements")
        return False
    use_array(es, ctx, array)
    if array.elements_serial != elements.serial and not apply_formats(es, array, elements):
        return False
    bind_buffers(es, elements, array)
    ctx.first_instance = 0
    if array.cooked_mask and not bind_cooked(es, ctx, elements, array):
        return False
    index = <Resource*>alive(&array.index_buffer)
    if index != NULL and array.index_serial != index.serial:
        gl_of(es).BindBuffer(GL_ELEMENT_ARRAY_BUFFER, index.name)
        array.index_serial = index.serial
    ctx.dirty &= ~<uint32_t>DIRTY_VERTEX
    if array.cooked_mask and reads_gpu_writes(array):
        ctx.dirty |= DIRTY_VERTEX           # the next draw must look at the bytes again
    return True


cdef void begin_instances(Espryt* es, Context* ctx, uint32_t first) noexcept nogil:
    """For a driver whose draws take no first instance: instanced attributes begin further back in their buffers."""
    cdef VertexArray* array = array_of(ctx)
    cdef VertexElements* elements = <VertexElements*>alive(&array.elements)
    cdef BufferBinding* wanted
    cdef Resource* buffer
    cdef uint32_t i, binding
    if first == ctx.first_instance or elements == NULL:
        return
    for i in range(elements.binding_count):
        binding = elements.bindings[i].binding
        wanted = &array.buffers[binding]
        buffer = <Resource*>alive(&wanted.resource)
        if elements.bindings[i].divisor == 0 or not elements.binding_mask >> binding & 1 or buffer == NULL:
            continue
        gl_of(es).BindVertexBuffer(binding, array.cooked[binding].buffer if array.cooked_mask >> binding & 1 else buffer.name,
                                   wanted.offset + <uint64_t>first * wanted.stride, wanted.stride)
        array.bound[binding].serial = 0
    ctx.first_instance = first
    ctx.dirty |= DIRTY_VERTEX           # the next draw has its own


cdef bint has_instanced(Context* ctx) noexcept nogil:
    cdef VertexElements* elements = <VertexElements*>alive(&array_of(ctx).elements)
    cdef uint32_t i
    for i in range(elements.binding_count if elements != NULL else 0):
        if elements.bindings[i].divisor != 0:
            return True
    return False


cdef bint reads_gpu_writes(VertexArray* array) noexcept nogil:
    cdef uint32_t i
    cdef Resource* buffer
    for i in range(BUFFERS):
        buffer = <Resource*>alive(&array.buffers[i].resource)
        if array.cooked_mask >> i & 1 and buffer != NULL and buffer.gpu_writes:
            return True
    return False


cdef bint bind_cooked(Espryt* es, Context* ctx, VertexElements* elements, VertexArray* array) noexcept nogil:
    """In place of what bind_buffers bound. Where there is nothing to copy that stays: zeros, or bytes that do not fit."""
    cdef uint32_t i
    if array.cooked == NULL:
        array.cooked = <Cooked*>calloc(BUFFERS, sizeof(Cooked))
        if array.cooked == NULL:
            es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"vertex arrays")
            return False
    for i in range(BUFFERS):
        if array.cooked_mask >> i & 1 and cook_vertices(es, ctx, elements, i, &array.cooked[i]):
            gl_of(es).BindVertexBuffer(i, array.cooked[i].buffer, array.buffers[i].offset, array.buffers[i].stride)
            array.bound[i].serial = 0
    return True


cdef void free_copies(Espryt* es, VertexArray* array) noexcept nogil:
    cdef bint borrowed
    if array.cooked != NULL:
        borrowed = enter_any_context(es)
        free_cooked(es, array.cooked, BUFFERS)
        leave_any_context(es, borrowed)
        array.cooked = NULL


cdef void use_array(Espryt* es, Context* ctx, VertexArray* array) noexcept nogil:
    """Vertex arrays are not shared: in a context that it was not made in, an array is made anew."""
    cdef GL* gl = gl_of(es)
    if array.context != ctx.serial:
        array.context = ctx.serial
        array.elements_serial = array.index_serial = 0
        array.enabled = 0
        memset(array.attribs, 0, sizeof(array.attribs))
        memset(array.divisors, 0, sizeof(array.divisors))
        memset(array.bound, 0, sizeof(array.bound))
        gl.GenVertexArrays(1, &array.name)
    elif ctx.vertex_array_name == array.name:
        return
    if ctx.vertex_array_name == <GLuint>-1:
        # After another context: a buffer given new storage there is only seen if this binding is a change.
        gl.BindVertexArray(0)
    gl.BindVertexArray(array.name)
    ctx.vertex_array_name = array.name


cdef bint packs_floats(const VertexElements* elements) noexcept nogil:
    cdef uint32_t i
    for i in range(elements.attrib_count):
        if elements.attribs[i].type == PIPE_VERTEX_TYPE_UNSIGNED_INT_10F_11F_11F_REV:
            return True
    return False


cdef void apply_format(GL* gl, const pipe_VertexAttrib* a, bint cooked) noexcept nogil:
    if cooked and (a.type == PIPE_VERTEX_TYPE_DOUBLE or a.kind == PIPE_ATTRIB_KIND_BGRA):
        gl.VertexAttribFormat(a.location, a.size, GL_FLOAT if a.type == PIPE_VERTEX_TYPE_DOUBLE else a.type,
                              a.kind == PIPE_ATTRIB_KIND_BGRA, a.relative_offset)
    elif a.kind == PIPE_ATTRIB_KIND_INTEGER:
        gl.VertexAttribIFormat(a.location, a.size, a.type, a.relative_offset)
    elif a.kind == PIPE_ATTRIB_KIND_DOUBLE:
        gl.VertexAttribLFormat(a.location, a.size, a.type, a.relative_offset)
    elif a.kind == PIPE_ATTRIB_KIND_BGRA:
        gl.VertexAttribFormat(a.location, GL_BGRA, a.type, 1, a.relative_offset)
    else:
        gl.VertexAttribFormat(a.location, a.size, a.type, a.kind == PIPE_ATTRIB_KIND_NORMALISED, a.relative_offset)


cdef bint apply_formats(Espryt* es, VertexArray* array, VertexElements* elements) noexcept nogil:
    """By difference: a program may have one array, and describe it anew for each draw."""
    cdef GL* gl = gl_of(es)
    cdef const pipe_VertexAttrib* a
    cdef const pipe_VertexBinding* b
    cdef uint32_t i, gone = array.enabled & ~elements.attrib_mask
    if es.driver.dialect == DIALECT_GLES:
        if packs_floats(elements):
            es.host.unimplemented(es.host.self, b"create_vertex_elements", b"attributes of packed floats on OpenGL ES")
            return False
        if array.cooked_mask != cooked_bindings(elements):
            array.cooked_mask = cooked_bindings(elements)
            memset(array.attribs, 0, sizeof(array.attribs))     # a format of a copy is another one
            memset(array.bound, 0, sizeof(array.bound))
    for i in range(elements.attrib_count):
        a = &elements.attribs[i]
        if memcmp(a, &array.attribs[a.location], sizeof(a[0])) != 0:
            apply_format(gl, a, array.cooked_mask != 0)
            gl.VertexAttribBinding(a.location, a.binding)
            array.attribs[a.location] = a[0]
        if not array.enabled >> a.location & 1:
            gl.EnableVertexAttribArray(a.location)
    for i in range(ATTRIBS):
        if gone >> i & 1:
            gl.DisableVertexAttribArray(i)
    array.enabled = elements.attrib_mask
    for i in range(elements.binding_count):
        b = &elements.bindings[i]
        if array.divisors[b.binding] != b.divisor:
            gl.VertexBindingDivisor(b.binding, b.divisor)
            array.divisors[b.binding] = b.divisor
    array.elements_serial = elements.serial
    return True


cdef void bind_buffers(Espryt* es, VertexElements* elements, VertexArray* array) noexcept nogil:
    """A missing buffer becomes a small one of zeros: without any, a driver would read from address `offset`."""
    cdef uint32_t mask = elements.binding_mask, i = 0
    cdef BufferBinding* wanted
    cdef BoundBuffer* bound
    cdef Resource* buffer
    while mask >> i:
        if mask >> i & 1:
            wanted = &array.buffers[i]
            bound = &array.bound[i]
            buffer = <Resource*>alive(&wanted.resource)
            if buffer == NULL:
                gl_of(es).BindVertexBuffer(i, es.zero_buffer, 0, 0)
                memset(bound, 0, sizeof(BoundBuffer))
            elif (bound.serial != buffer.serial or bound.offset != wanted.offset or bound.stride != wanted.stride):
                gl_of(es).BindVertexBuffer(i, buffer.name, wanted.offset, wanted.stride)
                bound.serial = buffer.serial
                bound.offset = wanted.offset
                bound.stride = wanted.stride
        i += 1
        if i == BUFFERS:
            break
