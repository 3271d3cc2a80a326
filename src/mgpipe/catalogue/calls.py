"""MGPipe: every call that crosses the boundary, with its payload. Declared here and nowhere else.

A `format` on the wire is a position in catalogue/formats.py counted from 1 (0: none).

Read `declare.py` for the notation. The generator makes the C structs, the two function tables, encoders, decoders, the
layout fingerprint and docs/catalogue.md from this file.
"""

from mgpipe.catalogue.declare import Call, Class, Struct, Tail, Wait

HANDLE_KINDS = (
    "resource",          # buffer, texture, renderbuffer: one dense space
    "framebuffer", "stream_output", "render_state", "vertex_elements", "sampler", "sampler_view", "shader", "fence",
    "query", "context", "surface", "share_group", "image", "vertex_array",
)

MAX_VERTEX_ATTRIBS = 32
MAX_VERTEX_BUFFERS = 32
MAX_TEXTURE_SLOTS = 192
MAX_IMAGE_SLOTS = 32
MAX_BUFFER_SLOTS = 96
MAX_COLOR_ATTACHMENTS = 8
MAX_VIEWPORTS = 16
MAX_STREAM_TARGETS = 4
MAX_DRAWS = 8192            # of one record, which is at most half of the smallest ring: the tracker splits
MAX_REGIONS = 2048
SHADER_STAGES = 6

DRIVER_NAMES = ("buffer", "texture", "renderbuffer", "sampler", "program", "shader")     # shared ones; the first 4,096 of each

REFERENCE_ROWS = 85          # of the documents' catalogue: each is answered here or stands in NOT_CARRIED

