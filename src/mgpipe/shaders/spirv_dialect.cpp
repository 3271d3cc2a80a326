#include "spirv_dialect.h"
#include "spirv_es.h"
#include "spirv_rewrite.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
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
constexpr uint32_t largest_plain = 4096;  // bytes of uniforms outside of blocks that every driver has for fragments
constexpr int fragment_stage = 4;
constexpr int oldest_desktop_version = 420;  // layout(binding = …) begins here, and nothing works without it

// A copy of the words, which may lie in memory that the client can still write, found sound and of the stage.
std::vector<uint32_t> checked(const uint32_t* words, size_t count, int stage) {
    if (stage < 0 || stage > 5) throw std::invalid_argument("no such shader stage");
    if (count > mgpipe::largest_module_words) throw std::invalid_argument("the SPIR-V module is too large");
    std::vector<uint32_t> copy{words, words + count};
    mgpipe::check_module(copy);
    return copy;
}

void check_entry(const Compiler& compiler, spv::ExecutionModel model) {
    const auto entries = compiler.get_entry_points_and_stages();
    if (entries.size() != 1 || entries[0].execution_model != model)
        throw std::invalid_argument("the module is not one entry point of the stage it was sent for");
}

// SPIRV-Cross 1.3.239 does not know one name, gives fetches from rectangles a level, which they do not take, and leaves
// out a component that comparisons with textures of one dimension do take.
class DesktopCompiler : public CompilerGLSL {
protected:
    std::string to_function_args(const TextureFunctionArguments& args, bool* forward) override {
        std::string text = CompilerGLSL::to_function_args(args, forward);
        if (args.base.is_fetch && args.base.imgtype->image.dim == spv::DimRect) {
            const size_t level = text.rfind(args.offset ? ", 0, " : ", 0");
            if (level != std::string::npos) text.erase(level, 3);
        }
        if (args.dref && args.base.imgtype->image.dim == spv::Dim1D && !args.base.imgtype->image.arrayed && !args.base.is_proj) {
            const size_t pair = text.find("vec2("), compared = text.find(", " + to_expression(args.dref) + ")", pair);
            if (pair != std::string::npos && compared != std::string::npos) {
                text.insert(compared, ", 0.0");
                text[pair + 3] = '3';
            }
        }
        return text;
    }

    std::string builtin_to_glsl(spv::BuiltIn builtin, spv::StorageClass storage) override {
        return builtin == spv::BuiltInPatchVertices ? "gl_PatchVerticesIn"
                                                    : CompilerGLSL::builtin_to_glsl(builtin, storage);
    }

public:
    using CompilerGLSL::CompilerGLSL;
};

bool holds_only_floats(const Compiler& compiler, const SPIRType& type) {
    if (type.basetype != SPIRType::Struct) return type.basetype == SPIRType::Float && type.width == 32;
    return std::all_of(type.member_types.begin(), type.member_types.end(),
                       [&](const TypeID& member) { return holds_only_floats(compiler, compiler.get_type(member)); });
}

// Makes a fragment stage's block of loose uniforms an array of vec4. Mesa's drivers take every block of a stage anew when any
// range of any block is bound: with a block of its own llvmpipe stores its 20 KiB of fragment state at each such draw
// (5.8 us instead of 1.0). How many vec4; 0: it stays a block.
uint32_t flatten_constants(CompilerGLSL& compiler, int stage) {
    for (const Resource& block : compiler.get_shader_resources().uniform_buffers) {
        const SPIRType& type = compiler.get_type(block.base_type_id);
        if (compiler.get_decoration(block.id, spv::DecorationDescriptorSet) != 0 || !type.array.empty() ||
            compiler.get_decoration(block.id, spv::DecorationBinding) != static_cast<uint32_t>(stage))
            continue;
        if (type.member_types.empty() || !holds_only_floats(compiler, type)) return 0;
        const size_t size = compiler.get_declared_struct_size(type);
        if (size > largest_plain) return 0;
        compiler.set_name(block.base_type_id, SPIRV_PLAIN_NAME);
        compiler.flatten_buffer_block(block.id);
        return static_cast<uint32_t>((size + 15) / 16);
    }
    return 0;
}

