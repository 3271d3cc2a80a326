"""libzstd for tests, as a hostile peer has it: Python has no module for it before 3.14."""

import ctypes


def compress(content: bytes) -> bytes:
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(len(content) + 1024)
    size = library.ZSTD_compress(out, ctypes.c_size_t(len(out)), content, ctypes.c_size_t(len(content)), 1)
    return out.raw[:size]
