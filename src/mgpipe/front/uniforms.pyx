# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Values of loose uniforms (OpenGL 4.6 section 7.6.1).

A value is written into the constants block of every stage that reads the uniform, at the std140 offset that the compiler
gave it there. Only words that differ are written, and only the span they cover is sent at the next verb.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy

from glenum cimport (GL_BOOL, GL_DOUBLE, GL_FLOAT, GL_INT, GL_INVALID_OPERATION, GL_INVALID_VALUE, GL_UNSIGNED_INT)
from mgpipe.front.context cimport (DIRTY_IMAGES, DIRTY_TEXTURES, IMAGE_UNITS, STAGES, TEXTURE_UNITS, Context, GLboolean, GLdouble, GLfloat, GLint,
                                   GLsizei, GLuint, Program, Uniform, set_error, touch_group)
from mgpipe.front.programs cimport program_of

cdef enum:
    NO_UNIFORM = 0xFFFFFFFF


cdef void uniform_shape(uint32_t gl_type, uint32_t* columns, uint32_t* rows, uint32_t* scalar) noexcept nogil:
    columns[0] = rows[0] = 1
    scalar[0] = gl_type
    if gl_type == GL_FLOAT or gl_type == GL_INT or gl_type == GL_UNSIGNED_INT or gl_type == GL_BOOL \
            or gl_type == GL_DOUBLE:
        return
    if 0x8B50 <= gl_type <= 0x8B52:         # GL_FLOAT_VEC2 …
        rows[0] = gl_type - 0x8B50 + 2
        scalar[0] = GL_FLOAT
    elif 0x8B53 <= gl_type <= 0x8B55:       # GL_INT_VEC2 …
        rows[0] = gl_type - 0x8B53 + 2
        scalar[0] = GL_INT
    elif 0x8DC6 <= gl_type <= 0x8DC8:       # GL_UNSIGNED_INT_VEC2 …
        rows[0] = gl_type - 0x8DC6 + 2
        scalar[0] = GL_UNSIGNED_INT
    elif 0x8B57 <= gl_type <= 0x8B59:       # GL_BOOL_VEC2 …
        rows[0] = gl_type - 0x8B57 + 2
        scalar[0] = GL_BOOL
    elif 0x8B5A <= gl_type <= 0x8B5C:       # GL_FLOAT_MAT2 …
        columns[0] = rows[0] = gl_type - 0x8B5A + 2
        scalar[0] = GL_FLOAT
    elif 0x8B65 <= gl_type <= 0x8B6A:       # GL_FLOAT_MAT2x3, 2x4, 3x2, 3x4, 4x2, 4x3
        columns[0] = 2 + (gl_type - 0x8B65) // 2
        rows[0] = 0x324243 >> 4 * (gl_type - 0x8B65) & 0xF          # 3, 4, 2, 4, 2, 3
        scalar[0] = GL_FLOAT
    elif 0x8FFC <= gl_type <= 0x8FFE:       # GL_DOUBLE_VEC2 …
        rows[0] = gl_type - 0x8FFC + 2
        scalar[0] = GL_DOUBLE
    elif 0x8F46 <= gl_type <= 0x8F48:       # GL_DOUBLE_MAT2 …
        columns[0] = rows[0] = gl_type - 0x8F46 + 2
        scalar[0] = GL_DOUBLE
    elif 0x8F49 <= gl_type <= 0x8F4E:       # GL_DOUBLE_MAT2x3, 2x4, 3x2, 3x4, 4x2, 4x3
        columns[0] = 2 + (gl_type - 0x8F49) // 2
        rows[0] = 0x324243 >> 4 * (gl_type - 0x8F49) & 0xF
        scalar[0] = GL_DOUBLE
    else:
        columns[0] = rows[0] = 0            # a sampler or an image


