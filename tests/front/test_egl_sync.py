"""Sync objects of EGL: fences behind a context's commands (EGL 1.5, 3.8), and their KHR names."""

import pytest
from test_egl import succeeds

SYNC = """
FENCE, SIGNALLED, TYPE, STATUS, CONDITION, FLUSH, FOREVER = 0x30F9, 0x30F2, 0x30F7, 0x30F1, 0x30F8, 1, 2**64 - 1
SATISFIED, EXPIRED = 0x30F6, 0x30F5
def ask(display, sync, what):
    value = ctypes.c_ssize_t(-77)
    return value.value if egl.GetSyncAttrib(display, sync, what, ctypes.byref(value)) else hex(egl.GetError())
display = begin()
"""


def test_a_fence_needs_a_current_context():
    succeeds(SYNC + """
assert not egl.CreateSync(display, FENCE, None) and egl.GetError() == BAD_MATCH
ctx = context(display)
assert egl.MakeCurrent(display, None, None, ctx)
assert not egl.CreateSync(display, 0x30FE, None) and egl.GetError() == BAD_PARAMETER
odd = (ctypes.c_ssize_t * 3)(0x30F8, 1, 0x3038)
assert not egl.CreateSync(display, FENCE, odd) and egl.GetError() == BAD_ATTRIBUTE
assert egl.CreateSync(display, FENCE, None) and egl.GetError() == SUCCESS
""")


@pytest.mark.parametrize("topology", ["monolith", "inproc", "spawn"])
@pytest.mark.parametrize("driver", ["gl", "gles"])
def test_a_fence_is_signalled_when_its_commands_are_done(topology, driver):
    succeeds(SYNC + """
import time
ctx = context(display)
assert egl.MakeCurrent(display, None, None, ctx)
sync = egl.CreateSync(display, FENCE, None)
assert (ask(display, sync, TYPE), ask(display, sync, CONDITION)) == (FENCE, 0x30F0)
assert egl.ClientWaitSync(display, sync, FLUSH, FOREVER) == SATISFIED
assert egl.ClientWaitSync(display, sync, 0, 0) == SATISFIED and ask(display, sync, STATUS) == SIGNALLED
polled = egl.CreateSync(display, FENCE, None)
end = time.monotonic() + 20
while egl.ClientWaitSync(display, polled, 0, 0) == EXPIRED: assert time.monotonic() < end
assert egl.WaitSync(display, polled, 0)
assert not egl.WaitSync(display, polled, 1) and egl.GetError() == BAD_PARAMETER
for it in (sync, polled): assert egl.DestroySync(display, it)
assert not egl.DestroySync(display, sync) and egl.GetError() == BAD_PARAMETER
assert ask(display, sync, TYPE) == hex(BAD_PARAMETER)
""", MGPIPE_TOPOLOGY=topology, MGPIPE_DRIVER=driver)


def test_a_fence_outlives_the_context_that_made_it():
    succeeds(SYNC + """
ctx = context(display)
assert egl.MakeCurrent(display, None, None, ctx)
sync = egl.CreateSync(display, FENCE, None)
assert egl.ClientWaitSync(display, sync, 0, FOREVER) == SATISFIED
assert egl.MakeCurrent(display, None, None, None) and egl.DestroyContext(display, ctx)
assert egl.ClientWaitSync(display, sync, 0, 0) == SATISFIED
assert not egl.WaitSync(display, sync, 0) and egl.GetError() == BAD_MATCH
assert ask(display, sync, 0x3057) == hex(BAD_ATTRIBUTE)
assert egl.DestroySync(display, sync)
""")


def test_the_older_names():
    succeeds(SYNC + """
assert b"EGL_KHR_fence_sync" in egl.QueryString(display, 0x3055) and b"EGL_KHR_wait_sync" in egl.QueryString(display, 0x3055)
ctx = context(display)
assert egl.MakeCurrent(display, None, None, ctx)
sync = egl.CreateSyncKHR(display, FENCE, ints())
value = ctypes.c_int()
assert egl.ClientWaitSyncKHR(display, sync, FLUSH, FOREVER) == SATISFIED
assert egl.GetSyncAttribKHR(display, sync, STATUS, ctypes.byref(value)) and value.value == SIGNALLED
assert egl.WaitSyncKHR(display, sync, 0) and egl.DestroySyncKHR(display, sync)
""")