STRUCTS = (
    Struct("Blob", ("offset u64", "size u64", "segment u32 in SEGMENT", "pad0 u32"),
           "Bytes that lie in a segment both sides map: the shadow arena or the reply arena; on monolith an answer may lie in the "
           "program's own memory."),
    Struct("Box", ("x i32", "y i32", "z i32", "width u32", "height u32", "depth u32"),
           "Texels of one level; array layers and cube faces are z and depth."),
    Struct("Rect", ("x0 i32", "y0 i32", "x1 i32", "y1 i32")),
    Struct("BufferRange", ("resource handle<resource>?", "offset u64", "size u64"),
           "size of all ones: to the end of the buffer, resolved when used."),
    Struct("Attachment", ("resource handle<resource>?", "format u32 < 256", "level u32 < 16", "layer u32", "layered u32 bool"),
           "One attachment of a framebuffer; `layer` is the array layer, cube face or 3D slice."),
    Struct("VertexAttrib", ("location u32 < 32", "binding u32 < 32", "size u32 <= 4", "type u32 in VERTEX_TYPE",
                            "relative_offset u32", "kind u32 in ATTRIB_KIND"),
           "kind: float, normalised, integer or double. size 4 with `bgra` kind for GL_BGRA."),
    Struct("VertexBinding", ("binding u32 < 32", "divisor u32")),
    Struct("VertexBuffer", ("resource handle<resource>?", "offset u64", "stride u32", "binding u32 < 32")),
    Struct("AttribValue", ("location u32 < 32", "kind u32 in ATTRIB_KIND", "value u32[8]"),
           "Current generic attribute, used where the array is disabled: four words, or four doubles."),
    Struct("BoundView", ("resource handle<resource>?", "view handle<sampler_view>?", "slot u32 < 192",
                         "target u32 in TEXTURE_TARGET")),
    Struct("BoundSampler", ("sampler handle<sampler>?", "slot u32 < 192", "pad0 u32")),
    Struct("ImageView", ("resource handle<resource>?", "slot u32 < 32", "format u32 < 256", "level u32 < 16", "layer u32",
                         "layered u32 bool", "access u32 in ACCESS")),
    Struct("SubRegion", ("box Box", "source_offset u64", "row_stride u32", "slice_stride u32"),
           "Where this box's first texel lies in the record's blob; strides in bytes."),
    Struct("BlendTarget", ("enable u32 bool", "rgb_func u32 in BLEND_FUNC", "alpha_func u32 in BLEND_FUNC",
                           "rgb_src u32 in BLEND_FACTOR", "rgb_dst u32 in BLEND_FACTOR", "alpha_src u32 in BLEND_FACTOR",
                           "alpha_dst u32 in BLEND_FACTOR", "write_mask u32 <= 15")),
    Struct("StencilFace", ("func u32 in COMPARE_FUNC", "fail u32 in STENCIL_OP", "depth_fail u32 in STENCIL_OP",
                           "depth_pass u32 in STENCIL_OP", "value_mask u32", "write_mask u32")),
    Struct("PipelineState", (
        "blend BlendTarget[8]", "stencil StencilFace[2]",
        "stencil_test u32 bool", "depth_test u32 bool", "depth_write u32 bool", "depth_func u32 in COMPARE_FUNC",
        "depth_clamp u32 bool", "cull_enable u32 bool", "cull_face u32 in CULL_FACE", "front_face u32 in FRONT_FACE",
        "polygon_mode u32 in POLYGON_MODE", "offset_point u32 bool", "offset_line u32 bool", "offset_fill u32 bool",
        "scissor_mask u32", "rasterizer_discard u32 bool", "multisample u32 bool", "alpha_to_coverage u32 bool",
        "alpha_to_one u32 bool", "sample_coverage u32 bool", "sample_coverage_invert u32 bool", "sample_mask u32 bool",
        "sample_mask_value u32", "sample_coverage_value f32", "sample_shading u32 bool", "min_sample_shading f32",
        "logic_op_enable u32 bool", "logic_op u32 in LOGIC_OP", "dither u32 bool", "framebuffer_srgb u32 bool",
        "line_smooth u32 bool", "polygon_smooth u32 bool", "program_point_size u32 bool", "seamless_cube u32 bool",
        "primitive_restart u32 in RESTART", "restart_index u32", "provoking_vertex u32 in PROVOKING",
        "clip_distance_mask u32 <= 255", "point_origin u32 in POINT_ORIGIN",
        "clip_origin u32 in CLIP_ORIGIN", "clip_depth u32 in CLIP_DEPTH", "pad0 u32",
    ), "What a pipeline object fixes; content-addressed by the client."),
    Struct("Viewport", ("x f32", "y f32", "width f32", "height f32", "near f64", "far f64"), ""),
    Struct("DynamicState", (
        "viewports Viewport[16]", "scissors Rect[16]", "blend_color f32[4]", "stencil_ref i32[2]", "line_width f32",
        "point_size f32", "offset_factor f32", "offset_units f32", "offset_clamp f32", "clear_color u32[4]",
        "clear_stencil i32", "clear_depth f64",
    ), "What changes without a new pipeline; only changed chunks travel (DYNAMIC_CHUNKS)."),
    Struct("SamplerState", (
        "min_filter u32 in MIN_FILTER", "mag_filter u32 in MAG_FILTER", "wrap_s u32 in WRAP", "wrap_t u32 in WRAP",
        "wrap_r u32 in WRAP", "compare_mode u32 in COMPARE_MODE", "compare_func u32 in COMPARE_FUNC", "min_lod f32",
        "max_lod f32", "lod_bias f32", "max_anisotropy f32", "border_kind u32 in BORDER_KIND", "border u32[4]")),
    Struct("ShaderStage", ("code Blob", "constants_size u32", "pad0 u32"),
           "SPIR-V of one stage (empty: stage absent) and the size of its block of loose uniforms, in bytes."),
    Struct("Living", ("objects u32[16]", "names u32[6]"),
           "How many objects live by handle kind; how many names the driver has of DRIVER_NAMES."),
    Struct("TraceSlice", ("start u64", "end u64", "ordinal u64", "op u32", "track u32 in TRACE_TRACK"),
           "When a record was applied, or its work done by the GPU: nanoseconds of the server's CLOCK_MONOTONIC. op: of the record."),
    Struct("DynamicChunk", ("offset u32", "size u32"),
           "Bytes of DynamicState that follow, packed, in the record's last tail."),
)


def call(name, cls, wait=Wait.NONE, fields=(), tails=(), flags=(), reference=(), doc="", retired=False):
    return Call(name, cls, wait, tuple(fields), tuple(tails), frozenset(flags), tuple(reference), doc, retired)


_REGION = Tail("SubRegion", "region_count", MAX_REGIONS)

