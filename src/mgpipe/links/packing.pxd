"""Compression of what a stream carries, where it pays: libzstd, found at run time and called without the GIL.

Whether it pays is measured for each kind of block, which is the operation whose record refers to it (a texture's bytes and a
buffer's are two kinds): bytes saved times what a byte takes on this link, against the time of the compressor. A kind that
does not pay is tried again now and then.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from pipe cimport PIPE_OP_COUNT

cdef enum PackMode:             # by position in catalogue/options.py
    PACK_NEVER = 0
    PACK_AUTO = 1
    PACK_ALWAYS = 2

cdef enum:
    PACK_LIMIT = 256 << 10      # bytes packed at a time: whole in the receiver's buffer, and the most that one frame unpacks to
    PACK_LEAST = 512            # smaller ones cost a call and save a few bytes
    PACK_TEXELS = PIPE_OP_COUNT + 1     # the kind of a resource_subdata with regions; every other is its operation
    PACK_HEADER = 8             # before the packed bytes: how many they are unpacked, u32, and zero

cdef struct Kind:
    uint64_t bytes, packed, ns  # of those that were tried; the past counts less and less
    uint32_t met, pays

cdef struct Packer:
    int fd                      # the socket, whose rate is asked
    uint32_t mode
    void* context               # of libzstd
    uint8_t* bytes              # header and what was packed last
    uint64_t bytes_in, bytes_out    # of what was sent packed
    Kind[PIPE_OP_COUNT + 2] kinds
    # Called when what pays has changed; NULL: nobody wants to know.
    void (*tell)(void* self, const char* sentence) noexcept nogil
    void* self

cdef struct Unpacker:
    void* context

cdef bint pack_available() noexcept nogil                               # is there a libzstd?
cdef Packer* packer_new(int fd, uint32_t mode) noexcept nogil            # NULL: out of memory, or no libzstd
cdef void packer_free(Packer* packer) noexcept nogil
# What the blobs of this record hold. Of a record of ours, or one that the applier has taken.
cdef uint32_t pack_kind(const uint8_t* record) noexcept nogil
# At most PACK_LIMIT bytes of a kind. The size of what is in packer.bytes; 0: send them as they are.
cdef uint32_t packer_pack(Packer* packer, uint32_t what, const void* bytes, uint32_t size) noexcept nogil
cdef Unpacker* unpacker_new() noexcept nogil
cdef void unpacker_free(Unpacker* unpacker) noexcept nogil
# Exactly `whole` bytes into `target` out of `size` packed ones, whatever those say. False: they are not that.
cdef bint unpack(Unpacker* unpacker, void* target, uint32_t whole, const void* packed, uint32_t size) noexcept nogil
