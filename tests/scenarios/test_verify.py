"""Verify mode: a program's state and what was sent for it are equal before every verb; and each kind of lie is found."""

import json
import subprocess
import sys
import textwrap

import pytest
from scenario import clean_environment
from serving import DATA, Servers

TOPOLOGIES = ("monolith", "inproc", "spawn")

PRELUDE = """
import json, logging, struct, sys
import mgpipe, moderngl
from mgpipe.catalogue.layout import boundary
from mgpipe.client._probe import Tap
from mgpipe.front import _gl
from mgpipe.tracker import _probe

ROWS = {row.op: row for row in boundary().rows}
VERTEX = '''#version 330
    uniform vec2 shift; in vec2 place;
    void main() { gl_Position = vec4(place + shift, 0, 1); }'''
FRAGMENT = '''#version 330
    uniform sampler2D image; uniform Colours { vec4 tint; }; out vec4 colour;
    void main() { colour = tint * texelFetch(image, ivec2(0), 0); }'''

logging.disable(logging.WARNING)        # of what OpenGL 4.3 lacks here
loader = mgpipe.context(driver=sys.argv[1], verify=int(sys.argv[2]), gl_version="4.3", **json.loads(sys.argv[3]))
ctx = moderngl.create_context(context=loader)
program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
corners = ctx.buffer(struct.pack("6f", -1, -1, 3, -1, -1, 3))
colours = ctx.buffer(struct.pack("8f", *[1.0] * 8))
image = ctx.texture((2, 2), 4, bytes(16))
array = ctx.vertex_array(program, [(corners, "2f", "place")])
target = ctx.simple_framebuffer((8, 8))
target.use(); image.use(0); colours.bind_to_uniform_block(0)

feedback = ctx.program(vertex_shader='''#version 330
    in vec2 place; out vec2 moved; void main() { moved = place + 1; }''', varyings=["moved"])
moving = ctx.vertex_array(feedback, [(corners, "2f", "place")])
captured = ctx.buffer(reserve=24)
commands = ctx.buffer(struct.pack("8I", 3, 1, 0, 0, 1, 1, 1, 0))
compute = ctx.compute_shader('''#version 430
    layout(local_size_x = 1) in; layout(std430, binding = 0) buffer Sums { uint sum; }; void main() { sum += 1u; }''')
ctx.buffer(reserve=16).bind_to_storage_buffer(0)


def draw():
    array.render()

def capture(buffer):
    moving.transform(buffer, moderngl.POINTS)

def dispatch_indirect():
    compute.run_indirect(commands, 16)

def forget():
    _probe.forget_changes(_gl.context_address())

def change(call, field, value, times=1):
    '''From now on, `times` records of this call say `value` in a field of their payload (a path into nested structs).'''
    left = [times]
    def look(op, payload, tails):
        row = ROWS[op]
        if row.name == call and left[0]:
            left[0] -= 1
            layout, at = row.payload, 0
            for step in field.split("."):
                name, _, index = step.partition("[")
                member = next(m for m in layout.members if m.name == name)
                at += member.offset + int(index.rstrip("]") or 0) * member.element_size
                layout = member.struct
            struct.pack_into("<I", payload, at, value)
    return Tap(loader.session, look)

def drop(call):
    return Tap(loader.session, lambda op, payload, tails: ROWS[op].name != call)

def outcome():
    ctx.finish()
    print(loader.session.loss or "equal")

draw()
"""


def outcome(body: str, topology: str = "monolith", driver: str = "null", level: int = 1, **place: str) -> str:
    """What the session said of the program in the end. `place`: options that lead to a server, instead of a topology."""
    source = PRELUDE + textwrap.dedent(body).lstrip() + "\noutcome()\n"
    options = json.dumps(place or {"topology": topology})
    result = subprocess.run([sys.executable, "-c", source, driver, str(level), options], capture_output=True, text=True,
                            timeout=60, env=clean_environment())
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_honest_records_and_state_are_equal(topology):
    assert outcome("""
        ctx.enable(moderngl.BLEND); program["shift"].value = 0.5, 0.5; draw()
        target.clear(1, 0, 0); target.viewport = 0, 0, 4, 4; draw(); target.read()
        image.release(); draw()
    """, topology) == "equal"


