#include "spirv_es.h"
#include "spirv_rewrite.h"

#include <stdexcept>

namespace mgpipe {

using namespace spirv_cross;

namespace {

// GLSL ES has no dFdxFine and dFdxCoarse; plain dFdx may be either.
void plain_derivatives(std::vector<uint32_t>& words) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        const uint32_t opcode = words[at] & 0xffff;
        if (opcode < spv::OpDPdxFine || opcode > spv::OpFwidthCoarse) continue;
        words[at] = (words[at] & 0xffff0000) | (spv::OpDPdx + (opcode - spv::OpDPdx) % 3);
    }
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

struct ImageFormat { uint32_t gl; spv::ImageFormat spirv; const char* name; bool core; };

constexpr ImageFormat image_formats[] = {
    {0x8814, spv::ImageFormatRgba32f, "rgba32f", true},       {0x881A, spv::ImageFormatRgba16f, "rgba16f", true},
    {0x822E, spv::ImageFormatR32f, "r32f", true},             {0x8058, spv::ImageFormatRgba8, "rgba8", true},
    {0x8F97, spv::ImageFormatRgba8Snorm, "rgba8_snorm", true}, {0x8230, spv::ImageFormatRg32f, "rg32f", false},
    {0x822F, spv::ImageFormatRg16f, "rg16f", false},          {0x8C3A, spv::ImageFormatR11fG11fB10f, "r11f_g11f_b10f", false},
    {0x822D, spv::ImageFormatR16f, "r16f", false},            {0x805B, spv::ImageFormatRgba16, "rgba16", false},
    {0x8059, spv::ImageFormatRgb10A2, "rgb10_a2", false},     {0x822C, spv::ImageFormatRg16, "rg16", false},
    {0x822B, spv::ImageFormatRg8, "rg8", false},              {0x822A, spv::ImageFormatR16, "r16", false},
    {0x8229, spv::ImageFormatR8, "r8", false},                {0x8F9B, spv::ImageFormatRgba16Snorm, "rgba16_snorm", false},
    {0x8F99, spv::ImageFormatRg16Snorm, "rg16_snorm", false}, {0x8F95, spv::ImageFormatRg8Snorm, "rg8_snorm", false},
    {0x8F98, spv::ImageFormatR16Snorm, "r16_snorm", false},   {0x8F94, spv::ImageFormatR8Snorm, "r8_snorm", false},
    {0x8D82, spv::ImageFormatRgba32i, "rgba32i", true},       {0x8D88, spv::ImageFormatRgba16i, "rgba16i", true},
    {0x8D8E, spv::ImageFormatRgba8i, "rgba8i", true},         {0x8235, spv::ImageFormatR32i, "r32i", true},
    {0x823B, spv::ImageFormatRg32i, "rg32i", false},          {0x8239, spv::ImageFormatRg16i, "rg16i", false},
    {0x8237, spv::ImageFormatRg8i, "rg8i", false},            {0x8233, spv::ImageFormatR16i, "r16i", false},
    {0x8231, spv::ImageFormatR8i, "r8i", false},              {0x8D70, spv::ImageFormatRgba32ui, "rgba32ui", true},
    {0x8D76, spv::ImageFormatRgba16ui, "rgba16ui", true},     {0x8D7C, spv::ImageFormatRgba8ui, "rgba8ui", true},
    {0x8236, spv::ImageFormatR32ui, "r32ui", true},           {0x906F, spv::ImageFormatRgb10a2ui, "rgb10_a2ui", false},
    {0x823C, spv::ImageFormatRg32ui, "rg32ui", false},        {0x823A, spv::ImageFormatRg16ui, "rg16ui", false},
    {0x8238, spv::ImageFormatRg8ui, "rg8ui", false},          {0x8234, spv::ImageFormatR16ui, "r16ui", false},
    {0x8232, spv::ImageFormatR8ui, "r8ui", false},
};

}  // namespace

void rewrite_for_es(std::vector<uint32_t>& words, int stage, std::vector<spirv_move>& moves, uint32_t& constants_size) {
    demote_doubles(words, static_cast<uint32_t>(stage), moves, constants_size);
    if (stage == 0) split_array_inputs(words);
    split_varyings(words, stage);
    flatten_textures(words);
    split_read_write_images(words);
    plain_derivatives(words);
}

EsCompiler::EsCompiler(std::vector<uint32_t> words, spv::ExecutionModel model, const specialise_options& specialise,
                       std::vector<DoubleCapture> captures)
    : CompilerGLSL(std::move(words)), model(model), specialise(specialise), captures(std::move(captures)) {
    CompilerGLSL::Options options = get_common_options();
    options.es = true;
    options.version = 320;
    options.enable_storage_image_qualifier_deduction = true;    // ES demands readonly or writeonly of most images
    options.relax_nan_checks = true;                            // comparisons came from GLSL and go back as they were
    options.enable_row_major_load_workaround = false;
    options.vertex.support_nonzero_base_instance = false;       // GL's gl_InstanceID never counts the base instance
    options.fragment.default_float_precision = CompilerGLSL::Options::Highp;
    options.fragment.default_int_precision = CompilerGLSL::Options::Highp;
    set_common_options(options);
}

