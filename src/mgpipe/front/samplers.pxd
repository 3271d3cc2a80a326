"""Sampling state, and the sampler objects that hold it apart from a texture."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport (Context, GLboolean, GLenum, GLfloat, GLint, GLsizei, GLuint, Sampler,
                                   pipe_SamplerState)

# A parameter's value as the program gave it: border colours keep the kind they were given in.
cdef enum ValueKind:
    VALUE_FLOAT = 0     # PIPE_BORDER_KIND_*
    VALUE_INT = 1       # glTexParameterIiv
    VALUE_UINT = 2
    VALUE_NORMALISED = 3    # glTexParameteriv: integers that mean [-1, 1] where a colour is wanted

cdef struct Value:
    ValueKind kind
    bint vector
    const void* at

cdef float value_float(const Value* value) noexcept nogil
cdef int32_t value_int(const Value* value) noexcept nogil
cdef void sampler_defaults(pipe_SamplerState* state, bint rectangle) noexcept nogil
# 0 set, 1 unchanged, else the error. `rectangle`: only what a rectangle texture may have.
cdef GLenum sampler_set(Context* ctx, pipe_SamplerState* state, GLenum pname, const Value* value,
                        bint rectangle) noexcept nogil
# Writes 1 value (4 for the border) of the kind asked for; False: no sampler parameter.
cdef bint sampler_get(const pipe_SamplerState* state, GLenum pname, ValueKind kind, void* params) noexcept nogil
cdef bint units_allowed(Context* ctx, GLuint first, GLsizei count) noexcept nogil
cdef void sampler_release(Context* ctx, Sampler* sampler) noexcept nogil

cdef void GenSamplers(Context* ctx, GLsizei count, GLuint* samplers) noexcept nogil
cdef void DeleteSamplers(Context* ctx, GLsizei count, const GLuint* samplers) noexcept nogil
cdef GLboolean IsSampler(Context* ctx, GLuint sampler) noexcept nogil
cdef void BindSampler(Context* ctx, GLuint unit, GLuint sampler) noexcept nogil
cdef void BindSamplers(Context* ctx, GLuint first, GLsizei count, const GLuint* samplers) noexcept nogil
cdef void SamplerParameteri(Context* ctx, GLuint sampler, GLenum pname, GLint param) noexcept nogil
cdef void SamplerParameterf(Context* ctx, GLuint sampler, GLenum pname, GLfloat param) noexcept nogil
cdef void SamplerParameteriv(Context* ctx, GLuint sampler, GLenum pname, const GLint* param) noexcept nogil
cdef void SamplerParameterfv(Context* ctx, GLuint sampler, GLenum pname, const GLfloat* param) noexcept nogil
cdef void SamplerParameterIiv(Context* ctx, GLuint sampler, GLenum pname, const GLint* param) noexcept nogil
cdef void SamplerParameterIuiv(Context* ctx, GLuint sampler, GLenum pname, const GLuint* param) noexcept nogil
cdef void GetSamplerParameteriv(Context* ctx, GLuint sampler, GLenum pname, GLint* params) noexcept nogil
cdef void GetSamplerParameterfv(Context* ctx, GLuint sampler, GLenum pname, GLfloat* params) noexcept nogil
cdef void GetSamplerParameterIiv(Context* ctx, GLuint sampler, GLenum pname, GLint* params) noexcept nogil
cdef void GetSamplerParameterIuiv(Context* ctx, GLuint sampler, GLenum pname, GLuint* params) noexcept nogil
