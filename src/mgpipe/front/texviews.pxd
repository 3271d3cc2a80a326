"""Views: textures made of the levels and layers of others."""

from mgpipe.front.context cimport Context, GLenum, GLuint

cdef void TextureView(Context* ctx, GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat,
                      GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers) noexcept nogil
