# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""See zeroes.pxd. A driver may hand out memory as another program left it, or this one.

Most storage is filled by the record after the one that made it: a few pieces are remembered instead of cleared at once, and
cleared when anything but contents comes. What a surface has is cleared where it is first bound (framebuffers.pyx).
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo, pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.buffers cimport buffer_fill
from mgpipe.backends.espryt.contexts cimport context_forget
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport let_clears_through
from mgpipe.backends.espryt.queries cimport hold_condition, release_condition
from mgpipe.backends.espryt.textures cimport texture_write

cdef enum:
    BLOCK = 4
    LARGEST = 1 << 16
    BAND_BYTES = 4 << 20        # zeros that are held to be written from


cdef void note_storage(Espryt* es, Resource* it, const pipe_resource_respecify* p) noexcept nogil:
    cdef Unwritten* one
    cdef uint32_t i
    if it.kind == PIPE_RESOURCE_TARGET_TEX_BUFFER:
        return                  # a buffer's storage
    if p.view_of.gen != 0:      # another texture's, which can be written through this one from now on
        fill_unwritten(es)
        return
    if it.kind == PIPE_RESOURCE_TARGET_BUFFER and p.size == 0:
        return
    for i in range(es.unwritten_count):
        one = &es.unwritten[i]
        if alive(&one.resource) == it and one.storage.level == p.level and one.storage.upload_target == p.upload_target:
            one.storage = p[0]
            return
    if es.unwritten_count == UNWRITTEN:
        fill_unwritten(es)
    one = &es.unwritten[es.unwritten_count]
    one.resource = ref_to(it)
    one.storage = p[0]
    es.unwritten_count += 1


cdef void note_contents(Espryt* es, Resource* it, const pipe_resource_subdata* p, const pipe_SubRegion* regions) noexcept nogil:
    """Every piece of that level is settled now: zeros that came later would come on top."""
    cdef Unwritten* one
    cdef uint32_t i = es.unwritten_count
    while i:
        i -= 1
        one = &es.unwritten[i]
        if alive(&one.resource) != it:
            continue
        if it.kind != PIPE_RESOURCE_TARGET_BUFFER and one.storage.level != p.level and not one.storage.immutable:
            continue
        if not fills(one, p, regions):
            fill(es, it, &one.storage)
        es.unwritten_count -= 1
        one[0] = es.unwritten[es.unwritten_count]


cdef void forget_unwritten(Espryt* es, Resource* it) noexcept nogil:
    cdef uint32_t i = es.unwritten_count
    while i:
        i -= 1
        if alive(&es.unwritten[i].resource) == it:
            es.unwritten_count -= 1
            es.unwritten[i] = es.unwritten[es.unwritten_count]


cdef bint fills(Unwritten* one, const pipe_resource_subdata* p, const pipe_SubRegion* regions) noexcept nogil:
    cdef const pipe_resource_respecify* storage = &one.storage
    cdef uint32_t face = storage.upload_target % 6 if storage.target == PIPE_RESOURCE_TARGET_TEX_CUBE else 0
    if storage.target == PIPE_RESOURCE_TARGET_BUFFER:
        return p.offset == 0 and p.bytes.size >= storage.size
    # One region is what a whole level arrives as, or a face of a cube map.
    return (p.region_count == 1 and (not storage.immutable or storage.levels == 1 and storage.target != PIPE_RESOURCE_TARGET_TEX_CUBE)
            and regions[0].box.x == 0 and regions[0].box.y == 0 and regions[0].box.z == <int32_t>face
            and regions[0].box.width >= storage.width and regions[0].box.height >= storage.height
            and regions[0].box.depth >= storage.depth)


cdef void fill_unwritten(Espryt* es) noexcept nogil:
    cdef Unwritten* one
    cdef Resource* it
    while es.unwritten_count:
        es.unwritten_count -= 1
        one = &es.unwritten[es.unwritten_count]
        it = <Resource*>alive(&one.resource)
        if it != NULL:
            fill(es, it, &one.storage)


cdef void fill(Espryt* es, Resource* it, const pipe_resource_respecify* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint32_t number, levels = p.levels if p.immutable else p.level + 1
    cdef uint32_t format = it.level_formats[p.level]
    if it.kind == PIPE_RESOURCE_TARGET_BUFFER:
        if gl.ClearBufferData != NULL:
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, it.name)
            gl.ClearBufferData(GL_COPY_WRITE_BUFFER, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL)
        else:
            buffer_fill(es, it, 0, p.size, NULL, 0)
    elif format == FORMAT_NONE or p.width == 0 or p.height == 0 or p.depth == 0:
        return
    elif it.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER or p.samples:
        clear_attached(es, it, &pipe_formats[format])
    else:
        for number in range(0 if p.immutable else p.level, levels):
            fill_level(es, it, &pipe_formats[format], p, number)


