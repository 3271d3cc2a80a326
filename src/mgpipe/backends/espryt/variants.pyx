# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A program's variants: which one the state asks for, and how it is built.

Desktop OpenGL has one for each program. OpenGL ES lacks state that shaders can stand in for: the size of points, flat
values from the first vertex, polygons shown as lines or points, patches without a control stage. There a program is
built once for each combination that is drawn with it.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_KIND_UNORM, pipe_FormatInfo,
                           pipe_formats)
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES, driver_has
from mgpipe.backends.host cimport LOG_ERROR
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.feedback cimport name_feedback
from mgpipe.shaders._spirv_cross cimport (GENERATED_GEOMETRY, GENERATED_TESS_CONTROL, SPIRV_DESKTOP, SPIRV_ES, SPIRV_PLAIN_NAME,
                                          generate_options, specialise_options, spirv_constants, spirv_feedback, spirv_move,
                                          spirv_to_between, spirv_to_dialect)

cdef enum:                          # positions in the arrays of stages
    VERTEX, TESS_CONTROL, TESS_EVALUATION, GEOMETRY, FRAGMENT, COMPUTE

cdef enum:                          # SPIR-V
    OP_EXECUTION_MODE = 16
    OP_TYPE_VOID = 19
    OP_DECORATE = 71
    OP_MEMBER_DECORATE = 72
    OP_TYPE_IMAGE = 25
    STORAGE_IMAGE = 2               # of OpTypeImage's operand Sampled
    DECORATION_FLAT = 14
    MODE_POINT_MODE = 10
    MODE_TRIANGLES = 22
    MODE_QUADS = 24
    MODE_ISOLINES = 25
    MODE_OUTPUT_POINTS = 27
    MODE_OUTPUT_LINES = 28
    MODE_OUTPUT_TRIANGLES = 29


# -- what decides

cdef void es_properties(Program* program) noexcept nogil:
    """Read off the modules: flat inputs, images without a format, and the primitives of the stage that makes some."""
    cdef uint32_t i
    program.flat = scan(program, FRAGMENT, True) != 0
    for i in range(STAGES):
        program.formatless = program.formatless or names_no_format(program, i)
    if program.stage_mask >> GEOMETRY & 1:
        program.corners = scan(program, GEOMETRY, False)
    elif program.stage_mask >> TESS_EVALUATION & 1:
        program.corners = scan(program, TESS_EVALUATION, False)


cdef uint32_t scan(Program* program, uint32_t stage, bint flat) noexcept nogil:
    """Whether something is decorated flat, or else the corners of what comes out of the stage. The words are unchecked."""
    cdef const uint32_t* words = program.code[stage]
    cdef uint32_t at = 5, length, opcode, mode, found = 0
    while at + 3 < program.words[stage]:
        length = words[at] >> 16
        opcode = words[at] & 0xFFFF
        if length == 0 or length > program.words[stage] - at:
            break
        if flat:
            if (opcode == OP_DECORATE and length == 3 and words[at + 2] == DECORATION_FLAT
                    or opcode == OP_MEMBER_DECORATE and length == 4 and words[at + 3] == DECORATION_FLAT):
                return 1
        elif opcode == OP_EXECUTION_MODE and length >= 3:
            mode = words[at + 2]
            if mode == MODE_POINT_MODE or mode == MODE_OUTPUT_POINTS:
                return 1
            if mode == MODE_ISOLINES or mode == MODE_OUTPUT_LINES:
                found = 2
            elif (mode == MODE_TRIANGLES and stage == TESS_EVALUATION or mode == MODE_QUADS
                  or mode == MODE_OUTPUT_TRIANGLES):
                found = 3
        at += length
    return found


cdef bint names_no_format(Program* program, uint32_t stage) noexcept nogil:
    cdef const uint32_t* words = program.code[stage]
    cdef uint32_t at = 5, length
    while at + 8 < program.words[stage]:
        length = words[at] >> 16
        if length == 0 or length > program.words[stage] - at:
            break
        if (words[at] & 0xFFFF == OP_TYPE_IMAGE and length >= 9 and words[at + 7] == STORAGE_IMAGE
                and words[at + 8] == 0):
            return True
        at += length
    return False


