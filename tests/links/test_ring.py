"""The ring: order and identity of records, back-pressure, parking and waking both ways, death, hostile cursors."""

import mmap
import multiprocessing
import os
import random
import struct
import threading
import time

import pytest

from mgpipe.links import memory
from mgpipe.links._probe import RingProbe, page_bytes

STOPPED, CORRUPT = -1, -2
KIB = 1024
FOUND_WITHIN_S = 2       # a slice of 100 ms, on a busy machine


class Background(threading.Thread):
    """Runs a call beside the test; `result` waits for it and never hangs the suite."""

    def __init__(self, call, *args, **kwargs):
        super().__init__(daemon=True)
        self.call, self.args, self.kwargs = call, args, kwargs
        self.start()

    def run(self):
        self.value = self.call(*self.args, **self.kwargs)
        self.ended = time.monotonic()

    def result(self, timeout_s=30):
        self.join(timeout_s)
        assert not self.is_alive(), f"{self.call.__name__} hangs"
        return self.value


def record(size, op=1, flags=0, said_size=None):
    return struct.pack("<HHI", op, flags, size if said_size is None else said_size) + bytes(size - 8)


def wait_until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def assert_prompt(attempt):
    """`attempt` gives the seconds from an event to the end of a park that began 20 ms before. A lost wake shows as the
    rest of the 100 ms slice, every time; a busy machine is late only now and then."""
    seconds = [attempt() for _ in range(5)]
    assert min(seconds) < 0.04, seconds


@pytest.mark.parametrize("seed", range(6))
def test_records_arrive_whole_and_in_order_at_random_sizes(seed):
    shape = random.Random(seed)
    ring = RingProbe(4096, shape.choice([4096, 65536]))
    smallest = 8 * shape.randint(2, 5)
    largest = shape.choice([smallest, 256, 2048])
    first = shape.randint(1, 2**40)
    consumer = Background(ring.consume, 60_000, smallest, largest, first)
    assert ring.produce(60_000, smallest, largest, first) == 60_000
    assert consumer.result() == 0
    state = ring.state()
    assert state["head"] == state["tail"] and state["applied"] == first + 59_999


def test_a_record_that_does_not_fit_before_the_end_starts_at_the_beginning():
    ring = RingProbe(256)
    for _ in range(3):
        assert ring.emit(record(72))
        ring.flush()
        assert ring.take() == record(72)
    assert ring.emit(record(64, op=7))          # at 216 only 40 bytes are left
    ring.flush()
    assert ring.state()["head"] == 256 + 64
    assert ring.take() == record(64, op=7)


def test_records_are_published_per_kilobyte_and_by_flush():
    ring = RingProbe(64 * KIB)
    for _ in range(12):
        ring.emit(record(80))
    assert ring.state()["head"] == 0 and ring.take() is None
    ring.emit(record(80))
    assert ring.state()["head"] == 1040
    ring.emit(record(80))
    assert ring.state()["head"] == 1040
    ring.flush()
    assert ring.state()["head"] == 1120


def test_memory_is_released_per_16_kib_and_when_the_batch_ends():
    ring = RingProbe(64 * KIB)
    ring.produce(400, 80, 80)
    for _ in range(204):
        ring.take()
    assert ring.state()["tail"] == 0
    ring.take()
    assert ring.state()["tail"] == 16_400
    for _ in range(195):
        ring.take()
    assert ring.take() is None
    assert ring.state()["tail"] == 32_000


def test_a_full_ring_holds_the_producer_until_there_is_space():
    ring = RingProbe(4096)
    producer = Background(ring.produce, 100, 80, 80)
    wait_until(lambda: ring.state()["parked"][0])
    assert producer.is_alive() and ring.state()["head"] <= 4096
    assert ring.consume(100, 80, 80) == 0
    assert producer.result() == 100
    assert ring.state()["parks"] >= 1


