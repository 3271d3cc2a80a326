"""The arena: live blocks never overlap, busy ones are never reused; growth, idle pages, the ceiling."""

import os
import random
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from mgpipe.links import memory
from mgpipe.links._probe import ArenaProbe, UploadProbe

KIB, MIB, PIECE = 1024, 1 << 20, 65536
THOROUGH = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SIZES = some.one_of(some.integers(1, 600), some.integers(1, 40 * KIB), some.integers(32 * KIB, 600 * KIB))
STEPS = some.lists(some.one_of(
    some.tuples(some.just("alloc"), SIZES), some.tuples(some.just("release"), some.integers(0, 50)),
    some.tuples(some.just("use"), some.integers(0, 50)), some.tuples(some.just("apply"), some.integers(0, 5)),
    some.tuples(some.just("stage"), some.integers(1, 20 * KIB))), max_size=120)


@pytest.fixture
def shared():
    fd = memory.create_memory("test", 0)
    yield fd
    os.close(fd)


@THOROUGH
@given(STEPS)
def test_live_and_busy_bytes_are_never_given_twice(steps):
    """Every range handed out is watched until it is released *and* its last record applied."""
    arena = ArenaProbe(8 * MIB)
    watched = []            # [start, end, block number or None, last use, released]
    ordinal, number = 0, 0
    for step, value in steps:
        watched = [w for w in watched if not (w[4] and w[3] <= arena.applied)]
        live = [w for w in watched if not w[4]]
        if step == "alloc" and (got := arena.alloc(number, value)):
            start, usable = got
            assert usable >= value and start % 64 == 0 and start + usable <= 8 * MIB
            assert all(start + usable <= w[0] or w[1] <= start for w in watched)
            watched.append([start, start + usable, number, 0, False])
            number += 1
        elif step == "release" and live:
            block = live[value % len(live)]
            arena.release(block[2])
            block[4] = True
        elif step == "use" and live:
            ordinal += 1
            block = live[value % len(live)]
            arena.use(block[2], ordinal)
            block[3] = ordinal
            assert arena.busy(block[2])
        elif step == "apply":
            arena.applied = min(ordinal, arena.applied + value)
        elif step == "stage":
            ordinal += 1
            _, start, size = arena.stage(bytes(value), ordinal)
            assert size == value and all(start + size <= w[0] or w[1] <= start for w in watched)
            watched.append([start, start + size, None, ordinal, True])
    live = [w for w in watched if not w[4]]
    assert arena.live == (len(live), sum(w[1] - w[0] for w in live))
    for block in live:
        arena.release(block[2])
    assert arena.live == (0, 0)


@THOROUGH
@given(some.lists(some.tuples(some.sampled_from(["write", "span", "apply", "map", "view", "init"]), some.floats(0, 1),
                              some.floats(0, 1), some.integers(0, 255)), max_size=60),
       some.sampled_from([1, 60, 5_000, 64 * KIB, 64 * KIB + 1, 300_000]))
def test_a_shadow_equals_a_bytearray_and_records_keep_what_they_saw(steps, size):
    """The server's side is a list of (bytes as recorded, blob): until applied, the blob must still hold them."""
    arena = ArenaProbe(16 * MIB)
    assert arena.shadow_init(0, size) == 0
    model = bytearray(size)
    assert arena.shadow_write(0, 0, bytes(size)) == 0
    in_flight, ordinal = [], 0
    for step, low, high, value in steps:
        offset = int(low * size)
        length = max(1, int(high * (size - offset))) if offset < size else 0
        data = bytes([value]) * length
        if length == 0:
            continue
        if step == "write":
            assert arena.shadow_write(0, offset, data) == 0
            model[offset:offset + length] = data
        elif step == "map":
            assert arena.shadow_map(0, offset, data)
            model[offset:offset + length] = data
        elif step == "view":
            assert arena.shadow_view(0, offset, length) == model[offset:offset + length]
        elif step == "init":
            arena.shadow_clear(0)
            assert arena.shadow_init(0, size) == 0 and arena.shadow_write(0, 0, bytes(model)) == 0
        elif step == "span":
            ordinal += 1
            run, (segment, start, blob_size) = arena.shadow_span(0, offset, length, ordinal)
            assert 0 < run == blob_size <= length and segment == 1
            in_flight.append((ordinal, start, bytes(model[offset:offset + run])))
        elif step == "apply":
            arena.applied = min(ordinal, arena.applied + value % 4)
        in_flight = [entry for entry in in_flight if entry[0] > arena.applied]
        assert all(arena.read(start, len(seen)) == seen for _, start, seen in in_flight)
        assert arena.shadow_read(0, 0, size) == model
    arena.shadow_clear(0)
    assert arena.live == (0, 0)