cdef uint32_t corners_of(uint32_t mode) noexcept nogil:
    if mode == PIPE_PRIMITIVE_POINTS:
        return 1
    if (mode == PIPE_PRIMITIVE_LINES or mode == PIPE_PRIMITIVE_LINE_LOOP or mode == PIPE_PRIMITIVE_LINE_STRIP
            or mode == PIPE_PRIMITIVE_LINES_ADJACENCY or mode == PIPE_PRIMITIVE_LINE_STRIP_ADJACENCY):
        return 2
    return 3


cdef bint fill_key(Espryt* es, Context* ctx, Program* program, VariantKey* key) noexcept nogil:
    """The state was applied just before: ctx.pipeline is what is drawn with."""
    cdef const pipe_PipelineState* s = &ctx.pipeline
    cdef uint32_t corners = program.corners if program.corners else corners_of(ctx.mode)
    cdef uint32_t shown = corners, i
    cdef bint provokes, clockwise_front
    memset(key, 0, sizeof(VariantKey))
    if es.driver.dialect == DIALECT_GL:
        return True
    if program.formatless:
        for i in range(IMAGES):
            if alive(&ctx.images[i].resource) != NULL:
                key.image_formats[i] = <uint8_t>ctx.images[i].format
    if program.stage_mask >> COMPUTE & 1:
        return True
    if not fill_colors(es, ctx, s, key):
        return False
    if program.stage_mask >> TESS_EVALUATION & 1 and not program.stage_mask >> TESS_CONTROL & 1:
        key.patch_vertices = ctx.patch_vertices
    if corners == 3 and gl_of(es).PolygonMode == NULL and s.polygon_mode != PIPE_POLYGON_MODE_FILL:
        shown = 2 if s.polygon_mode == PIPE_POLYGON_MODE_LINE else 1
    provokes = s.provoking_vertex == PIPE_PROVOKING_FIRST_VERTEX and program.flat and corners > 1
    key.point_size = shown == 1 and not s.program_point_size
    if (not provokes and shown == corners) or s.rasterizer_discard:
        return True
    if program.stage_mask >> GEOMETRY & 1:
        es.host.unimplemented(es.host.self, b"draw_vbo", b"flat values from the first vertex, behind a geometry shader on OpenGL ES"
                              if provokes else b"polygon mode other than fill, behind a geometry shader on OpenGL ES")
        return False
    key.corners = corners
    key.adjacency = PIPE_PRIMITIVE_LINES_ADJACENCY <= ctx.mode <= PIPE_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY
    key.shown_as = shown
    key.first_provokes = provokes
    if provokes and program.corners == 0:
        key.strip = ctx.mode == PIPE_PRIMITIVE_TRIANGLE_STRIP or ctx.mode == PIPE_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY
        key.fan = ctx.mode == PIPE_PRIMITIVE_TRIANGLE_FAN
    if shown != corners and s.cull_enable:      # lines and points are not culled any more
        clockwise_front = s.front_face == PIPE_FRONT_FACE_CW
        key.cull_clockwise = s.cull_face == PIPE_CULL_FACE_FRONT_AND_BACK or (
            clockwise_front == (s.cull_face == PIPE_CULL_FACE_FRONT))
        key.cull_counter = s.cull_face == PIPE_CULL_FACE_FRONT_AND_BACK or (
            clockwise_front != (s.cull_face == PIPE_CULL_FACE_FRONT))
    return True


cdef bint fill_colors(Espryt* es, Context* ctx, const pipe_PipelineState* s, VariantKey* key) noexcept nogil:
    """Logic operations and alpha to one depend on what is drawn to, too."""
    cdef Targets targets
    if not s.logic_op_enable and not s.alpha_to_one:
        return True
    look_at_targets(ctx, &targets)
    if s.alpha_to_one and s.multisample and targets.samples > 1 and not driver_has(&es.driver, b"GL_EXT_multisample_compatibility"):
        key.alpha_one = True
    if not s.logic_op_enable or s.logic_op == PIPE_LOGIC_OP_COPY or not (targets.bits8 or targets.others):
        return True                             # floating-point and sRGB targets know none
    if targets.others or targets.reals or not driver_has(&es.driver, b"GL_EXT_shader_framebuffer_fetch"):
        es.host.unimplemented(es.host.self, b"draw_vbo", b"logic operation on OpenGL ES, but on targets of 8 bits with framebuffer fetch")
        return False
    key.logic_op = s.logic_op
    return True


