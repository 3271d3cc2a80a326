# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What is fuzzed: the applier, the ring and the stream's intake over the null back end, and the translator of shaders.

`run` hands a target to libFuzzer. `soak` makes as many records as it is asked for from a seed, without it. `pour` and `shake`
are a hostile client of a session that runs beside them: see test_shaken.py. See fuzzing.py for how all this is built and run.
One file a kind of target; grammar.pxi makes the records, bench.pxi is what they are given to.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, calloc, free, malloc
from libc.string cimport memcpy, memmove, memset
from posix.unistd cimport close, read, write
from pipe cimport *
from fuzz_grammar cimport *
from pipe_snapshot cimport pipe_verb_sections

from mgpipe.links.atomics cimport clock_ns, cpu_pause, load_relaxed, store_release
from mgpipe.links.intake cimport (Intake, intake_answer, intake_free, intake_init, intake_note_applied, intake_push, intake_take,
                                  intake_wait_for)
from mgpipe.links.ring cimport (ControlPage, Ring, ring_attach, ring_commit, ring_flush, ring_has_room, ring_note_applied,
                                ring_page_init, ring_poll_records, ring_post_reply, ring_reserve, ring_take)
from mgpipe.links.segments cimport Segments, segment_unmap
from mgpipe.links.packing cimport PACK_ALWAYS, pack_available
from mgpipe.links.stream cimport FRAME_BYTES, FRAME_LIMIT, FRAME_RECORDS, Frame, compress
from mgpipe.shaders._spirv_cross cimport (SPIRV_DESKTOP, SPIRV_ES, spirv_constants, specialise_options, generate_options,
                                          spirv_to_between, spirv_to_dialect)
from mgpipe.server.applier cimport (DRIVER_GL, DRIVER_GLES, DRIVER_NULL, Applier, applier_apply, applier_fault, applier_free, applier_living, applier_new)

cdef extern from *:
    """
    int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*one)(const uint8_t* data, size_t size));
    static void fuzz_run(int argc, char** argv, int (*one)(const uint8_t* data, size_t size)) { LLVMFuzzerRunDriver(&argc, &argv, one); }
    #define FAULT_COUNT (sizeof(pipe_fault_names) / sizeof(*pipe_fault_names) - 1)
    """
    void fuzz_run(int argc, char** argv, int (*one)(const uint8_t* data, size_t size) noexcept nogil) nogil
    const uint32_t FAULT_COUNT

# What libfuzz_driver.so exports, which is loaded before this.
cdef extern from *:
    """
    extern size_t (*fuzz_mutator)(uint8_t* data, size_t size, size_t most, unsigned int seed);
    size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);
    """
    size_t (*fuzz_mutator)(uint8_t* data, size_t size, size_t most, unsigned int seed) noexcept nogil
    size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) nogil

cdef extern from "<stdlib.h>" nogil:
    int atexit(void (*ending)() noexcept nogil)

include "grammar.pxi"
include "bench.pxi"
include "sessions.pxi"
include "rings.pxi"
include "streams.pxi"
include "shaders.pxi"
include "beside.pxi"


# -- what Python calls

ctypedef int (*Target)(const uint8_t* data, size_t size) noexcept nogil

cdef Target target_called(str name) except NULL:
    if name == "records": return target_records
    if name == "session": return target_session
    if name == "ring": return target_ring
    if name == "stream": return target_stream
    if name == "stream_session": return target_stream_session
    if name == "spirv": return target_spirv
    if name in ("gl", "gles"): return target_stream
    raise KeyError(name)


cdef void prepare(str name) except *:
    global driver
    cdef const fuzz_member* m
    cdef uint32_t op, i
    driver = {"gl": DRIVER_GL, "gles": DRIVER_GLES}.get(name, DRIVER_NULL)
    if writer.record != NULL:
        return
    writer.record = <uint8_t*>malloc(PIPE_MAX_RECORD + 64)
    for op in range(1, PIPE_OP_COUNT + 1):
        if fuzz_rows[op].payload == NULL:
            continue
        for i in range(fuzz_rows[op].payload.member_count):
            m = &fuzz_rows[op].payload.members[i]
            if m.kind == FUZZ_HANDLE and (m.role == FUZZ_NEW or m.role == FUZZ_ENSURE):
                writer.maker[m.handle] = op
            elif m.kind == FUZZ_HANDLE and m.role == FUZZ_OLD:
                writer.ender[m.handle] = op


cdef void print_tally() noexcept nogil:
    """For whoever reads libFuzzer's output, which ends the process."""
    fprintf(stderr, "tally: sessions %llu records %llu applied %llu damaged %llu latched %llu\n", <unsigned long long>tally.sessions,
            <unsigned long long>tally.records, <unsigned long long>tally.applied, <unsigned long long>tally.damaged,
            <unsigned long long>tally.latched)


def run(str name, list arguments):
    """Hands a target to libFuzzer, which ends the process. `arguments`: its own, after the program's name."""
    cdef Target one = target_called(name)
    cdef char* argv[64]
    cdef int count = 0
    kept = [b"fuzz", *(argument.encode() for argument in arguments)]
    for argument in kept:
        argv[count] = <char*>argument
        count += 1
    argv[count] = NULL
    prepare(name)
    global fuzz_mutator
    if name == "spirv":
        fuzz_mutator = mutate_words
    elif name in ("gl", "gles", "stream"):
        fuzz_mutator = mutate_frames
    atexit(print_tally)
    with nogil:
        fuzz_run(count, argv, one)


def once(str name, bytes data):
    """One input, for what was found once and must not come back."""
    cdef const uint8_t* at = data
    cdef size_t size = len(data)
    cdef uint8_t* copy = <uint8_t*>malloc(size if size else 1)
    cdef Target one = target_called(name)
    prepare(name)
    memcpy(copy, at, size)
    with nogil:
        one(copy, size)
    free(copy)


def soak(str name, uint64_t seed, uint64_t records) -> dict:
    """Valid-looking sessions from a seed until so many records went by; what became of them."""
    cdef Bench bench
    cdef Wire wire
    cdef uint8_t* out = <uint8_t*>malloc(OUT_BYTES)
    cdef bint stream = name == "stream_session"
    cdef uint64_t session_seed
    prepare(name)
    memset(&tally, 0, sizeof(tally))
    with nogil:
        while tally.records < records:
            session_seed = random_word(&seed) | 1
            writer_begin(&writer, NULL, 0, session_seed)
            if stream:
                wire_open(&wire)
                stream_session(&wire, out, SESSION_RECORDS)
                wire_close(&wire)
            else:
                bench_open(&bench)
                session(&bench, SESSION_RECORDS)
                bench_close(&bench)
    free(out)
    return totals()


def unmap(uintptr_t address, uint64_t size) -> None:
    segment_unmap(<uint8_t*>address, size)


def totals() -> dict:
    return {
        "sessions": tally.sessions, "records": tally.records, "applied": tally.applied, "damaged": tally.damaged,
        "latched": tally.latched, "events": tally.events,
        "applied_of": {fuzz_rows[op].name.decode(): tally.applied_of[op] for op in range(1, PIPE_OP_COUNT + 1) if fuzz_rows[op].name},
        "faults": {pipe_fault_names[family].decode(): tally.faults[family] for family in range(1, FAULT_COUNT + 1)},
    }
