// 64-bit floats become 32-bit ones: GLSL ES has no others.
//
// Types and constants change in place, types that have become equal are merged. The stage's block of loose uniforms is
// laid out again as std140 has it for floats; the client's bytes keep the layout for doubles, and `moves` says where
// each run of components goes. A block of the program's own would have to be converted by whoever fills it: refused.
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

namespace mgpipe {

namespace {

constexpr uint32_t pack_double = 59, unpack_double = 60;  // of GLSL.std.450

// std140 as it is and as it becomes.
class Layout {
    Module& module;
    const std::unordered_map<uint32_t, bool>& was_double;   // of scalar types
    std::vector<ConstantMove>& moves;

    uint32_t literal(uint32_t id, spv::Decoration decoration, int64_t member) const {
        const Words* line = module.decoration(id, decoration, member);
        if (!line) throw std::invalid_argument("a block of loose uniforms without a layout");
        return line->back();
    }

    bool is_double(uint32_t type) const {
        const Words& words = module.type(type);
        if (words[0] == spv::OpTypeVector || words[0] == spv::OpTypeMatrix || words[0] == spv::OpTypeArray)
            return is_double(words[2]);
        return was_double.count(type);
    }

    static uint32_t up(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }

public:
    Layout(Module& module, const std::unordered_map<uint32_t, bool>& was_double, std::vector<ConstantMove>& moves)
        : module(module), was_double(was_double), moves(moves) {}

    struct Size { uint32_t bytes, alignment; };

    Size size(uint32_t type, bool row_major) const {
        const Words& words = module.type(type);
        switch (words[0]) {
        case spv::OpTypeVector: return {4 * words[3], words[3] == 2 ? 8u : 16u};
        case spv::OpTypeMatrix: return {16 * (row_major ? module.type(words[2])[3] : words[3]), 16};
        case spv::OpTypeArray: return {up(size(words[2], row_major).bytes, 16) * module.constants.at(words[3]), 16};
        case spv::OpTypeStruct: {
            uint32_t at = 0;
            for (size_t i = 2; i < words.size(); i++) {
                const Size member = size(words[i], module.decoration(type, spv::DecorationRowMajor, i - 2));
                at = up(at, member.alignment) + member.bytes;
            }
            return {up(at, 16), 16};
        }
        default: return {4, 4};
        }
    }

    // Where the parts of `type` are and shall be. `member`: of which structure, for the strides of matrices.
    void place(uint32_t type, uint32_t from, uint32_t to, uint32_t structure, int64_t member) {
        const Words words = module.type(type);
        const bool row_major = module.decoration(structure, spv::DecorationRowMajor, member);
        switch (words[0]) {
        case spv::OpTypeStruct: {
            uint32_t at = 0;
            for (size_t i = 2; i < words.size(); i++) {
                const Size part = size(words[i], module.decoration(type, spv::DecorationRowMajor, i - 2));
                at = up(at, part.alignment);
                place(words[i], from + literal(type, spv::DecorationOffset, i - 2), to + at, type, i - 2);
                at += part.bytes;
            }
            return;
        }
        case spv::OpTypeArray: {
            const uint32_t old = literal(type, spv::DecorationArrayStride, -1);
            const uint32_t stride = up(size(words[2], row_major).bytes, 16);
            for (uint32_t i = 0; i < module.constants.at(words[3]); i++)
                place(words[2], from + i * old, to + i * stride, structure, member);
            return;
        }
        case spv::OpTypeMatrix: {
            const uint32_t old = literal(structure, spv::DecorationMatrixStride, member);
            const uint32_t rows = module.type(words[2])[3], lines = row_major ? rows : words[3];
            for (uint32_t i = 0; i < lines; i++)
                move(from + i * old, to + i * 16, row_major ? words[3] : rows, is_double(type));
            return;
        }
        case spv::OpTypeVector: return move(from, to, words[3], is_double(type));
        default: return move(from, to, 1, is_double(type));
        }
    }

    void move(uint32_t from, uint32_t to, uint32_t components, bool narrows) {
        if (moves.size() >= largest_constants_words) throw std::invalid_argument("a block of loose uniforms is too large");
        moves.push_back({from, to, components, narrows});
    }

    // The decorations, once every part has been placed.
    void decorate(uint32_t type) {
        const Words words = module.type(type);
        if (words[0] == spv::OpTypeArray) {
            decorate(words[2]);
            if (Words* stride = module.decoration(type, spv::DecorationArrayStride)) stride->back() = up(size(words[2], false).bytes, 16);
            return;
        }
        if (words[0] != spv::OpTypeStruct) return;
        uint32_t at = 0;
        for (size_t i = 2; i < words.size(); i++) {
            const Size part = size(words[i], module.decoration(type, spv::DecorationRowMajor, i - 2));
            at = up(at, part.alignment);
            if (Words* offset = module.decoration(type, spv::DecorationOffset, i - 2)) offset->back() = at;
            if (Words* stride = module.decoration(type, spv::DecorationMatrixStride, i - 2)) stride->back() = 16;
            at += part.bytes;
            decorate(words[i]);
        }
    }
};

class Demotion {
    Module module;
    std::unordered_map<uint32_t, bool> was_double;

    bool holds_double(uint32_t type) const {
        const Words& words = module.type(type);
        if (was_double.count(type)) return true;
        if (words[0] == spv::OpTypeVector || words[0] == spv::OpTypeMatrix || words[0] == spv::OpTypeArray
            || words[0] == spv::OpTypeRuntimeArray)
            return holds_double(words[2]);
        if (words[0] == spv::OpTypeStruct)
            for (size_t i = 2; i < words.size(); i++) if (holds_double(words[i])) return true;
        return false;
    }