cdef struct Targets:                # how many of each kind are drawn to
    uint32_t bits8, reals, others, samples


cdef void look_at_targets(Context* ctx, Targets* targets) noexcept nogil:
    cdef Framebuffer* framebuffer = <Framebuffer*>alive(&ctx.draw_framebuffer)
    cdef Surface* surface = <Surface*>alive(&ctx.draw_surface)
    cdef Attached* at
    cdef int32_t number
    cdef uint32_t i
    memset(targets, 0, sizeof(Targets))
    if framebuffer == NULL:
        if surface != NULL:
            count_target(targets, surface.color_format, surface.samples)
        return
    for i in range(COLORS):
        number = framebuffer.wanted.draw_buffers[i]
        if number < 0:
            continue
        at = &framebuffer.wanted.color[number]
        if at.resource != NULL and at.resource.serial == at.serial:
            count_target(targets, at.resource.format, at.resource.samples)


cdef void count_target(Targets* targets, uint32_t format, uint32_t samples) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    if samples > targets.samples:
        targets.samples = samples
    if info.kind == FORMAT_KIND_FLOAT or info.srgb:
        targets.reals += 1
    elif info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT or (
            info.kind == FORMAT_KIND_UNORM and info.bits[0] == 8):
        targets.bits8 += 1
    else:
        targets.others += 1


cdef Variant* choose_variant(Espryt* es, Context* ctx, Program* program) noexcept nogil:
    cdef VariantKey key
    cdef Variant* variant = program.variants
    if variant != NULL and es.driver.dialect == DIALECT_GL:     # which has one of each program
        return variant
    if not fill_key(es, ctx, program, &key):
        return NULL
    while variant != NULL and memcmp(&variant.key, &key, sizeof(VariantKey)) != 0:
        variant = variant.next
    if variant != NULL:
        return variant
    variant = <Variant*>calloc(1, sizeof(Variant))
    if variant == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"a program")
        return NULL
    variant.serial = new_serial(es)
    variant.key = key
    variant.next = program.variants
    program.variants = variant
    build(es, program, variant)
    return variant


cdef void free_variants(Espryt* es, Program* program) noexcept nogil:
    cdef Variant* variant = program.variants
    cdef Variant* next
    while variant != NULL:
        next = variant.next
        if variant.name:
            gl_of(es).DeleteProgram(variant.name)
        free(variant)
        variant = next
    program.variants = NULL


# -- uniforms of the server's own

cdef void find_uniforms(Espryt* es, Variant* variant) noexcept nogil:
    cdef GL* gl = gl_of(es)
    variant.point_size_at = gl.GetUniformLocation(variant.name, b"mgpipe_point_size")
    variant.outer_at = gl.GetUniformLocation(variant.name, b"mgpipe_outer")
    variant.inner_at = gl.GetUniformLocation(variant.name, b"mgpipe_inner")
    variant.base_instance_at = gl.GetUniformLocation(variant.name, b"mgpipe_base_instance")
    variant.base_vertex_at = gl.GetUniformLocation(variant.name, b"mgpipe_base_vertex")
    variant.draw_id_at = gl.GetUniformLocation(variant.name, b"mgpipe_draw_id")
    variant.per_draw = variant.base_instance_at >= 0 or variant.base_vertex_at >= 0 or variant.draw_id_at >= 0


