"""Runs an example with the server mirror dropped at random verbs: dropping.py SEED PROGRAM PICTURE TOPOLOGY DRIVER.

Verbs are found where moderngl calls them: its loader gets functions that drop, now and then, and then call ours.
"""

import ctypes
import random
import runpy
import sys
from pathlib import Path

import mgpipe
import moderngl
from mgpipe import testing

SEED, PROGRAM, PICTURE, TOPOLOGY, DRIVER = sys.argv[1:]
OFTEN = 0.4

UINT, INT, POINTER = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p
VERBS = {
    "glClear": [UINT],
    "glDrawArraysInstanced": [UINT, INT, INT, INT],
    "glDrawElementsInstanced": [UINT, INT, UINT, POINTER, INT],
    "glBlitFramebuffer": [INT] * 8 + [UINT, UINT],
    "glReadPixels": [INT, INT, INT, INT, UINT, UINT, POINTER],
    "glGenerateMipmap": [UINT],
    "glDispatchCompute": [UINT, UINT, UINT],
    "glMemoryBarrier": [UINT],
}
chance = random.Random(int(SEED))
drops = 0
kept = []       # callbacks live as long as the program


def dropping(name: str, address: int) -> int:
    kind = ctypes.PYFUNCTYPE(None, *VERBS[name])
    ours = kind(address)

    def verb(*arguments):
        global drops
        if chance.random() < OFTEN:
            testing.drop_mirror()
            drops += 1
        ours(*arguments)

    kept.append(kind(verb))
    return ctypes.cast(kept[-1], ctypes.c_void_p).value


class DroppingContext:
    """A loader for moderngl: ours, but for the verbs."""

    def __init__(self, require: int) -> None:
        newer = {"gl_version": f"{require // 100}.{require // 10 % 10}"} if require > 330 else {}
        self.context = mgpipe.context(topology=TOPOLOGY, driver=DRIVER, **newer)

    def load_opengl_function(self, name: str) -> int:
        address = self.context.load_opengl_function(name)
        return dropping(name, address) if name in VERBS else address

    def __enter__(self):
        return self.context.__enter__()

    def __exit__(self, *arguments):
        return self.context.__exit__(*arguments)

    def release(self) -> None:
        self.context.release()


create = moderngl.create_context
moderngl.create_context = lambda require=330, **_: create(require=require, context=DroppingContext(require))
sys.path.insert(0, str(Path(PROGRAM).parent))
sys.argv = [PROGRAM, PICTURE]
runpy.run_path(PROGRAM, run_name="__main__")
print(drops)
