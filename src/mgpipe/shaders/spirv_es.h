// GLSL ES 3.20 as SPIRV-Cross writes it, with what it leaves to its caller.
#pragma once
#include "spirv_dialect.h"
#include "spirv_rewrite.h"

#include <string>
#include <vector>

#include <spirv_cross/spirv_glsl.hpp>

namespace mgpipe {

// Rewrites a checked module so that GLSL ES can say it.
void rewrite_for_es(std::vector<uint32_t>& words, int stage, std::vector<spirv_move>& moves, uint32_t& constants_size);

class EsCompiler : public spirv_cross::CompilerGLSL {
    spv::ExecutionModel model;
    specialise_options specialise;
    std::vector<DoubleCapture> captures;
    bool reads_base_instance = false, reads_base_vertex = false, reads_draw_id = false;

    bool active(spv::BuiltIn builtin) const;
    void require_extensions();
    std::string finish();
    std::vector<std::string> doubles_of(const DoubleCapture& capture);
    std::string widening();
    void finish_color(const spirv_cross::Resource& output, std::string& before, std::string& after);

protected:
    std::string builtin_to_glsl(spv::BuiltIn builtin, spv::StorageClass storage) override;
    void emit_header() override;
    void emit_uniform(const spirv_cross::SPIRVariable& variable) override;
    const char* to_storage_qualifiers_glsl(const spirv_cross::SPIRVariable& variable) override;
    void emit_instruction(const spirv_cross::Instruction& instruction) override;

public:
    EsCompiler(std::vector<uint32_t> words, spv::ExecutionModel model, const specialise_options& specialise,
               std::vector<DoubleCapture> captures = {});
    std::string text();
    using CompilerGLSL::to_name;
    using CompilerGLSL::type_to_glsl;
};

// The text of a stage that is not there; see spirv_between_text.
std::string between_text(std::vector<uint32_t> words, spv::ExecutionModel model_before, const generate_options& options);

}  // namespace mgpipe
