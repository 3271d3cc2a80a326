#include "spirv_rewrite.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <spirv_cross/spirv.hpp>

namespace mgpipe {

namespace {

constexpr uint32_t most_unfolded = 1 << 16;  // leaves of a type, or calls below a function, all counted out

[[noreturn]] void bad(const char* what) { throw std::invalid_argument(std::string("bad SPIR-V: ") + what); }

// Types may only refer to types above them (the one exception, forward pointers, is not GL's), so that they cannot recurse.
class Types {
    std::unordered_map<uint32_t, uint32_t> leaves;  // type id: scalars in it, an array counting as one element

    uint32_t of(uint32_t id) const {
        const auto known = leaves.find(id);
        if (known == leaves.end()) bad("a type refers to one that is not above it");
        return known->second;
    }

public:
    void add(uint32_t opcode, const uint32_t* operands, size_t count) {
        if (count < 1) bad("a type without an id");
        uint32_t total = 1;
        switch (opcode) {
        case spv::OpTypeVector: case spv::OpTypeMatrix: case spv::OpTypeArray: case spv::OpTypeRuntimeArray:
        case spv::OpTypeImage: case spv::OpTypeSampledImage:
            if (count < 2) bad("a type without its element");
            total = of(operands[1]);
            break;
        case spv::OpTypePointer:
            if (count < 3) bad("a pointer without its type");
            total = of(operands[2]);
            break;
        case spv::OpTypeStruct: case spv::OpTypeFunction:
            for (size_t i = 1; i < count; i++) {
                total += of(operands[i]);
                if (total > most_unfolded) bad("a type has too many members");
            }
            break;
        case spv::OpTypeForwardPointer:
            bad("forward pointers are not OpenGL's");
        }
        if (!leaves.emplace(operands[0], total).second) bad("a type id is given twice");
    }
};

class Calls {
    struct Function { std::vector<uint32_t> callees; uint64_t unfolded = 0; bool entered = false; };
    std::unordered_map<uint32_t, Function> functions;

    uint64_t unfold(uint32_t id, int depth) {
        Function& function = functions[id];
        if (function.unfolded) return function.unfolded;
        if (function.entered || depth > 256) bad("functions call each other in a circle or too deep");
        function.entered = true;
        uint64_t total = 1;
        for (const uint32_t callee : function.callees) {
            total += unfold(callee, depth + 1);
            if (total > most_unfolded) bad("too many calls, all counted out");
        }
        return functions[id].unfolded = total;
    }

public:
    std::vector<uint32_t>* begin(uint32_t id) { return &functions[id].callees; }

    void check() {
        std::vector<uint32_t> ids;
        for (const auto& entry : functions) ids.push_back(entry.first);
        for (const uint32_t id : ids) {
            for (const uint32_t callee : functions.at(id).callees)
                if (!functions.count(callee)) bad("a call of what is no function");
            unfold(id, 0);
        }
    }
};

}  // namespace

void check_module(const std::vector<uint32_t>& words) {
    if (words.size() < 5 || words[0] != spv::MagicNumber) bad("no header");
    if (words[3] > largest_id_bound) bad("too many ids");
    Types types;
    Calls calls;
    std::vector<uint32_t>* callees = nullptr;
    for (size_t at = 5, length; at < words.size(); at += length) {
        length = words[at] >> 16;
        if (length == 0 || length > words.size() - at) bad("an instruction runs over the end");
        const uint32_t opcode = words[at] & 0xffff;
        const uint32_t* operands = &words[at] + 1;
        if (opcode >= spv::OpTypeVoid && opcode <= spv::OpTypeForwardPointer) types.add(opcode, operands, length - 1);
        if (opcode == spv::OpFunction) {
            if (length < 5) bad("a function without its type");
            callees = calls.begin(operands[1]);
        } else if (opcode == spv::OpFunctionEnd) {
            callees = nullptr;
        } else if (opcode == spv::OpFunctionCall) {
            if (length < 4 || !callees) bad("a call outside of a function");
            callees->push_back(operands[2]);
        }
    }
    calls.check();
}

}  // namespace mgpipe
