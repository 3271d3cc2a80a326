// What the glslang_*.cpp files share. Built without RTTI, as Debian's glslang is.
#pragma once
#include "glslang_shim.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <glslang/MachineIndependent/localintermediate.h>
#include <glslang/Public/ShaderLang.h>

namespace mgpipe {

// The block that relaxed Vulkan rules gather loose uniforms in. Its name differs by stage, because GL wants equally
// named blocks of a program to be equal, and each stage's holds only what that stage reads.
const char* constants_name(glsl_stage stage);
EShLanguage language(glsl_stage stage);

// One shader object, alive as long as the program: glslang keeps pointers to the strings.
struct Source {
    std::vector<std::string> strings, labels;
    std::vector<const char*> pointers, label_pointers;
    std::vector<int> lengths;
    std::string preamble;
    std::unique_ptr<glslang::TShader> shader;
};

struct Placement { int set = -1, binding = -1, location = -1, index = -1; uint32_t interpolation = 0; };

// Uses of names in code that main() reaches.
struct Reached {
    std::unordered_map<long long, glslang::TIntermSymbol*> symbols;  // by symbol id, the constants block excepted
    std::vector<glslang::TIntermSymbol*> order;                      // the same, by first use
};

}  // namespace mgpipe

struct glsl_program {
    const glsl_mode mode;
    glsl_stage stage = GLSL_VERTEX;  // GLSL_SPIRV: the only one
    std::deque<mgpipe::Source> sources;
    std::unique_ptr<glslang::TProgram> linked;  // refers to sources: destroyed before them
    std::string log;

    std::deque<std::string> names;  // a deque: its strings never move
    std::deque<std::vector<double>> values;
    std::vector<glsl_fact> facts;
    std::vector<glsl_item> items;
    std::vector<glsl_leaf> leaves;
    std::vector<long long> item_symbols;  // id of each item's symbol
    std::unordered_map<long long, mgpipe::Placement> placements;
    std::vector<uint32_t> words;

    explicit glsl_program(glsl_mode mode) : mode(mode) {}
    const char* keep(std::string text) { return names.emplace_back(std::move(text)).c_str(); }
    glslang::TIntermediate* intermediate() const { return linked->getIntermediate(mgpipe::language(stage)); }
};

namespace mgpipe {

// glslang allocates from a pool of the thread, which after a parse or link is that program's. Whatever allocates
// outside of those two calls gets a pool of its own and puts the old one back.
class PoolScope {
    glslang::TPoolAllocator* const before = &glslang::GetThreadPoolAllocator();
    glslang::TPoolAllocator pool;

public:
    PoolScope() { glslang::SetThreadPoolAllocator(&pool); }
    ~PoolScope() { glslang::SetThreadPoolAllocator(before); }
};

bool is_constants(const glslang::TType& type, glsl_stage stage);
constexpr const char* atomics_name = "mgpipe_atomics";  // and "_STAGE_BINDING": stages may share a buffer, not what they see of it

// glslang_lift.cpp: take samplers out of structures of uniforms. False: the log says why not.
bool lift_opaque_members(glsl_program& program);

// glslang_prune.cpp: keep what main() reaches, lay the constants block out again without what it does not.
void prune(glsl_program& program, Reached& reached);

// glslang_interface.cpp: list items and leaves; facts of the GL view.
void describe_interface(glsl_program& program, const Reached& reached);
void describe_facts(glsl_program& program);

// glslang_types.cpp: types as GL sees them.
uint32_t gl_type(const glslang::TType& type);
glslang::TLayoutPacking packing_of(const glslang::TType& block);
bool member_row_major(const glslang::TType& member, bool inherited);
int next_member_offset(const glslang::TType& member, glslang::TLayoutPacking packing, bool row_major, int& end);

}  // namespace mgpipe
