# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Vertex array objects. Every mutator of the bound array raises its generation and the context's DIRTY_VERTEX."""

from libc.math cimport lrint
from libc.stdint cimport uint32_t, uintptr_t
from libc.stdlib cimport calloc, free

from glenum cimport *
from pipe cimport (PIPE_ATTRIB_KIND_BGRA, PIPE_ATTRIB_KIND_DOUBLE, PIPE_ATTRIB_KIND_FLOAT, PIPE_ATTRIB_KIND_INTEGER,
                   PIPE_ATTRIB_KIND_NORMALISED, pipe_VertexAttrib)
from mgpipe.front.buffers cimport buffer_hold
from mgpipe.front.context cimport (ATTRIBS, DIRTY_VERTEX, Context, GLboolean, GLdouble, GLenum, GLfloat, GLint, GLsizei, GLuint,
                                   VertexArray, default_vertex_array, name_generate, name_get, name_put, name_remove,
                                   name_reserved, set_error)


cdef inline void touch(Context* ctx) noexcept nogil:
    ctx.vertex_array.generation += 1
    ctx.dirty |= DIRTY_VERTEX


# ----------------------------------------------------------------------------------------------------------- names

cdef void GenVertexArrays(Context* ctx, GLsizei n, GLuint* arrays) noexcept nogil:
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        arrays[i] = name_generate(&ctx.vertex_arrays)
        if arrays[i] == 0:
            set_error(ctx, GL_OUT_OF_MEMORY)


cdef void let_go_of_buffers(Context* ctx, VertexArray* array) noexcept nogil:
    cdef uint32_t i
    for i in range(ATTRIBS):
        buffer_hold(ctx, &array.buffers[i], NULL)
    buffer_hold(ctx, &array.elements, NULL)


cdef void DeleteVertexArrays(Context* ctx, GLsizei n, const GLuint* arrays) noexcept nogil:
    cdef VertexArray* array
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        array = <VertexArray*>name_remove(&ctx.vertex_arrays, arrays[i])
        if array == NULL:
            continue
        if array == ctx.vertex_array:
            ctx.vertex_array = &ctx.default_vertex_array
            ctx.dirty |= DIRTY_VERTEX
        let_go_of_buffers(ctx, array)
        free(array)


cdef GLboolean IsVertexArray(Context* ctx, GLuint array) noexcept nogil:
    return name_get(&ctx.vertex_arrays, array) != NULL


cdef void BindVertexArray(Context* ctx, GLuint array) noexcept nogil:
    cdef VertexArray* object = &ctx.default_vertex_array
    if array:
        object = <VertexArray*>name_get(&ctx.vertex_arrays, array)
        if object == NULL:
            if not name_reserved(&ctx.vertex_arrays, array):
                set_error(ctx, GL_INVALID_OPERATION)
                return
            object = <VertexArray*>calloc(1, sizeof(VertexArray))
            if object == NULL:
                set_error(ctx, GL_OUT_OF_MEMORY)
                return
            object.name = array
            default_vertex_array(object)
            name_put(&ctx.vertex_arrays, array, object)
    if object != ctx.vertex_array:
        ctx.vertex_array = object
        ctx.dirty |= DIRTY_VERTEX


cdef void vertex_arrays_release(Context* ctx) noexcept nogil:
    cdef uint32_t i
    cdef VertexArray* array
    for i in range(ctx.vertex_arrays.capacity):
        array = <VertexArray*>name_get(&ctx.vertex_arrays, i)
        if array != NULL:
            let_go_of_buffers(ctx, array)
    let_go_of_buffers(ctx, &ctx.default_vertex_array)


# ---------------------------------------------------------------------------------------------------------- arrays

cdef bint may_change(Context* ctx, GLuint index) noexcept nogil:
    if index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if ctx.vertex_array == &ctx.default_vertex_array:       # core profile: nothing is described without an object
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void enable(Context* ctx, GLuint index, bint on) noexcept nogil:
    cdef uint32_t bit
    if not may_change(ctx, index):
        return
    bit = <uint32_t>1 << index
    if (ctx.vertex_array.enabled & bit != 0) != on:
        ctx.vertex_array.enabled ^= bit
        touch(ctx)


cdef void EnableVertexAttribArray(Context* ctx, GLuint index) noexcept nogil:
    enable(ctx, index, True)


