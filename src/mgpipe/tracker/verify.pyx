# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verify mode, client side. See verify.pxd; the applier's half is server/told.pyx.

A session that does not verify never gets here: its tables hold the plain functions.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from pipe cimport *
from pipe_snapshot cimport pipe_verb_sections
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Context
from mgpipe.tracker.contents cimport verify_contents
from mgpipe.tracker.snapshot cimport snapshot_commands, snapshot_fill

cdef struct Verifier:
    PipeScreen screen               # the functions that ours stand before
    PipeContext context
    pipe_Snapshot snapshot
    uint64_t verbs

cdef enum:
    CONTENTS_EVERY = 256            # verbs

cdef CurrentContext _current = NULL


cdef inline Verifier* verifier_of(void* self) noexcept nogil:
    return <Verifier*>(<Session*>self).verifier


cdef inline PipeScreen* plain_screen(void* self) noexcept nogil:
    return &verifier_of(self).screen


cdef inline PipeContext* plain_context(void* self) noexcept nogil:
    return &verifier_of(self).context


cdef inline bint reads(uint32_t op) noexcept nogil:
    """Verbs that the program waits for anyway."""
    return op == PIPE_OP_READ_PIXELS or op == PIPE_OP_RESOURCE_READBACK or op == PIPE_OP_GET_TEXTURE_IMAGE


cdef bint before_call(void* self, uint32_t op, void* payload, uint64_t size, const void** tails, uint64_t* sizes,
                      uint32_t count) noexcept nogil:
    cdef Verifier* verifier = verifier_of(self)
    cdef pipe_Snapshot* snapshot = &verifier.snapshot
    cdef Context* ctx = _current()
    cdef pipe_verify_snapshot record
    if ctx == NULL or ctx.session != <Session*>self:
        return True                 # the applier then misses the snapshot, and says so
    verifier.verbs += 1
    if (<Session*>self).verify > 1 and (verifier.verbs % CONTENTS_EVERY == 0 or reads(op)):
        verify_contents(ctx, plain_context(self))
    snapshot_fill(ctx, snapshot)
    snapshot_commands(ctx, op, payload, snapshot)
    record.verb = op
    record.byte_count = <uint32_t>(<uint8_t*>&snapshot.textures[0] - <uint8_t*>snapshot
                                   + snapshot.counts.textures * sizeof(pipe_SnapshotTexture))
    plain_context(self).verify_snapshot(self, &record, <uint8_t*>snapshot)
    return True


cdef inline void after_call(void* self, uint32_t op, pipe_reply* reply) noexcept nogil:
    pass


include "interpose.pxi"


cdef void verify_listen(CurrentContext current) noexcept nogil:
    global _current
    _current = current


cdef void verify_begin(Session* session) noexcept nogil:
    cdef Verifier* verifier
    cdef pipe_verify_snapshot begin
    if session.caps.dialect == PIPE_DIALECT_NONE:       # contents that are drawn with nothing are held nowhere
        session.verify = min(session.verify, <uint32_t>1)
    if session.verify == 0 or session.verifier != NULL:
        return
    verifier = <Verifier*>calloc(1, sizeof(Verifier))
    if verifier == NULL:
        return
    verifier.screen = session.screen
    verifier.context = session.context
    session.verifier = verifier
    begin.verb = 0
    begin.byte_count = 0
    session.context.verify_snapshot(session.self, &begin, NULL)
    install_interposed(&session.screen, &session.context, pipe_verb_sections)


cdef void verify_end(Session* session) noexcept nogil:
    if session.verifier == NULL:
        return
    session.screen = verifier_of(session).screen
    session.context = verifier_of(session).context
    free(session.verifier)
    session.verifier = NULL