cdef inline Uniform* uniform_at(Program* program, GLint location, uint32_t* element) noexcept nogil:
    cdef uint32_t index
    if program == NULL or location < 0 or <uint32_t>location >= program.location_count:
        return NULL
    index = program.location_uniform[location]
    if index == NO_UNIFORM:
        return NULL
    element[0] = <uint32_t>location - program.uniforms[index].location
    return &program.uniforms[index]


cdef inline Uniform* target(Context* ctx, Program* program, GLint location, GLsizei* count, uint32_t* element) noexcept nogil:
    """What a glUniform call writes to; NULL after an error, or where there is nothing to do."""
    cdef Uniform* uniform
    if program == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    if count[0] < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    if location == -1:                      # silently ignored, as the specification says
        return NULL
    uniform = uniform_at(program, location, element)
    if uniform == NULL or (count[0] > 1 and uniform.array_size == 1 and not uniform.is_array):
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    if <uint32_t>count[0] > uniform.array_size - element[0]:
        count[0] = <GLsizei>(uniform.array_size - element[0])
    return uniform


cdef void set_samplers(Context* ctx, Program* program, Uniform* uniform, uint32_t element, GLsizei count, const GLint* value) noexcept nogil:
    cdef GLsizei i
    for i in range(count):
        if value[i] < 0 or value[i] >= TEXTURE_UNITS:
            set_error(ctx, GL_INVALID_VALUE)
            return
    for i in range(count):
        if program.slots[uniform.slot + element + i].unit != value[i]:
            program.slots[uniform.slot + element + i].unit = value[i]
            ctx.dirty |= DIRTY_TEXTURES
            touch_group(ctx)                # another context may draw with this program


cdef void set_images(Context* ctx, Program* program, Uniform* uniform, uint32_t element, GLsizei count, const GLint* value) noexcept nogil:
    cdef GLsizei i
    for i in range(count):
        if value[i] < 0 or value[i] >= IMAGE_UNITS or value[i] >= ctx.session.caps.max_image_units:
            set_error(ctx, GL_INVALID_VALUE)
            return
    for i in range(count):
        if program.images[uniform.slot + element + i].unit != value[i]:
            program.images[uniform.slot + element + i].unit = value[i]
            ctx.dirty |= DIRTY_IMAGES
            touch_group(ctx)


