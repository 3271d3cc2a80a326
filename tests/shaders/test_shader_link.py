"""What compile_shader and link say: stage split, numbers given, logs, refusals."""

import threading

import pytest
from mgpipe.shaders import compiler
from mgpipe.shaders.reflection import FIRST_USER_BLOCK, FRAGMENT, SET_IMAGES, SET_SAMPLERS, VERTEX
from shader_corpus import COMPUTE, CORPUS, PLAIN_VERTEX, fragment
from shader_driver import STAGE_ENUMS

PLAIN_FRAGMENT = "#version 330\nin vec2 uv;\nout vec4 color;\nvoid main() { color = vec4(uv, 0.0, 1.0); }\n"
GL_VERTEX, GL_FRAGMENT = STAGE_ENUMS[VERTEX], STAGE_ENUMS[FRAGMENT]


def link(program, **options):
    return compiler.link([(STAGE_ENUMS[stage], [text.encode()]) for stage, text in program.items()], **options)


def linked(program, **options):
    result = link(program, **options)
    assert result.ok, result.log
    return result


def uniform(result, name):
    return next(x for x in result.uniforms if x.name == name)


# --- loose uniforms, split by stage

def test_a_uniform_is_only_in_the_constants_of_stages_that_read_it():
    result = linked(CORPUS["uniforms by stage"])
    mvp, tint, both = (uniform(result, name) for name in ("mvp", "tint", "both"))
    assert mvp.stage_offsets == [0, -1, -1, -1, -1, -1]
    assert tint.stage_offsets == [-1, -1, -1, -1, 0, -1]
    assert both.stage_offsets == [64, -1, -1, -1, 16, -1]
    assert (mvp.stages, tint.stages, both.stages) == (1, 16, 17)
    assert result.constants_size == [80, 0, 0, 0, 32, 0]
    assert b"mvp" not in result.spirv[FRAGMENT] and b"tint" not in result.spirv[VERTEX]


def test_a_uniform_read_only_in_unreached_code_is_not_active():
    assert "never_read" not in {x.name for x in linked(CORPUS["uniforms by stage"]).uniforms}


def test_no_loose_uniform_no_constants():
    assert linked(CORPUS["triangle"]).constants_size == [0] * 6


def test_strides_of_loose_uniforms_are_std140():
    result = linked(CORPUS["structs"])
    weights = uniform(result, "lights[1].weights[0]")
    assert (weights.array_stride, weights.size, weights.matrix_stride) == (16, 4, 0)
    assert uniform(result, "lights[0].basis").matrix_stride == 16
    start = uniform(result, "lights[0].position").stage_offsets[FRAGMENT]
    size = uniform(result, "lights[1].position").stage_offsets[FRAGMENT] - start
    assert size == 16 + 48 + 64  # vec3 and float, mat3, float[4]


def test_initial_values_of_uniforms():
    values = {x.name: x.initial for x in linked(CORPUS["initialisers"]).uniforms}
    assert values == {"a": [2.5], "b": [1, 2, 3], "c": [-7], "d": [4000000000], "e": [1], "f[0]": [1, 2, 3, 4],
                      "g": [1, 2, 3, 4]}


def test_initial_units_and_bindings():
    result = linked(CORPUS["version 460"])
    assert uniform(result, "t").initial == [2]
    assert result.uniform_blocks[0].initial_binding == 4
    result = linked(fragment("layout(binding = 3) uniform sampler2D "
                             "t[2];", "texture(t[0], uv) + texture(t[1], uv)", "420"))
    assert uniform(result, "t[0]").initial == [3, 4]


# --- numbers

def test_every_array_element_has_a_location_of_its_own():
    result = linked(fragment("uniform float a[3]; uniform vec4 b; uniform sampler2D t[2];",
                             "b * a[int(uv.x)] + texture(t[0], uv) + texture(t[1], uv)"))
    assert [(x.name, x.location) for x in result.uniforms] == [("a[0]", 0), ("b", 3), ("t[0]", 4)]


def test_explicit_uniform_locations_stay_and_others_avoid_them():
    result = linked(fragment("uniform float free; layout(location = 1) uniform vec4 fixed_[2]; uniform float more;",
                             "fixed_[int(uv.x)] * free * more", "430"))
    assert {x.name: x.location for x in result.uniforms} == {"free": 0, "fixed_[0]": 1, "more": 3}


def test_members_of_explicitly_located_structs_follow_each_other():
    result = linked(fragment("struct S { vec4 a; float b[2]; vec4 c; }; layout(location = 5) uniform S s;",
                             "s.a * s.b[int(uv.x)] + s.c", "430"))
    assert {x.name: x.location for x in result.uniforms} == {"s.a": 5, "s.b[0]": 6, "s.c": 8}


