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

}  // namespace

void rewrite_for_es(std::vector<uint32_t>& words, int stage, std::vector<spirv_move>& moves, uint32_t& constants_size) {
    demote_doubles(words, static_cast<uint32_t>(stage), moves, constants_size);
    if (stage == 0) split_array_inputs(words);
    flatten_textures(words);
    plain_derivatives(words);
}

EsCompiler::EsCompiler(std::vector<uint32_t> words, spv::ExecutionModel model, const specialise_options& specialise)
    : CompilerGLSL(std::move(words)), model(model), specialise(specialise) {
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
    // Votes have another extension, and other names, in ES.
    replace_all(text, "GL_ARB_shader_group_vote", "GL_EXT_shader_group_vote");
    for (const char* vote : {"anyInvocation", "allInvocations", "allInvocationsEqual"})
        replace_all(text, std::string(vote) + "ARB(", std::string(vote) + "EXT(");
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
    CompilerGLSL::emit_instruction(instruction);
}

}  // namespace mgpipe