cdef inline void set_vectors(Context* ctx, Program* program, GLint location, GLsizei count, uint32_t components, uint32_t scalar,
                             const uint32_t* value) noexcept nogil:
    cdef uint32_t element = 0, stage, i, word, offset
    cdef uint32_t given = 2 * components if scalar == GL_DOUBLE else components     # words
    cdef GLsizei n
    cdef Uniform* uniform = target(ctx, program, location, &count, &element)
    cdef uint32_t* words
    cdef const uint32_t* source
    if uniform == NULL:
        return
    if uniform.is_sampler or uniform.is_image:
        if scalar != GL_INT or components != 1:
            set_error(ctx, GL_INVALID_OPERATION)
        elif uniform.is_image:
            set_images(ctx, program, uniform, element, count, <const GLint*>value)
        else:
            set_samplers(ctx, program, uniform, element, count, <const GLint*>value)
        return
    if uniform.columns != 1 or uniform.rows != components or (
            uniform.scalar != scalar and (uniform.scalar != GL_BOOL or scalar == GL_DOUBLE)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    for stage in range(STAGES):
        if not uniform.stages >> stage:
            break
        if not uniform.stages >> stage & 1:
            continue
        source = value
        offset = <uint32_t>uniform.offsets[stage] + element * uniform.array_stride[stage]
        for n in range(count):
            words = <uint32_t*>(program.constants[stage] + offset)
            for i in range(given):
                word = source[i]
                if uniform.scalar == GL_BOOL:
                    # -0.0 is false as well
                    word = 1 if word and not (scalar == GL_FLOAT and word == <uint32_t>1 << 31) else 0
                if words[i] != word:
                    words[i] = word
                    widen(program, stage, offset + 4 * i, offset + 4 * i + 4)
            source += given
            offset += uniform.array_stride[stage]
    if program.separable:
        touch_group(ctx)                    # pipelines have copies of its constants


cdef inline uint32_t component_at(Uniform* uniform, uint32_t stage, uint32_t column, uint32_t row, uint32_t words) noexcept nogil:
    """Bytes from an element's start to its component; a component has one word, or two."""
    if uniform.row_major:
        return row * uniform.matrix_stride[stage] + 4 * words * column
    return column * uniform.matrix_stride[stage] + 4 * words * row


cdef inline void set_matrices(Context* ctx, Program* program, GLint location, GLsizei count, bint transpose, uint32_t columns, uint32_t rows,
                              uint32_t scalar, const uint32_t* value) noexcept nogil:
    cdef uint32_t element = 0, stage, c, r, w, offset, at
    cdef uint32_t words = 2 if scalar == GL_DOUBLE else 1                           # of a component
    cdef GLsizei n
    cdef Uniform* uniform = target(ctx, program, location, &count, &element)
    cdef const uint32_t* source
    cdef uint32_t* word
    cdef uint32_t given
    if uniform == NULL:
        return
    if uniform.is_sampler or uniform.columns != columns or uniform.rows != rows or uniform.scalar != scalar:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    for stage in range(STAGES):
        if not uniform.stages >> stage:
            break
        if not uniform.stages >> stage & 1:
            continue
        source = value
        offset = <uint32_t>uniform.offsets[stage] + element * uniform.array_stride[stage]
        for n in range(count):
            for c in range(columns):
                for r in range(rows):
                    for w in range(words):
                        given = source[(r * columns + c if transpose else c * rows + r) * words + w]
                        at = offset + component_at(uniform, stage, c, r, words) + 4 * w
                        word = <uint32_t*>(program.constants[stage] + at)
                        if word[0] != given:
                            word[0] = given
                            widen(program, stage, at, at + 4)
            source += columns * rows * words
            offset += uniform.array_stride[stage]
    if program.separable:
        touch_group(ctx)


# ------------------------------------------------------------------------------------------------------------- gets

cdef uint32_t read_components(Context* ctx, GLuint name, GLint location, double* values, uint32_t* scalar) noexcept nogil:
    """The components of one element, column after column, exact in a double; their number, 0 after an error."""
    cdef Program* program = program_of(ctx, name)
    cdef Uniform* uniform
    cdef uint32_t element = 0, stage, c, r, words
    cdef const uint8_t* at
    if program == NULL:
        return 0
    uniform = uniform_at(program, location, &element) if program.linked else NULL
    if uniform == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return 0
    scalar[0] = uniform.scalar
    if uniform.is_sampler:
        values[0] = program.slots[uniform.slot + element].unit
        scalar[0] = GL_INT
        return 1
    if uniform.is_image:
        values[0] = program.images[uniform.slot + element].unit
        scalar[0] = GL_INT
        return 1
    for stage in range(STAGES):
        if uniform.offsets[stage] >= 0:
            break
    else:
        set_error(ctx, GL_INVALID_OPERATION)
        return 0
    words = 2 if uniform.scalar == GL_DOUBLE else 1
    for c in range(uniform.columns):
        for r in range(uniform.rows):
            at = (program.constants[stage] + uniform.offsets[stage] + element * uniform.array_stride[stage]
                  + component_at(uniform, stage, c, r, words))
            values[c * uniform.rows + r] = number(at, uniform.scalar)
    return uniform.columns * uniform.rows


cdef inline double number(const uint8_t* at, uint32_t scalar) noexcept nogil:
    cdef double wide
    if scalar == GL_DOUBLE:
        memcpy(&wide, at, 8)
        return wide
    if scalar == GL_FLOAT:
        return (<const float*>at)[0]
    if scalar == GL_INT:
        return (<const int32_t*>at)[0]
    return (<const uint32_t*>at)[0]


cdef void GetUniformfv(Context* ctx, GLuint program, GLint location, GLfloat* params) noexcept nogil:
    cdef double[16] values
    cdef uint32_t scalar = 0, i
    for i in range(read_components(ctx, program, location, values, &scalar)):
        params[i] = <GLfloat>values[i]


cdef void GetUniformdv(Context* ctx, GLuint program, GLint location, GLdouble* params) noexcept nogil:
    cdef double[16] values
    cdef uint32_t scalar = 0, i
    for i in range(read_components(ctx, program, location, values, &scalar)):
        params[i] = values[i]


cdef void GetUniformiv(Context* ctx, GLuint program, GLint location, GLint* params) noexcept nogil:
    cdef double[16] values
    cdef uint32_t scalar = 0, i
    for i in range(read_components(ctx, program, location, values, &scalar)):
        params[i] = <GLint><uint32_t>values[i] if scalar == GL_UNSIGNED_INT else rounded(values[i])


cdef void GetUniformuiv(Context* ctx, GLuint program, GLint location, GLuint* params) noexcept nogil:
    cdef double[16] values
    cdef uint32_t scalar = 0, i
    for i in range(read_components(ctx, program, location, values, &scalar)):
        params[i] = <uint32_t>values[i] if scalar == GL_UNSIGNED_INT else <GLuint>rounded(values[i])


cdef bint has_room(Context* ctx, GLuint program, GLint location, GLsizei size_bytes, uint32_t component_bytes) noexcept nogil:
    """Of the forms that say how much there is. False: the error is set."""
    cdef double[16] values
    cdef uint32_t scalar = 0
    if size_bytes < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if read_components(ctx, program, location, values, &scalar) * component_bytes > <uint32_t>size_bytes:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void GetnUniformfv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLfloat* params) noexcept nogil:
    if has_room(ctx, program, location, bufSize, sizeof(GLfloat)):
        GetUniformfv(ctx, program, location, params)


