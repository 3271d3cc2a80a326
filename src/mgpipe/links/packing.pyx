# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""See packing.pxd. libzstd's functions are declared here: its headers need not be there, nor the library."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy
from pipe cimport PIPE_OP_COUNT, PIPE_OP_RESOURCE_SUBDATA, pipe_record, pipe_resource_subdata
from pipe_snapshot cimport pipe_op_names

from mgpipe.links.atomics cimport clock_ns

cdef extern from "<dlfcn.h>" nogil:
    void* dlopen(const char* name, int flags)
    void* dlsym(void* library, const char* name)
    int RTLD_NOW, RTLD_LOCAL

cdef extern from "<sys/socket.h>" nogil:
    ctypedef unsigned int socklen_t
    int getsockopt(int fd, int level, int name, void* value, socklen_t* size)

cdef extern from "<netinet/in.h>" nogil:
    int IPPROTO_TCP

cdef extern from "<linux/tcp.h>" nogil:
    int TCP_INFO
    struct tcp_info:
        uint64_t tcpi_delivery_rate

cdef enum:
    LEVEL = 1                   # 300 to 500 MB/s; higher ones cost more than any link here repays
    FIRST_TRIES = 4             # blocks of a kind that are packed to learn what it gives
    TRY_EVERY = 64              # and again, of a kind that does not pay
    FORGET_BYTES = 4 << 20      # tried bytes after which the past counts half
    HIDDEN_NS_PER_MIB = 8400000 # an encrypted link's socket is the relay's: 1 Gbit/s is assumed

cdef struct Zstd:
    void* (*create_compressor)() noexcept nogil
    size_t (*free_compressor)(void* context) noexcept nogil
    size_t (*compress)(void* context, void* target, size_t room, const void* source, size_t size, int level) noexcept nogil
    void* (*create_decompressor)() noexcept nogil
    size_t (*free_decompressor)(void* context) noexcept nogil
    size_t (*decompress)(void* context, void* target, size_t room, const void* source, size_t size) noexcept nogil
    unsigned (*is_error)(size_t result) noexcept nogil

cdef Zstd zstd
cdef bint looked = False        # under the GIL, or before a session has a second thread


cdef bint pack_available() noexcept nogil:
    global looked
    cdef void* library
    if not looked:
        looked = True
        library = dlopen(b"libzstd.so.1", RTLD_NOW | RTLD_LOCAL)
        if library != NULL:
            (<void**>&zstd.create_compressor)[0] = dlsym(library, b"ZSTD_createCCtx")
            (<void**>&zstd.free_compressor)[0] = dlsym(library, b"ZSTD_freeCCtx")
            (<void**>&zstd.compress)[0] = dlsym(library, b"ZSTD_compressCCtx")
            (<void**>&zstd.create_decompressor)[0] = dlsym(library, b"ZSTD_createDCtx")
            (<void**>&zstd.free_decompressor)[0] = dlsym(library, b"ZSTD_freeDCtx")
            (<void**>&zstd.decompress)[0] = dlsym(library, b"ZSTD_decompressDCtx")
            (<void**>&zstd.is_error)[0] = dlsym(library, b"ZSTD_isError")
    return (zstd.create_compressor != NULL and zstd.free_compressor != NULL and zstd.compress != NULL
            and zstd.create_decompressor != NULL and zstd.free_decompressor != NULL and zstd.decompress != NULL
            and zstd.is_error != NULL)


# -- packing -----------------------------------------------------------------------------------------------------------

cdef Packer* packer_new(int fd, uint32_t mode) noexcept nogil:
    cdef Packer* packer
    if not pack_available():
        return NULL
    packer = <Packer*>calloc(1, sizeof(Packer))
    if packer == NULL:
        return NULL
    packer.fd = fd
    packer.mode = mode
    packer.context = zstd.create_compressor()
    packer.bytes = <uint8_t*>malloc(PACK_HEADER + PACK_LIMIT)
    if packer.context == NULL or packer.bytes == NULL:
        packer_free(packer)
        return NULL
    return packer


cdef void packer_free(Packer* packer) noexcept nogil:
    if packer == NULL:
        return
    if packer.context != NULL:
        zstd.free_compressor(packer.context)
    free(packer.bytes)
    free(packer)


