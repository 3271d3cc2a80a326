"""Each program of the corpus links on the machine's driver once translated, and shows the same to introspection."""

import re

import pytest
from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.sources import VULKAN_WORDS
from shader_corpus import COMPUTE, CORPUS, FRAGMENT
from shader_driver import STAGE_ENUMS

CONSTANTS_BLOCKS = ("mgpipe_vertex", "mgpipe_tess_control", "mgpipe_tess_evaluation", "mgpipe_geometry",
                    "mgpipe_fragment", "mgpipe_compute")
EMPTY_ES_FRAGMENT = "#version 320 es\nvoid main() {}\n"


def link(program, **options):
    linked = compiler.link([(STAGE_ENUMS[stage], [text.encode()]) for stage, text in program.items()], **options)
    assert linked.ok, linked.log
    return linked


def translate(linked, dialect):
    texts = {stage: to_dialect(words, stage, dialect == "gles") for stage, words in linked.spirv.items()}
    if dialect == "gles" and FRAGMENT not in texts and COMPUTE not in texts:
        texts[FRAGMENT] = EMPTY_ES_FRAGMENT  # GLES wants one in every program; the back end adds it
    return texts


@pytest.mark.parametrize("name", CORPUS)
def test_uniforms_and_attributes_are_the_drivers(name, driver):
    linked = link(CORPUS[name])
    native = driver.link("gl", CORPUS[name])
    assert native.ok, native.log
    assert {(x.name, x.gl_type, x.size) for x in linked.uniforms} == native.uniforms
    # The specification names an array of attributes "a[0]"; Mesa says "a".
    assert {(x.name.removesuffix("[0]"), x.gl_type, x.size) for x in linked.attributes} == native.attributes


@pytest.mark.parametrize("name", CORPUS)
def test_block_layout_is_the_drivers(name, driver):
    linked = link(CORPUS[name])
    native = driver.link("gl", CORPUS[name])
    assert {block.name: block.size_bytes for block in linked.uniform_blocks} == native.block_sizes
    ours = {x.name: (x.offset, x.array_stride, x.matrix_stride, int(x.row_major))
            for x in linked.uniforms if x.block >= 0}
    assert ours == native.layout


@pytest.mark.parametrize("name", CORPUS)
def test_translated_it_links_with_the_numbers_the_client_gave(name, driver, dialect):
    """Bindings, units and locations are in the text: nobody looks names up."""
    linked = link(CORPUS[name])
    texts = translate(linked, dialect)
    outputs = [x.name for x in linked.fragment_outputs if not x.name.startswith("gl_")] if dialect == "gl" else []
    report = driver.link(dialect, texts, outputs)
    assert report.ok, report.log + "\n" + "\n".join(texts.values())

    locations = {x.name.removesuffix("[0]"): x.location for x in linked.attributes if x.location >= 0}
    reported = {name: place for name, place in report.attribute_locations.items() if place >= 0}
    if dialect == "gles" and any(x.size > 1 for x in linked.attributes):
        assert reported.items() > {(x.name, x.location) for x in linked.attributes if x.size == 1 and x.location >= 0}
    else:
        assert reported == locations
    expected = {block.name: block.slot for block in linked.uniform_blocks}
    expected |= {CONSTANTS_BLOCKS[stage]: stage for stage, size in enumerate(linked.constants_size) if size}
    assert report.block_bindings == expected
    # A word that Vulkan reserves has another name behind the boundary.
    slots = {f"mgpipe_word_{x.name}" if x.name in VULKAN_WORDS else x.name: x.slot
             for x in linked.uniforms if x.slot >= 0}
    # SPIRV-Cross writes "s.map" as s_map.
    written = {name.replace("[0]", "") if "." not in name else re.sub(r"\W+", "_", name.removesuffix("[0]")): slot
               for name, slot in slots.items()}
    reported = {name.replace("[0]", ""): value for name, value in report.values.items()}
    if name == "samplers in structures by any index":       # arrays over all elements: the driver says where they begin
        written = {re.sub(r"\[\d+\]", "", name).replace(".", "_"): slot for name, slot in slots.items()
                   if set(re.findall(r"\d+", name)) == {"0"}}
        assert len(written) == 4
    assert {name: reported[name] for name in written} == written
    assert report.output_locations == {x.name: x.location for x in linked.fragment_outputs if x.name in outputs}


def test_arrays_of_attributes_become_single_ones_where_the_dialect_has_no_arrays(driver):
    linked = link(CORPUS["arrays of attributes"])
    report = driver.link("gles", translate(linked, "gles"))
    # float a[3] at 0, vec4 b[2] at 3, mat2 c[2] at 5 (two locations each), vec2 d at 9
    assert sorted(report.attribute_locations.values()) == [0, 1, 2, 3, 4, 5, 7, 9]
