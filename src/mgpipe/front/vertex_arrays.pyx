# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Vertex array objects. Every mutator of the bound array raises its generation and the context's DIRTY_VERTEX.

What a value looks like (the attribute's format) and where its bytes are (a binding) are apart, as OpenGL 4.3 has them;
glVertexAttribPointer says both, and gives attribute i the binding i (specification 10.3).
"""

from libc.math cimport lrint
from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free

from glenum cimport *
from pipe cimport (PIPE_ATTRIB_KIND_BGRA, PIPE_ATTRIB_KIND_DOUBLE, PIPE_ATTRIB_KIND_FLOAT, PIPE_ATTRIB_KIND_INTEGER,
                   PIPE_ATTRIB_KIND_NORMALISED, pipe_VertexAttrib)
from mgpipe.front.buffers cimport buffer_hold, existing_buffer, named_buffer
from mgpipe.front.context cimport (ATTRIBS, DIRTY_VERTEX, Buffer, Context, GLboolean, GLdouble, GLenum, GLfloat, GLint, GLsizei, GLuint,
                                   GLintptr, VertexArray, VertexBinding, binding_of, default_vertex_array, name_get, name_make,
                                   name_remove, names_generate, set_error)
from mgpipe.tracker.vertex_arrays cimport track_delete_vertex_array


cdef inline void touch(Context* ctx) noexcept nogil:
    ctx.vertex_array.generation += 1
    ctx.dirty |= DIRTY_VERTEX


# ----------------------------------------------------------------------------------------------------------- names

cdef void GenVertexArrays(Context* ctx, GLsizei n, GLuint* arrays) noexcept nogil:
    names_generate(ctx, &ctx.vertex_arrays, n, arrays)


cdef void end_array(Context* ctx, VertexArray* array) noexcept nogil:
    """On the server, and here it lets go of its buffers."""
    cdef uint32_t i
    track_delete_vertex_array(ctx, array)
    for i in range(ATTRIBS):
        buffer_hold(ctx, &array.bindings[i].buffer, NULL)
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
        end_array(ctx, array)
        free(array)


cdef GLboolean IsVertexArray(Context* ctx, GLuint array) noexcept nogil:
    return name_get(&ctx.vertex_arrays, array) != NULL


cdef VertexArray* vertex_array_object(Context* ctx, GLuint name) noexcept nogil:
    cdef VertexArray* object = <VertexArray*>name_get(&ctx.vertex_arrays, name)
    if object == NULL:
        object = <VertexArray*>name_make(ctx, &ctx.vertex_arrays, name, sizeof(VertexArray))
        if object != NULL:
            object.name = name
            default_vertex_array(object)
    return object


cdef void BindVertexArray(Context* ctx, GLuint array) noexcept nogil:
    cdef VertexArray* object = vertex_array_object(ctx, array) if array else &ctx.default_vertex_array
    if object != NULL and object != ctx.vertex_array:
        ctx.vertex_array = object
        ctx.dirty |= DIRTY_VERTEX


cdef void vertex_arrays_release(Context* ctx) noexcept nogil:
    cdef uint32_t i
    cdef VertexArray* array
    for i in range(ctx.vertex_arrays.capacity):
        array = <VertexArray*>name_get(&ctx.vertex_arrays, i)
        if array != NULL:
            end_array(ctx, array)
    end_array(ctx, &ctx.default_vertex_array)


# ---------------------------------------------------------------------------------------------------------- arrays

cdef bint described(Context* ctx) noexcept nogil:
    """Whether a vertex array is bound; core profile: nothing is described without an object."""
    if ctx.vertex_array == &ctx.default_vertex_array:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef bint may_change(Context* ctx, GLuint index) noexcept nogil:
    """Of an attribute or a binding: there are as many of both."""
    if index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return described(ctx)


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


cdef inline bint is_packed(GLenum type) noexcept nogil:
    return (type == GL_INT_2_10_10_10_REV or type == GL_UNSIGNED_INT_2_10_10_10_REV
            or type == GL_UNSIGNED_INT_10F_11F_11F_REV)


cdef uint32_t component_bytes(GLenum type) noexcept nogil:
    """Of one component, or of the whole for packed types; 0: no vertex type."""
    if type == GL_BYTE or type == GL_UNSIGNED_BYTE: return 1
    if type == GL_SHORT or type == GL_UNSIGNED_SHORT or type == GL_HALF_FLOAT: return 2
    if type == GL_INT or type == GL_UNSIGNED_INT or type == GL_FLOAT: return 4
    if type == GL_DOUBLE: return 8
    if is_packed(type): return 4
    return 0


# Which values a format makes of its bytes: the three families of commands.
cdef enum Family:
    FAMILY_FLOAT            # normalised or as they are
    FAMILY_INTEGER
    FAMILY_LONG


cdef GLenum refused_format(Context* ctx, Family family, GLint size, GLenum type, bint normalized) noexcept nogil:
    """The error of specification 10.3.1, table 10.3; 0: legal."""
    cdef bint reversed = size == GL_BGRA and family == FAMILY_FLOAT
    if not reversed and not 1 <= size <= 4:
        return GL_INVALID_VALUE
    if family == FAMILY_INTEGER:
        return 0 if GL_BYTE <= type <= GL_UNSIGNED_INT else GL_INVALID_ENUM
    if family == FAMILY_LONG:
        return 0 if type == GL_DOUBLE else GL_INVALID_ENUM
    if component_bytes(type) == 0 or (type == GL_UNSIGNED_INT_10F_11F_11F_REV and ctx.version < 44):
        return GL_INVALID_ENUM
    if reversed and (not normalized or not (type == GL_UNSIGNED_BYTE or is_packed(type))):
        return GL_INVALID_OPERATION
    if is_packed(type) and (size != 3 if type == GL_UNSIGNED_INT_10F_11F_11F_REV else size != 4 and not reversed):
        return GL_INVALID_OPERATION
    return 0


cdef bint put_format(Context* ctx, GLuint index, Family family, GLint size, GLenum type, bint normalized,
                     GLuint relative_offset) noexcept nogil:
    """False: the error is set, nothing has changed."""
    cdef pipe_VertexAttrib* attrib
    cdef GLenum error
    if not may_change(ctx, index):
        return False
    error = refused_format(ctx, family, size, type, normalized)
    if error == 0 and relative_offset > <GLuint>ctx.session.caps.max_vertex_attrib_relative_offset:
        error = GL_INVALID_VALUE
    if error:
        set_error(ctx, error)
        return False
    attrib = &ctx.vertex_array.attribs[index]
    attrib.size = 4 if size == GL_BGRA else <uint32_t>size
    attrib.type = type
    attrib.relative_offset = relative_offset
    if family == FAMILY_INTEGER: attrib.kind = PIPE_ATTRIB_KIND_INTEGER
    elif family == FAMILY_LONG: attrib.kind = PIPE_ATTRIB_KIND_DOUBLE
    elif size == GL_BGRA: attrib.kind = PIPE_ATTRIB_KIND_BGRA
    else: attrib.kind = PIPE_ATTRIB_KIND_NORMALISED if normalized else PIPE_ATTRIB_KIND_FLOAT
    touch(ctx)
    return True


cdef inline bint stride_allowed(Context* ctx, GLsizei stride) noexcept nogil:
    """4.4 was the first to have a limit."""
    if stride < 0 or (ctx.version >= 44 and stride > ctx.session.caps.max_vertex_attrib_stride):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


cdef void describe(Context* ctx, GLuint index, Family family, GLint size, GLenum type, bint normalized, GLsizei stride,
                   const void* pointer) noexcept nogil:
    """glVertexAttribPointer and kin: format and binding at once."""
    cdef VertexArray* array = ctx.vertex_array
    cdef VertexBinding* binding
    if not stride_allowed(ctx, stride):
        return
    if ctx.array_buffer == NULL and pointer != NULL:        # core profile: no arrays in client memory
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not put_format(ctx, index, family, size, type, normalized, 0):
        return
    array.attribs[index].binding = index
    array.given_strides[index] = stride
    array.pointers[index] = <uintptr_t>pointer
    binding = &array.bindings[index]
    binding.stride = stride if stride else component_bytes(type) * (1 if is_packed(type) else array.attribs[index].size)
    binding.offset = <uintptr_t>pointer
    buffer_hold(ctx, &binding.buffer, ctx.array_buffer)


cdef void VertexAttribPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                              const void* pointer) noexcept nogil:
    describe(ctx, index, FAMILY_FLOAT, size, type, normalized, stride, pointer)


cdef void VertexAttribIPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride,
                               const void* pointer) noexcept nogil:
    describe(ctx, index, FAMILY_INTEGER, size, type, False, stride, pointer)


cdef void VertexAttribLPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride,
                               const void* pointer) noexcept nogil:
    describe(ctx, index, FAMILY_LONG, size, type, False, stride, pointer)


cdef void VertexAttribFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLboolean normalized,
                             GLuint relativeoffset) noexcept nogil:
    put_format(ctx, attribindex, FAMILY_FLOAT, size, type, normalized, relativeoffset)


cdef void VertexAttribIFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) noexcept nogil:
    put_format(ctx, attribindex, FAMILY_INTEGER, size, type, False, relativeoffset)


cdef void VertexAttribLFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) noexcept nogil:
    put_format(ctx, attribindex, FAMILY_LONG, size, type, False, relativeoffset)


# -------------------------------------------------------------------------------------------------------- bindings

cdef void VertexAttribBinding(Context* ctx, GLuint attribindex, GLuint bindingindex) noexcept nogil:
    if bindingindex >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
    elif may_change(ctx, attribindex) and ctx.vertex_array.attribs[attribindex].binding != bindingindex:
        ctx.vertex_array.attribs[attribindex].binding = bindingindex
        touch(ctx)


cdef void put_binding(Context* ctx, GLuint index, Buffer* buffer, GLintptr offset, GLsizei stride) noexcept nogil:
    cdef VertexBinding* binding = &ctx.vertex_array.bindings[index]
    if binding.buffer == buffer and binding.offset == <uint64_t>offset and binding.stride == <uint32_t>stride:
        return
    buffer_hold(ctx, &binding.buffer, buffer)
    binding.offset = offset
    binding.stride = stride
    touch(ctx)


cdef void BindVertexBuffer(Context* ctx, GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride) noexcept nogil:
    cdef Buffer* object
    if not may_change(ctx, bindingindex) or not stride_allowed(ctx, stride):
        return
    if offset < 0:
        set_error(ctx, GL_INVALID_VALUE)
    elif named_buffer(ctx, buffer, &object):
        put_binding(ctx, bindingindex, object, offset, stride)


cdef void BindVertexBuffers(Context* ctx, GLuint first, GLsizei count, const GLuint* buffers, const GLintptr* offsets,
                            const GLsizei* strides) noexcept nogil:
    """Without buffers: none is bound, as in the beginning. An error leaves only its binding as it was."""
    cdef Buffer* object
    cdef GLsizei i
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if first > ATTRIBS or <uint32_t>count > ATTRIBS - first:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not described(ctx):
        return
    for i in range(count):
        if buffers == NULL:
            put_binding(ctx, first + i, NULL, 0, 16)
        elif offsets[i] < 0:
            set_error(ctx, GL_INVALID_VALUE)
        elif stride_allowed(ctx, strides[i]) and existing_buffer(ctx, buffers[i], &object):
            put_binding(ctx, first + i, object, offsets[i], strides[i])


cdef void VertexBindingDivisor(Context* ctx, GLuint bindingindex, GLuint divisor) noexcept nogil:
    if may_change(ctx, bindingindex) and ctx.vertex_array.bindings[bindingindex].divisor != divisor:
        ctx.vertex_array.bindings[bindingindex].divisor = divisor
        touch(ctx)


cdef void VertexAttribDivisor(Context* ctx, GLuint index, GLuint divisor) noexcept nogil:
    VertexAttribBinding(ctx, index, index)
    VertexBindingDivisor(ctx, index, divisor)


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
        value[0] = binding_of(array, index).divisor
    elif pname == GL_VERTEX_ATTRIB_BINDING:
        value[0] = attrib.binding
    elif pname == GL_VERTEX_ATTRIB_RELATIVE_OFFSET:
        value[0] = attrib.relative_offset
    elif pname == GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        value[0] = binding_of(array, index).buffer.name if binding_of(array, index).buffer != NULL else 0
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
        pointer[0] = <void*><uintptr_t>ctx.vertex_array.pointers[index]
