"""What a session did, on a page of memory that its process writes and its supervisor reads.

The page is made before the process is forked and is the process's only one: it cannot write another session's. To the
supervisor it is a stranger's: numbers are numbers, texts are bounded and printable.
"""

import mmap
import struct

PAGE_BYTES = 4096
COUNTERS = ("records", "record_bytes", "blob_bytes", "draws", "dispatches", "frames", "answers", "waits")
TEXTS = ("driver", "renderer", "link", "client", "code", "detail")
TEXT_BYTES, TEXTS_AT = 256, 512
WORDS_AT = 64       # of the counters; before them, a byte each: the stage, and whether it is seated

# How far a connection has come.
GREETING, JOINING, REFUSED, STARTING, STANDING, FAULTED, LEFT, GONE = range(8)
STAGES = ("greeting", "joining", "refused", "starting", "standing", "faulted", "left", "gone")


class Tally:
    def __init__(self) -> None:
        self.page = mmap.mmap(-1, PAGE_BYTES)

    def close(self) -> None:
        self.page.close()

    @property
    def stage(self) -> int:
        stage = self.page[0]
        return stage if stage < len(STAGES) else FAULTED

    @property
    def seated(self) -> bool:
        """The process counts among the sessions that there may be."""
        return self.page[1] == 1

    @seated.setter
    def seated(self, is_seated: bool) -> None:
        self.page[1] = is_seated

    def reach(self, stage: int, **texts: str) -> None:
        """A stage, and what is known by then. What was refused, faulted or has ended stays so."""
        for name, text in texts.items():
            self._write(name, text)
        if self.stage not in (JOINING, REFUSED, FAULTED, LEFT, GONE):
            self.page[0] = stage

    def count(self, counted: dict[str, int]) -> None:
        for place, name in enumerate(COUNTERS):
            struct.pack_into("<Q", self.page, WORDS_AT + 8 * place, counted[name])

    def counted(self) -> dict[str, int]:
        return dict(zip(COUNTERS, struct.unpack_from(f"<{len(COUNTERS)}Q", self.page, WORDS_AT)))

    def text(self, name: str) -> str:
        at = TEXTS_AT + TEXT_BYTES * TEXTS.index(name)
        size = min(self.page[at], TEXT_BYTES - 1)
        text = self.page[at + 1 : at + 1 + size].decode(errors="replace")
        return "".join(letter if letter.isprintable() else "?" for letter in text)

    def _write(self, name: str, text: str) -> None:
        at = TEXTS_AT + TEXT_BYTES * TEXTS.index(name)
        encoded = text.encode(errors="replace")[: TEXT_BYTES - 1]
        self.page[at + 1 : at + 1 + len(encoded)] = encoded
        self.page[at] = len(encoded)
