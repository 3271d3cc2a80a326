// GLSL ES passes no structures with arrays or structures in them between stages, no arrays of structures and no arrays of
// arrays. Such a variable becomes private, and each of its leaves an input or output of its own, at the location that it
// had within the whole: both sides are taken apart alike. Inputs are copied in where main() begins, outputs out where it
// returns or a vertex is emitted.
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace mgpipe {

namespace {

constexpr size_t most_leaves = 128;     // twice the locations that any driver has

class Splitter {
    Module module;
    const bool is_input, is_per_vertex;     // per vertex: the inputs of a geometry stage are arrays of what came before
    const spv::StorageClass storage;
    std::unordered_map<uint32_t, uint32_t> split;       // variables, to the type behind the pointer
    std::vector<uint32_t> leaves;
    std::vector<Words> copies;
    uint32_t int_type = 0;

    bool is(uint32_t type, uint32_t opcode) const { return module.type(type)[0] == opcode; }

    bool nests(uint32_t type) const {
        if (is(type, spv::OpTypeArray)) {
            const uint32_t element = module.type(type).at(2);
            return is(element, spv::OpTypeArray) || is(element, spv::OpTypeStruct);
        }
        if (!is(type, spv::OpTypeStruct)) return false;
        const Words& members = module.type(type);
        return std::any_of(members.begin() + 2, members.end(), [&](uint32_t member) {
            return is(member, spv::OpTypeArray) || is(member, spv::OpTypeStruct);
        });
    }

    bool is_leaf(uint32_t type) const {
        if (is(type, spv::OpTypeStruct)) return false;
        return !is(type, spv::OpTypeArray) || !nests(type);
    }

    uint32_t locations(uint32_t type) const {
        const Words& words = module.type(type);
        if (words[0] == spv::OpTypeArray) return module.constants.at(words.at(3)) * locations(words.at(2));
        return words[0] == spv::OpTypeMatrix ? words.at(3) : 1;
    }

    uint32_t pointer(spv::StorageClass to, uint32_t type) {
        return module.declare({spv::OpTypePointer, 0, static_cast<uint32_t>(to), type});
    }

    uint32_t index(uint32_t value) { return module.constant(int_type, value); }

    void collect() {
        std::unordered_set<uint32_t> special;       // built-ins, and blocks, whose members ES takes as they are
        for (const Words& line : module.code) {
            if (line[0] == spv::OpDecorate && (line.at(2) == spv::DecorationBuiltIn || line.at(2) == spv::DecorationBlock
                                               || line.at(2) == spv::DecorationPatch))
                special.insert(line.at(1));
            if (line[0] != spv::OpVariable || line.at(3) != storage || special.count(line.at(2))) continue;
            uint32_t type = module.type(line.at(1)).at(3), inner = type;
            if (is_per_vertex) {
                if (!is(type, spv::OpTypeArray)) continue;
                inner = module.type(type).at(2);
            }
            if (nests(inner) && !special.count(inner)) split[line.at(2)] = type;
        }
    }

    // One variable for each leaf below `type`, and the copies of it. Returns the location behind it.
    uint32_t take_apart(uint32_t variable, uint32_t type, std::vector<uint32_t> path, uint32_t location, uint32_t vertices) {
        if (!is_leaf(type)) {
            const Words words = module.type(type);
            const bool is_array = words[0] == spv::OpTypeArray;
            const uint32_t parts = is_array ? module.constants.at(words.at(3)) : static_cast<uint32_t>(words.size()) - 2;
            for (uint32_t i = 0; i < parts; i++) {
                path.push_back(index(i));
                location = take_apart(variable, is_array ? words[2] : words[i + 2], path, location, vertices);
                path.pop_back();
            }
            return location;
        }
        if (leaves.size() >= most_leaves) throw std::invalid_argument("a variable between stages has too many parts");
        const uint32_t leaf = module.fresh();
        uint32_t leaf_type = type;
        if (vertices) {
            const uint32_t length = index(vertices);
            leaf_type = module.declare({spv::OpTypeArray, 0, type, length});
        }
        module.add_global({spv::OpVariable, pointer(storage, leaf_type), leaf, static_cast<uint32_t>(storage)});
        leaves.push_back(leaf);
        decorate(leaf, variable, location);
        for (uint32_t i = 0; i < std::max(vertices, 1u); i++) {
            std::vector<uint32_t> inside = path, outside;
            if (vertices) {
                inside.insert(inside.begin(), index(i));
                outside.push_back(index(i));
            }
            copy(variable, inside, leaf, outside, type);
        }
        return location + locations(type);
    }

    uint32_t point(spv::StorageClass to, uint32_t type, uint32_t base, const std::vector<uint32_t>& path) {
        if (path.empty()) return base;
        const uint32_t id = module.fresh();
        Words chain{spv::OpAccessChain, pointer(to, type), id, base};
        chain.insert(chain.end(), path.begin(), path.end());
        copies.push_back(std::move(chain));
        return id;
    }

    void copy(uint32_t variable, const std::vector<uint32_t>& inside, uint32_t leaf, const std::vector<uint32_t>& outside,
              uint32_t type) {
        const uint32_t whole = point(spv::StorageClassPrivate, type, variable, inside);
        const uint32_t part = point(storage, type, leaf, outside), value = module.fresh();
        copies.push_back({spv::OpLoad, type, value, is_input ? part : whole});
        copies.push_back({spv::OpStore, is_input ? whole : part, value});
    }

    void decorate(uint32_t leaf, uint32_t variable, uint32_t location) {
        std::vector<Words> decorations;
        for (const Words& line : module.code)
            if (line[0] == spv::OpDecorate && line.at(1) == variable && line.at(2) != spv::DecorationLocation) {
                decorations.push_back(line);
                decorations.back()[1] = leaf;
            }
        decorations.push_back({spv::OpDecorate, leaf, spv::DecorationLocation, location});
        for (Words& line : decorations) module.add_annotation(std::move(line));
    }

    // The wholes become private; whatever points into them points into private memory.
    void make_private() {
        std::unordered_set<uint32_t> derived;
        for (const auto& [variable, type] : split) derived.insert(variable);
        std::vector<Words> variables;
        for (size_t i = 0; i < module.code.size(); i++) {
            Words line = module.code[i];
            if (line.size() < 4) continue;
            const bool is_variable = line[0] == spv::OpVariable && split.count(line.at(2));
            const bool points_in = (line[0] == spv::OpAccessChain || line[0] == spv::OpInBoundsAccessChain
                                    || line[0] == spv::OpCopyObject) && derived.count(line.at(3));
            if (!is_variable && !points_in) continue;
            derived.insert(line[2]);
            const size_t before = module.code.size();
            line[1] = pointer(spv::StorageClassPrivate, module.type(line[1]).at(3));
            if (!is_variable) i += module.code.size() - before;     // declared above the functions, below the variables
            if (is_variable) {
                line[3] = spv::StorageClassPrivate;
                variables.push_back(line);      // behind its new type
                line = {spv::OpNop};
            }
            module.code[i] = std::move(line);
        }
        for (Words& line : variables) module.add_global(std::move(line));
        for (Words& line : module.code)
            if (line[0] == spv::OpDecorate && split.count(line.at(1))) line = {spv::OpNop};
    }

    void edit_interface(Words& entry) const {
        size_t name_end = 3;
        while (!ends_text(entry.at(name_end))) name_end++;
        entry.erase(std::remove_if(entry.begin() + name_end + 1, entry.end(), [&](uint32_t id) { return split.count(id); }),
                    entry.end());
        entry.insert(entry.end(), leaves.begin(), leaves.end());
    }

    // New ids for the results of the copies, which are put in more than once.
    void put_copies(std::vector<Words>& out) {
        std::unordered_map<uint32_t, uint32_t> ids;
        const auto now = [&](uint32_t id) {
            const auto found = ids.find(id);
            return found == ids.end() ? id : found->second;
        };
        for (Words line : copies) {
            if (line[0] == spv::OpStore) {
                line[1] = now(line[1]);
                line[2] = now(line[2]);
            } else {
                ids[line[2]] = module.fresh();
                line[2] = ids[line[2]];
                line[3] = now(line[3]);
            }
            out.push_back(std::move(line));
        }
    }

    void put_copies_in(bool is_geometry) {
        uint32_t main = 0;
        bool in_main = false, copied = false;
        std::vector<Words> out;
        for (Words& line : module.code) {
            if (line[0] == spv::OpEntryPoint) {
                main = line.at(2);
                edit_interface(line);
            }
            if (line[0] == spv::OpFunction) in_main = line.at(2) == main;
            const bool head = line[0] == spv::OpFunction || line[0] == spv::OpFunctionParameter || line[0] == spv::OpLabel
                           || line[0] == spv::OpVariable;
            const bool emits = line[0] == spv::OpEmitVertex || line[0] == spv::OpEmitStreamVertex;
            if (is_input ? in_main && !copied && !head : is_geometry ? emits : in_main && line[0] == spv::OpReturn) {
                put_copies(out);
                copied = true;
            }
            out.push_back(std::move(line));
        }
        module.code = std::move(out);
    }

public:
    Splitter(const std::vector<uint32_t>& words, bool is_input, bool is_per_vertex)
        : module(words), is_input(is_input), is_per_vertex(is_per_vertex),
          storage(is_input ? spv::StorageClassInput : spv::StorageClassOutput) {}

    std::vector<uint32_t> run(bool is_geometry) {
        collect();
        if (split.empty()) return {};
        int_type = module.declare({spv::OpTypeInt, 0, 32, 1});
        std::vector<std::pair<uint32_t, uint32_t>> ordered(split.begin(), split.end());
        std::sort(ordered.begin(), ordered.end());
        for (const auto& [variable, type] : ordered) {
            const Words* at = module.decoration(variable, spv::DecorationLocation);
            const uint32_t location = at ? at->at(3) : 0;
            const Words words = module.type(type);
            const uint32_t vertices = is_per_vertex ? module.constants.at(words.at(3)) : 0;
            take_apart(variable, is_per_vertex ? words.at(2) : type, {}, location, vertices);
        }
        make_private();
        put_copies_in(is_geometry);
        return module.words();
    }
};

}  // namespace

void split_varyings(std::vector<uint32_t>& words, int stage) {
    constexpr int vertex = 0, evaluation = 2, geometry = 3, fragment = 4;
    const auto apply = [&](bool is_input, bool is_per_vertex) {
        std::vector<uint32_t> result = Splitter(words, is_input, is_per_vertex).run(stage == geometry);
        if (!result.empty()) words = std::move(result);
    };
    if (stage == fragment) apply(true, false);
    if (stage == geometry) apply(true, true);
    if (stage == vertex || stage == evaluation || stage == geometry) apply(false, false);
}

}  // namespace mgpipe
