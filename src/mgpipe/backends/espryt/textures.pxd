"""Textures and renderbuffers: storage, texels, parameters, copies."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from driver_gl cimport GLenum
from pipe cimport (pipe_Box, pipe_SubRegion, pipe_copy_framebuffer_to_texture, pipe_resource_copy_region, pipe_resource_respecify, pipe_set_texture_params)
from pipe_formats cimport pipe_FormatInfo
from mgpipe.backends.espryt.espryt cimport Context, Espryt, Resource

cdef GLenum driver_target(Espryt* es, uint32_t kind) noexcept nogil      # 0: this dialect has no such textures
cdef GLenum internal_format(Espryt* es, Resource* texture) noexcept nogil
cdef void texture_storage(Espryt* es, Resource* texture, const pipe_resource_respecify* p, Resource* view_of,
                          Resource* buffer) noexcept nogil
# False: a region leaves the blob or its arithmetic overflows.
cdef bint texture_write(Espryt* es, Resource* texture, uint32_t level, const uint8_t* bytes, uint64_t size,
                        const pipe_SubRegion* regions, uint32_t count, bint texels) noexcept nogil
# One region whose bytes were checked, or lie in the buffer that is bound for unpacking: `bytes` is then an offset.
cdef void write_region(Espryt* es, Resource* texture, const pipe_FormatInfo* info, uint32_t level, const uint8_t* bytes,
                       const pipe_SubRegion* region) noexcept nogil
cdef void texture_params(Espryt* es, Resource* texture, const pipe_set_texture_params* p) noexcept nogil
cdef void texture_mipmaps(Espryt* es, Resource* texture, uint32_t base_level, uint32_t max_level) noexcept nogil
cdef void texture_copy(Espryt* es, Resource* source, Resource* target, const pipe_resource_copy_region* p) noexcept nogil
cdef void texture_copy_from_framebuffer(Espryt* es, Context* ctx, Resource* texture, const pipe_copy_framebuffer_to_texture* p) noexcept nogil
# Bind on the unit that no draw uses, to change it.
cdef void edit_texture(Espryt* es, Resource* texture) noexcept nogil