CALLS = (
    # -- screen: capabilities, contexts, surfaces, resources, maps, fences
    call("get_caps", Class.SCREEN, Wait.REPLY, ("into Blob",), flags=("blob",), reference=(1,),
         doc="Fill a Caps block: limits, strings, formats of the driver."),
    call("create_share_group", Class.SCREEN, fields=("group new<share_group>",), doc="Objects live in a share group."),
    call("destroy_share_group", Class.SCREEN, fields=("group old<share_group>",)),
    call("create_context", Class.SCREEN, fields=("context new<context>", "group handle<share_group>", "flags u32 mask 0xF", "pad0 u32"),
         doc="A context of the group; state starts at GL defaults."),
    call("destroy_context", Class.SCREEN, fields=("context old<context>",)),
    call("create_surface", Class.SCREEN, fields=(
        "surface new<surface>", "width u32 <= 32768", "height u32 <= 32768", "color_format u32 < 256", "depth_format u32 < 256",
        "samples u32 <= 64", "srgb u32 bool"), doc="A surface; its default framebuffer is always made by the server."),
    call("resize_surface", Class.SCREEN, fields=("surface handle<surface>", "width u32 <= 32768", "height u32 <= 32768")),
    call("destroy_surface", Class.SCREEN, fields=("surface old<surface>",)),
    call("bind_context", Class.SCREEN, fields=("context handle<context>?", "draw handle<surface>?", "read handle<surface>?"),
         reference=(77, 84), doc="Records from here on belong to this context, drawing to and reading from these surfaces."),
    call("resource_create", Class.SCREEN, fields=("resource new<resource>", "group handle<share_group>", "target u32 in RESOURCE_TARGET", "gl_name u32"),
         reference=(2,), doc="A buffer, texture or renderbuffer exists; resource_respecify defines its storage."),
    call("resource_respecify", Class.SCREEN, fields=(
        "resource handle<resource>", "target u32 in RESOURCE_TARGET", "format u32 < 256", "width u32", "height u32", "depth u32",
        "levels u32 <= 16", "samples u32 <= 64", "fixed_samples u32 bool", "immutable u32 bool", "usage u32",
        "storage_flags u32", "level u32 < 16", "upload_target u32", "first_layer u32", "view_of handle<resource>?",
        "buffer handle<resource>?", "offset u64", "size u64"),
         reference=(3,), doc="(Re)define storage. Mutable textures: one (upload_target, level) a record, levels = 0; buffers: size. "
             "A view has no storage: its levels are those of `view_of` from `level` and `first_layer` on."),
    call("resource_destroy", Class.SCREEN, fields=("resource old<resource>",), reference=(4,)),
    call("map_persistent", Class.SCREEN, Wait.REPLY, ("resource handle<resource>", "offset u64", "size u64"), flags=("optional",),
         reference=(5,), doc="Offer the client a mapping of the driver's own store."),
    call("unmap_persistent", Class.SCREEN, fields=("resource handle<resource>",), flags=("optional",), reference=(6,)),
    call("fence_create", Class.SCREEN, fields=("fence new<fence>",), reference=(7,), doc="Signals when all records before it are done on the GPU."),
    call("fence_wait", Class.SCREEN, Wait.REPLY, ("fence handle<fence>", "timeout_ns u64", "flush u32 bool", "pad0 u32"), reference=(8, 9)),
    call("fence_wait_server", Class.SCREEN, fields=("fence handle<fence>",), reference=(71,)),
    call("fence_destroy", Class.SCREEN, fields=("fence old<fence>",), reference=(10,)),
    call("shared_image", Class.SCREEN, Wait.REPLY, ("image handle<image>?", "operation u32", "format u32", "width u32", "height u32"),
         flags=("optional",), reference=(85,)),
    call("session_reset", Class.SCREEN, doc="Forget every object and all state of this session, as if it had just begun."),

    # -- queries
    call("query_create", Class.QUERY, fields=("query new<query>", "target u32 in QUERY_TARGET", "pad0 u32"), reference=(11,)),
    call("query_begin", Class.QUERY, fields=("query handle<query>", "target u32 in QUERY_TARGET", "stream u32 < 4"), reference=(12,)),
    call("query_end", Class.QUERY, fields=("query handle<query>", "target u32 in QUERY_TARGET", "stream u32 < 4"), reference=(13,)),
    call("query_result", Class.QUERY, Wait.REPLY, ("query handle<query>", "wait u32 bool", "pad0 u32"), reference=(14, 15)),
    call("query_result_to_buffer", Class.QUERY, fields=("query handle<query>", "buffer handle<resource>", "offset u64", "type u32 in RESULT_TYPE", "pname u32 in QUERY_RESULT")),
    call("query_counter", Class.QUERY, fields=("query handle<query>",), reference=(70,)),
    call("timestamp", Class.QUERY, Wait.REPLY, (), reference=(69,)),
    call("query_destroy", Class.QUERY, fields=("query old<query>",), reference=(16,)),
    call("render_condition", Class.QUERY, fields=("query handle<query>?", "mode u32 in CONDITION", "pad0 u32"), doc="Null ends conditional rendering."),

    # -- constant state objects
    call("create_render_state", Class.CSO, fields=("cso new<render_state>", "state PipelineState"), reference=(17,)),
    call("bind_render_state", Class.CSO, fields=("cso handle<render_state>",), reference=(18,)),
    call("delete_render_state", Class.CSO, fields=("cso old<render_state>",), reference=(19,)),
    call("create_vertex_elements", Class.CSO, fields=("cso new<vertex_elements>", "attrib_count u32 <= 32", "binding_count u32 <= 32"),
         tails=(Tail("VertexAttrib", "attrib_count", MAX_VERTEX_ATTRIBS), Tail("VertexBinding", "binding_count", MAX_VERTEX_BUFFERS)),
         reference=(20,)),
    call("bind_vertex_elements", Class.CSO, fields=("cso handle<vertex_elements>",), reference=(21,)),
    call("delete_vertex_elements", Class.CSO, fields=("cso old<vertex_elements>",), reference=(22,)),
    call("create_sampler_state", Class.CSO, fields=("cso new<sampler>", "state SamplerState"), reference=(23,)),
    call("delete_sampler_state", Class.CSO, fields=("cso old<sampler>",), reference=(24,)),
    call("create_sampler_view", Class.CSO, fields=(
        "cso new<sampler_view>", "resource handle<resource>", "format u32 < 256", "target u32 in TEXTURE_TARGET", "min_level u32 < 16",
        "num_levels u32 <= 16", "min_layer u32", "num_layers u32"), reference=(25,)),
    call("delete_sampler_view", Class.CSO, fields=("cso old<sampler_view>",), reference=(26,)),
    call("create_shader_state", Class.CSO, fields=("cso new<shader>", "group handle<share_group>", "flags u32", "feedback_mode u32 in FEEDBACK_MODE",
         "stages ShaderStage[6]", "feedback Blob"), flags=("blob",), reference=(27,),
         doc="A linked program: SPIR-V per stage, in the order vert tesc tese geom frag comp. `feedback`: the names, as the SPIR-V "
             "has them, of what transform feedback captures, each with a zero byte at its end."),
    call("bind_shader_state", Class.CSO, fields=("cso handle<shader>?",), reference=(28, 44)),
    call("bind_compute_state", Class.CSO, fields=("cso handle<shader>?",), reference=(45,)),
    call("delete_shader_state", Class.CSO, fields=("cso old<shader>",), reference=(29,)),

    # -- state consumed by the next verb
    call("set_dynamic_state", Class.STATE, fields=("chunk_count u32 <= 16", "byte_count u32 <= 4096"),
         tails=(Tail("DynamicChunk", "chunk_count", 16), Tail("u8", "byte_count", 4096)), reference=(30,)),
    call("set_framebuffer_state", Class.STATE, fields=(
        "framebuffer ensure<framebuffer>?", "target u32 in FRAMEBUFFER_TARGET", "width u32", "height u32", "layers u32",
        "samples u32", "fixed_samples u32 bool", "draw_buffers i32[8] -1..7", "read_buffer i32 -1..7", "pad0 u32",
        "color Attachment[8]", "depth Attachment", "stencil Attachment", "content_hash u64"),
         reference=(31,), doc="One framebuffer's attachments, and the binding it takes. Null: the default framebuffer. draw_buffers: attachment index or -1."),
    call("framebuffer_destroy", Class.STATE, fields=("framebuffer old<framebuffer>",), reference=(78,)),
    call("set_vertex_buffers", Class.STATE, fields=("count u32 <= 32", "base_instance u32", "content_hash u64"),
         tails=(Tail("VertexBuffer", "count", MAX_VERTEX_BUFFERS),), reference=(32,)),
    call("set_index_buffer", Class.STATE, fields=("resource handle<resource>?", "offset u64"), reference=(33,)),
    call("set_indirect_buffers", Class.STATE, fields=("draw handle<resource>?", "parameter handle<resource>?", "dispatch handle<resource>?"), reference=(34,)),
    call("set_sampler_views", Class.STATE, fields=("count u32 <= 192", "pad0 u32", "content_hash u64"),
         tails=(Tail("BoundView", "count", MAX_TEXTURE_SLOTS),), reference=(35, 80),
         doc="The textures of the bound program's slots; units were resolved on the client."),
    call("bind_sampler_states", Class.STATE, fields=("count u32 <= 192", "pad0 u32", "content_hash u64"),
         tails=(Tail("BoundSampler", "count", MAX_TEXTURE_SLOTS),), reference=(36,)),
    call("set_shader_images", Class.STATE, fields=("count u32 <= 32", "pad0 u32", "content_hash u64"),
         tails=(Tail("ImageView", "count", MAX_IMAGE_SLOTS),), reference=(37, 72)),
    call("set_shader_buffers", Class.STATE, fields=("buffer_class u32 in BUFFER_CLASS", "start u32 < 96", "count u32 <= 96", "writable_mask u32", "content_hash u64"),
         tails=(Tail("BufferRange", "count", MAX_BUFFER_SLOTS),), reference=(38, 75),
         doc="Uniform, storage or atomic ranges by the bound program's slots."),
    call("set_stream_output_targets", Class.STATE, fields=("count u32 <= 4", "pad0 u32", "content_hash u64"),
         tails=(Tail("BufferRange", "count", MAX_STREAM_TARGETS),), reference=(39,)),
    call("set_constants", Class.STATE, fields=("shader handle<shader>", "stage u32 < 6", "offset u32", "bytes Blob"), flags=("blob",),
         reference=(40,), doc="The changed span of one stage's loose uniforms; kept with the program."),
    call("set_vertex_attrib_defaults", Class.STATE, fields=("count u32 <= 32", "pad0 u32"), tails=(Tail("AttribValue", "count", MAX_VERTEX_ATTRIBS),), reference=(41,)),
    call("set_patch_state", Class.STATE, fields=("vertices u32 <= 32", "outer f32[4]", "inner f32[2]", "pad0 u32"), reference=(43, 73)),

    # -- contents of resources
    call("set_texture_params", Class.OBJECT, fields=("resource handle<resource>", "base_level u32", "max_level u32",
         "swizzle u32[4] in SWIZZLE", "stencil_sampling u32 bool", "pad0 u32"), reference=(47,)),
    call("resource_subdata", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "region_count u32 <= 2048", "offset u64",
         "bytes Blob", "bounds Box",
         "texels u32 bool", "mapping u32"), tails=(_REGION,), flags=("blob",), reference=(48,),
         doc="Buffer: blob to byte offset, no regions; `mapping`: what the program wrote through its persistent mapping of that number, "
             "which no command waits for. Texture: regions of one level inside their union box, canonical "
             "texels; of a compressed format blocks of 4 × 4, or with `texels` what the driver is to compress."),
    call("resource_clear", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "pattern_size u32 <= 16", "offset u64", "size u64", "bounds Box", "pattern u32[4]"),
         doc="glClearBufferSubData, glClearTexSubImage: repeat a pattern of pattern_size bytes (0: zero)."),
    call("resource_invalidate", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "pad0 u32", "offset u64", "size u64")),
    call("resource_flush_range", Class.OBJECT, fields=("resource handle<resource>", "offset u64", "size u64"), reference=(51,)),
    call("resource_readback", Class.OBJECT, Wait.REPLY, ("resource handle<resource>", "offset u64", "into Blob"), flags=("blob",), reference=(52,)),
    call("resource_copy_region", Class.OBJECT, fields=("source handle<resource>", "target handle<resource>", "source_level u32 < 16", "target_level u32 < 16",
         "box Box", "x i32", "y i32", "z i32", "pad0 u32"), reference=(53,)),
    call("buffer_copy", Class.OBJECT, fields=("source handle<resource>", "target handle<resource>", "source_offset u64", "target_offset u64", "size u64")),
    call("generate_mipmap", Class.OBJECT, fields=("resource handle<resource>", "base_level u32", "max_level u32"), reference=(54,)),
    call("get_texture_image", Class.OBJECT, Wait.REPLY, ("resource handle<resource>", "level u32 < 16", "layout u32 in READ_LAYOUT", "box Box", "into Blob"),
         flags=("blob",), reference=(55,), doc="Tight rows of the box in a canonical read layout."),
    call("get_texture_image_to_buffer", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "layout u32 in READ_LAYOUT", "box Box",
         "target handle<resource>", "offset u64", "row_stride u64", "slice_stride u64", "format u32 < 64", "type u32 < 64", "swap_group u32 <= 8", "pad0 u32"),
         flags=("optional",), reference=(83,), doc="Texels into a buffer as the program's format and type, positions in catalogue/formats.py. Nobody waits."),

    # -- verbs
    call("blit", Class.VERB, fields=("source handle<framebuffer>?", "target handle<framebuffer>?", "source_area Rect", "target_area Rect", "mask u32 in BLIT_MASK", "linear u32 bool"),
         reference=(56,), doc="Between the framebuffers last set for read and draw; null: the default one."),
    call("clear", Class.VERB, fields=("kind u32 in CLEAR_KIND", "buffers u32 in CLEAR_BUFFER", "draw_buffer i32 0..7", "value_class u32 in VALUE_CLASS", "color u32[4]", "depth f32", "stencil i32"),
         reference=(57,), doc="kind whole: glClear with the dynamic clear values; else one glClearBuffer*."),
    call("framebuffer_invalidate", Class.VERB, fields=("framebuffer handle<framebuffer>?", "attachments u32", "target u32 in FRAMEBUFFER_TARGET", "area Rect"),
         doc="Contents may be dropped: colour i in bit i, depth bit 8, stencil bit 9."),
    call("read_pixels", Class.VERB, Wait.REPLY, ("area Rect", "attachment i32 -1..7", "layout u32 in READ_LAYOUT", "into Blob"), flags=("blob",), reference=(58,),
         doc="Tight rows from the read framebuffer; attachment -1: depth and stencil by layout."),
    call("read_pixels_to_buffer", Class.VERB, fields=("area Rect", "target handle<resource>", "offset u64", "row_stride u64", "format u32 < 64", "type u32 < 64",
         "swap_group u32 <= 8", "layout u32 in READ_LAYOUT", "attachment i32 -1..7", "clamp u32 bool"), flags=("optional",), reference=(82,),
         doc="read_pixels into a buffer, as get_texture_image_to_buffer. layout: what a driver reads that does not know format and type. clamp: colours to 0 … 1."),
    call("draw_vbo", Class.VERB, fields=("mode u32 in PRIMITIVE", "index_size u32 in INDEX_SIZE", "first u32", "count u32", "instance_count u32",
         "base_instance u32", "base_vertex i32", "pad0 u32"), reference=(59,),
         doc="first: vertex, or index counted in indices; count: vertices or indices."),
    call("draw_indirect", Class.VERB, fields=("mode u32 in PRIMITIVE", "index_size u32 in INDEX_SIZE", "offset u64", "count_offset u64", "draw_count u32", "stride u32",
         "has_count u32 bool", "pad0 u32"), flags=("optional",),
         doc="The indirect forms of the reference's row 59, which draw_vbo answers."),
    call("draw_stream_output", Class.VERB, fields=("mode u32 in PRIMITIVE", "instance_count u32", "stream_output handle<stream_output>", "stream u32 < 4", "pad0 u32"), flags=("optional",)),
    call("launch_grid", Class.VERB, fields=("grid u32[3]", "indirect u32 bool", "offset u64"), flags=("optional",), reference=(60,)),
    call("memory_barrier", Class.VERB, fields=("bits u32", "by_region u32 bool"), flags=("optional",), reference=(61,)),
    call("texture_barrier", Class.VERB, flags=("optional",)),
    call("begin_stream_output", Class.VERB, fields=("stream_output ensure<stream_output>", "shader handle<shader>", "mode u32 in PRIMITIVE", "count u32 <= 4"),
         tails=(Tail("BufferRange", "count", MAX_STREAM_TARGETS),), flags=("optional",), reference=(62, 74),
         doc="Capture what the shader's feedback names into these buffers; mode: points, lines or triangles."),
    call("end_stream_output", Class.VERB, fields=("stream_output handle<stream_output>",), flags=("optional",), reference=(63,)),
    call("pause_stream_output", Class.VERB, fields=("stream_output handle<stream_output>",), flags=("optional",), reference=(64,)),
    call("resume_stream_output", Class.VERB, fields=("stream_output handle<stream_output>",), flags=("optional",), reference=(65,)),
    call("delete_stream_output", Class.VERB, fields=("stream_output old<stream_output>",), flags=("optional",), reference=(81,)),
    call("copy_framebuffer_to_texture", Class.VERB, fields=("resource handle<resource>", "level u32 < 16", "layer u32", "x i32", "y i32", "area Rect"), reference=(76,)),
    call("flush", Class.VERB, fields=("flags u32 in FLUSH", "pad0 u32"), reference=(66,)),
    call("finish", Class.VERB, Wait.REPLY, doc="Answers when the driver has finished everything before it."),
    call("present", Class.VERB, Wait.PRESENT, ("surface handle<surface>", "serial u64"), reference=(67,),
         doc="A frame of the surface ends; serial counts them from 1. `presented` tells when the driver has finished it."),
    call("set_swap_interval", Class.VERB, fields=("surface handle<surface>", "interval i32", "pad0 u32"), reference=(68,)),
    call("verify_snapshot", Class.VERB, fields=("verb u32", "byte_count u32 <= 65536"), tails=(Tail("u8", "byte_count", 65536),), flags=("optional",),
         doc="A from-scratch snapshot (struct Snapshot, without slots that the program has not) of the front end's state for the "
             "next verb, compared by the applier with what records said. Verb 0, no bytes: verification begins."),
    call("verify_contents", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "layout u32 in READ_LAYOUT", "texel_bytes u32 <= 16",
         "pad0 u32", "offset u64", "bytes Blob", "box Box"), flags=("blob", "optional"),
         doc="The client's own bytes of a buffer, or texels of a level, whose first texel_bytes in that layout must be these; compared with "
             "the driver's by the applier, in verify mode."),
    call("get_sample_positions", Class.VERB, Wait.REPLY, ("into Blob",), flags=("blob",),
         doc="Where in a pixel the samples of the draw framebuffer lie: two floats each, as many as the blob holds."),
    call("count_living", Class.SCREEN, Wait.REPLY, ("into Blob",), flags=("blob", "optional"),
         doc="Fill a Living block: what of this session is alive on the server. For tests that look for leaks."),
    call("texture_from_buffer", Class.OBJECT, fields=("resource handle<resource>", "level u32 < 16", "swap_group u32 <= 8", "box Box",
         "source handle<resource>", "offset u64", "row_stride u64", "slice_stride u64", "format u32 < 64", "type u32 < 64"),
         flags=("optional",),
         doc="Texels that only the server has, out of a buffer, where they lie as the program's format and type, positions in "
             "catalogue/formats.py. The other way of get_texture_image_to_buffer."),
    call("await_present", Class.SCREEN, Wait.REPLY, ("surface handle<surface>", "serial u64"),
         doc="Answers when the driver has finished this surface's present of that serial, and all before it. What was drawn since "
             "is on its way meanwhile."),
    call("trace", Class.SCREEN, Wait.REPLY, ("mode u32 in TRACE_MODE", "pad0 u32"), flags=("optional",),
         doc="Begin: from here on slices are told by events. End: all that are left are told before this answers. Clock: nothing "
             "else. The answer's values: the server's clock in nanoseconds, slices dropped, whether the GPU's times are told (1), "
             "and by how many nanoseconds those may be wrong."),
    call("bind_vertex_array", Class.STATE, fields=("array ensure<vertex_array>?",),
         doc="Vertex elements, vertex buffers and index buffer set from here on are this array's, draws read through it, and it keeps "
             "them while another is bound. Null: the context's own, as in the beginning."),
    call("vertex_array_destroy", Class.STATE, fields=("array old<vertex_array>",)),
    call("pin_memory", Class.OBJECT, fields=("resource handle<resource>", "usage u32", "pad0 u32", "bytes Blob"), flags=("blob", "optional"),
         doc="A buffer's storage is this memory itself, from a page on: what either side writes there, the other sees. The memory is "
             "the buffer's until the record that gives it other storage, or destroys it, counts as applied."),
    call("multi_draw_arrays", Class.VERB, fields=("mode u32 in PRIMITIVE", "draw_id u32", "draw_count u32 <= 8192", "pad0 u32"),
         tails=(Tail("u32", "draw_count", MAX_DRAWS, "firsts"), Tail("u32", "draw_count", MAX_DRAWS, "counts")),
         doc="As drivers take them: arrays. draw_id: of the first draw, where several records come of one call."),
    call("multi_draw_elements", Class.VERB, fields=("mode u32 in PRIMITIVE", "index_size u32 in INDEX_SIZE", "draw_id u32", "draw_count u32 <= 8192"),
         tails=(Tail("u32", "draw_count", MAX_DRAWS, "firsts"), Tail("u32", "draw_count", MAX_DRAWS, "counts"),
                Tail("i32", "draw_count", MAX_DRAWS, "base_vertices"))),
)