// plain: in, whether loose uniforms of fragments may leave their block; out, how many vec4 they are then.
std::string desktop_text(std::vector<uint32_t> words, spv::ExecutionModel model, int glsl_version,
                         const specialise_options& specialise, uint32_t& plain) {
    if (glsl_version < oldest_desktop_version)
        throw std::invalid_argument("GLSL " + std::to_string(glsl_version) + " has no layout(binding), 4.20 has");
    DesktopCompiler compiler(std::move(words));
    check_entry(compiler, model);
    CompilerGLSL::Options options = compiler.get_common_options();
    options.es = false;
    options.version = static_cast<uint32_t>(glsl_version);
    options.separate_shader_objects = specialise.separable;
    options.relax_nan_checks = true;                           // comparisons came from GLSL and go back as they were
    options.enable_row_major_load_workaround = false;
    options.vertex.support_nonzero_base_instance = false;      // GL's gl_InstanceID never counts the base instance
    compiler.set_common_options(options);
    const Bitset& modes = compiler.get_execution_mode_bitset();
    const bool upper = modes.get(spv::ExecutionModeOriginUpperLeft), centers = modes.get(spv::ExecutionModePixelCenterInteger);
    if (model == spv::ExecutionModelFragment && (upper || centers)) {
        const std::string origin = upper ? "origin_upper_left" : "", center = centers ? "pixel_center_integer" : "";
        compiler.add_header_line("layout(" + origin + (upper && centers ? ", " : "") + center + ") in vec4 gl_FragCoord;");
    }
    if (plain) plain = flatten_constants(compiler, fragment_stage);
    return compiler.compile();
}

std::string to_desktop(const std::vector<uint32_t>& words, spv::ExecutionModel model, int glsl_version,
                       const specialise_options& specialise, spirv_constants* constants) {
    uint32_t plain = constants && model == spv::ExecutionModelFragment;
    if (plain) {
        try {
            std::string text = desktop_text(words, model, glsl_version, specialise, plain);
            constants->plain = plain;
            return text;
        } catch (const CompilerError&) {  // an array is read as a whole, or the module has no form at all: that says the next
        }
    }
    plain = 0;
    return desktop_text(words, model, glsl_version, specialise, plain);
}

std::string to_es(std::vector<uint32_t> words, int stage, const specialise_options& specialise,
                  spirv_constants* constants) {
    std::vector<spirv_move> moves;
    uint32_t size = 0;
    std::vector<mgpipe::DoubleCapture> captures;
    if (specialise.feedback) captures = mgpipe::find_double_captures(words, *specialise.feedback);
    mgpipe::rewrite_for_es(words, stage, moves, size);
    if (!moves.empty() && !constants) throw std::invalid_argument("loose uniforms that have another layout in the text");
    mgpipe::EsCompiler compiler(std::move(words), models[stage], specialise, std::move(captures));
    check_entry(compiler, models[stage]);
    std::string text = compiler.text();
    if (!moves.empty()) {
        constants->moves = static_cast<spirv_move*>(malloc(moves.size() * sizeof(spirv_move)));
        if (!constants->moves) throw std::bad_alloc();
        std::copy(moves.begin(), moves.end(), constants->moves);
        constants->count = static_cast<uint32_t>(moves.size());
        constants->size = size;
    }
    return text;
}

// No exception may cross into C.
template <typename Make>
int give(char** text, Make make) {
    *text = nullptr;
    try {
        *text = strdup(make().c_str());
        return *text != nullptr;
    } catch (const std::exception& error) {
        *text = strdup(error.what());
    } catch (...) {
        *text = strdup("SPIRV-Cross failed without a message");
    }
    return 0;
}

}  // namespace

int spirv_dialect_text(const uint32_t* words, size_t count, int stage, int dialect, int glsl_version,
                       const specialise_options* options, spirv_constants* constants, char** text) {
    if (constants) *constants = {};
    return give(text, [&] {
        const specialise_options specialise = options ? *options : specialise_options{};
        std::vector<uint32_t> copy = checked(words, count, stage);
        return dialect == SPIRV_ES ? to_es(std::move(copy), stage, specialise, constants)
                                   : to_desktop(copy, models[stage], glsl_version, specialise, constants);
    });
}

int spirv_between_text(const uint32_t* words, size_t count, int stage_before, const generate_options* options,
                       char** text) {
    return give(text, [&] {
        std::vector<uint32_t> copy = checked(words, count, stage_before);
        std::vector<spirv_move> moves;
        uint32_t size = 0;
        mgpipe::rewrite_for_es(copy, stage_before, moves, size);
        return mgpipe::between_text(std::move(copy), models[stage_before], *options);
    });
}

#define TEXT(number) #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char* spirv_cross_version(void) {
    return VERSION(SPVC_C_API_VERSION_MAJOR, SPVC_C_API_VERSION_MINOR, SPVC_C_API_VERSION_PATCH);
}