cdef void GetnUniformdv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLdouble* params) noexcept nogil:
    if has_room(ctx, program, location, bufSize, sizeof(GLdouble)):
        GetUniformdv(ctx, program, location, params)


cdef void GetnUniformiv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLint* params) noexcept nogil:
    if has_room(ctx, program, location, bufSize, sizeof(GLint)):
        GetUniformiv(ctx, program, location, params)


cdef void GetnUniformuiv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLuint* params) noexcept nogil:
    if has_room(ctx, program, location, bufSize, sizeof(GLuint)):
        GetUniformuiv(ctx, program, location, params)


cdef GLint rounded(double value) noexcept nogil:
    if value >= 2147483647.0:
        return 2147483647
    if value <= -2147483648.0:
        return -2147483648
    return <GLint>(value + 0.5) if value >= 0 else <GLint>(value - 0.5)


# ---------------------------------------------------------------------------------------------------------- setters

cdef void vectors(Context* ctx, Program* program, GLint location, GLsizei count, uint32_t components, uint32_t scalar,
                  const uint32_t* value) noexcept nogil:
    set_vectors(ctx, program, location, count, components, scalar, value)


cdef void matrices(Context* ctx, Program* program, GLint location, GLsizei count, bint transpose, uint32_t columns,
                   uint32_t rows, uint32_t scalar, const uint32_t* value) noexcept nogil:
    set_matrices(ctx, program, location, count, transpose, columns, rows, scalar, value)


cdef Program* linked_program(Context* ctx, GLuint name) noexcept nogil:
    cdef Program* program = program_of(ctx, name)
    if program != NULL and not program.linked:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return program


# glUniform* and glProgramUniform* (7.6.1, 7.6.2), one function for each type and shape: see generator/uniforms.py. Those of
# the current program have the loops inlined, with sizes that the compiler knows.
include "uniform_setters.pxi"