# Reverse channel: the same notation, numbered on its own.
EVENTS = (
    call("gl_error", Class.SCREEN, fields=("context handle<context>?", "code u32", "ordinal_high u32", "ordinal u64"),
         doc="Never sent: the client raises the errors of OpenGL itself.", retired=True),
    call("fault", Class.SCREEN, fields=("family u32 in FAULT", "byte_count u32 <= 1024"), tails=(Tail("u8", "byte_count", 1024),),
         doc="The session is latched: family of catalogue/faults.py, then a sentence."),
    call("log", Class.SCREEN, fields=("level u32", "byte_count u32 <= 4096"), tails=(Tail("u8", "byte_count", 4096),)),
    call("gpu_wrote", Class.OBJECT, fields=("resource handle<resource>", "offset u64", "size u64"),
         doc="Never sent: the client itself marks what a verb may write, whether it does or not.", retired=True),
    call("buffer_writeback", Class.OBJECT, fields=("resource handle<resource>", "offset u64", "bytes Blob"), flags=("blob",),
         doc="Never sent: marked bytes are fetched when they are read, by resource_readback.", retired=True),
    call("mip_shape", Class.OBJECT, fields=("resource handle<resource>", "base_level u32", "levels u32"),
         doc="Never sent: generate_mipmap names the levels, and their sizes follow from the first.", retired=True),
    call("surface_changed", Class.SCREEN, fields=("surface handle<surface>", "width u32", "height u32"),
         doc="Never sent: surfaces are pbuffers, and only the client resizes them.", retired=True),
    call("caps_changed", Class.SCREEN, doc="Never sent: a session's driver stays what it was.", retired=True),
    call("fence_signalled", Class.SCREEN, fields=("fence handle<fence>",)),
    call("query_completed", Class.QUERY, fields=("query handle<query>", "result u64", "run u32", "pad0 u32"),
         doc="run: how often the query was begun, or its time taken, by then; an older run is no answer any more."),
    call("presented", Class.SCREEN, fields=("surface handle<surface>", "serial u64"),
         doc="The driver has finished this surface's present of that serial, and all before it: its credit is free again."),
    call("trace_slices", Class.SCREEN, fields=("slice_count u32 <= 100", "pad0 u32"), tails=(Tail("TraceSlice", "slice_count", 100),),
         doc="Of a session that is traced."),
)

# Rows of the documents' catalogue that have no row here, and why.
NOT_CARRIED = {
    42: "pack state only shapes how the client scatters a tight reply",
    46: "retired there: residual value state, a leftover",
    49: "there is no second kind of buffer: resource_subdata serves resident ones too",
    50: "terminator of a texture pull that no longer exists there",
    79: "residual context values: every one of them is carried by the record that needs it",
}