def test_user_blocks_begin_after_the_constants_of_the_stages():
    result = linked(CORPUS["blocks"])
    assert {block.name: block.slot for block in result.uniform_blocks} == {"Camera": FIRST_USER_BLOCK,
                                                                           "Model": FIRST_USER_BLOCK + 1,
                                                                           "Lamps": FIRST_USER_BLOCK + 2}
    assert {block.name: block.stages for block in result.uniform_blocks} == {"Camera": 17, "Model": 1, "Lamps": 16}


def test_members_of_a_block_know_it():
    result = linked(CORPUS["blocks"])
    for index, block in enumerate(result.uniform_blocks):
        assert all(result.uniforms[member].block == index for member in block.members)
    assert "Model.matrix" in {x.name for x in result.uniforms} and "projection" in {x.name for x in result.uniforms}
    assert all(x.location == -1 for x in result.uniforms if x.block >= 0)


def test_a_sampler_in_two_stages_is_one_slot_and_arrays_take_a_run():
    assert {x.name: x.slot for x in linked(CORPUS["a sampler in two stages"]).uniforms} == {"height": 0, "color_map": 1}
    slots = {x.name: x.slot for x in linked(CORPUS["samplers"]).uniforms}
    assert slots["h[0]"] == 7 and slots["j"] == 10


def test_samplers_of_an_array_of_structures_are_one_array_where_an_index_is_not_constant():
    slots = {x.name: (x.slot, x.size) for x in linked(CORPUS["samplers in structures by any index"]).uniforms if x.slot >= 0}
    first = {name: slots[name][0] for name in ("lights[0].shadow", "lights[0].maps[0]", "pairs[0].each[0].shadow",
                                               "pairs[0].each[0].maps[0]")}
    assert slots == {
        **{f"lights[{i}].shadow": (first["lights[0].shadow"] + i, 1) for i in range(3)},
        **{f"lights[{i}].maps[0]": (first["lights[0].maps[0]"] + 2 * i, 2) for i in range(3)},
        **{f"pairs[{i}].each[{k}].shadow": (first["pairs[0].each[0].shadow"] + 2 * i + k, 1) for i in range(2) for k in range(2)},
        **{f"pairs[{i}].each[{k}].maps[0]": (first["pairs[0].each[0].maps[0]"] + 4 * i + 2 * k, 2) for i in range(2)
           for k in range(2)}}
    used = [slot + i for slot, size in slots.values() for i in range(size)]
    assert sorted(used) == list(range(len(used)))


def test_such_a_sampler_is_one_slot_in_two_stages_whatever_index_each_takes():
    struct = "#version 400\nstruct M { sampler2D map; vec4 tint; }; uniform M m[2]; uniform int n;"
    result = linked({
        VERTEX: struct + "void main() { gl_Position = texture(m[1].map, vec2(0)); }",
        FRAGMENT: struct + "out vec4 color; void main() { color = texture(m[n].map, vec2(0)); }"})
    assert {x.name: (x.slot, x.stages) for x in result.uniforms if x.slot >= 0} == {"m[0].map": (0, 16), "m[1].map": (1, 17)}


def test_images_and_storage_blocks_have_sets_of_their_own():
    result = linked(CORPUS["compute"])
    assert result.local_size == (8, 4, 1)
    target = uniform(result, "target")
    assert (target.resource_set, target.slot) == (SET_IMAGES, 0) != (SET_SAMPLERS, 0)
    assert [(x.name, x.slot, x.initial_binding) for x in result.storage_blocks] == [("Data", 0, 1)]
    assert [(x.name, x.size, x.offset, x.array_stride) for x in result.storage_members] == [("Data.scale", 1, 0, 0),
                                                                                            ("Data.values[0]", 0, 8, 8)]
    assert result.constants_size[COMPUTE] == 16


def test_attribute_locations_source_then_bound_then_free():
    vertex = "#version 330\nin vec4 a; layout(location = 0) in vec4 b; in mat2 c; in vec4 d;\n" \
             "void main() { gl_Position = a + b + d + c[0].xyxy; }"
    result = linked({VERTEX: vertex}, attribute_bindings={"b": 7, "d": 1, "nobody": 3})
    assert {x.name: x.location for x in result.attributes} == {"b": 0, "d": 1, "a": 2, "c": 3}


