"""What the applier refuses, how it says so, and what it forgets."""

import struct

import pytest
from server import NULL, Server

from mgpipe.server._probe import SessionFault


def test_a_handle_that_names_nothing_latches_the_session_by_name(null: Server):
    null.context()
    with pytest.raises(SessionFault, match=r"^UnknownHandle: generate_mipmap\.resource$"):
        null.call("generate_mipmap", resource=(77, 1))


def test_a_stale_generation_is_unknown(null: Server):
    null.context()
    null.call("resource_create", resource=(5, 3), group=null.group)
    with pytest.raises(SessionFault, match="UnknownHandle: resource_subdata.resource"):
        null.call("resource_subdata", resource=(5, 2))


def test_a_slot_is_used_again_only_with_a_higher_generation(null: Server):
    null.context()
    null.call("resource_create", resource=(5, 3), group=null.group)
    null.call("resource_destroy", resource=(5, 3))
    null.call("resource_create", resource=(5, 4), group=null.group)
    null.call("resource_destroy", resource=(5, 4))
    with pytest.raises(SessionFault, match="HandleInUse: resource_create.resource"):
        null.call("resource_create", resource=(5, 4), group=null.group)


def test_a_slot_in_use_is_refused(null: Server):
    null.context()
    null.call("resource_create", resource=(5, 1), group=null.group)
    with pytest.raises(SessionFault, match="HandleInUse"):
        null.call("resource_create", resource=(5, 2), group=null.group)


def test_a_slot_beyond_the_limit_costs_no_memory(null: Server):
    null.context()
    with pytest.raises(SessionFault, match="HandleInUse"):
        null.call("resource_create", resource=(0xFFFFFFFF, 1), group=null.group)


def test_a_handle_of_another_kind_is_unknown(null: Server):
    null.context()
    buffer = null.buffer(b"1234")
    with pytest.raises(SessionFault, match="UnknownHandle: bind_shader_state.cso"):
        null.call("bind_shader_state", cso=buffer)


def test_after_a_fault_nothing_is_applied(null: Server):
    null.context()
    with pytest.raises(SessionFault, match="UnknownHandle"):
        null.call("fence_destroy", fence=(9, 9))
    with pytest.raises(SessionFault, match="fence_destroy"):    # still the first one
        null.call("flush")
    faults = [tail for op, _, tail in null.session.events if op == 2]
    assert faults == [b"UnknownHandle: fence_destroy.fence"]


def test_a_blob_outside_its_segment_latches(null: Server):
    null.context()
    buffer = null.buffer(b"1234")
    with pytest.raises(SessionFault, match="BlobOutside: resource_subdata.bytes"):
        null.call("resource_subdata", resource=buffer, bytes=dict(offset=(1 << 24) - 2, size=4, segment=1))


def test_an_answer_goes_to_where_words_may_lie(null: Server):
    with pytest.raises(SessionFault, match="BlobOutside: get_caps.into"):
        null.call("get_caps", into=dict(offset=4, size=8192, segment=1))


def test_what_a_back_end_lacks_is_named_once_and_the_session_goes_on(server: Server):
    server.context()
    for _ in range(3):
        server.call("shared_image")
    assert [text for text in server.log() if "shared_image" in text] == [
        "Unimplemented: shared_image: this call, by this back end"]
    server.clear(0, 0, 1, 1)
    assert server.pixel(0, 0) == (0, 0, 255, 255)


def test_a_form_that_a_dialect_lacks_is_named(server: Server):
    server.context()
    triangle(server)
    server.framebuffer(server.texture("TEX2D", "RGB10_A2", 8, 8))
    server.pipeline(logic_op_enable=1, logic_op=0x1506)
    server.draw(3)
    said = [text for text in server.log() if "logic operation" in text]
    assert said == ([] if server.driver == "gl" else [
        "Unimplemented: draw_vbo: logic operation on OpenGL ES, but on targets of 8 bits with framebuffer fetch"])


def test_reset_forgets_every_object_and_the_session_begins_anew(server: Server):
    server.context()
    triangle(server)
    server.texture("TEX2D", "RGBA8", 4, 4)
    server.call("fence_create", fence=server.handle("fence"))
    server.call("session_reset")
    server.slots = dict.fromkeys(server.slots, 0)      # the very same handles again
    server.context()
    triangle(server)
    server.draw(3)
    assert server.pixel(32, 32) == (255, 255, 255, 255)


