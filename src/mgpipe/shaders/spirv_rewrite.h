// What is done to SPIR-V words before SPIRV-Cross sees them. Failures are thrown as std::invalid_argument.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv_dialect.h"

namespace mgpipe {

constexpr size_t largest_module_words = 1 << 20;  // 4 MiB; large shaders are some 100 KiB
constexpr uint32_t largest_id_bound = 1 << 19;    // SPIRV-Cross makes tables of this many entries

// Whether a word is the last of a literal string: it holds the zero byte.
constexpr bool ends_text(uint32_t word) {
    return !(word & 0xff) || !(word & 0xff00) || !(word & 0xff0000) || !(word & 0xff000000);
}

// SPIRV-Cross checks its operands one by one and throws, but trusts the shape of the whole: the length of
// instructions, that types and calls do not recurse, that nothing unfolds without end. That is checked here.
void check_module(const std::vector<uint32_t>& words);

// GLSL ES has no arrays as vertex inputs: `in vec4 a[2]` becomes an input for each element and a private array, which
// main() fills first. The locations stay what they were. The module has passed check_module.
void split_array_inputs(std::vector<uint32_t>& words);

using ConstantMove = spirv_move;

constexpr size_t largest_constants_words = 1 << 14;  // of one block: 64 KiB

// GLSL ES has no doubles: they become floats. False: there are none. When the stage's block of loose uniforms has some,
// it is laid out anew: `moves` says how, `size` how many bytes it has then. The module has passed check_module.
bool demote_doubles(std::vector<uint32_t>& words, uint32_t stage, std::vector<ConstantMove>& moves, uint32_t& size);

// A name that transform feedback captures and whose type is of doubles.
struct DoubleCapture {
    uint32_t index = 0, variable = 0;               // the name's position; the output
    std::vector<uint32_t> path;                     // members and elements on the way from the variable to what is captured
    std::vector<uint32_t> dimensions;               // of what is captured: array length, columns, rows, as far as it has them
};

// Those of the feedback's names, which are marked as widened. The module has passed check_module and has its doubles still.
std::vector<DoubleCapture> find_double_captures(const std::vector<uint32_t>& words, spirv_feedback& feedback);

// GLSL ES has no textures of one dimension and no rectangles: they become 2D ones. The module has passed check_module.
void flatten_textures(std::vector<uint32_t>& words);

// GLSL ES has few images that are both read and written: the others become two. The module has passed check_module.
void split_read_write_images(std::vector<uint32_t>& words);

// GLSL ES passes no nested structures, arrays of them or arrays of arrays between stages: they become their leaves, on both
// sides alike. The module has passed check_module.
void split_varyings(std::vector<uint32_t>& words, int stage);

}  // namespace mgpipe