bool EsCompiler::active(spv::BuiltIn builtin) const {
    return has_active_builtin(builtin, spv::StorageClassInput) || has_active_builtin(builtin, spv::StorageClassOutput);
}

// Extensions that GLSL ES wants to be asked for by name and SPIRV-Cross does not ask for.
void EsCompiler::require_extensions() {
    if (active(spv::BuiltInClipDistance) || active(spv::BuiltInCullDistance))
        require_extension("GL_EXT_clip_cull_distance");
    if (active(spv::BuiltInPointSize) || specialise.point_size) {
        if (model == spv::ExecutionModelGeometry) require_extension("GL_EXT_geometry_point_size");
        if (model == spv::ExecutionModelTessellationControl || model == spv::ExecutionModelTessellationEvaluation)
            require_extension("GL_EXT_tessellation_point_size");
    }
    if (specialise.logic_op && model == spv::ExecutionModelFragment)
        require_extension("GL_EXT_shader_framebuffer_fetch");
    if (active(spv::BuiltInViewportIndex)) require_extension("GL_OES_viewport_array");
    for (const Resource& output : get_shader_resources().stage_outputs)
        if (model == spv::ExecutionModelFragment && get_decoration(output.id, spv::DecorationIndex))
            require_extension("GL_EXT_blend_func_extended");
}

std::string EsCompiler::text() {
    update_active_builtins();
    require_extensions();
    const Bitset& modes = get_execution_mode_bitset();
    if (model == spv::ExecutionModelFragment && active(spv::BuiltInFragCoord)) {
        if (modes.get(spv::ExecutionModeOriginUpperLeft))
            throw std::invalid_argument("layout(origin_upper_left), which GLSL ES has not");
        if (modes.get(spv::ExecutionModePixelCenterInteger))
            throw std::invalid_argument("layout(pixel_center_integer), which GLSL ES has not");
    }
    reads_base_instance = active(spv::BuiltInBaseInstance);
    reads_base_vertex = active(spv::BuiltInBaseVertex);
    reads_draw_id = active(spv::BuiltInDrawIndex);
    std::string text = compile();
    // Uniforms stand in for what this extension brings.
    replace_all(text, "#ifndef GL_ARB_shader_draw_parameters\n#error GL_ARB_shader_draw_parameters is not supported.\n#endif\n", "");
    // Votes have another extension, and other names, in ES.
    replace_all(text, "GL_ARB_shader_group_vote", "GL_EXT_shader_group_vote");
    for (const char* vote : {"anyInvocation", "allInvocations", "allInvocationsEqual"})
        replace_all(text, std::string(vote) + "ARB(", std::string(vote) + "EXT(");
    if (!captures.empty()) text += widening();
    const std::string end = finish();
    if (!end.empty()) {
        replace_all(text, "\nvoid main()\n{", "\nvoid mgpipe_main()\n{");
        text += "\nvoid main()\n{\n" + end + "}\n";
    }
    return text;
}

// What stands around the shader's own main(); empty: nothing does.
std::string EsCompiler::finish() {
    std::string before, after;
    if (model == spv::ExecutionModelFragment && (specialise.logic_op || specialise.alpha_one))
        for (const Resource& output : get_shader_resources().stage_outputs) finish_color(output, before, after);
    if (specialise.point_size && model != spv::ExecutionModelGeometry && model != spv::ExecutionModelFragment)
        after = "    gl_PointSize = mgpipe_point_size;\n";
    if (!captures.empty() && model != spv::ExecutionModelGeometry) after += "    mgpipe_widen_captures();\n";
    return before.empty() && after.empty() ? "" : before + "    mgpipe_main();\n" + after;
}

void EsCompiler::finish_color(const Resource& output, std::string& before, std::string& after) {
    static const char* const operations[] = {  // of source s and destination d, from GL_CLEAR on
        "s ^ s", "s & d", "s & ~d", "s", "~s & d", "d", "s ^ d", "s | d", "~(s | d)", "~(s ^ d)", "~d", "s | ~d", "~s",
        "~s | d", "~(s & d)", "~(s ^ s)"};
    const SPIRType& type = get_type(output.base_type_id);
    const std::string name = to_name(output.id), kind = type_to_glsl(type), under = "mgpipe_under_" + name;
    const bool is_float = type.basetype == SPIRType::Float;
    if (!get_type(output.type_id).array.empty())
        throw std::invalid_argument("logic operations and alpha to one on arrays of outputs, on OpenGL ES");
    if (specialise.logic_op) {
        const uint32_t operation = specialise.logic_op - 0x1500;
        if (operation > 15) throw std::invalid_argument("no such logic operation");
        const std::string whole = !is_float ? kind : type.vecsize > 1 ? "uvec" + std::to_string(type.vecsize) : "uint";
        const auto bits = [&](const std::string& value) {
            return is_float ? whole + "(clamp(" + value + ", 0.0, 1.0) * 255.0 + 0.5)" : value;
        };
        const std::string result = is_float ? kind + "((" + operations[operation] + ") & " + whole + "(255u)) / 255.0"
                                            : operations[operation];
        before += "    " + kind + " " + under + " = " + name + ";\n";        // until main() writes it, what is in the target
        after += "    { " + whole + " s = " + bits(name) + ", d = " + bits(under) + "; " + name + " = " + result + "; }\n";
    }
    if (specialise.alpha_one && is_float && type.vecsize == 4) after += "    " + name + ".a = 1.0;\n";
}