def test_fragment_output_locations_and_indices():
    program = {VERTEX: PLAIN_VERTEX, FRAGMENT: "#version 330\nin vec2 uv; out vec4 a; out vec4 b; out vec4 c;\n"
               "void main() { a = b = c = uv.xyxy; }"}
    result = linked(program, fragdata_bindings={"b": (0, 0), "c": (0, 1)})
    assert {x.name: (x.location, x.index) for x in result.fragment_outputs} == {"a": (1, 0), "b": (0, 0), "c": (0, 1)}


def test_the_geometry_shaders_primitives():
    result = linked(CORPUS["geometry shader"])
    assert (result.geometry_input, result.geometry_output, result.geometry_vertices) == (0x0000, 0x0005, 4)


def test_separately_linked_stages_agree_on_locations():
    vertex = "#version 410\nout vec2 zuv; out vec4 acol; out gl_PerVertex { vec4 gl_Position; };\n" \
             "void main() { gl_Position = vec4(0); zuv = vec2(0); acol = vec4(1); }"
    pixel = "#version 410\nin vec4 acol; in vec2 zuv; out vec4 o; void main() { o = acol + zuv.xyxy; }"
    spirv = {**linked({VERTEX: vertex}, separable=True).spirv, **linked({FRAGMENT: pixel}, separable=True).spirv}
    from mgpipe.shaders._spirv_cross import to_dialect
    first, second = (to_dialect(spirv[stage], stage, False, separable=True) for stage in (VERTEX, FRAGMENT))
    for name, kind in (("acol", "vec4"), ("zuv", "vec2")):
        line = next(text for text in first.splitlines() if text.endswith(f" out {kind} {name};"))
        assert line.replace(" out ", " in ") in second


# --- sources

def test_a_source_in_several_strings_logs_string_and_line():
    strings = [b"#version 330\n", b"out vec4 color;\nvoid main() {\n", b"  color = nonsense;\n}\n"]
    result = compiler.compile_shader(GL_FRAGMENT, strings)
    assert not result.ok
    assert "ERROR: 2:1: 'nonsense' : undeclared identifier" in result.log


def test_a_source_cut_anywhere_is_the_same_source():
    text = PLAIN_VERTEX.replace("330", "150").encode()
    for cut in range(0, len(text), 3):
        assert compiler.compile_shader(GL_VERTEX, [text[:cut], text[cut:]]).ok, text[:cut]


def test_an_error_names_its_line_whatever_the_version_became():
    for version in ("140", "150", "330", "330 core", "460", "300 es"):
        result = compiler.compile_shader(GL_FRAGMENT, [f"// one\n#version {version}\n\nvoid main() {{ nope(); "
                                                       f"}}".encode()])
        assert not result.ok and "ERROR: 0:4: 'nope'" in result.log, (version, result.log)


def test_lines_below_a_continued_one_keep_their_numbers():
    source = (b"#version 330\n#define TWICE(x) \\\n    ((x) + \\\n    (x))\n"
              b"void main() { gl_Position = vec4(TWICE(1.0));\n  nope(); }\n")
    assert "ERROR: 0:6: 'nope'" in compiler.compile_shader(GL_VERTEX, [source]).log


@pytest.mark.parametrize(("first_line", "words"), [
    ("", "GLSL 1.10"), ("#version 110", "GLSL 1.10"), ("#version 120", "GLSL 1.20"), ("#version 130", "GLSL 1.30"),
    ("#version 100", "GLSL ES 1.00"), ("#version 330 compatibility", "compatibility profile"),
    ("/* #version 330 */", "GLSL 1.10"), ("// #version 330", "GLSL 1.10"),
])
def test_versions_that_are_refused_by_name(first_line, words, capfd):
    source = f"{first_line}\nvoid main() {{ gl_Position = vec4(0); }}\n".encode()
    result = compiler.compile_shader(GL_VERTEX, [source])
    assert not result.ok and words in result.log and result.log.startswith("ERROR: 0:1: '#version'")
    assert capfd.readouterr() == ("", "")  # glslang itself would print thousands of lines here


def test_a_version_after_a_comment_counts():
    assert compiler.compile_shader(GL_VERTEX, [b"/* licence\n */ // more\n  #  version 330 core\nvoid main() {}\n"]).ok


@pytest.mark.parametrize(("body", "words"), [
    ("float f = ;", "syntax "
                    "error"), ("void main() { vec3 a = vec2(1); "
                               "}", "cannot convert"), ("void main() {", "syntax error"),
    ("#error out of paint\nvoid main() {}", "out of paint"), ("in vec2 a; in vec3 a; void main() {}", "redefinition"),
])
def test_compile_errors(body, words):
    result = compiler.compile_shader(GL_VERTEX, [f"#version 330\n{body}\n".encode()])
    assert not result.ok and words in result.log and "ERROR: 0:" in result.log