cdef uint64_t link_ns_per_mib(Packer* packer) noexcept nogil:
    """As the kernel measured it: what was acknowledged lately. 0: not known yet."""
    cdef tcp_info info
    cdef socklen_t size = sizeof(info)
    info.tcpi_delivery_rate = 0
    if getsockopt(packer.fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0:
        return HIDDEN_NS_PER_MIB
    return <uint64_t>1000000000 * (1 << 20) // info.tcpi_delivery_rate if info.tcpi_delivery_rate != 0 else 0


cdef bint pays(Packer* packer, Kind* kind) noexcept nogil:
    """Unpacking costs about a third of packing. To begin, it must pay twice over: a rate wavers."""
    cdef uint64_t saved = kind.bytes - kind.packed if kind.packed < kind.bytes else 0
    cdef uint64_t cost = kind.ns + kind.ns // 3
    if packer.mode == PACK_ALWAYS:
        return saved != 0
    return saved > kind.bytes // 16 and (saved * link_ns_per_mib(packer) >> 20) > (cost if kind.pays else 2 * cost)


cdef void told(Packer* packer, uint32_t what) noexcept nogil:
    cdef char[200] sentence
    cdef Kind* kind = &packer.kinds[what]
    cdef const char* name = b"resource_subdata of texels"
    cdef uint64_t tenths = kind.bytes * 10 // max(kind.packed, <uint64_t>1)
    if packer.tell == NULL:
        return
    if what <= PIPE_OP_COUNT:
        name = pipe_op_names[what]
    if kind.pays:
        snprintf(sentence, sizeof(sentence), "%s: bytes are compressed with zstd from here on, %d.%d to 1", name,
                 <int>(tenths // 10), <int>(tenths % 10))
    else:
        snprintf(sentence, sizeof(sentence), "%s: bytes are no longer compressed, it does not pay on this link", name)
    packer.tell(packer.self, sentence)


cdef bint decide(Packer* packer, uint32_t what) noexcept nogil:
    cdef Kind* kind = &packer.kinds[what]
    cdef bint now = pays(packer, kind)
    if now != kind.pays:
        kind.pays = now
        told(packer, what)
    return now


cdef uint32_t pack_kind(const uint8_t* record) noexcept nogil:
    cdef uint16_t op = (<const pipe_record*>record).op
    if op == PIPE_OP_RESOURCE_SUBDATA and (<const pipe_resource_subdata*>(record + sizeof(pipe_record))).region_count != 0:
        return PACK_TEXELS
    return op


cdef uint32_t packer_pack(Packer* packer, uint32_t what, const void* bytes, uint32_t size) noexcept nogil:
    cdef Kind* kind = &packer.kinds[what]
    cdef uint32_t[2] header
    cdef uint64_t started
    cdef size_t packed
    if size < PACK_LEAST or size > PACK_LIMIT:
        return 0
    kind.met += 1
    # What was learnt of the bytes holds on; the link's rate is asked anew.
    if kind.met > FIRST_TRIES and kind.met % TRY_EVERY != 0 and not decide(packer, what):
        return 0
    started = clock_ns()
    packed = zstd.compress(packer.context, packer.bytes + PACK_HEADER, PACK_LIMIT, bytes, size, LEVEL)
    if zstd.is_error(packed):
        packed = size               # no room: it would have grown
    if kind.bytes > FORGET_BYTES:
        kind.bytes //= 2
        kind.packed //= 2
        kind.ns //= 2
    kind.bytes += size
    kind.packed += packed
    kind.ns += clock_ns() - started
    if not decide(packer, what) or packed + PACK_HEADER >= size:
        return 0
    header[0] = size
    header[1] = 0
    memcpy(packer.bytes, header, PACK_HEADER)
    packer.bytes_in += size
    packer.bytes_out += packed
    return <uint32_t>packed + PACK_HEADER


# -- unpacking ---------------------------------------------------------------------------------------------------------

cdef Unpacker* unpacker_new() noexcept nogil:
    cdef Unpacker* unpacker = <Unpacker*>calloc(1, sizeof(Unpacker)) if pack_available() else NULL
    if unpacker == NULL:
        return NULL
    unpacker.context = zstd.create_decompressor()
    if unpacker.context == NULL:
        free(unpacker)
        return NULL
    return unpacker


cdef void unpacker_free(Unpacker* unpacker) noexcept nogil:
    if unpacker != NULL:
        zstd.free_decompressor(unpacker.context)
        free(unpacker)


cdef bint unpack(Unpacker* unpacker, void* target, uint32_t whole, const void* packed, uint32_t size) noexcept nogil:
    # libzstd writes at most `whole` bytes, and decodes a whole frame at once without memory beside its context.
    return zstd.decompress(unpacker.context, target, whole, packed, size) == whole
