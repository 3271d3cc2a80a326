#include "spirv_dialect.h"
#include "spirv_rewrite.h"

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <spirv_cross/spirv_cross_c.h>  // its version only
#include <spirv_cross/spirv_glsl.hpp>

namespace {

using namespace spirv_cross;

constexpr spv::ExecutionModel models[] = {
    spv::ExecutionModelVertex,   spv::ExecutionModelTessellationControl, spv::ExecutionModelTessellationEvaluation,
    spv::ExecutionModelGeometry, spv::ExecutionModelFragment,            spv::ExecutionModelGLCompute,
};
constexpr int oldest_desktop_version = 420;  // layout(binding = …) begins here, and nothing works without it

// GLSL ES has no dFdxFine and dFdxCoarse; plain dFdx may be either.
void plain_derivatives(std::vector<uint32_t>& words) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        const uint32_t opcode = words[at] & 0xffff;
        if (opcode < spv::OpDPdxFine || opcode > spv::OpFwidthCoarse) continue;
        words[at] = (words[at] & 0xffff0000) | (spv::OpDPdx + (opcode - spv::OpDPdx) % 3);
    }
}

// Extensions that GLSL ES wants to be asked for by name and SPIRV-Cross does not ask for.
void require_es_extensions(CompilerGLSL& compiler, spv::ExecutionModel model) {
    const auto active = [&](spv::BuiltIn builtin) {
        return compiler.has_active_builtin(builtin, spv::StorageClassInput)
            || compiler.has_active_builtin(builtin, spv::StorageClassOutput);
    };
    compiler.update_active_builtins();
    if (active(spv::BuiltInClipDistance) || active(spv::BuiltInCullDistance))
        compiler.require_extension("GL_EXT_clip_cull_distance");
    if (active(spv::BuiltInPointSize)) {
        if (model == spv::ExecutionModelGeometry) compiler.require_extension("GL_EXT_geometry_point_size");
        if (model == spv::ExecutionModelTessellationControl || model == spv::ExecutionModelTessellationEvaluation)
            compiler.require_extension("GL_EXT_tessellation_point_size");
    }
    if (active(spv::BuiltInViewportIndex)) compiler.require_extension("GL_OES_viewport_array");
    for (const Resource& output : compiler.get_shader_resources().stage_outputs)
        if (model == spv::ExecutionModelFragment && compiler.get_decoration(output.id, spv::DecorationIndex))
            compiler.require_extension("GL_EXT_blend_func_extended");
}

std::string to_text(std::vector<uint32_t> words, int stage, int dialect, int glsl_version,
                    const specialise_options& specialise) {
    if (stage < 0 || stage > 5) throw std::invalid_argument("no such shader stage");
    const bool es = dialect == SPIRV_ES;
    if (!es && glsl_version < oldest_desktop_version)
        throw std::invalid_argument("GLSL " + std::to_string(glsl_version) + " has no layout(binding), 4.20 has");
    const spv::ExecutionModel model = models[stage];
    mgpipe::check_module(words);
    if (es && model == spv::ExecutionModelVertex) mgpipe::split_array_inputs(words);
    if (es) plain_derivatives(words);

    CompilerGLSL compiler(std::move(words));
    const auto entries = compiler.get_entry_points_and_stages();
    if (entries.size() != 1 || entries[0].execution_model != model)
        throw std::invalid_argument("the module is not one entry point of the stage it was sent for");

    CompilerGLSL::Options options = compiler.get_common_options();
    options.es = es;
    options.version = es ? 320 : static_cast<uint32_t>(glsl_version);
    options.separate_shader_objects = specialise.separable && !es;
    options.enable_storage_image_qualifier_deduction = es;     // ES demands readonly or writeonly of most images
    options.relax_nan_checks = true;                           // comparisons came from GLSL and go back as they were
    options.enable_row_major_load_workaround = false;
    options.vertex.support_nonzero_base_instance = false;      // GL's gl_InstanceID never counts the base instance
    options.fragment.default_float_precision = CompilerGLSL::Options::Highp;
    options.fragment.default_int_precision = CompilerGLSL::Options::Highp;
    compiler.set_common_options(options);
    if (es) require_es_extensions(compiler, model);
    return compiler.compile();
}

}  // namespace

int spirv_dialect_text(const uint32_t* words, size_t count, int stage, int dialect, int glsl_version,
                       const specialise_options* options, char** text) {
    *text = nullptr;
    try {  // no exception may cross into C
        if (count > mgpipe::largest_module_words) throw std::invalid_argument("the SPIR-V module is too large");
        // A copy: the words may lie in memory that the client can still write.
        const std::string result = to_text({words, words + count}, stage, dialect, glsl_version,
                                           options ? *options : specialise_options{});
        *text = strdup(result.c_str());
        return *text != nullptr;
    } catch (const std::exception& error) {
        *text = strdup(error.what());
    } catch (...) {
        *text = strdup("SPIRV-Cross failed without a message");
    }
    return 0;
}

#define TEXT(number) #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char* spirv_cross_version(void) {
    return VERSION(SPVC_C_API_VERSION_MAJOR, SPVC_C_API_VERSION_MINOR, SPVC_C_API_VERSION_PATCH);
}
