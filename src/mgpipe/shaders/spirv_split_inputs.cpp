#include "spirv_rewrite.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include <spirv_cross/spirv.hpp>

namespace mgpipe {

namespace {

using Instruction = std::vector<uint32_t>;  // opcode, then operands; read with at(), whose exception refuses the module

constexpr size_t most_elements = 64;  // twice the locations that any driver has

std::vector<Instruction> read(const std::vector<uint32_t>& words) {
    std::vector<Instruction> code;
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        code.emplace_back(words.begin() + at, words.begin() + at + (words[at] >> 16));
        code.back()[0] &= 0xffff;
    }
    return code;
}

class Splitter {
    std::vector<uint32_t>& words;
    std::vector<Instruction> code;
    uint32_t bound;
    std::unordered_map<uint32_t, Instruction> types;
    std::unordered_map<uint32_t, uint32_t> constants, locations;
    std::unordered_set<uint32_t> arrays;  // the variables that are split

    // What is put in: decorations where the arrays' were, globals before the first function, copies where main()
    // begins.
    std::vector<Instruction> decorations, globals, copies;
    std::vector<uint32_t> inputs;
    uint32_t index_type = 0;

    uint32_t fresh() { return bound++; }

    uint32_t pointer(spv::StorageClass storage, uint32_t type) {
        for (const auto& [id, known] : types)
            if (known.at(0) == spv::OpTypePointer && known.at(2) == storage && known.at(3) == type) return id;
        const uint32_t id = fresh();
        globals.push_back({spv::OpTypePointer, id, storage, type});
        types.emplace(id, globals.back());
        return id;
    }

    uint32_t index(uint32_t value) {
        const uint32_t id = fresh();
        globals.push_back({spv::OpConstant, index_type, id, value});
        return id;
    }

    bool is_array(uint32_t type) const { return types.at(type).at(0) == spv::OpTypeArray; }

    void collect() {
        std::unordered_set<uint32_t> builtins;
        for (const Instruction& line : code) {
            if (line[0] >= spv::OpTypeVoid && line[0] <= spv::OpTypeFunction) types.emplace(line.at(1), line);
            if (line[0] == spv::OpConstant) constants.emplace(line.at(2), line.at(3));
            if (line[0] == spv::OpTypeInt && line.at(2) == 32) index_type = line.at(1);
            if (line[0] == spv::OpDecorate && line.at(2) == spv::DecorationLocation) locations[line.at(1)] = line.at(3);
            if (line[0] == spv::OpDecorate && line.at(2) == spv::DecorationBuiltIn) builtins.insert(line.at(1));
            if (line[0] == spv::OpVariable && line.at(3) == spv::StorageClassInput && !builtins.count(line.at(2))
                && is_array(types.at(line.at(1)).at(3)))
                arrays.insert(line.at(2));
        }
    }

    // One input for each element below `type`; returns the location behind it.
    uint32_t split(uint32_t variable, uint32_t type, std::vector<uint32_t> path, uint32_t location) {
        const Instruction& shape = types.at(type);
        if (shape.at(0) == spv::OpTypeArray) {
            const uint32_t length = constants.at(shape.at(3)), element = shape.at(2);
            for (uint32_t i = 0; i < length; i++) {
                if (inputs.size() >= most_elements) throw std::invalid_argument("a vertex input array is too long");
                path.push_back(index(i));
                location = split(variable, element, path, location);
                path.pop_back();
            }
            return location;
        }
        const uint32_t input = fresh(), value = fresh(), target = fresh();
        inputs.push_back(input);
        decorations.push_back({spv::OpDecorate, input, spv::DecorationLocation, location});
        globals.push_back({spv::OpVariable, pointer(spv::StorageClassInput, type), input, spv::StorageClassInput});
        copies.push_back({spv::OpLoad, type, value, input});
        Instruction chain{spv::OpAccessChain, pointer(spv::StorageClassPrivate, type), target, variable};
        chain.insert(chain.end(), path.begin(), path.end());
        copies.push_back(std::move(chain));
        copies.push_back({spv::OpStore, target, value});
        return location + (shape.at(0) == spv::OpTypeMatrix ? shape.at(3) : 1);
    }

    // The arrays become private; whatever points into them points into private memory.
    void make_private() {
        std::unordered_set<uint32_t> derived = arrays;
        for (Instruction& line : code) {
            const bool variable = line[0] == spv::OpVariable && arrays.count(line.at(2));
            const bool points_in = (line[0] == spv::OpAccessChain || line[0] == spv::OpInBoundsAccessChain
                                    || line[0] == spv::OpCopyObject) && derived.count(line.at(3));
            if (!variable && !points_in) continue;
            derived.insert(line.at(2));
            line[1] = pointer(spv::StorageClassPrivate, types.at(line.at(1)).at(3));
            if (!variable) continue;
            line[3] = spv::StorageClassPrivate;
            globals.push_back(line);  // behind its new type
            line.clear();
        }
    }

    void edit_interface(Instruction& entry) const {
        size_t name_end = 3;
        while (!ends_text(entry.at(name_end))) name_end++;
        const auto is_split = [&](uint32_t id) { return arrays.count(id); };
        entry.erase(std::remove_if(entry.begin() + name_end + 1, entry.end(), is_split), entry.end());
        entry.insert(entry.end(), inputs.begin(), inputs.end());
    }

public:
    explicit Splitter(std::vector<uint32_t>& words) : words(words), code(read(words)), bound(words.at(3)) {}

    void run() {
        collect();
        if (arrays.empty()) return;
        if (!index_type) {
            index_type = fresh();
            globals.push_back({spv::OpTypeInt, index_type, 32, 0});
        }
        std::vector<std::pair<uint32_t, uint32_t>> variables;  // in the module's order
        for (const Instruction& line : code)
            if (line[0] == spv::OpVariable && arrays.count(line.at(2)))
                variables.emplace_back(line.at(2), types.at(line.at(1)).at(3));
        make_private();
        for (const auto& [variable, type] : variables) split(variable, type, {}, locations.at(variable));
        write();
    }

private:
    void write() {
        std::vector<uint32_t> out(words.begin(), words.begin() + 5);
        const auto put = [&](const Instruction& line) {
            if (line.empty()) return;
            out.push_back(static_cast<uint32_t>(line.size()) << 16 | line[0]);
            out.insert(out.end(), line.begin() + 1, line.end());
        };
        uint32_t main = 0;
        bool globals_done = false, in_main = false, copied = false;
        for (Instruction& line : code) {
            if (line.empty()) continue;
            if (line[0] == spv::OpEntryPoint) {
                main = line.at(2);
                edit_interface(line);
            }
            if (line[0] == spv::OpDecorate && arrays.count(line.at(1))) {
                for (const Instruction& decoration : decorations) put(decoration);
                decorations.clear();
                continue;
            }
            if (line[0] == spv::OpFunction) {
                if (!globals_done) for (const Instruction& global : globals) put(global);
                globals_done = true;
                in_main = line.at(2) == main;
            }
            // main()'s own variables come first in its first block, the copies right behind them.
            const bool head = line[0] == spv::OpFunction || line[0] == spv::OpFunctionParameter
                           || line[0] == spv::OpLabel || line[0] == spv::OpVariable;
            if (in_main && !copied && !head) {
                for (const Instruction& copy : copies) put(copy);
                copied = true;
            }
            put(line);
        }
        out[3] = bound;
        words = std::move(out);
    }
};

}  // namespace

void split_array_inputs(std::vector<uint32_t>& words) { Splitter(words).run(); }

}  // namespace mgpipe