cdef void set_variant_uniforms(Espryt* es, Context* ctx, Variant* variant) noexcept nogil:
    if variant.point_size_at >= 0 and variant.point_size != ctx.dynamic.point_size:
        variant.point_size = ctx.dynamic.point_size
        gl_of(es).Uniform1f(variant.point_size_at, variant.point_size)
    if variant.outer_at >= 0 and memcmp(variant.levels, ctx.patch_levels, sizeof(ctx.patch_levels)) != 0:
        memcpy(variant.levels, ctx.patch_levels, sizeof(ctx.patch_levels))
        gl_of(es).Uniform4fv(variant.outer_at, 1, variant.levels)
        gl_of(es).Uniform2fv(variant.inner_at, 1, variant.levels + 4)


cdef void set_draw_uniforms(Espryt* es, Variant* variant, uint32_t base_instance, int32_t base_vertex,
                            uint32_t draw_id) noexcept nogil:
    if variant.base_instance_at >= 0:
        gl_of(es).Uniform1i(variant.base_instance_at, <int32_t>base_instance)
    if variant.base_vertex_at >= 0:
        gl_of(es).Uniform1i(variant.base_vertex_at, base_vertex)
    if variant.draw_id_at >= 0:
        gl_of(es).Uniform1i(variant.draw_id_at, <int32_t>draw_id)


# -- building

cdef void build(Espryt* es, Program* program, Variant* variant) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLint linked = 0
    cdef spirv_feedback feedback
    # Behind a generated geometry stage there is nothing left to capture; begin_stream_output says so.
    cdef bint captured = program.feedback_mode != 0 and not variant.key.corners
    cdef uint32_t i
    memset(&feedback, 0, sizeof(feedback))
    feedback.names = program.feedback
    feedback.count = program.feedback_count
    variant.status = PROGRAM_FAILED
    variant.name = gl.CreateProgram()
    for i in range(STAGES):
        if program.stage_mask >> i & 1:
            if not compile_stage(es, program, variant, i,
                                 &feedback if captured and i == last_before_rasterizer(program) else NULL):
                return
    if not generate_stages(es, program, variant):
        return
    if captured and not name_feedback(es, program, variant.name, feedback.widened):
        return
    gl.LinkProgram(variant.name)
    gl.GetProgramiv(variant.name, GL_LINK_STATUS, &linked)
    if not linked:
        complain(es, variant.name, -1, NULL)
        return
    if es.driver.dialect == DIALECT_GLES:
        find_uniforms(es, variant)
    elif program.constants[FRAGMENT].plain:     # the only variant there is
        program.constants[FRAGMENT].plain_at = gl.GetUniformLocation(variant.name, SPIRV_PLAIN_NAME)
    variant.status = PROGRAM_BUILT


cdef bint generate_stages(Espryt* es, Program* program, Variant* variant) noexcept nogil:
    """Those that the program does not have and GLSL ES needs."""
    cdef generate_options options
    memset(&options, 0, sizeof(options))
    if variant.key.patch_vertices:
        options.stage = GENERATED_TESS_CONTROL
        options.patch_vertices = variant.key.patch_vertices
        if not generate(es, program, variant, VERTEX, TESS_CONTROL, &options):
            return False
    if variant.key.corners:
        options.stage = GENERATED_GEOMETRY
        options.corners = variant.key.corners
        options.adjacency = variant.key.adjacency
        options.shown_as = variant.key.shown_as
        options.first_provokes = variant.key.first_provokes
        options.strip = variant.key.strip
        options.fan = variant.key.fan
        options.cull_clockwise = variant.key.cull_clockwise
        options.cull_counter = variant.key.cull_counter
        options.point_size = variant.key.point_size
        if not generate(es, program, variant, last_before_rasterizer(program), GEOMETRY, &options):
            return False
    if (es.driver.dialect == DIALECT_GLES and program.stage_mask
            and not program.stage_mask & (1 << FRAGMENT | 1 << COMPUTE)):
        return attach(es, variant, FRAGMENT, b"#version 320 es\nvoid main() {}\n")
    return True


cdef bint generate(Espryt* es, Program* program, Variant* variant, uint32_t before, uint32_t stage,
                   const generate_options* options) noexcept nogil:
    cdef char* text = NULL
    cdef bint done = False
    if spirv_to_between(program.code[before], program.words[before], <int>before, options, &text):
        done = attach(es, variant, stage, text)
    else:
        no_form(es, stage, text)
    free(text)
    return done


