"""What verify mode compares before each verb: the state of the front end, as one struct.

Two sides fill a `Snapshot` independently: tracker/snapshot.pyx from the front end's structs, server/told.pyx from the
records that came. A difference is named by its members' names. To cover more state:

- a member of PipelineState, DynamicState or SamplerState is covered as soon as it is declared;
- anything else is one line here, and one line in each of the two modules that fill it;
- a verb compares the sections (members of `Snapshot`) that VERBS names, a new section is added there.
"""

from mgpipe.catalogue.declare import Struct

STRUCTS = (
    Struct("SnapshotSurface", ("surface handle<surface>?", "width u32", "height u32")),
    Struct("SnapshotFramebuffer", (
        "framebuffer handle<framebuffer>?", "draw_buffers i32[8]", "read_buffer i32",
        "default_width u32", "default_height u32", "default_layers u32", "default_samples u32", "default_fixed_samples u32",
        "color Attachment[8]", "depth Attachment", "stencil Attachment"),
           "default_…: of one without any attachment."),
    Struct("SnapshotClear", ("color u32[4]", "depth f64", "stencil i32", "pad0 u32")),
    Struct("SnapshotPatch", ("vertices u32", "outer f32[4]", "inner f32[2]", "pad0 u32")),
    Struct("SnapshotAttrib", ("buffer handle<resource>?", "buffer_size u64", "offset u64", "stride u32", "divisor u32",
                              "size u32", "type u32", "kind u32", "enabled u32"),
           "One vertex attribute, by location: what the vertex array says, without how it was grouped into bindings."),
    Struct("SnapshotBuffer", ("buffer handle<resource>?", "size u64")),
    Struct("SnapshotStage", ("code_hash u64", "constants_hash u64", "constants_size u32", "pad0 u32"),
           "One stage of the program: SPIR-V and loose uniforms, hashed."),
    Struct("SnapshotRange", ("buffer handle<resource>?", "buffer_size u64", "offset u64", "size u64")),
    Struct("SnapshotImage", ("resource handle<resource>?", "format u32", "level u32", "layer u32", "layered u32",
                             "access u32", "pad0 u32")),
    Struct("SnapshotTexture", (
        "resource handle<resource>?", "target u32", "samples u32", "format u32", "width u32", "height u32", "depth u32",
        "first_level u32", "first_layer u32", "base_level u32", "max_level u32", "swizzle u32[4]", "stencil_sampling u32", "pad0 u32",
        "buffer handle<resource>?", "buffer_offset u64", "buffer_size u64", "sampler SamplerState"),
           "One texture slot of the program: the texture with level 0's shape, the part that a view shows, and the sampler "
           "state that applies."),
    Struct("SnapshotCapture", ("stream_output handle<stream_output>?", "shader handle<shader>?", "mode u32", "pad0 u32",
                               "targets SnapshotRange[4]"),
           "The transform feedback that draws go to now; all zero: none."),
    Struct("SnapshotCommands", ("draw handle<resource>?", "parameter handle<resource>?", "dispatch handle<resource>?"),
           "Buffers of indirect commands: those that the verb reads."),
    Struct("SnapshotCounts", ("uniforms u32", "storage u32", "images u32", "textures u32", "commands u32", "pad0 u32"),
           "How many slots the program has, and a bit for each of the commands that the verb reads; no others are compared."),
    Struct("Snapshot", (
        "counts SnapshotCounts", "context handle<context>?", "draw_surface SnapshotSurface",
        "read_surface SnapshotSurface", "draw_framebuffer SnapshotFramebuffer",
        "read_framebuffer SnapshotFramebuffer", "pipeline PipelineState", "dynamic DynamicState",
        "clear_values SnapshotClear", "patch SnapshotPatch", "attrib_values AttribValue[16]",
        "attribs SnapshotAttrib[16]", "index_buffer SnapshotBuffer", "shader handle<shader>?",
        "stages SnapshotStage[6]", "uniforms SnapshotRange[96]", "storage SnapshotRange[32]",
        "storage_written u64", "capture SnapshotCapture", "commands SnapshotCommands", "images SnapshotImage[32]",
        "textures SnapshotTexture[192]"),
           "The front end's state for one verb. Textures are last: those that the program has not do not travel."),
)

_TARGET = "context draw_surface draw_framebuffer pipeline dynamic"
_SOURCE = "context read_surface read_framebuffer"
_SHADING = "shader stages uniforms storage storage_written images textures"
_DRAW = f"{_TARGET} {_SHADING} patch attrib_values attribs index_buffer capture"

VERBS = {   # what a verb consumes, and so what it compares
    "draw_vbo": _DRAW,
    "multi_draw_arrays": _DRAW,
    "multi_draw_elements": _DRAW,
    "draw_indirect": f"{_DRAW} commands",
    "draw_stream_output": _DRAW,
    "launch_grid": f"context {_SHADING} commands",
    "clear": f"{_TARGET} clear_values",
    "blit": f"{_TARGET} read_surface read_framebuffer",
    "read_pixels": _SOURCE,
    "read_pixels_to_buffer": _SOURCE,
    "copy_framebuffer_to_texture": _SOURCE,
    "resource_readback": "context",
    "get_texture_image": "context",
    "get_sample_positions": "context draw_surface draw_framebuffer",
}

# The calls that tell a server the state which verbs consume: server/told.pyx notes each of them.
TOLD = """
    session_reset bind_context create_context destroy_context create_surface resize_surface destroy_surface
    resource_create resource_respecify pin_memory resource_destroy set_texture_params
    create_render_state bind_render_state delete_render_state
    create_vertex_elements bind_vertex_elements delete_vertex_elements
    create_sampler_state delete_sampler_state create_shader_state bind_shader_state bind_compute_state delete_shader_state set_constants
    set_dynamic_state set_framebuffer_state bind_vertex_array vertex_array_destroy set_vertex_buffers set_index_buffer set_vertex_attrib_defaults set_patch_state
    set_sampler_views bind_sampler_states set_shader_buffers set_shader_images set_indirect_buffers
    begin_stream_output pause_stream_output resume_stream_output end_stream_output delete_stream_output""".split()
