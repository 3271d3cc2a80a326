"""`mgpipe --version`: what must be the same on both ends, and what translates the shaders."""

import importlib.metadata


def show() -> int:
    from mgpipe.catalogue import fingerprint
    from mgpipe.shaders import _glslang, _spirv_cross

    print(f"mgpipe {importlib.metadata.version('mgpipe')}")
    print(f"catalogue {fingerprint.fingerprint()}")
    print(f"glslang {_glslang.version()}")
    print(f"SPIRV-Cross {_spirv_cross.version()}")
    return 0
