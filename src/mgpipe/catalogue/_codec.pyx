# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The generated encoders and decoders as Python sees them: for the tests, and for tools that read records.

Nothing of a session is in here. `encode` goes through the tables that a client would call, `decode` through check and
apply into a back end that notes what reached it.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from pipe cimport *

cdef enum:
    ROOM = 2 * 131072           # PIPE_MAX_RECORD twice: a recorder holds a whole record and what it notes of it

cdef struct Sink:                   # `self` of every generated function here
    uint8_t* record                 # where an encoder writes
    uint32_t size, published, waited
    uint8_t* noted                  # what the recording back end saw: payload and tails, one after the other
    uint32_t noted_size, parts, op
    uint32_t part_size[4]
    uint32_t family                 # of the fault, 0: none
    const char* where
    uint32_t refuse_kind            # handle kind that resolves to nothing, all ones: every one
    uint32_t admitted, dismissed
    BackEnd back

cdef inline uint8_t* emit_reserve(void* self, uint32_t size) noexcept nogil:
    if size > PIPE_MAX_RECORD:
        return NULL
    memset((<Sink*>self).record, 0xDD, size)    # a byte that the encoder forgets shows
    return (<Sink*>self).record

cdef inline void emit_commit(void* self, uint32_t size, bint publish) noexcept nogil:
    (<Sink*>self).size = size
    (<Sink*>self).published = publish

cdef inline void emit_wait(void* self, pipe_reply* reply) noexcept nogil:
    (<Sink*>self).waited = 1

cdef inline const BackEnd* back_end(void* self) noexcept nogil:
    return &(<Sink*>self).back

cdef inline void* resolve(void* self, uint32_t kind, pipe_handle handle) noexcept nogil:
    return NULL if (<Sink*>self).refuse_kind == kind else self

cdef inline void* admit(void* self, uint32_t kind, pipe_handle handle) noexcept nogil:
    if (<Sink*>self).refuse_kind == kind:
        return NULL
    (<Sink*>self).admitted = kind
    return self

cdef inline void dismiss(void* self, uint32_t kind, pipe_handle handle, void* item) noexcept nogil:
    (<Sink*>self).dismissed = kind

cdef inline uint8_t* blob_bytes(void* self, const pipe_Blob* blob) noexcept nogil:
    return NULL if blob.segment == PIPE_SEGMENT_NONE else <uint8_t*>self

cdef inline uint8_t* blob_words(void* self, const pipe_Blob* blob) noexcept nogil:
    return blob_bytes(self, blob)

cdef inline void fault(void* self, uint32_t family, const char* where) noexcept nogil:
    (<Sink*>self).family = family
    (<Sink*>self).where = where

cdef inline void unimplemented(void* self, uint32_t op, const char* name) noexcept nogil:
    (<Sink*>self).family = PIPE_FAULT_UNIMPLEMENTED
    (<Sink*>self).where = name

cdef inline void note_call(void* self, uint32_t op) noexcept nogil:
    (<Sink*>self).op = op

cdef inline void note_bytes(void* self, const void* at, uint64_t size) noexcept nogil:
    cdef Sink* sink = <Sink*>self
    if size:
        memcpy(sink.noted + sink.noted_size, at, size)
    sink.part_size[sink.parts] = <uint32_t>size
    sink.parts += 1
    sink.noted_size += <uint32_t>size


include "encode.pxi"
include "decode.pxi"
include "record.pxi"
include "by_name.pxi"


class Refused(Exception):
    """A record that the decoder did not take: `family` of catalogue/faults.py, `where` in it."""

    def __init__(self, int family, str where):
        super().__init__(f"fault {family} at {where}")
        self.family = family
        self.where = where


def fingerprint():
    """The layout fingerprint that was compiled in."""
    return PIPE_FINGERPRINT.decode()


def limits():
    """Every row of the compiled table of limits, as a dict."""
    return [pipe_limits[i] for i in range(PIPE_LIMIT_COUNT)]


cdef Sink* sink_new() except NULL:
    cdef Sink* sink = <Sink*>malloc(sizeof(Sink) + 2 * ROOM)
    if sink == NULL:
        raise MemoryError
    memset(sink, 0, sizeof(Sink))
    sink.record = <uint8_t*>sink + sizeof(Sink) + (-<int64_t>sizeof(Sink)) % 8
    sink.noted = sink.record + ROOM - 8
    sink.back.self = sink
    return sink


def encode(str name, bytes payload, list tails):
    """(record, published, waited) of one call; payload and tails as their C structs lie in memory."""
    cdef PipeScreen screen
    cdef PipeContext context
    cdef const uint8_t* arrays[4]
    cdef pipe_reply reply
    cdef Sink* sink
    assert len(tails) <= 4
    for i, tail in enumerate(tails):
        arrays[i] = tail
    install_encoders(&screen, &context)
    sink = sink_new()
    try:
        call_table(name, &screen, &context, sink, payload, arrays, &reply)
        return sink.record[:sink.size], bool(sink.published), bool(sink.waited)
    finally:
        free(sink)


def decode(bytes record, int refuse_kind=0, bint back_end_is_empty=False):
    """(op, [payload, *tails], kind admitted, kind dismissed) as they reach a back end. Raises Refused."""
    cdef Sink* sink
    cdef pipe_reply reply
    cdef uint32_t at = 0
    cdef uint32_t size = <uint32_t>len(record)
    if size > ROOM - 64:
        raise Refused(PIPE_FAULT_RECORD_SIZE, "header")
    sink = sink_new()
    try:
        memcpy(sink.record, <const uint8_t*>record, size)
        sink.refuse_kind = refuse_kind
        if not back_end_is_empty:
            install_recorder(&sink.back)
        memset(&reply, 0, sizeof(reply))
        decode_record(sink, sink.record, size, &reply)
        if sink.family:
            raise Refused(sink.family, sink.where.decode())
        parts = []
        for i in range(sink.parts):
            parts.append((sink.noted + at)[:sink.part_size[i]])
            at += sink.part_size[i]
        return sink.op, parts, sink.admitted, sink.dismissed
    finally:
        free(sink)


def check_event_record(bytes record):
    """Raises Refused when an event of the reverse channel is malformed."""
    cdef Sink* sink = sink_new()
    cdef const char* where
    cdef int family
    cdef uint32_t size = <uint32_t>len(record)
    try:
        if size > ROOM - 64:
            raise Refused(PIPE_FAULT_RECORD_SIZE, "header")
        memcpy(sink.record, <const uint8_t*>record, size)
        family = check_event(sink.record, size, &where)
        if family:
            raise Refused(family, where.decode())
    finally:
        free(sink)