cdef bint compile_stage(Espryt* es, Program* program, Variant* variant, uint32_t stage,
                        spirv_feedback* feedback) noexcept nogil:
    cdef specialise_options options
    cdef spirv_constants constants
    cdef bint desktop = es.driver.dialect == DIALECT_GL
    cdef char* text = NULL
    cdef bint done = False
    cdef uint32_t i
    memset(&options, 0, sizeof(options))
    # The last stage before the rasterizer says how large points are.
    options.point_size = (variant.key.point_size and not variant.key.corners and last_before_rasterizer(program) == stage)
    options.logic_op = variant.key.logic_op
    options.alpha_one = variant.key.alpha_one
    options.feedback = feedback
    for i in range(IMAGES):
        options.image_formats[i] = pipe_formats[variant.key.image_formats[i]].es_internal if variant.key.image_formats[i] else 0
    if spirv_to_dialect(program.code[stage], program.words[stage], <int>stage, SPIRV_DESKTOP if desktop else SPIRV_ES,
                        glsl_version(es), &options, &constants, &text):
        done = lay_out(es, &program.constants[stage], &constants) and attach(es, variant, stage, text)
    else:
        no_form(es, stage, text)
    free(text)
    return done


cdef bint lay_out(Espryt* es, Constants* constants, spirv_constants* found) noexcept nogil:
    """The same in every variant, so the first one's is kept. The offsets came from the client's SPIR-V."""
    cdef spirv_move* m
    cdef uint32_t i
    for i in range(found.count):
        m = &found.moves[i]
        if m.from_ > constants.size or m.components * <uint64_t>(8 if m.narrows else 4) > constants.size - m.from_:
            free(found.moves)
            es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"create_shader_state: a uniform outside of the constants")
            return False
    constants.plain = found.plain
    if constants.moves != NULL:
        free(found.moves)
        return True
    constants.moves = found.moves
    constants.move_count = found.count
    constants.native_size = found.size
    return True


cdef uint32_t last_before_rasterizer(Program* program) noexcept nogil:
    return (GEOMETRY if program.stage_mask >> GEOMETRY & 1 else
            TESS_EVALUATION if program.stage_mask >> TESS_EVALUATION & 1 else VERTEX)


cdef void no_form(Espryt* es, uint32_t stage, const char* why) noexcept nogil:
    cdef char message[512]
    snprintf(message, sizeof(message), "stage %u of a program has no form for this driver: %s", stage,
             why if why != NULL else <const char*>b"out of memory")
    es.host.log(es.host.self, LOG_ERROR, message)


cdef bint attach(Espryt* es, Variant* variant, uint32_t stage, const char* text) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum* kinds = [GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                          GL_FRAGMENT_SHADER, GL_COMPUTE_SHADER]
    cdef GLint compiled = 0
    cdef GLuint shader = gl.CreateShader(kinds[stage])
    gl.ShaderSource(shader, 1, <const char* const*>&text, NULL)
    gl.CompileShader(shader)
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &compiled)
    if compiled:
        gl.AttachShader(variant.name, shader)
    else:
        complain(es, shader, <int>stage, text)
    gl.DeleteShader(shader)     # lives as long as it is attached
    return compiled != 0


cdef int glsl_version(Espryt* es) noexcept nogil:
    return 320 if es.driver.dialect == DIALECT_GLES else <int>es.driver.version * 10


cdef void complain(Espryt* es, GLuint name, int stage, const char* text) noexcept nogil:
    """The driver's own words: nobody else can explain why it refuses what SPIRV-Cross wrote."""
    cdef char log[2048]
    cdef char message[4000]
    log[0] = 0
    if stage < 0:
        gl_of(es).GetProgramInfoLog(name, sizeof(log), NULL, log)
        snprintf(message, sizeof(message), "the driver does not link a program: %s", log)
    else:
        gl_of(es).GetShaderInfoLog(name, sizeof(log), NULL, log)
        snprintf(message, sizeof(message), "the driver does not compile stage %d of a program: %s\n%s", stage, log, text)
    es.host.log(es.host.self, LOG_ERROR, message)