# What a record says instead, and the sentence that names it.
LIES = {
    "render state": ("create_render_state", "state.blend[0].enable", 1, "ctx.enable(moderngl.DEPTH_TEST); draw()",
                     "draw_vbo: pipeline.blend[0].enable is 1, the program's state says 0"),
    "program": ("set_constants", "offset", 4, "program['shift'].value = 0.25, 0; draw()",
                "draw_vbo: stages[0].constants_hash is"),
    "storage": ("resource_respecify", "size", 20, "colours.orphan(64); draw()",
                "draw_vbo: uniforms[6].buffer_size is 20, the program's state says 64"),
    "texture": ("set_texture_params", "max_level", 7, "image.build_mipmaps(0, 1); draw()",
                "draw_vbo: textures[0].max_level is 7, the program's state says 1"),
    "sampler": ("create_sampler_state", "state.wrap_s", 0x8370, "image.repeat_x = False; draw()",
                "draw_vbo: textures[0].sampler.wrap_s is 33648, the program's state says 33071"),
    "captured primitives": ("begin_stream_output", "mode", 1, "capture(captured)", "draw_vbo: capture.mode is 1, the program's state says 0"),
    "captured buffer": ("resource_respecify", "size", 48, "capture(ctx.buffer(reserve=64))",
                        "draw_vbo: capture.targets[0].buffer_size is 48, the program's state says 64"),
    "draw commands": ("set_indirect_buffers", "draw", 0, "array.render_indirect(commands)", "draw_indirect: commands.draw is object 0.1"),
    "dispatch commands": ("set_indirect_buffers", "dispatch", 0, "dispatch_indirect()", "launch_grid: commands.dispatch is object 0.1"),
    "stores": ("set_shader_buffers", "writable_mask", 0, "compute.run()", "launch_grid: storage_written is 0, the program's state says 1"),
    "framebuffer": ("set_framebuffer_state", "color[0].level", 1, "ctx.framebuffer([ctx.texture((4, 4), 4)]).use(); draw()",
                    "draw_vbo: draw_framebuffer.color[0].level is 1, the program's state says 0"),
}


@pytest.mark.parametrize("kind", LIES)
def test_a_record_that_lies_is_named_by_field_and_verb(kind):
    call, field, value, body, sentence = LIES[kind]
    honest = outcome(body)
    lied = outcome(f"with change({call!r}, {field!r}, {value}):\n    {body}")
    assert honest == "equal"
    assert f"VerifyMismatch: {sentence}" in lied


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_lie_is_found_on_every_topology(topology):
    call, field, value, body, sentence = LIES["render state"]
    assert sentence in outcome(f"with change({call!r}, {field!r}, {value}):\n    {body}", topology, "gl")


@pytest.mark.parametrize("kind", DATA)
def test_a_lie_is_found_on_a_server_elsewhere(tmp_path, kind):
    servers = Servers(tmp_path)
    try:
        call, field, value, body, sentence = LIES["render state"]
        assert outcome(body, driver="gl", level=2, **servers.options(kind)) == "equal"
        lied = outcome(f"with change({call!r}, {field!r}, {value}):\n    {body}", driver="gl", **servers.options(kind))
        assert sentence in lied
    finally:
        servers.end()