def test_an_idle_shadow_is_written_in_place():
    arena = ArenaProbe(16 * MIB)
    arena.shadow_init(0, 300_000)
    before = arena.shadow_pieces(0)
    arena.shadow_write(0, 1_000, bytes(200_000))
    assert arena.shadow_pieces(0) == before and arena.live[0] == 1


def test_replacing_a_busy_shadow_takes_one_new_block_and_never_waits():
    arena = ArenaProbe(64 * MIB)
    arena.shadow_init(0, MIB)
    for ordinal in range(1, 11):
        arena.shadow_span(0, 0, MIB, ordinal)
        old = arena.shadow_pieces(0)[0]
        assert arena.shadow_write(0, 0, bytes([ordinal]) * MIB) == 0
        pieces = arena.shadow_pieces(0)
        assert len({block for block, _ in pieces}) == 1 and pieces[0] != old
        assert arena.live == (1, MIB)
    arena.applied = 10
    assert arena.shadow_span(0, 0, MIB, 11)[0] == MIB


def test_a_partial_write_to_a_busy_shadow_copies_only_the_pieces_it_touches():
    arena = ArenaProbe(64 * MIB)
    arena.shadow_init(0, MIB)
    arena.shadow_span(0, 0, MIB, 1)
    before = arena.shadow_pieces(0)
    arena.shadow_write(0, 5 * 64 * KIB + 10, bytes(70_000))
    after = arena.shadow_pieces(0)
    assert [i for i in range(16) if before[i] != after[i]] == [5, 6]
    assert arena.live[1] == MIB + 128 * KIB
    assert arena.shadow_span(0, 0, MIB, 2)[0] == 5 * 64 * KIB
    assert arena.shadow_span(0, 5 * 64 * KIB, MIB - 5 * 64 * KIB, 2)[0] == 128 * KIB


def test_a_small_span_of_a_large_shadow_leaves_it_free_to_write():
    arena = ArenaProbe(64 * MIB)
    arena.shadow_init(0, MIB)
    before = arena.shadow_pieces(0)
    for ordinal in range(1, 100):
        arena.shadow_write(0, 64 * ordinal, bytes([ordinal]) * 64)
        length, (_, start, _) = arena.shadow_span(0, 64 * ordinal, 64, ordinal)
        assert length == 64 and arena.read(start, 64) == bytes([ordinal]) * 64
    assert arena.shadow_pieces(0) == before


def test_an_answer_lands_in_a_shadow_and_writes_meanwhile_go_elsewhere():
    arena = ArenaProbe(64 * MIB)
    arena.shadow_init(0, 5 * PIECE)
    arena.shadow_write(0, 0, b"a" * 5 * PIECE)
    place = arena.shadow_answer(0, 1, 0, 5 * PIECE)
    assert arena.shadow_answer(0, 2, 0, 64) is None             # one at a time
    arena.shadow_write(0, PIECE + 10, b"b" * 20)                # by another thread, which does not wait
    arena.shadow_write(0, 4 * PIECE - 10, b"b" * 20)
    assert arena.read(place, 5 * PIECE) == b"a" * 5 * PIECE
    arena.fill(place, 5 * PIECE, ord("c"))                      # the server
    for low, high in ((0, PIECE + 10), (PIECE + 30, 4 * PIECE - 10), (4 * PIECE + 10, 5 * PIECE)):
        assert arena.shadow_keep(0, low, place + low, high - low) == 0
    arena.shadow_answered(1, 3)
    expected = bytearray(b"c" * 5 * PIECE)
    expected[PIECE + 10:PIECE + 30] = expected[4 * PIECE - 10:4 * PIECE + 10] = b"b" * 20
    assert arena.shadow_read(0, 0, 5 * PIECE) == expected
    assert arena.shadow_pieces(0)[0][0] == arena.shadow_pieces(0)[2][0] == place       # what nobody wrote was not copied
    arena.shadow_clear(0)
    arena.applied = 3
    assert arena.live[0] == 0
    arena.shadow_init(0, 100)
    assert arena.shadow_answer(0, 1, 4, 16) is None             # not at a word
    assert arena.shadow_answer(0, 1, 0, 104) is None