cdef void fill_level(Espryt* es, Resource* it, const pipe_FormatInfo* info, const pipe_resource_respecify* p,
                     uint32_t number) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint32_t shrunk = number if p.immutable else 0
    cdef bint is_cube = it.target == GL_TEXTURE_CUBE_MAP
    cdef uint32_t width = max(p.width >> shrunk, 1), height = max(p.height >> shrunk, 1)
    cdef uint32_t depth = max(p.depth >> shrunk, 1) if it.target == GL_TEXTURE_3D else p.depth
    cdef uint32_t face
    if gl.ClearTexImage != NULL and info.block_bytes == 0 and (p.immutable or not is_cube):
        gl.ClearTexImage(it.name, number, info.upload_format, info.upload_type, NULL)
    elif is_cube:
        for face in range(6 if p.immutable else 1):
            write_zeros(es, it, info, number, face if p.immutable else p.upload_target % 6, width, height, 1)
    elif info.block_bytes == 0 or p.immutable:      # a mutable compressed level was made of zeros
        write_zeros(es, it, info, number, 0, width, height, depth)


cdef void write_zeros(Espryt* es, Resource* it, const pipe_FormatInfo* info, uint32_t level, uint32_t first, uint32_t width,
                      uint32_t height, uint32_t depth) noexcept nogil:
    """Slice by slice, in bands of rows."""
    cdef uint32_t rows_of = BLOCK if info.block_bytes else 1
    cdef uint64_t row = (width + BLOCK - 1) // BLOCK * <uint64_t>info.block_bytes if info.block_bytes else width * <uint64_t>info.texel_bytes
    cdef uint32_t band = <uint32_t>max(<uint64_t>1, BAND_BYTES // max(row, <uint64_t>1))
    cdef uint8_t* zeros
    cdef pipe_SubRegion region
    cdef uint32_t z, y
    if width > LARGEST or height > LARGEST or depth > LARGEST:
        return                  # no driver has made that
    band = min(band, (height + rows_of - 1) // rows_of)
    zeros = <uint8_t*>calloc(band, row)
    if zeros == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"resource_respecify: zeros for new storage")
        return
    for z in range(depth):
        y = 0
        while y < height:
            memset(&region, 0, sizeof(region))
            region.box.y = <int32_t>y
            region.box.z = <int32_t>(first + z)
            region.box.width = width
            region.box.height = min(height - y, band * rows_of)
            region.box.depth = 1
            region.row_stride = <uint32_t>row
            region.slice_stride = <uint32_t>(row * band)
            texture_write(es, it, level, zeros, band * row, &region, 1, False)
            y += band * rows_of
    free(zeros)


cdef void clear_attached(Espryt* es, Resource* it, const pipe_FormatInfo* info) noexcept nogil:
    """What takes no texels from a program: renderbuffers, and textures of many samples."""
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = es.bound
    cdef GLenum place = GL_COLOR_ATTACHMENT0
    cdef GLuint name = 0
    if ctx == NULL:
        return
    if info.bits[4] or info.bits[5]:
        place = GL_DEPTH_STENCIL_ATTACHMENT if info.bits[4] and info.bits[5] else GL_DEPTH_ATTACHMENT if info.bits[4] else GL_STENCIL_ATTACHMENT
    gl.GenFramebuffers(1, &name)
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, name)
    if it.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        gl.FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, place, GL_RENDERBUFFER, it.name)
    else:
        gl.FramebufferTexture(GL_DRAW_FRAMEBUFFER, place, it.name, 0)
    context_forget(ctx)
    if gl.CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE:
        hold_condition(es, ctx)
        let_clears_through(es)
        clear_whole(gl, place, info)
        release_condition(es, ctx)
    gl.DeleteFramebuffers(1, &name)


cdef void clear_whole(GL* gl, GLenum place, const pipe_FormatInfo* info) noexcept nogil:
    cdef float* zero = [0.0, 0.0, 0.0, 0.0]
    cdef GLint* zeros = [0, 0, 0, 0]
    if place != GL_COLOR_ATTACHMENT0:
        gl.ClearDepthf(0.0)
        gl.ClearStencil(0)
        gl.Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)
    elif info.kind == FORMAT_KIND_INT:
        gl.ClearBufferiv(GL_COLOR, 0, zeros)
    elif info.kind == FORMAT_KIND_UINT:
        gl.ClearBufferuiv(GL_COLOR, 0, <GLuint*>zeros)
    else:
        gl.ClearBufferfv(GL_COLOR, 0, zero)
