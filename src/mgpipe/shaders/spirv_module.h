// A module taken apart: instructions that passes change, and what most of them ask of it.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <spirv_cross/spirv.hpp>

namespace mgpipe {

using Words = std::vector<uint32_t>;  // one instruction: opcode, then operands; read with at(), whose exception refuses

class Module {
public:
    std::vector<uint32_t> header;
    std::vector<Words> code;            // an empty one is left out of the result
    std::unordered_map<uint32_t, Words> types;
    std::unordered_map<uint32_t, uint32_t> constants;               // of 32 bits
    uint32_t bound;

    explicit Module(const std::vector<uint32_t>& words);            // the words have passed check_module
    std::vector<uint32_t> words() const;

    uint32_t fresh() { return bound++; }
    const Words& type(uint32_t id) const { return types.at(id); }
    void read_types();                  // after types or constants were changed

    // Found or declared, behind everything that is declared: a variable that needs it goes further down still.
    uint32_t declare(Words type);       // an instruction with 0 for the result
    uint32_t constant(uint32_t type, uint32_t value);
    void add_global(Words line);        // before the first function
    void add_annotation(Words line);    // among the decorations

    // Every use of the keys becomes one of the values.
    void substitute(const std::unordered_map<uint32_t, uint32_t>& ids);

    // `decoration` of an id or, when member is not negative, of a member; null: it has none.
    Words* decoration(uint32_t id, spv::Decoration decoration, int64_t member = -1);
};

}  // namespace mgpipe