FORGOTTEN = {
    "ctx.enable(moderngl.BLEND)": "pipeline.blend[0].enable is 0, the program's state says 1",
    "ctx.viewport = 0, 0, 4, 4": "dynamic.viewports[0].width is 8, the program's state says 4",
    "program['shift'].value = 0.5, 0": "stages[0].constants_hash is",
    "image.filter = moderngl.NEAREST, moderngl.NEAREST": "textures[0].sampler.min_filter is 9729, the program's state says 9728",
    "image.swizzle = 'BGRA'": "textures[0].swizzle[0] is",
    "ctx.texture((1, 1), 4).use(0)": "textures[0].resource is",
    "ctx.buffer(reserve=64).bind_to_uniform_block(0)": "uniforms[6].buffer is",
    "ctx.simple_framebuffer((4, 4)).use(); ctx.viewport = 0, 0, 8, 8": "draw_framebuffer.framebuffer is",
}


@pytest.mark.parametrize("setter", FORGOTTEN)
def test_a_setter_that_forgets_its_dirty_bit_is_found(setter):
    assert outcome(f"{setter}; draw()") == "equal"
    assert FORGOTTEN[setter] in outcome(f"{setter}; forget(); draw()")


# -- contents

@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_contents_are_those_of_the_driver(topology):
    assert outcome("""
        corners.write(struct.pack("2f", 0.5, 0.5), offset=8); image.write(bytes(range(16)))
        big = ctx.buffer(bytes(range(256)) * 1024); big.write(b"abc", offset=70000)
        floats = ctx.texture((3, 3), 1, bytes(36), dtype="f4"); rgb = ctx.texture((4, 3), 3, bytes(range(36)))
        cube = ctx.texture_cube((2, 2), 4, bytes(range(96))); solid = ctx.texture3d((2, 2, 2), 2, bytes(range(16)))
        for n in range(600): draw()
        target.read()
    """, topology, "gl", level=2) == "equal"


@pytest.mark.parametrize(("upload", "sentence"), [
    ("corners.write(struct.pack('2f', 0.5, 0.25), offset=8)", "contents of buffer 1: the driver's byte 10 is not the client's"),
    ("image.write(bytes(range(16)))", "contents of texture 1: the driver's texel 0 is not the client's"),
])
def test_an_upload_that_is_lost_is_found(upload, sentence):
    assert f"VerifyMismatch: {sentence}" in outcome(f"with drop('resource_subdata'):\n    {upload}; draw()\ntarget.read()", "monolith", "gl", 2)
    assert outcome(f"with drop('resource_subdata'):\n    {upload}; draw()\ntarget.read()", "monolith", "gl", 1) == "equal"


def test_contents_are_compared_now_and_then_without_a_read():
    lost = "with drop('resource_subdata'):\n    image.write(bytes(range(16))); draw()\n"
    assert outcome(lost + "for n in range(100): draw()", "monolith", "gl", 2) == "equal"
    assert "contents of texture" in outcome(lost + "for n in range(300): draw()", "monolith", "gl", 2)


# -- poison

@pytest.mark.parametrize(("section", "verb", "call"), [
    ("pipeline", "draw_vbo", "ctx.enable(moderngl.BLEND); draw()"), ("dynamic", "draw_vbo", "ctx.viewport = 0, 0, 2, 2; draw()"),
    ("shader", "draw_vbo", "program['shift'].value = 1, 1; draw()"), ("draw_framebuffer", "clear", "target.clear()"),
    ("clear_values", "clear", "target.clear()"), ("read_framebuffer", "read_pixels", "target.read()"),
    ("attribs", "draw_vbo", "ctx.vertex_array(program, [(corners, '2f2', 'place')]).render(vertices=3)"),
])
def test_a_back_end_that_reads_what_a_verb_was_not_supplied_with_is_found(section, verb, call):
    withhold = """
        whole = next(s for s in boundary().structs if s.name == "Snapshot")
        section = 1 << [m.name for m in whole.members].index("{}")
        loader.session.owner.withhold(section)
    """.format(section)
    assert outcome(textwrap.dedent(withhold.replace("(section)", "(0)")) + call, driver="gl") == "equal"
    assert f"NotSupplied: {verb}: {section}" in outcome(textwrap.dedent(withhold) + call, driver="gl")