    // Literals of 64 bits become ones of 32.
    void narrow_constants() {
        for (Words& line : module.code) {
            if ((line[0] != spv::OpConstant && line[0] != spv::OpSpecConstant) || !was_double.count(line.at(1))) continue;
            const uint64_t bits = line.at(3) | static_cast<uint64_t>(line.at(4)) << 32;
            double wide;
            std::memcpy(&wide, &bits, sizeof(wide));
            const float narrow = static_cast<float>(wide);
            line.resize(4);
            std::memcpy(&line[3], &narrow, sizeof(narrow));
        }
    }

    // Types without members of their own must be unique: double and float were two, and what is made of them.
    void merge_types() {
        std::unordered_map<uint32_t, uint32_t> merged;
        std::map<Words, uint32_t> known;
        for (Words& line : module.code) {
            if (line[0] < spv::OpTypeVoid || line[0] > spv::OpTypeFunction || line[0] == spv::OpTypeStruct
                || line[0] == spv::OpTypeArray || line[0] == spv::OpTypeRuntimeArray)
                continue;
            Words key = line;
            key[1] = 0;
            for (size_t i = 2; i < key.size(); i++) {
                const bool literal = line[0] == spv::OpTypeInt || line[0] == spv::OpTypeFloat
                                  || (line[0] == spv::OpTypePointer && i == 2)
                                  || ((line[0] == spv::OpTypeVector || line[0] == spv::OpTypeMatrix) && i == 3)
                                  || (line[0] == spv::OpTypeImage && i > 2);
                const auto found = literal ? merged.end() : merged.find(key[i]);
                if (found != merged.end()) key[i] = found->second;
            }
            const auto [first, is_new] = known.emplace(key, line[1]);
            if (is_new) continue;
            merged.emplace(line[1], first->second);
            line.clear();
        }
        for (Words& line : module.code)     // names and decorations of what is gone
            if (!line.empty() && (line[0] == spv::OpName || line[0] == spv::OpDecorate) && merged.count(line.at(1)))
                line.clear();
        module.code.erase(std::remove_if(module.code.begin(), module.code.end(), [](const Words& line) { return line.empty(); }),
                          module.code.end());
        module.substitute(merged);      // the first of two equal types stayed, so all uses are still below it
        module.read_types();
    }

    // float(double) is a copy now.
    void drop_conversions() {
        std::unordered_map<uint32_t, uint32_t> type_of;
        for (Words& line : module.code) {
            if (line.size() > 2 && module.types.count(line[1]) && line[0] >= spv::OpUndef && line[0] != spv::OpName
                && line[0] != spv::OpDecorate && line[0] != spv::OpMemberDecorate && line[0] != spv::OpMemberName)
                type_of[line[2]] = line[1];
            if (line[0] == spv::OpFConvert && type_of.count(line.at(3)) && type_of[line[3]] == line[1])
                line[0] = spv::OpCopyObject;
        }
    }

    void refuse_what_needs_bits() {
        for (const Words& line : module.code)
            if (line[0] == spv::OpExtInst && (line.at(4) == pack_double || line.at(4) == unpack_double))
                throw std::invalid_argument("packDouble2x32 and unpackDouble2x32 on OpenGL ES, which has no doubles");
    }

    // The structure of the stage's loose uniforms; 0: it has none.
    uint32_t constants_block(uint32_t stage) {
        uint32_t found = 0;
        for (const Words& line : module.code) {
            if (line[0] != spv::OpVariable || (line.at(3) != spv::StorageClassUniform
                                               && line.at(3) != spv::StorageClassStorageBuffer))
                continue;
            uint32_t type = module.type(line.at(1)).at(3);
            const Words* set = module.decoration(line.at(2), spv::DecorationDescriptorSet);
            const Words* binding = module.decoration(line.at(2), spv::DecorationBinding);
            if (set && binding && set->at(3) == 0 && binding->at(3) == stage) found = type;
            else if (holds_double(type))
                throw std::invalid_argument("doubles in a uniform or storage block on OpenGL ES, which has none");
        }
        return found;
    }

public:
    explicit Demotion(const std::vector<uint32_t>& words) : module(words) {}

    std::vector<uint32_t> run(uint32_t stage, std::vector<ConstantMove>& moves, uint32_t& constants_size) {
        for (const auto& [id, type] : module.types)
            if (type[0] == spv::OpTypeFloat && type.at(2) == 64) was_double.emplace(id, true);
        if (was_double.empty()) return {};
        refuse_what_needs_bits();
        const uint32_t block = constants_block(stage);
        if (block && holds_double(block)) {
            Layout layout(module, was_double, moves);
            layout.place(block, 0, 0, block, -1);
            constants_size = layout.size(block, false).bytes;
            layout.decorate(block);
        }
        narrow_constants();
        for (Words& line : module.code) {
            if (line[0] == spv::OpTypeFloat && line.at(2) == 64) line[2] = 32;
            if (line[0] == spv::OpCapability && line.at(1) == spv::CapabilityFloat64) line = {spv::OpNop};
        }
        merge_types();
        drop_conversions();
        return module.words();
    }
};

}  // namespace

bool demote_doubles(std::vector<uint32_t>& words, uint32_t stage, std::vector<ConstantMove>& moves, uint32_t& size) {
    std::vector<uint32_t> result = Demotion(words).run(stage, moves, size);
    if (result.empty()) return false;
    words = std::move(result);
    return true;
}

}  // namespace mgpipe