cdef void DisableVertexAttribArray(Context* ctx, GLuint index) noexcept nogil:
    enable(ctx, index, False)


cdef uint32_t component_bytes(GLenum type) noexcept nogil:
    """Of one component, or of the whole for packed types; 0: no vertex type."""
    if type == GL_BYTE or type == GL_UNSIGNED_BYTE: return 1
    if type == GL_SHORT or type == GL_UNSIGNED_SHORT or type == GL_HALF_FLOAT: return 2
    if type == GL_INT or type == GL_UNSIGNED_INT or type == GL_FLOAT: return 4
    if type == GL_DOUBLE: return 8
    if is_packed(type): return 4
    return 0


cdef inline bint is_packed(GLenum type) noexcept nogil:
    return type == GL_INT_2_10_10_10_REV or type == GL_UNSIGNED_INT_2_10_10_10_REV


cdef GLenum refused_format(GLint size, GLenum type, bint normalized) noexcept nogil:
    """The error of specification 10.3.1, table 10.2; 0: legal."""
    if size != GL_BGRA and not 1 <= size <= 4:
        return GL_INVALID_VALUE
    if component_bytes(type) == 0:
        return GL_INVALID_ENUM
    if size == GL_BGRA and (not normalized or not (type == GL_UNSIGNED_BYTE or is_packed(type))):
        return GL_INVALID_OPERATION
    if is_packed(type) and size != 4 and size != GL_BGRA:
        return GL_INVALID_OPERATION
    return 0


cdef void describe(Context* ctx, GLuint index, GLint size, GLenum type, uint32_t kind, GLsizei stride,
                   const void* pointer) noexcept nogil:
    cdef VertexArray* array = ctx.vertex_array
    cdef pipe_VertexAttrib* attrib
    cdef uint32_t components = 4 if size == GL_BGRA else <uint32_t>size
    if not may_change(ctx, index):
        return
    if stride < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if ctx.array_buffer == NULL and pointer != NULL:        # core profile: no arrays in client memory
        set_error(ctx, GL_INVALID_OPERATION)
        return
    attrib = &array.attribs[index]
    attrib.size = components
    attrib.type = type
    attrib.kind = kind
    array.given_strides[index] = stride
    array.strides[index] = stride if stride else component_bytes(type) * (1 if is_packed(type) else components)
    array.offsets[index] = <uintptr_t>pointer
    buffer_hold(ctx, &array.buffers[index], ctx.array_buffer)
    touch(ctx)


cdef void VertexAttribPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                              const void* pointer) noexcept nogil:
    cdef GLenum error = refused_format(size, type, normalized)
    cdef uint32_t kind = PIPE_ATTRIB_KIND_NORMALISED if normalized else PIPE_ATTRIB_KIND_FLOAT
    if error:
        set_error(ctx, error)
        return
    describe(ctx, index, size, type, PIPE_ATTRIB_KIND_BGRA if size == GL_BGRA else kind, stride, pointer)


cdef void VertexAttribIPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride,
                               const void* pointer) noexcept nogil:
    if not 1 <= size <= 4:
        set_error(ctx, GL_INVALID_VALUE)
    elif not GL_BYTE <= type <= GL_UNSIGNED_INT:
        set_error(ctx, GL_INVALID_ENUM)
    else:
        describe(ctx, index, size, type, PIPE_ATTRIB_KIND_INTEGER, stride, pointer)


cdef void VertexAttribLPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride,
                               const void* pointer) noexcept nogil:
    if not 1 <= size <= 4:
        set_error(ctx, GL_INVALID_VALUE)
    elif type != GL_DOUBLE:
        set_error(ctx, GL_INVALID_ENUM)
    else:
        describe(ctx, index, size, type, PIPE_ATTRIB_KIND_DOUBLE, stride, pointer)


cdef void VertexAttribDivisor(Context* ctx, GLuint index, GLuint divisor) noexcept nogil:
    if may_change(ctx, index) and ctx.vertex_array.divisors[index] != divisor:
        ctx.vertex_array.divisors[index] = divisor
        touch(ctx)


# ------------------------------------------------------------------------------------------------------------ gets