def test_writes_outside_a_shadow_are_refused():
    arena = ArenaProbe(MIB)
    arena.shadow_init(0, 100)
    for offset, size in ((101, 0), (100, 1), (0, 101), (2**64 - 1, 2), (50, 51)):
        assert arena.shadow_write(0, offset, bytes(size)) == -1
    assert arena.shadow_span(0, 90, 11, 1)[0] == 0
    assert arena.shadow_view(0, 0, 101) is None and not arena.shadow_map(0, 99, b"xx")


def test_retained_memory_outlives_its_first_owner():
    arena = ArenaProbe(MIB)
    arena.alloc(0, 100)
    arena.retain(0)
    arena.release(0)
    assert arena.live[0] == 1
    arena.release(0)
    assert arena.live[0] == 0


@pytest.mark.parametrize("largest", [300, 20_000, 400_000])
def test_a_server_sees_the_bytes_of_the_moment_of_the_call(largest):
    """Two threads without the GIL: the client overwrites as fast as it can what the server has yet to read."""
    probe = UploadProbe()
    count = 300_000 // largest + 2_000
    wrong = []
    server = threading.Thread(target=lambda: wrong.append(probe.server(count)))
    server.start()
    probe.client(count, largest)
    server.join(60)
    assert wrong == [0]


# Staging


def test_staging_parts_come_back_as_they_are_applied():
    arena = ArenaProbe(64 * MIB)
    places = [arena.stage(bytes(4096), ordinal)[1] for ordinal in range(1, 257)]
    assert len(set(places)) == 256 and max(places) - min(places) == MIB - 4096
    arena.applied = 16                                   # the first part, exactly
    again = [arena.stage(bytes(4096), 300 + i)[1] for i in range(16)]
    assert sorted(again) == sorted(places[:16])


def test_a_full_staging_ring_takes_a_block_instead_of_waiting():
    arena = ArenaProbe(64 * MIB)
    places = [arena.stage(bytes(4096), ordinal)[1] for ordinal in range(1, 1_001)]
    assert len(set(places)) == 1_000
    assert arena.live == (0, 0)
    arena.applied = 1_000
    assert arena.stage(bytes(4096), 1_001)[1] in places


def test_large_contents_are_staged_in_a_block():
    arena = ArenaProbe(64 * MIB)
    first, second = (arena.stage(bytes(MIB), ordinal)[1] for ordinal in (1, 2))
    assert abs(first - second) >= MIB
    arena.applied = 2
    assert arena.stage(bytes(MIB), 3)[1] in (first, second)


# Growth, ceiling, pages


def test_the_file_grows_in_steps_and_only_as_needed(shared):
    arena = ArenaProbe(256 * MIB, fd=shared)
    assert os.fstat(shared).st_size == 0
    arena.alloc(0, 100)
    assert os.fstat(shared).st_size == arena.backed_bytes == MIB
    arena.alloc(1, 3 * MIB)
    assert 3 * MIB < os.fstat(shared).st_size <= 6 * MIB
    start, _ = arena.alloc(2, 200 * MIB)
    assert os.fstat(shared).st_size <= 256 * MIB
    arena.fill(start, 200 * MIB, 1)


def test_a_full_arena_says_so_and_recovers_when_the_watermark_rises(shared):
    arena = ArenaProbe(8 * MIB, fd=shared)
    for number in range(8):
        assert arena.alloc(number, MIB)
        arena.use(number, number + 1)
    assert arena.alloc(8, MIB) is None and arena.alloc(8, 1) is None
    for number in range(8):
        arena.release(number)
    assert arena.alloc(8, MIB) is None
    arena.applied = 3
    assert [arena.alloc(8 + i, MIB) is not None for i in range(4)] == [True, True, True, False]
    arena.applied = 8
    for number in (8, 9, 10):
        arena.release(number)
    assert arena.alloc(20, 8 * MIB)


