# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""All objects of a context and of its share group. See objects.pxd.

A share group's objects end one by one with its last context: each by its own record, so that neither side keeps a handle.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free

from mgpipe.front.buffers cimport buffer_hold, buffers_release
from mgpipe.front.context cimport (TEXTURE_TARGETS, Buffer, Context, Names, Program, Renderbuffer, Sampler, Shader, ShareGroup,
                                   Sync, Texture, name_get, name_remove)
from mgpipe.front.feedback cimport feedback_release
from mgpipe.front.framebuffers cimport framebuffers_release
from mgpipe.front.programs cimport program_release, programs_release, shader_release
from mgpipe.front.queries cimport queries_release
from mgpipe.front.renderbuffers cimport renderbuffer_release
from mgpipe.front.samplers cimport sampler_release
from mgpipe.front.textures cimport texture_release, texture_units_release
from mgpipe.front.vertex_arrays cimport vertex_arrays_release
from mgpipe.tracker.queries cimport track_delete_fence

KINDS = ("buffers", "textures", "renderbuffers", "samplers", "shaders", "programs", "syncs",
         "vertex arrays", "framebuffers", "queries", "transform feedbacks", "program pipelines")


cdef void count_objects(Context* ctx, bint shared, uint64_t* counts) noexcept nogil:
    cdef ShareGroup* group = ctx.group
    cdef Shader* shader
    cdef uint32_t i
    if shared:
        counts[0] += group.buffers.live
        counts[1] += group.textures.live
        counts[2] += group.renderbuffers.live
        counts[3] += group.samplers.live
        counts[6] += group.syncs.live
        for i in range(TEXTURE_TARGETS):
            counts[1] += group.default_textures[i] != NULL
        for i in range(group.shaders_programs.capacity):
            shader = <Shader*>name_get(&group.shaders_programs, i)
            if shader != NULL:
                counts[4 if shader.is_shader else 5] += 1
    counts[7] += ctx.vertex_arrays.live
    counts[8] += ctx.framebuffers.live
    counts[9] += ctx.queries.live
    counts[10] += ctx.feedbacks.live
    counts[11] += ctx.pipelines.live


cdef void release_objects(Context* ctx) noexcept nogil:
    """Of every shared object that this context holds: one that was deleted meanwhile ends here."""
    vertex_arrays_release(ctx)
    queries_release(ctx)
    feedback_release(ctx)
    programs_release(ctx)
    framebuffers_release(ctx)
    texture_units_release(ctx)
    buffers_release(ctx)
    if ctx.group.contexts == 1:
        release_shared(ctx)


cdef void release_shared(Context* ctx) noexcept nogil:
    """Nothing is bound any more. Programs hold shaders and textures hold buffers, so those go first."""
    cdef ShareGroup* group = ctx.group
    cdef Program* program
    cdef Texture* texture
    cdef Renderbuffer* renderbuffer
    cdef Sampler* sampler
    cdef Buffer* buffer
    cdef Sync* sync
    cdef uint32_t i
    for i in range(group.shaders_programs.capacity):
        program = <Program*>name_get(&group.shaders_programs, i)
        if program != NULL and not program.is_shader:
            program_release(ctx, program)
    for i in range(group.shaders_programs.capacity):
        program = <Program*>name_get(&group.shaders_programs, i)
        if program != NULL:
            shader_release(ctx, <Shader*>program)
    for i in range(group.textures.capacity):
        texture = <Texture*>name_remove(&group.textures, i)
        if texture != NULL:
            texture_release(ctx, texture)
    for i in range(TEXTURE_TARGETS):
        if group.default_textures[i] != NULL:
            texture_release(ctx, group.default_textures[i])
            group.default_textures[i] = NULL
    for i in range(group.renderbuffers.capacity):
        renderbuffer = <Renderbuffer*>name_remove(&group.renderbuffers, i)
        if renderbuffer != NULL:
            renderbuffer_release(ctx, renderbuffer)
    for i in range(group.samplers.capacity):
        sampler = <Sampler*>name_remove(&group.samplers, i)
        if sampler != NULL:
            sampler_release(ctx, sampler)
    for i in range(group.buffers.capacity):
        buffer = <Buffer*>name_remove(&group.buffers, i)
        if buffer != NULL:
            buffer_hold(ctx, &buffer, NULL)
    for i in range(group.syncs.capacity):
        sync = <Sync*>name_remove(&group.syncs, i)
        if sync != NULL:
            track_delete_fence(group.session, sync)
            free(sync)
