"""Nanoseconds of one record, microseconds of one wake-up: the link alone, without OpenGL.

    python benchmarks/ring.py [--json FILE]

Two threads that never hold the GIL stand for two processes (measured: no difference).
"""

import argparse
import json
import os
import statistics
import threading
import time

from mgpipe.links._probe import ArenaProbe, RingProbe

MIB = 1 << 20


def spread(values: list[float]) -> dict[str, float]:
    values = sorted(values)
    tenth = len(values) // 10
    return {"median": statistics.median(values), "p10": values[tenth], "p90": values[-1 - tenth]}


def beside(call, *args) -> threading.Thread:
    thread = threading.Thread(target=call, args=args, daemon=True)
    thread.start()
    return thread


def emit_ns(consumer: bool, repetitions: int = 41) -> dict[str, float]:
    """One 80-byte record: reserve, fill, commit. Without a consumer the ring is drained between the batches."""
    count = 100_000 if consumer else 3_000
    ring = RingProbe(MIB)
    times = []
    for _ in range(repetitions):
        reader = beside(ring.drain, count) if consumer else None
        times.append(ring.emit_draws(count))
        if reader:
            reader.join()
        else:
            ring.drain(count)
    return spread(times)


def round_trip_us(gap_us: float, count: int) -> dict[str, dict[str, float]]:
    """From before a record to after its answer; and of that the client's own time up to the published record."""
    ring = RingProbe(MIB)
    server = beside(ring.answer, count)
    times = ring.round_trips(count, int(gap_us * 1000))
    server.join()
    return {"round trip": spread([total / 1000 for total, _ in times]),
            "emit and ring": spread([emit / 1000 for _, emit in times])}


def replace_us(busy: bool) -> dict[str, float]:
    """Full replacement of a 1 MiB shadow: an idle one is written in place, a busy one takes a new block."""
    arena = ArenaProbe(64 * MIB)
    arena.shadow_init(0, MIB)
    data = bytes(MIB)
    arena.replace_ns(0, data, 20, busy)
    return spread([arena.replace_ns(0, data, 20, busy) / 1000 for _ in range(31)])


def copy_us() -> dict[str, float]:
    source, target = bytes(MIB), bytearray(MIB)
    times = []
    for _ in range(200):
        started = time.perf_counter_ns()
        target[:] = source
        times.append((time.perf_counter_ns() - started) / 1000)
    return spread(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rows = {
        "80-byte record, nobody reading [ns]": emit_ns(False),
        "80-byte record, consumer taking them beside it [ns]": emit_ns(True),
        "copy of 1 MiB [us]": copy_us(),
        "replace a 1 MiB shadow, idle [us]": replace_us(False),
        "replace a 1 MiB shadow, in use by a record [us]": replace_us(True),
    }
    for gap_us, count in ((20, 3_000), (2_000, 300)):
        for what, row in round_trip_us(gap_us, count).items():
            rows[f"{what}, {gap_us} us between [us]"] = row
    print(f"{os.cpu_count()} CPUs; median [p10 .. p90]")
    for name, row in rows.items():
        print(f"{name:64} {row['median']:9.2f}  [{row['p10']:.2f} .. {row['p90']:.2f}]")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
