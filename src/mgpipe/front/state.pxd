"""Value state of OpenGL 3.3 core that setters write and the tracker reads: see state.pyx."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport Context, GLbitfield, GLboolean, GLdouble, GLenum, GLfloat, GLint, GLsizei, GLuint

# Where a capability without an index lives; NULL: no capability of 3.3 core, or one with an index (GL_BLEND, …).
cdef uint32_t* capability(Context* ctx, GLenum cap) noexcept nogil
# Where a pixel store parameter lives; NULL: none.
cdef int32_t* pixel_store(Context* ctx, GLenum pname) noexcept nogil

cdef void Enable(Context* ctx, GLenum cap) noexcept nogil
cdef void Disable(Context* ctx, GLenum cap) noexcept nogil
cdef void Enablei(Context* ctx, GLenum target, GLuint index) noexcept nogil
cdef void Disablei(Context* ctx, GLenum target, GLuint index) noexcept nogil
cdef void BlendFunc(Context* ctx, GLenum sfactor, GLenum dfactor) noexcept nogil
cdef void BlendFuncSeparate(Context* ctx, GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha, GLenum dfactorAlpha) noexcept nogil
cdef void BlendFunci(Context* ctx, GLuint buf, GLenum src, GLenum dst) noexcept nogil
cdef void BlendFuncSeparatei(Context* ctx, GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) noexcept nogil
cdef void BlendEquation(Context* ctx, GLenum mode) noexcept nogil
cdef void BlendEquationSeparate(Context* ctx, GLenum modeRGB, GLenum modeAlpha) noexcept nogil
cdef void BlendEquationi(Context* ctx, GLuint buf, GLenum mode) noexcept nogil
cdef void BlendEquationSeparatei(Context* ctx, GLuint buf, GLenum modeRGB, GLenum modeAlpha) noexcept nogil
cdef void BlendColor(Context* ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) noexcept nogil
cdef void LogicOp(Context* ctx, GLenum opcode) noexcept nogil
cdef void ColorMask(Context* ctx, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) noexcept nogil
cdef void ColorMaski(Context* ctx, GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) noexcept nogil
cdef void DepthFunc(Context* ctx, GLenum func) noexcept nogil
cdef void DepthMask(Context* ctx, GLboolean flag) noexcept nogil
cdef void StencilFunc(Context* ctx, GLenum func, GLint ref, GLuint mask) noexcept nogil
cdef void StencilFuncSeparate(Context* ctx, GLenum face, GLenum func, GLint ref, GLuint mask) noexcept nogil
cdef void StencilOp(Context* ctx, GLenum fail, GLenum zfail, GLenum zpass) noexcept nogil
cdef void StencilOpSeparate(Context* ctx, GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass) noexcept nogil
cdef void StencilMask(Context* ctx, GLuint mask) noexcept nogil
cdef void StencilMaskSeparate(Context* ctx, GLenum face, GLuint mask) noexcept nogil
cdef void ClearColor(Context* ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) noexcept nogil
cdef void ClearDepth(Context* ctx, GLdouble depth) noexcept nogil
cdef void ClearDepthf(Context* ctx, GLfloat d) noexcept nogil
cdef void ClearStencil(Context* ctx, GLint s) noexcept nogil
cdef void CullFace(Context* ctx, GLenum mode) noexcept nogil
cdef void FrontFace(Context* ctx, GLenum mode) noexcept nogil
cdef void PolygonMode(Context* ctx, GLenum face, GLenum mode) noexcept nogil
cdef void PolygonOffset(Context* ctx, GLfloat factor, GLfloat units) noexcept nogil
cdef void PolygonOffsetClamp(Context* ctx, GLfloat factor, GLfloat units, GLfloat clamp) noexcept nogil
cdef void ClipControl(Context* ctx, GLenum origin, GLenum depth) noexcept nogil
cdef void LineWidth(Context* ctx, GLfloat width) noexcept nogil
cdef void PointSize(Context* ctx, GLfloat size) noexcept nogil
cdef void PointParameterf(Context* ctx, GLenum pname, GLfloat param) noexcept nogil
cdef void PointParameterfv(Context* ctx, GLenum pname, const GLfloat* params) noexcept nogil
cdef void PointParameteri(Context* ctx, GLenum pname, GLint param) noexcept nogil
cdef void PointParameteriv(Context* ctx, GLenum pname, const GLint* params) noexcept nogil
cdef void SampleCoverage(Context* ctx, GLfloat value, GLboolean invert) noexcept nogil
cdef void SampleMaski(Context* ctx, GLuint maskNumber, GLbitfield mask) noexcept nogil
cdef void MinSampleShading(Context* ctx, GLfloat value) noexcept nogil
cdef void Hint(Context* ctx, GLenum target, GLenum mode) noexcept nogil
cdef void ProvokingVertex(Context* ctx, GLenum mode) noexcept nogil
cdef void PrimitiveRestartIndex(Context* ctx, GLuint index) noexcept nogil
cdef void ClampColor(Context* ctx, GLenum target, GLenum clamp) noexcept nogil
cdef void PixelStorei(Context* ctx, GLenum pname, GLint param) noexcept nogil
cdef void PixelStoref(Context* ctx, GLenum pname, GLfloat param) noexcept nogil