def test_a_full_ring_grows_and_keeps_the_order_and_then_holds():
    ring = RingProbe(4096, 64 * KIB)
    producer = Background(ring.produce, 2_000, 80, 80)
    wait_until(lambda: ring.state()["parked"][0])
    state = ring.state()
    assert state["capacity"] == 64 * KIB and state["grown"] == 2
    assert ring.consume(2_000, 80, 80) == 0
    assert producer.result() == 2_000


def test_a_record_of_half_the_ceiling_fits_and_a_larger_one_is_refused():
    ring = RingProbe(4096, 64 * KIB)
    ring.emit(record(80))
    assert ring.emit(record(32 * KIB, op=3))
    ring.flush()
    assert ring.take(64 * KIB) == record(80)
    assert ring.take(64 * KIB) == record(32 * KIB, op=3)
    assert not ring.emit(record(32 * KIB + 8))


@pytest.mark.parametrize("seed", range(8))
def test_growth_at_any_place_of_the_ring_keeps_every_byte(seed):
    shape = random.Random(seed)
    ring = RingProbe(1024, 1 << 20)
    sent, taken = [], []
    for number in range(20_000):
        size = 8 * shape.randint(2, 60)
        whole = struct.pack("<HHIQ", 1, 0, size, number) + shape.randbytes(size - 16)
        sent.append(whole)
        assert ring.emit(whole)
        ring.flush()
        # The consumer falls behind for a while, then catches up.
        while (number // 1000) % 2 and (got := ring.take()) is not None:
            taken.append(got)
    while (got := ring.take()) is not None:
        taken.append(got)
    assert taken == sent
    assert ring.state()["grown"] >= 3


# Parking


def test_a_parked_consumer_wakes_at_a_flush():
    def attempt():
        ring = RingProbe(4096)
        consumer = Background(ring.consume, 1)
        wait_until(lambda: ring.state()["parked"][1])
        time.sleep(0.02)
        started = time.monotonic()
        ring.produce(1)
        assert consumer.result() == 0 and ring.state()["consumer_parks"] == 1
        return consumer.ended - started

    assert_prompt(attempt)


def test_a_parked_producer_wakes_when_memory_is_released():
    def attempt():
        ring = RingProbe(4096)
        producer = Background(ring.produce, 60, 80, 80)
        wait_until(lambda: ring.state()["parked"][0])
        time.sleep(0.02)
        started = time.monotonic()
        assert ring.consume(60, 80, 80) == 0
        assert producer.result() == 60
        return producer.ended - started

    assert_prompt(attempt)


def test_a_parked_consumer_wakes_without_a_flush_after_4_kib():
    ring = RingProbe(64 * KIB)
    consumer = Background(ring.consume, 40, 80, 80)
    wait_until(lambda: ring.state()["parked"][1])
    ring.produce(60, 80, 80, flush=False)
    assert consumer.result(5) == 0


def test_a_parked_waiter_wakes_at_its_own_watermark_only():
    def attempt():
        ring = RingProbe(4096)
        late, early = Background(ring.wait_applied, 10), Background(ring.wait_applied, 4)
        wait_until(lambda: ring.state()["parks"] == 2)
        time.sleep(0.02)
        ring.set_applied(3)
        assert late.is_alive() and early.is_alive()
        ring.set_applied(4)
        assert early.result() == 0
        assert late.is_alive()
        time.sleep(0.02)
        started = time.monotonic()
        ring.set_applied(10)
        assert late.result() == 0
        return late.ended - started

    assert_prompt(attempt)


def test_many_waiters_for_different_ordinals_all_wake_promptly():
    """A lost wake would be healed by the 100 ms slice; this many of them would show."""
    ring = RingProbe(4096)
    started = time.monotonic()
    for turn in range(60):
        waiters = [Background(ring.wait_applied, 8 * turn + i) for i in range(1, 9)]
        for i in range(1, 9):
            ring.set_applied(8 * turn + i)
        assert [waiter.result() for waiter in waiters] == [0] * 8
    assert time.monotonic() - started < 4


def test_both_sides_parking_at_random_lose_no_wake():
    ring = RingProbe(4096)
    consumer = Background(ring.consume, 3_000, 80, 80, pause_ns=0)
    started = time.monotonic()
    for first in range(1, 3_001, 10):
        ring.produce(10, 80, 80, first)
        if first % 7 == 0:
            time.sleep(0.0003)
    assert consumer.result() == 0
    assert time.monotonic() - started < 8


def test_a_parked_wait_lets_other_python_threads_run():
    ring = RingProbe(4096)
    waiter = Background(ring.wait_applied, 1)       # called with the GIL held, as moderngl calls us
    wait_until(lambda: ring.state()["parked"][2])
    assert sum(range(10_000)) == 49_995_000
    ring.set_applied(1)
    assert waiter.result() == 0


# Replies


def test_a_reply_arrives_with_its_values():
    ring = RingProbe(4096)
    for ordinal in (1, 2, 64, 65, 2**40):
        ring.claim(ordinal)
        waiter = Background(ring.wait_reply, ordinal)
        ring.post_reply(ordinal, -7, 32, [1, 2, 3, 2**64 - 1])
        assert waiter.result() == (-7, 32, [1, 2, 3, 2**64 - 1])


def test_a_parked_waiter_wakes_at_its_reply():
    def attempt():
        ring = RingProbe(4096)
        waiter = Background(ring.wait_reply, 5)
        wait_until(lambda: ring.state()["parks"] == 1)
        time.sleep(0.02)
        started = time.monotonic()
        ring.post_reply(5, 0, 8, [9, 0, 0, 0])
        assert waiter.result() == (0, 8, [9, 0, 0, 0])
        return waiter.ended - started

    assert_prompt(attempt)


def test_a_slot_is_not_reused_before_its_answer_was_read():
    ring = RingProbe(4096)
    assert ring.claim(3) == 0
    second = Background(ring.claim, 3 + 64)
    time.sleep(0.05)
    assert second.is_alive()
    ring.post_reply(3, 0, 0, [1, 0, 0, 0])
    assert ring.wait_reply(3)[2][0] == 1
    assert second.result() == 0


def test_round_trips_between_two_threads():
    ring = RingProbe(4096)
    server = Background(ring.answer, 500)
    assert len([t for t, _ in ring.round_trips(500) if t]) == 500
    assert server.result() == 0


# Death, stop, nudge


@pytest.mark.parametrize("who", ["space", "records", "applied", "reply"])
@pytest.mark.parametrize("how", ["died before", "dies while parked", "stop"])
def test_every_wait_ends_when_alive_says_so(who, how):
    ring = RingProbe(4096)
    if how == "died before":
        ring.alive = 5
    wait = {"space": lambda: ring.produce(1_000, 80, 80), "records": lambda: ring.consume(1),
            "applied": lambda: ring.wait_applied(1), "reply": lambda: ring.wait_reply(1)}[who]
    waiter = Background(wait)
    if how != "died before":
        wait_until(lambda: ring.state()["parks"] + ring.state()["consumer_parks"])
    started = time.monotonic()
    if how == "dies while parked":
        ring.alive = 5
    if how == "stop":
        ring.stop()
    result = waiter.result()
    dead = ring.state()["consumer_dead" if who == "records" else "dead"]
    assert dead == (STOPPED if how == "stop" else 5)
    assert result == dead if who != "space" else result < 1_000
    assert waiter.ended - started < FOUND_WITHIN_S


def test_once_dead_nothing_waits_again():
    ring = RingProbe(4096)
    ring.alive = 9
    assert ring.wait_applied(1) == 9
    ring.alive = 0
    assert ring.wait_applied(1) == 9 and ring.wait_reply(1) == 9 and not ring.emit(record(80))


def test_records_already_published_are_taken_before_a_stop_is_seen():
    ring = RingProbe(4096)
    ring.produce(3)
    ring.stop()
    assert ring.consume(3) == 0
    assert ring.consume(1, first=4) == STOPPED


@pytest.mark.parametrize("how", ["nudge", "stop"])
def test_a_nudge_or_stop_ends_a_park_at_once(how):
    def attempt():
        ring = RingProbe(4096)
        waiter = Background(ring.wait_applied, 1)
        wait_until(lambda: ring.state()["parked"][2])
        time.sleep(0.02)
        ring.alive = 4
        started = time.monotonic()
        getattr(ring, how)()
        assert waiter.result() == 4
        return waiter.ended - started

    assert_prompt(attempt)


# Events


def test_a_full_event_ring_stops_its_producer_and_loses_nothing():
    events, commands = RingProbe(1024), RingProbe(1024)
    payload = bytes(range(56))

    def push_all():
        return [events.push_event(number + 1, payload, b"log", commands) for number in range(50)]

    server = Background(push_all)
    wait_until(lambda: events.state()["parked"][0])
    assert server.is_alive()
    got = []
    while len(got) < 50:
        if (event := events.take()) is not None:
            got.append(event)
    assert [struct.unpack_from("<H", event)[0] for event in got] == list(range(1, 51))
    assert all(event[8:67] == payload + b"log" and event[67:] == bytes(5) for event in got)
    assert sum(server.result()) >= 1


def test_an_event_without_a_reader_ends_with_the_session():
    events = RingProbe(1024)
    server = Background(lambda: [events.push_event(1, bytes(56)) for _ in range(50)])
    wait_until(lambda: events.state()["parked"][0])
    events.alive = 3
    server.result(2)
    assert events.state()["dead"] == 3


# A hostile other side


@pytest.mark.parametrize("head", [8 * KIB + 8, 2**63, 2**64 - 8, 4])
def test_an_impossible_head_is_corruption(head):
    ring = RingProbe(4096, 8192)
    ring.set_words(head=head)
    assert ring.take() == CORRUPT
    assert ring.consume(1) == CORRUPT


def test_a_head_that_goes_back_is_corruption():
    ring = RingProbe(4096)
    ring.produce(10)
    ring.take()
    ring.set_words(head=8)
    for _ in range(9):
        ring.take()
    assert ring.take() == CORRUPT


@pytest.mark.parametrize("tail", [8192, 2**64 - 8, 3])
def test_an_impossible_tail_is_corruption(tail):
    ring = RingProbe(4096)
    ring.produce(40, 80, 80)
    ring.set_words(tail=tail)
    assert ring.produce(100, 80, 80) < 100
    assert ring.state()["dead"] == CORRUPT


def test_a_tail_that_goes_back_is_corruption():
    ring = RingProbe(1024)
    for turn in range(2):
        ring.produce(10, 80, 80, first=1 + 10 * turn)
        assert ring.consume(10, 80, 80, first=1 + 10 * turn) == 0
    ring.produce(5, 80, 80)
    ring.set_words(tail=8)
    assert ring.produce(20, 80, 80) < 20
    assert ring.state()["dead"] == CORRUPT


@pytest.mark.parametrize("said", [0, 4, 12, 24, 88, 4096, 2**31, 2**32 - 8])
@pytest.mark.parametrize("op", [0, 1])
def test_an_impossible_size_is_corruption(said, op):
    ring = RingProbe(4096)
    ring.emit(record(16, op, said_size=said))
    ring.flush()
    assert ring.take() == CORRUPT


def test_a_record_larger_than_the_reader_takes_is_corruption():
    ring = RingProbe(4096)
    ring.emit(record(160))
    ring.flush()
    assert ring.take(limit=152) == CORRUPT


def test_a_record_across_the_end_is_corruption():
    ring = RingProbe(256)
    for _ in range(3):
        ring.emit(record(72))
        ring.flush()
        ring.take()
    ring.emit(record(32))
    ring.poke(216, struct.pack("<HHI", 1, 0, 48))
    ring.flush()
    ring.set_words(head=264)
    assert ring.take() == CORRUPT


@pytest.mark.parametrize("capacity", [0, 8, 4096, 5000, 8200, 32768, 2**31])
def test_an_impossible_growth_is_corruption(capacity):
    ring = RingProbe(4096, 16384)
    ring.emit(record(16, op=0, flags=1, said_size=capacity))
    ring.flush()
    ring.set_words(head=8192)
    assert ring.take() == CORRUPT


def test_growth_that_jumps_past_the_head_is_corruption():
    ring = RingProbe(4096, 16384)
    ring.emit(record(16, op=0, flags=1, said_size=16384))
    ring.flush()
    assert ring.take() == CORRUPT


def test_random_bytes_and_cursors_never_leave_the_ring():
    """The memory behind the ring ends at its ceiling: reading past it would be a segmentation fault."""
    shape = random.Random(1)
    for _ in range(300):
        ring = RingProbe(1024, 4096)
        ring.poke(0, b"".join(struct.pack("<HHI", shape.randrange(2), shape.randrange(2), shape.choice(
            [8, 16, 64, 1024, 2048, 4096, shape.getrandbits(32)])) for _ in range(512)))
        ring.set_words(head=8 * shape.randrange(600))
        while (got := ring.take()) is not None and got != CORRUPT:
            assert len(got) <= 1024 * 4


# Places


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one CPU")
def test_a_consumer_is_kept_off_its_producers_cpu_while_that_works():
    everywhere = os.sched_getaffinity(0)
    ring = RingProbe(64 * KIB)
    consumer = Background(ring.consume, 1001, pause_ns=100_000)
    wait_until(lambda: ring.state()["parked"][1])
    ring.place_consumer(consumer.native_id)
    ring.produce(1000, flush=False)
    apart = os.sched_getaffinity(consumer.native_id)
    ring.produce(0)
    assert ring.wait_applied(1000) == 0
    together = os.sched_getaffinity(consumer.native_id)
    ring.produce(1, first=1001)
    assert consumer.result() == 0
    assert apart < everywhere and len(apart) == len(everywhere) - 1 and together == everywhere


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one CPU")
def test_a_place_that_somebody_else_chose_stands():
    """The consumer may then run on one CPU only: whether or not the producer is there, it stays that one."""
    ring = RingProbe(64 * KIB)
    consumer = Background(ring.consume, 1001, pause_ns=100_000)
    wait_until(lambda: ring.state()["parked"][1])
    ring.place_consumer(consumer.native_id)
    chosen = {min(os.sched_getaffinity(0))}
    os.sched_setaffinity(consumer.native_id, chosen)
    ring.produce(1000)
    assert os.sched_getaffinity(consumer.native_id) == chosen
    assert ring.wait_applied(1000) == 0
    assert os.sched_getaffinity(consumer.native_id) == chosen
    ring.produce(1, first=1001)
    assert consumer.result() == 0


# Processes


def _child(fd, count):
    ring = RingProbe(64 * KIB, fd=fd, fresh=False)
    os._exit(0 if ring.answer(count) == 0 else 1)


def test_two_processes_over_a_sealed_memfd():
    fd = memory.create_memory("test", page_bytes() + 64 * KIB)
    ring = RingProbe(64 * KIB, fd=fd)
    process = multiprocessing.get_context("fork").Process(target=_child, args=(fd, 2_000))
    process.start()
    times = ring.round_trips(2_000)
    process.join(20)
    os.close(fd)
    assert process.exitcode == 0
    assert all(total > 0 for total, _ in times)


def test_the_page_is_two_pages():
    assert page_bytes() == 2 * mmap.PAGESIZE
