# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a session did, on a page of memory that its process writes and its supervisor reads.

The page is made before the process is forked and is the process's only one: it cannot write another session's. To the
supervisor, and to `mgpipe top`, it is a stranger's: numbers are numbers, texts are bounded and printable.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from posix.unistd cimport close
from pipe cimport *

from mgpipe.links.pages cimport PAGE_BYTES, page_free, page_is_known, page_new, page_private, page_say, page_text, page_withdraw

if sizeof(ServerPage) > PAGE_BYTES:
    raise ImportError("the server's counters do not fit on a page")

NAME = "mgpipe-session"     # of the memory file
COUNTERS = ("records", "record_bytes", "blob_bytes", "draws", "dispatches", "frames", "answers", "waits")
TEXT_NAMES = ("driver", "renderer", "link", "client", "peer", "code", "detail")

# How far a connection has come.
GREETING, JOINING, REFUSED, STARTING, STANDING, FAULTED, LEFT, GONE = range(8)
STAGES = ("greeting", "joining", "refused", "starting", "standing", "faulted", "left", "gone")


cdef class Tally:
    def __cinit__(self, bint shown=True):
        """`shown`: others may find it by a descriptor of this process."""
        self.descriptor = -1
        self.page = <ServerPage*>(page_new(b"mgpipe-session", sizeof(ServerPage), &self.descriptor) if shown
                                  else page_private(sizeof(ServerPage)))
        if self.page == NULL:
            raise MemoryError

    def __dealloc__(self):
        self.close()

    @staticmethod
    def copied(bytes copy) -> "Tally | None":
        """Of a copy of some process's page. None: it is no such page of this build."""
        cdef Tally tally
        if len(copy) != PAGE_BYTES or not page_is_known(<const unsigned char*><const char*>copy, sizeof(ServerPage)):
            return None
        tally = Tally(False)
        memcpy(tally.page, <const char*>copy, sizeof(ServerPage))
        return tally

    def hide(self) -> None:
        """The page is another process's from here on, and is found there."""
        if self.descriptor >= 0:
            close(self.descriptor)
            self.descriptor = -1

    def detach(self) -> int:
        """The descriptor, for the caller to close."""
        descriptor, self.descriptor = self.descriptor, -1
        return descriptor

    def withdraw(self) -> None:
        """What was counted stays, for us alone."""
        page_withdraw(<unsigned char*>self.page)

    def close(self) -> None:
        self.hide()
        page_free(<unsigned char*>self.page)
        self.page = NULL

    @property
    def label(self) -> int:
        return self.page.head.label

    @label.setter
    def label(self, uint64_t label):
        self.page.head.label = label

    @property
    def since_ns(self) -> int:
        return self.page.head.since_ns

    @property
    def stage(self) -> int:
        stage = self.page.stage
        return stage if stage < len(STAGES) else FAULTED

    @property
    def thread(self) -> int:
        """The kernel's number of the thread that applies; 0: there is none yet."""
        return self.page.thread

    @property
    def seated(self) -> bool:
        """The process counts among the sessions that there may be."""
        return self.page.seated == 1

    @seated.setter
    def seated(self, bint is_seated):
        self.page.seated = is_seated

    def reach(self, unsigned int stage, **texts: str) -> None:
        """A stage, and what is known by then. What was refused, faulted or has ended stays so."""
        for name, text in texts.items():
            page_say(self.page.texts[<int>TEXT_NAMES.index(name)], TEXT_BYTES, text.encode(errors="replace"))
        if self.stage not in (JOINING, REFUSED, FAULTED, LEFT, GONE):
            self.page.stage = stage

    def text(self, str name) -> str:
        return page_text(self.page.texts[<int>TEXT_NAMES.index(name)], TEXT_BYTES)

    def counted(self) -> dict:
        """What was applied so far, by the names of COUNTERS. Each read into the program's memory, finish and present ends one
        of its frames."""
        cdef uint64_t* of = self.page.operations
        cdef uint64_t reads = of[PIPE_OP_READ_PIXELS] + of[PIPE_OP_GET_TEXTURE_IMAGE] + of[PIPE_OP_RESOURCE_READBACK]
        return {
            "records": self.page.applied,
            "record_bytes": self.page.record_bytes,
            "blob_bytes": self.page.upload_bytes + self.page.answer_bytes,
            "draws": (of[PIPE_OP_DRAW_VBO] + self.page.multi_draws + of[PIPE_OP_DRAW_INDIRECT] + of[PIPE_OP_DRAW_STREAM_OUTPUT]),
            "dispatches": of[PIPE_OP_LAUNCH_GRID],
            "frames": of[PIPE_OP_PRESENT] + of[PIPE_OP_FINISH] + reads,
            "answers": (reads + of[PIPE_OP_FINISH] + of[PIPE_OP_GET_CAPS] + of[PIPE_OP_FENCE_WAIT] + of[PIPE_OP_QUERY_RESULT]
                        + of[PIPE_OP_TIMESTAMP] + of[PIPE_OP_AWAIT_PRESENT]),
            "waits": self.page.waits,
        }

    def beside(self) -> dict:
        """What else is counted there: bytes each way, times that the apply thread slept."""
        return {"upload_bytes": self.page.upload_bytes, "answer_bytes": self.page.answer_bytes, "parks": self.page.parks}