cdef bint parameter(Context* ctx, GLuint index, GLenum pname, uint32_t* value) noexcept nogil:
    """Everything but the current value. False: the error is set."""
    cdef VertexArray* array = ctx.vertex_array
    cdef pipe_VertexAttrib* attrib
    if index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    attrib = &array.attribs[index]
    if pname == GL_VERTEX_ATTRIB_ARRAY_ENABLED:
        value[0] = array.enabled >> index & 1
    elif pname == GL_VERTEX_ATTRIB_ARRAY_SIZE:
        value[0] = GL_BGRA if attrib.kind == PIPE_ATTRIB_KIND_BGRA else attrib.size
    elif pname == GL_VERTEX_ATTRIB_ARRAY_STRIDE:
        value[0] = array.given_strides[index]
    elif pname == GL_VERTEX_ATTRIB_ARRAY_TYPE:
        value[0] = attrib.type
    elif pname == GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
        value[0] = attrib.kind == PIPE_ATTRIB_KIND_NORMALISED or attrib.kind == PIPE_ATTRIB_KIND_BGRA
    elif pname == GL_VERTEX_ATTRIB_ARRAY_INTEGER:
        value[0] = attrib.kind == PIPE_ATTRIB_KIND_INTEGER
    elif pname == GL_VERTEX_ATTRIB_ARRAY_LONG:
        value[0] = attrib.kind == PIPE_ATTRIB_KIND_DOUBLE
    elif pname == GL_VERTEX_ATTRIB_ARRAY_DIVISOR:
        value[0] = array.divisors[index]
    elif pname == GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        value[0] = array.buffers[index].name if array.buffers[index] != NULL else 0
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return False
    return True


cdef void GetVertexAttribfv(Context* ctx, GLuint index, GLenum pname, GLfloat* params) noexcept nogil:
    cdef uint32_t value, i
    if pname == GL_CURRENT_VERTEX_ATTRIB and index < ATTRIBS:
        for i in range(4):
            params[i] = (<float*>ctx.attrib_values[index].value)[i]
    elif parameter(ctx, index, pname, &value):
        params[0] = value


cdef void GetVertexAttribdv(Context* ctx, GLuint index, GLenum pname, GLdouble* params) noexcept nogil:
    cdef uint32_t value, i
    if pname == GL_CURRENT_VERTEX_ATTRIB and index < ATTRIBS:
        for i in range(4):
            params[i] = (<float*>ctx.attrib_values[index].value)[i]
    elif parameter(ctx, index, pname, &value):
        params[0] = value


cdef void GetVertexAttribLdv(Context* ctx, GLuint index, GLenum pname, GLdouble* params) noexcept nogil:
    cdef uint32_t value, i
    if pname == GL_CURRENT_VERTEX_ATTRIB and index < ATTRIBS:
        for i in range(4):
            params[i] = (<double*>ctx.attrib_values[index].value)[i]
    elif parameter(ctx, index, pname, &value):
        params[0] = value


cdef void GetVertexAttribiv(Context* ctx, GLuint index, GLenum pname, GLint* params) noexcept nogil:
    cdef uint32_t value, i
    if pname == GL_CURRENT_VERTEX_ATTRIB and index < ATTRIBS:
        for i in range(4):
            params[i] = <GLint>lrint((<float*>ctx.attrib_values[index].value)[i])
    elif parameter(ctx, index, pname, &value):
        params[0] = <GLint>value


cdef void GetVertexAttribIuiv(Context* ctx, GLuint index, GLenum pname, GLuint* params) noexcept nogil:
    cdef uint32_t value, i
    if pname == GL_CURRENT_VERTEX_ATTRIB and index < ATTRIBS:
        for i in range(4):
            params[i] = ctx.attrib_values[index].value[i]
    elif parameter(ctx, index, pname, &value):
        params[0] = value


cdef void GetVertexAttribIiv(Context* ctx, GLuint index, GLenum pname, GLint* params) noexcept nogil:
    GetVertexAttribIuiv(ctx, index, pname, <GLuint*>params)


cdef void GetVertexAttribPointerv(Context* ctx, GLuint index, GLenum pname, void** pointer) noexcept nogil:
    if pname != GL_VERTEX_ATTRIB_ARRAY_POINTER:
        set_error(ctx, GL_INVALID_ENUM)
    elif index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        pointer[0] = <void*><uintptr_t>ctx.vertex_array.offsets[index]