const char* EsCompiler::to_storage_qualifiers_glsl(const SPIRVariable& variable) {
    if (specialise.logic_op && model == spv::ExecutionModelFragment && variable.storage == spv::StorageClassOutput)
        return "inout ";
    return CompilerGLSL::to_storage_qualifiers_glsl(variable);
}

std::string EsCompiler::builtin_to_glsl(spv::BuiltIn builtin, spv::StorageClass storage) {
    switch (builtin) {
    case spv::BuiltInPatchVertices: return "gl_PatchVerticesIn";
    // GLSL ES has none of these: the server says them, draw by draw.
    case spv::BuiltInBaseInstance: return "mgpipe_base_instance";
    case spv::BuiltInBaseVertex: return "mgpipe_base_vertex";
    case spv::BuiltInDrawIndex: return "mgpipe_draw_id";
    default: return CompilerGLSL::builtin_to_glsl(builtin, storage);
    }
}

void EsCompiler::emit_header() {
    CompilerGLSL::emit_header();
    if (specialise.point_size) statement("uniform highp float mgpipe_point_size;");
    if (reads_base_instance) statement("uniform highp int mgpipe_base_instance;");
    if (reads_base_vertex) statement("uniform highp int mgpipe_base_vertex;");
    if (reads_draw_id) statement("uniform highp int mgpipe_draw_id;");
    if (!captures.empty() && model == spv::ExecutionModelGeometry) statement("void mgpipe_widen_captures();");
}

// Images, since SPIRV-Cross knows neither the formats that an extension brings nor what is bound.
void EsCompiler::emit_uniform(const SPIRVariable& variable) {
    const SPIRType& type = get<SPIRType>(variable.basetype);
    if (type.basetype != SPIRType::Image || type.image.sampled != 2 || type.image.dim == spv::DimSubpassData)
        return CompilerGLSL::emit_uniform(variable);
    const uint32_t binding = get_decoration(variable.self, spv::DecorationBinding);
    const uint32_t bound = binding < SPIRV_IMAGES ? specialise.image_formats[binding] : 0;
    const ImageFormat* found = nullptr;
    for (const ImageFormat& format : image_formats)
        if (type.image.format ? format.spirv == type.image.format : format.gl == bound) found = &format;
    if (!found && !type.image.format) {         // nothing is bound that could be written: any format of the kind does
        const uint32_t kind = get<SPIRType>(type.image.type).basetype;
        const spv::ImageFormat any = kind == SPIRType::Int ? spv::ImageFormatR32i
                                   : kind == SPIRType::UInt ? spv::ImageFormatR32ui : spv::ImageFormatR32f;
        for (const ImageFormat& format : image_formats) if (format.spirv == any) found = &format;
    }
    if (!found) throw std::invalid_argument("an image format that OpenGL ES has not");
    if (!found->core) require_extension_internal("GL_NV_image_formats");
    add_resource_name(variable.self);
    statement("layout(binding = ", binding, ", ", found->name, ") ", variable_decl(variable), ";");
}

void EsCompiler::emit_instruction(const Instruction& instruction) {
    if (instruction.op == spv::OpImageQueryLod) {       // another name in ES, which SPIRV-Cross does not know
        const uint32_t* ops = stream(instruction);
        require_extension_internal("GL_EXT_texture_query_lod");
        emit_op(ops[0], ops[1], "textureQueryLOD(" + to_expression(ops[2]) + ", " + to_unpacked_expression(ops[3]) + ")",
                should_forward(ops[3]));
        inherit_expression_dependencies(ops[1], ops[2]);
        inherit_expression_dependencies(ops[1], ops[3]);
        register_control_dependent_expression(ops[1]);
        return;
    }
    if (specialise.point_size && instruction.op == spv::OpEmitVertex) statement("gl_PointSize = mgpipe_point_size;");
    if (!captures.empty() && instruction.op == spv::OpEmitVertex) statement("mgpipe_widen_captures();");
    CompilerGLSL::emit_instruction(instruction);
}

}  // namespace mgpipe