# --- link errors

@pytest.mark.parametrize(("program", "words"), [
    ({VERTEX: PLAIN_VERTEX, FRAGMENT: PLAIN_FRAGMENT.replace("in vec2 "
                                                             "uv", "in vec3 uv").replace("(uv,", "(uv.xy,")}, "uv"),
    ({VERTEX: PLAIN_VERTEX, FRAGMENT: PLAIN_FRAGMENT.replace("main", "other")}, "entry point"),
    ({VERTEX: PLAIN_VERTEX, FRAGMENT: PLAIN_FRAGMENT.replace("uv", "uw")},
     "the fragment shader reads 'uw', which no earlier stage writes"),
    ({FRAGMENT: "#version 330\nvoid main() {}"}, "no vertex shader"),
    ({VERTEX: "#version 330\nuniform float f; void main() { gl_Position = vec4(f); }",
      FRAGMENT: "#version 330\nuniform vec2 f; out vec4 c; void main() { c = f.xyxy; }"}, "f"),
    ({VERTEX: "#version 330\nuniform B { float f; }; void main() { gl_Position = vec4(f); }",
      FRAGMENT: "#version 330\nuniform B { vec2 f; }; out vec4 c; void main() { c = f.xyxy; }"}, "B"),
    ({VERTEX: "#version 330\nuniform sampler2D f; void main() { gl_Position = textureLod(f, vec2(0), 0.0); }",
      FRAGMENT: "#version 330\nuniform sampler3D f; out vec4 c; void main() { c = texture(f, vec3(0)); }"}, "f"),
    ({VERTEX: "#version 330\nlayout(location = 1) in vec4 a; layout(location = 1) in vec4 b; void main() { "
              "gl_Position = a + b; }"},
     "location"),
    ({VERTEX: "#version 330\nlayout(location = 15) in mat2 a; void main() { gl_Position = a[0].xyxy; "
              "}"}, "highest is 15"),
    ({VERTEX: PLAIN_VERTEX, COMPUTE: "#version 430\nlayout(local_size_x = 1) in; void main() {}"}, "compute"),
])
def test_link_errors_are_in_the_log(program, words):
    result = link(program)
    assert not result.ok and words in result.log, result.log
    assert not result.spirv


def test_two_attributes_bound_to_one_location():
    vertex = "#version 330\nin vec4 a; in vec4 b; void main() { gl_Position = a + b; }"
    assert "share location 3" in link({VERTEX: vertex}, attribute_bindings={"a": 3, "b": 3}).log


def test_linking_nothing():
    assert "no shader is attached" in compiler.link([]).log


def test_two_shader_objects_of_one_stage():
    main = b"#version 330\nfloat half_of(float x); in vec4 a; void main() { gl_Position = a * half_of(a.x); }"
    library = b"#version 330\nuniform float factor; float half_of(float x) { return x * factor; }"
    result = compiler.link([(GL_VERTEX, [main]), (GL_VERTEX, [library])])
    assert result.ok, result.log
    assert [x.name for x in result.uniforms] == ["factor"]


# --- refused by name

@pytest.mark.parametrize(("program", "words"), [
    (fragment("layout(binding = 0, offset = 8) uniform atomic_uint; layout(binding = 0) uniform atomic_uint n;",
              "vec4(float(atomicCounter(n)))", "430"), "atomic counter 'n' takes its offset from a declaration without"),
    (fragment("struct M { sampler2D map; vec4 tint; }; uniform M m; vec4 of(M x) { return texture(x.map, vec2(0)); }",
              "of(m) + uv.xyxy"), "a function's parameter"),
    (fragment("uniform vec4 list[5000]; uniform int at;", "list[at]"), "80004 bytes of uniforms"),
    ({VERTEX: "#version 440\nlayout(xfb_buffer = 0, xfb_offset = 0) out vec2 a; void main() { a = vec2(1); gl_Position = "
              "a.xyxy; }"}, "xfb_offset"),
])
def test_what_is_not_implemented_is_named(program, words):
    result = link(program)
    assert not result.ok and words in result.log, result.log


# --- threads

def test_threads_compile_at_once_to_the_same_words():
    names = list(CORPUS)[:12]
    expected = {name: link(CORPUS[name]).spirv for name in names}
    wrong = []

    def work():
        for name in names:
            if link(CORPUS[name]).spirv != expected[name]:
                wrong.append(name)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
