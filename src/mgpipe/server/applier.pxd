"""The server side of the boundary: decode, check, resolve, hand to a back end. Runs on one thread, never takes the GIL."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from pipe cimport PipeContext, PipeScreen, pipe_Caps, pipe_handle, pipe_reply
from mgpipe.links.segments cimport Segments

cdef enum Driver:
    DRIVER_GL = 0           # desktop OpenGL core through EGL
    DRIVER_GLES = 1         # OpenGL ES 3.2 through EGL
    DRIVER_NULL = 2

# Pushes one event (opcode of EVENTS, payload, tail) into the reverse channel; waits when it is full.
ctypedef void (*PushEvent)(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil

# Takes the first `done` bytes of the answer being made, which are final.
ctypedef void (*TakePart)(void* self, uint64_t done) noexcept nogil

cdef struct Applier                     # opaque: see applier.pyx

# Starts the driver on the calling thread. NULL: `error` holds the sentence (e.g. NoDriver: …).
cdef Applier* applier_new(uint32_t driver, Segments* segments, PushEvent push, void* push_self, char* error, uint32_t error_size) noexcept nogil
# Tables for monolith: the same functions that decoded records reach; `self` is the applier.
cdef void applier_tables(Applier* applier, PipeScreen* screen, PipeContext* context) noexcept nogil
# One whole record, read from a private copy. 0: applied. Else the session is latched and applier_fault says why.
cdef int applier_apply(Applier* applier, const uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil
cdef void applier_fail(Applier* applier, uint32_t family, const char* where) noexcept nogil     # as if a record had caused it
cdef const char* applier_fault(Applier* applier) noexcept nogil         # NULL: none
cdef uint32_t applier_living(Applier* applier, uint32_t kind) noexcept nogil  # objects of a PIPE_HANDLE_* kind
# Storage that nobody has written holds zeros, not what another program left there. Not for callers of the tables.
cdef void applier_fill_storage(Applier* applier) noexcept nogil
cdef void applier_limit_objects(Applier* applier, uint32_t most) noexcept nogil     # alive at one time; 0: no limit
cdef void applier_renderer(Applier* applier, char* text, uint32_t size) noexcept nogil    # what the driver calls itself
# The client maps the segments itself, so a driver may use the memory that a record names after that record. `ordinal`: of the
# record being applied; NULL: calls come without, and wait for the driver instead.
cdef void applier_share_memory(Applier* applier, const uint64_t* ordinal) noexcept nogil
# *: the oldest record that cannot count as applied yet, since it lets go of such memory; 0: none. And a wait for that.
cdef const uint64_t* applier_held(Applier* applier) noexcept nogil
cdef void applier_settle(Applier* applier, uint64_t timeout_ns) noexcept nogil
# -- A session that is traced. The row of that name sets a bit of `armed`, and clears it: while it is set, whoever applies
# records tells of each. `room`: see trace.pxd.
cdef void applier_traced_by(Applier* applier, uint32_t* armed, uint32_t bit, bint (*room)(void* self, uint32_t size) noexcept nogil,
                            void* room_self) noexcept nogil
cdef void applier_trace_before(Applier* applier, uint32_t op, uint64_t ordinal) noexcept nogil
cdef void applier_trace_after(Applier* applier, uint32_t op, uint64_t ordinal) noexcept nogil
cdef void applier_take_parts(Applier* applier, TakePart take, void* self) noexcept nogil   # else answers come whole
# Looks for what the driver has completed, and tells. Whether more is awaited.
cdef bint applier_poll(Applier* applier) noexcept nogil
cdef void applier_withhold(Applier* applier, uint64_t sections) noexcept nogil      # tests of verify mode: see watch.pxd
cdef void applier_free(Applier* applier) noexcept nogil                 # destroys contexts, closes the driver
