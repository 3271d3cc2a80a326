"""What a program writes through a persistent mapping, on a driver that takes no memory of ours."""

import pytest
from server import Server

from mgpipe.server._probe import SessionFault

SIZE = 10_000
FLAGS = 0x02 | 0x40 | 0x80      # GL_MAP_WRITE_BIT, PERSISTENT, COHERENT


@pytest.fixture(params=["gles", "gl"])
def driver(request):
    made = Server(request.param, shared=False)
    made.context()
    yield made
    made.close()


def stored(server, flags=FLAGS, size=SIZE):
    buffer = server.handle("resource")
    server.call("resource_create", resource=buffer, group=server.group)
    server.call("resource_respecify", resource=buffer, size=size, usage=0x88E8, storage_flags=flags, immutable=1)
    return buffer


def write(server, buffer, data, offset=0, mapping=0):
    server.call("resource_subdata", resource=buffer, offset=offset, bytes=server.blob(data), mapping=mapping)


def contents(server, buffer, size, offset=0):
    return server.answer("resource_readback", size, resource=buffer, offset=offset)


@pytest.mark.parametrize("flags", [FLAGS, FLAGS | 0x01, 0x02 | 0x40, 0x01 | 0x40, 0], ids=hex)
def test_the_last_bytes_count_whatever_wrote_them(driver, flags):
    buffer, other = stored(driver, flags), driver.buffer(b"other")
    write(driver, buffer, b"a" * SIZE)
    write(driver, buffer, b"bbbb", 2, mapping=1)
    write(driver, buffer, b"cc", 4, mapping=1)
    assert contents(driver, buffer, 8) == b"aabbccaa"
    write(driver, buffer, b"dd", 5, mapping=1)            # after it was read
    write(driver, buffer, b"e", 6)
    write(driver, buffer, b"f", 7, mapping=1)             # after a command
    assert contents(driver, buffer, 8) == b"aabbcdef"
    write(driver, buffer, b"gg", 0, mapping=2)            # another mapping of the program's
    driver.call("resource_clear", resource=buffer, offset=1, size=2, pattern_size=1, pattern=[0x48, 0, 0, 0])
    write(driver, buffer, b"i", 2, mapping=2)
    assert contents(driver, buffer, 8) == b"gHibcdef"
    write(driver, buffer, b"jj", 0, mapping=3)
    driver.call("buffer_copy", source=other, target=buffer, source_offset=0, target_offset=1, size=5)
    write(driver, buffer, b"k", 5, mapping=3)
    driver.call("buffer_copy", source=buffer, target=other, source_offset=0, target_offset=0, size=5)
    assert contents(driver, buffer, 8) == b"jothekef"
    assert contents(driver, other, 5) == b"jothe"


def test_storage_that_is_invalidated_is_there_again(driver):
    buffer = stored(driver)
    write(driver, buffer, b"before", mapping=1)
    driver.call("resource_respecify", resource=buffer, size=SIZE, usage=0x88E8, storage_flags=FLAGS, immutable=1)
    write(driver, buffer, b"after", mapping=2)
    assert contents(driver, buffer, 5) == b"after"
    driver.call("resource_destroy", resource=buffer)


def test_what_leaves_the_buffer_is_refused(driver):
    buffer = stored(driver)
    write(driver, buffer, b"x", SIZE - 1, mapping=1)
    with pytest.raises(SessionFault, match="RegionOutside"):
        write(driver, buffer, b"over", SIZE - 3, mapping=1)


def test_immutable_storage_keeps_its_size(driver):
    buffer = stored(driver)
    write(driver, buffer, b"x", mapping=1)
    with pytest.raises(SessionFault, match="resource_respecify.size"):
        driver.call("resource_respecify", resource=buffer, size=2 * SIZE, usage=0x88E8, storage_flags=FLAGS, immutable=1)
