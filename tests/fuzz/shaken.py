"""Sessions whose client changes memory while the server reads it. Run by test_shaken.py in the instrumented interpreter.

Arguments: how many seconds, a seed. Prints how many sessions there were, records written, bytes changed under them.
"""

import json
import sys
import threading
import time
from types import SimpleNamespace

import targets
from mgpipe.catalogue.options import DRIVERS
from mgpipe.server.apply_loop import ApplyThread, page_bytes
from mgpipe.server.session import Link, make_memory, mapped, plan_segments

MIB = 1 << 20
START_BYTES = 262144            # of a command ring, links/ring.pxd
SESSION_S = 0.05                # most end before, by a fault
END_S = 5.0                     # a session that was told to end has ended by then, whatever its memory says
PAUSE_NS = 20000                # between two changes

segments = plan_segments(SimpleNamespace(shadow_bytes=MIB))
memory = mapped(Link("shared memory", segments, make_memory(segments)))
(commands, commands_size, *_), (events, events_size, *_), (shadow, *_), (reply, *_) = memory
RECORDS = [(commands + page_bytes, START_BYTES, commands)]
BLOBS = [(shadow, MIB, 0), (reply, MIB, 0)]
PAGES = [(commands, page_bytes, 0), (events, page_bytes, 0), (events + page_bytes, 4096, 0)]
SHAKEN = (RECORDS, BLOBS, RECORDS, PAGES, RECORDS, RECORDS + BLOBS + PAGES)


def session(seed: int, rewriting: bool) -> int:
    worker = ApplyThread(DRIVERS.index("null"), memory, own_process=False)
    worker.start()
    while worker.starting:
        time.sleep(0.0002)
    sent = targets.pour(commands, events, START_BYTES, commands_size - page_bytes, events_size - page_bytes, MIB, seed, SESSION_S, rewriting)
    worker.stop(False)
    until = time.monotonic() + END_S
    while not worker.ended:
        assert time.monotonic() < until, f"session {seed} does not end"
        time.sleep(0.0002)
    worker.join()
    return sent


def main(seconds: float, seed: int) -> None:
    totals = {"sessions": 0, "records": 0, "changed": 0}
    for number, places in enumerate(SHAKEN):
        changed: list[int] = []
        lasts_s = seconds / len(SHAKEN)
        shaker = threading.Thread(
            target=lambda: changed.append(targets.shake(places, seed + number, lasts_s, PAUSE_NS, number % 6 != 4)))
        until = time.monotonic() + lasts_s
        shaker.start()
        while time.monotonic() < until:
            seed += 1
            totals["sessions"] += 1
            totals["records"] += session(seed, places is RECORDS)
        shaker.join()
        totals["changed"] += changed[0]
    print(json.dumps(totals))


main(float(sys.argv[1]), int(sys.argv[2]))
