"""Program pipelines: stages of separate programs put together for draws (OpenGL 4.6 section 7.4). See pipelines.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport (Context, GLbitfield, GLboolean, GLchar, GLenum, GLint, GLsizei, GLuint, Pipeline,
                                   Program)

# Before a draw without a current program: ctx.program becomes the bound pipeline's stages as they are now, or NULL.
# False: they do not fit together.
cdef bint pipeline_resolve(Context* ctx) noexcept nogil
# Before a dispatch: the bound pipeline's compute program, which is used alone.
cdef void pipeline_choose_compute(Context* ctx) noexcept nogil
# What draws and glUniform go to, after another program or pipeline was made current.
cdef void choose_programs(Context* ctx) noexcept nogil
# The object of a generated name, made now if need be; NULL: the error is set.
cdef Pipeline* pipeline_of(Context* ctx, GLuint name) noexcept nogil
cdef void pipelines_release(Context* ctx) noexcept nogil        # a context ends: its pipelines go with it

cdef void GenProgramPipelines(Context* ctx, GLsizei n, GLuint* pipelines) noexcept nogil
cdef void DeleteProgramPipelines(Context* ctx, GLsizei n, const GLuint* pipelines) noexcept
cdef GLboolean IsProgramPipeline(Context* ctx, GLuint pipeline) noexcept nogil
cdef void BindProgramPipeline(Context* ctx, GLuint pipeline) noexcept nogil
cdef void UseProgramStages(Context* ctx, GLuint pipeline, GLbitfield stages, GLuint program) noexcept
cdef void ActiveShaderProgram(Context* ctx, GLuint pipeline, GLuint program) noexcept
cdef GLuint CreateShaderProgramv(Context* ctx, GLenum type, GLsizei count, const GLchar* const* strings) noexcept
cdef void GetProgramPipelineiv(Context* ctx, GLuint pipeline, GLenum pname, GLint* params) noexcept
cdef void GetProgramPipelineInfoLog(Context* ctx, GLuint pipeline, GLsizei bufSize, GLsizei* length, GLchar* infoLog) noexcept
cdef void ValidateProgramPipeline(Context* ctx, GLuint pipeline) noexcept