def test_a_full_arena_waits_for_what_was_emitted_before_it_says_no():
    arena = ArenaProbe(8 * MIB)
    for number in range(8):
        arena.alloc(number, MIB)
        arena.use(number, number + 1)
        arena.release(number)
    arena.relieve_up_to(6)
    assert [arena.alloc(10 + i, MIB) is not None for i in range(8)] == [True] * 6 + [False] * 2
    assert arena.applied == 6


def test_bytes_in_flight_are_bounded():
    arena = ArenaProbe(1024 * MIB)
    arena.shadow_init(0, 4 * MIB)
    data = bytes(4 * MIB)
    for ordinal in range(1, 100):
        arena.relieve_up_to(ordinal - 1)
        arena.shadow_write(0, 0, data)
        arena.shadow_span(0, 0, 4 * MIB, ordinal)
    assert 90 <= arena.relieved <= 99 and arena.applied <= 99 - 2      # two stay in flight while a third is written
    assert arena.backed_bytes <= 16 * MIB


def test_blocks_larger_than_the_bound_still_overlap():
    arena = ArenaProbe(1024 * MIB)
    arena.shadow_init(0, 64 * MIB)
    data = bytes(64 * MIB)
    for ordinal in range(1, 9):
        arena.relieve_up_to(ordinal - 1)
        arena.shadow_write(0, 0, data)
        arena.shadow_span(0, 0, 64 * MIB, ordinal)
    assert arena.relieved > 0 and arena.applied <= 8 - 2


@pytest.mark.parametrize("seed", range(4))
def test_freed_neighbours_join_so_that_the_whole_arena_can_be_taken_again(seed):
    shape = random.Random(seed)
    arena = ArenaProbe(32 * MIB)
    live = []
    for number in range(3_000):
        size = shape.choice([40_000, 70_000, 300_000, 1_500_000])
        while arena.alloc(number, size) is None:
            arena.release(live.pop(shape.randrange(len(live))))
        live.append(number)
    for number in live:
        arena.release(number)
    assert arena.alloc(5_000, 32 * MIB)


def resident(fd):
    return os.fstat(fd).st_blocks * 512


def test_pages_that_were_idle_for_a_while_go_back_to_the_system(shared):
    arena = ArenaProbe(256 * MIB, fd=shared)
    for number in range(100):
        start, size = arena.alloc(number, MIB)
        arena.fill(start, size, 1)
    assert resident(shared) >= 100 * MIB
    for number in range(100):
        arena.release(number)
    assert resident(shared) >= 100 * MIB        # they may be needed again at once
    for _ in range(3):
        time.sleep(0.55)
        arena.alloc(0, MIB)
        arena.release(0)
    assert resident(shared) <= 18 * MIB
    assert arena.given_back_bytes >= 82 * MIB
    assert arena.alloc(0, 100 * MIB)


@pytest.mark.parametrize("in_flight", [3, 60])
def test_memory_that_is_used_every_frame_is_not_returned(shared, in_flight):
    arena = ArenaProbe(256 * MIB, fd=shared)
    arena.shadow_init(0, MIB)
    data, ordinal = bytes(MIB), 0
    deadline = time.monotonic() + 1.7
    while time.monotonic() < deadline:
        for _ in range(in_flight):
            ordinal += 1
            arena.shadow_write(0, 0, data)
            arena.shadow_span(0, 0, MIB, ordinal)
        arena.applied = ordinal
    assert arena.given_back_bytes == 0 and arena.backed_bytes <= (in_flight + 8) * 2 * MIB


def test_many_small_blocks_share_pages_and_give_them_up_again():
    arena = ArenaProbe(64 * MIB)
    for number in range(20_000):
        arena.alloc(number, 64)
    assert arena.backed_bytes <= 2 * MIB
    for number in range(20_000):
        arena.release(number)
    assert arena.alloc(0, arena.backed_bytes - 64 * KIB)
    assert arena.backed_bytes <= 4 * MIB
