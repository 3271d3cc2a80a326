"""Verify mode, client side: in front of each verb's table function stands one that sends a snapshot first."""

from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Context

# Asked for at each verb: the thread's current context, as the front end knows it and the tracker does not.
ctypedef Context* (*CurrentContext)() noexcept nogil
cdef void verify_listen(CurrentContext current) noexcept nogil
cdef void verify_begin(Session* session) noexcept nogil     # at the session's first record; again: does nothing
cdef void verify_end(Session* session) noexcept nogil       # its last context is gone
