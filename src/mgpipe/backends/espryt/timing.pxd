"""When the GPU did what records asked for. Of a session that is traced; no other gets here."""

from libc.stdint cimport uint32_t, uint64_t

ctypedef uint64_t (*Clock)() noexcept nogil             # the CPU's, in nanoseconds, that times are told in
ctypedef void (*Timed)(void* self, uint32_t op, uint64_t ordinal, uint64_t start_ns, uint64_t end_ns) noexcept nogil

# `self`: a back end's. False: this driver has no timestamps. `uncertainty_ns`: by how much times may be wrong.
cdef bint espryt_timing_begin(void* self, Clock clock, Timed timed, void* timed_self, uint64_t* uncertainty_ns) noexcept nogil
# Around the work of one record; what is not bracketed by both is not timed.
cdef void espryt_timing_before(void* self, uint32_t op, uint64_t ordinal) noexcept nogil
cdef void espryt_timing_after(void* self) noexcept nogil
# Tells the times that are there. Asking makes some drivers submit: so where work was submitted anyway.
cdef void espryt_timing_collect(void* self) noexcept nogil
cdef uint64_t espryt_timing_settle(void* self) noexcept nogil   # waits for all, in all contexts; how many more were not had
cdef void espryt_timing_end(void* self) noexcept nogil