def test_a_surface_ends_after_its_context_was_let_go(server: Server):
    context = server.context()
    server.clear(1, 0, 0, 1)
    server.call("bind_context")
    server.call("destroy_surface", surface=server.surface)
    server.call("destroy_context", context=context)
    server.context()
    assert server.pixel(0, 0) == (0, 0, 0, 0)


def test_a_verb_without_a_context_latches(server: Server):
    with pytest.raises(SessionFault, match="NoContext: clear"):
        server.call("clear", buffers=1)


def test_drawing_with_what_was_never_supplied_is_a_named_fault(server: Server):
    server.context()
    with pytest.raises(SessionFault, match="NotSupplied: program"):
        server.draw(3)


def test_an_indexed_draw_without_index_buffer_never_reaches_the_driver(server: Server):
    server.context()
    triangle(server)
    with pytest.raises(SessionFault, match="NotSupplied: index buffer"):
        server.draw(3, index_size=4, first=1 << 20)


@pytest.mark.parametrize("index_size", [0, 4])
def test_nor_do_several_at_once(server: Server, index_size):
    server.context()
    triangle(server)
    with pytest.raises(SessionFault, match="NotSupplied: index buffer"):
        server.call("multi_draw_elements", [(1 << 20,), (3,), (0,)], mode=4, index_size=index_size, draw_count=1)


def test_a_vertex_buffer_destroyed_while_bound_reads_as_zeros(server: Server):
    server.context()
    buffer = triangle(server)
    server.draw(3)
    server.call("resource_destroy", resource=buffer)
    server.call("set_vertex_buffers", [[dict(resource=NULL, stride=8, binding=0)]], count=1)
    server.clear(0, 0, 0, 1)
    server.draw(3)
    assert server.pixel(32, 32) == (0, 0, 0, 255)


def test_a_thousand_objects_leave_nothing(server: Server):
    server.context()
    for _ in range(1000):
        buffer = server.buffer(b"12345678")
        sampler = server.handle("sampler")
        server.call("create_sampler_state", cso=sampler, state=dict(
            min_filter=0x2600, mag_filter=0x2600, wrap_s=0x2901, wrap_t=0x2901, wrap_r=0x2901, compare_func=0x0203))
        server.call("delete_sampler_state", cso=sampler)
        server.call("resource_destroy", resource=buffer)
    assert server.living("resource") == 0
    assert server.living("sampler") == 0


def test_a_region_that_leaves_its_blob_latches(server: Server):
    server.context()
    texture = server.texture("TEX2D", "RGBA8", 4, 4)
    with pytest.raises(SessionFault, match="RegionOutside: resource_subdata"):
        server.upload(texture, bytes(4 * 4 * 4 - 1), 16, 4, 4)


def test_constants_beyond_their_block_latch(server: Server):
    server.context()
    program = server.program(VERTEX, FRAGMENT)
    with pytest.raises(SessionFault, match="RegionOutside: set_constants"):
        server.call("set_constants", shader=program, stage=4, offset=8, bytes=server.blob(bytes(16)))


def test_words_that_are_no_shader_are_refused_when_drawn_with(server: Server):
    server.context()
    server.no_vertices()
    program = server.handle("shader")
    stages: list[dict] = [{}] * 6
    stages[0] = dict(code=server.blob(struct.pack("<5I", 0x07230203, 0x10000, 0, 1, 0)))
    server.call("create_shader_state", cso=program, group=server.group, stages=stages)
    server.call("bind_shader_state", cso=program)
    server.draw(3)
    assert any("a program that the driver refuses" in text for text in server.log())


VERTEX = "#version 330\nin vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
FRAGMENT = "#version 330\nuniform vec4 unused; out vec4 color; void main() { color = vec4(1) + 0.0 * unused; }"


def triangle(server: Server) -> tuple[int, int]:
    server.program(VERTEX, FRAGMENT)
    return server.vertices(struct.pack("<6f", -1, -1, 3, -1, -1, 3), (0, 2, 0), stride=8)


@pytest.mark.parametrize("driver", ["gl", "gles"])
def test_control_an_error_of_the_driver_is_heard(driver: str, monkeypatch: pytest.MonkeyPatch):
    """The fixture demands that no test makes the driver complain: here one does, and it shows."""
    monkeypatch.setenv("MGPIPE_DRIVER_ERRORS", "1")
    server = Server(driver)
    server.context()
    server.framebuffer()
    server.call("clear", buffers=1)
    server.session.close()
    assert any(text.startswith("DriverError") for text in server.log())
