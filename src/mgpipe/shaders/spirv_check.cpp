#include "spirv_operands.h"
#include "spirv_rewrite.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <spirv_cross/spirv.hpp>

namespace mgpipe {

namespace {

constexpr uint32_t most_unfolded = 1 << 16;  // leaves of a type, or calls below a function, all counted out

[[noreturn]] void bad(const std::string& what) { throw std::invalid_argument("bad SPIR-V: " + what); }

struct Line { uint32_t opcode; const uint32_t* words; size_t count; };  // operands, without the opcode's word

const char* operands_of(uint32_t opcode) {
    const auto below = [](const OperandRow& row, uint32_t wanted) { return row.last < wanted; };
    const OperandRow* row = std::lower_bound(std::begin(operand_rows), std::end(operand_rows), opcode, below);
    if (row == std::end(operand_rows) || opcode < row->first)
        bad("instruction " + std::to_string(opcode) + " is none of OpenGL's");
    return row->operands;
}

// Types may only refer to types above them, so that they cannot recurse.
class Types {
    struct Type { uint32_t opcode, leaves; std::vector<uint32_t> parts; };
    std::unordered_map<uint32_t, Type> types;
    std::unordered_map<uint32_t, uint32_t> constants;  // of 32 bits

    static bool is_scalar(uint32_t opcode) {
        return opcode == spv::OpTypeInt || opcode == spv::OpTypeFloat || opcode == spv::OpTypeBool;
    }

public:
    bool has(uint32_t id) const { return types.count(id); }

    // OpTypeInt, OpTypeFloat or OpTypeBool of a scalar or vector; 0 of anything else.
    uint32_t component(uint32_t id) const {
        const Type& type = of(id);
        if (type.opcode == spv::OpTypeVector) return of(type.parts[0]).opcode;
        return is_scalar(type.opcode) ? type.opcode : 0;
    }

    const Type& of(uint32_t id) const {
        const auto known = types.find(id);
        if (known == types.end()) bad("a type was expected that is declared above");
        return known->second;
    }

    void add_constant(const Line& line) { constants.emplace(line.words[1], line.words[2]); }

    void add(const Line& line) {
        Type type{line.opcode, 1, {}};
        switch (line.opcode) {
        case spv::OpTypeVector: case spv::OpTypeMatrix:
            if (line.words[2] < 2 || line.words[2] > 4) bad("a vector or matrix of no GLSL size");
            if (line.opcode == spv::OpTypeVector ? !is_scalar(of(line.words[1]).opcode)
                                                 : of(line.words[1]).opcode != spv::OpTypeVector)
                bad("a vector of no scalars or a matrix of no vectors");
            [[fallthrough]];
        case spv::OpTypeArray: case spv::OpTypeRuntimeArray: case spv::OpTypeImage: case spv::OpTypeSampledImage:
            type.parts = {line.words[1]};
            break;
        case spv::OpTypePointer:
            type.parts = {line.words[2]};
            break;
        case spv::OpTypeStruct: case spv::OpTypeFunction:
            type.parts.assign(line.words + 1, line.words + line.count);
            break;
        }
        if (line.opcode == spv::OpTypeArray && !constants.count(line.words[2]))
            bad("an array without a constant length");
        for (const uint32_t part : type.parts) {
            const uint32_t inner = of(part).opcode;
            const bool holds = line.opcode == spv::OpTypeStruct || line.opcode == spv::OpTypeArray
                            || line.opcode == spv::OpTypeRuntimeArray;
            if (inner == spv::OpTypeFunction || (holds && (inner == spv::OpTypePointer || inner == spv::OpTypeVoid)))
                bad("a type holds what has no value");
            type.leaves += of(part).leaves;
            if (type.leaves > most_unfolded) bad("a type has too many members");
        }
        if (type.parts.size() == 1 && line.opcode != spv::OpTypeStruct) type.leaves = of(type.parts[0]).leaves;
        types.emplace(line.words[0], std::move(type));
    }

    uint32_t pointee(uint32_t id) const {
        if (of(id).opcode != spv::OpTypePointer) bad("a pointer was expected");
        return of(id).parts[0];
    }

    // One step into a composite: by a literal, or by an id that for a structure must be a constant.
    uint32_t step(uint32_t id, uint32_t index, bool is_literal) const {
        const Type& type = of(id);
        switch (type.opcode) {
        case spv::OpTypeVector: case spv::OpTypeMatrix: case spv::OpTypeArray: case spv::OpTypeRuntimeArray:
            return type.parts[0];
        case spv::OpTypeStruct:
            if (!is_literal) {
                const auto constant = constants.find(index);
                if (constant == constants.end()) bad("a structure's member is not named by a constant");
                index = constant->second;
            }
            if (index < type.parts.size()) return type.parts[index];
            bad("a structure has no such member");
        default:
            bad("an index into what has no parts");
        }
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
        return function.unfolded = total;
    }

public:
    std::vector<uint32_t>* begin(uint32_t id) { return &functions[id].callees; }

    void check() {
        for (auto& [id, function] : functions)
            for (const uint32_t callee : function.callees)
                if (!functions.count(callee)) bad("a call of what is no function");
        for (auto& [id, function] : functions) unfold(id, 0);
    }
};

// The blocks of one function. SPIRV-Cross follows branches by recursion: only loop headers may be branched back to.
class Blocks {
    std::unordered_map<uint32_t, size_t> order;      // by label
    std::unordered_map<size_t, uint32_t> headers;    // continue targets of loops, by the header's place
    struct Branch { size_t from; uint32_t to; };
    std::vector<Branch> branches, merges;
    bool open = false;

public:
    void clear() { *this = {}; }

    void add(const Line& line) {
        if (line.opcode == spv::OpLabel) {
            if (open) bad("a block begins within another");
            order.emplace(line.words[0], order.size());
            open = true;
            return;
        }
        if (line.opcode == spv::OpFunctionParameter && order.empty()) return;
        if (!open) bad("an instruction outside of a block");
        const size_t here = order.size() - 1;
        switch (line.opcode) {
        case spv::OpLoopMerge:
            headers.emplace(here, line.words[1]);
            merges.push_back({here, line.words[1]});
            [[fallthrough]];
        case spv::OpSelectionMerge:
            merges.push_back({here, line.words[0]});
            break;
        case spv::OpBranch:
            branches.push_back({here, line.words[0]});
            break;
        case spv::OpBranchConditional:
            branches.push_back({here, line.words[1]});
            branches.push_back({here, line.words[2]});
            break;
        case spv::OpSwitch:
            for (size_t i = 1; i < line.count; i += 2) branches.push_back({here, line.words[i]});
            break;
        }
        if ((line.opcode >= spv::OpBranch && line.opcode <= spv::OpUnreachable)) open = false;
    }

    size_t place(uint32_t label) const {
        const auto known = order.find(label);
        if (known == order.end()) bad("a branch to what is no block of the function");
        return known->second;
    }

    void check() const {
        if (open) bad("a block without an end");
        std::unordered_set<size_t> looped;
        for (const Branch& branch : branches) {
            const size_t target = place(branch.to);
            if (target == 0) bad("a branch to a function's first block");
            if (target > branch.from) continue;
            if (!looped.insert(target).second) bad("two branches back to one loop");
            const auto header = headers.find(target);
            if (header == headers.end() || branch.from < place(header->second)) bad("a branch back to what is no loop");
        }
        for (const Branch& merge : merges)
            if (place(merge.to) < merge.from) bad("a merge block above its header");
    }
};

class Checker {
    const std::vector<uint32_t>& words;
    std::vector<bool> defined, seen;
    std::vector<uint32_t> type_of;  // by id of a value
    std::vector<Line> lines;
    Types types;
    Calls calls;
    Blocks blocks;

    void use(uint32_t id, bool before_its_line) const {
        if (id >= defined.size() || !defined[id]) bad("an id that nothing defines");
        if (type_of[id] && !seen[id] && !before_its_line) bad("a value is used above its definition");
    }

    // What the header's enumerations can hold: a larger word is no value of theirs.
    static void enumerant(uint32_t word) {
        if (word > static_cast<uint32_t>(spv::DecorationMax)) bad("a number that stands for nothing");
    }

    static bool speaks_ahead(uint32_t opcode) {
        switch (opcode) {
        case spv::OpName: case spv::OpMemberName: case spv::OpDecorate: case spv::OpMemberDecorate:
        case spv::OpEntryPoint: case spv::OpExecutionMode: case spv::OpPhi:
            return true;
        default:
            return false;
        }
    }

    void split() {
        for (size_t at = 5, length; at < words.size(); at += length) {
            length = words[at] >> 16;
            if (length == 0 || length > words.size() - at) bad("an instruction runs over the end");
            lines.push_back({words[at] & 0xffff, &words[at] + 1, length - 1});
        }
    }

    void define() {
        for (const Line& line : lines) {
            const char* operands = operands_of(line.opcode);
            const size_t place = operands[0] == 'r' ? 0 : operands[0] == 't' && operands[1] == 'r' ? 1 : line.count;
            if (place >= line.count) continue;
            const uint32_t id = line.words[place];
            if (id == 0 || id >= defined.size()) bad("an id out of bounds");
            if (defined[id]) bad("an id is defined twice");
            defined[id] = true;
            if (place == 1 && line.opcode != spv::OpFunction) type_of[id] = line.words[0];
        }
    }

    void check_operands(const Line& line) {
        size_t at = 0;
        uint32_t result = 0;
        const bool ahead = speaks_ahead(line.opcode);
        const auto next = [&] {
            if (at >= line.count) bad("an instruction lacks operands");
            return line.words[at++];
        };
        for (const char* operand = operands_of(line.opcode); *operand; operand++) {
            switch (*operand) {
            case 't': if (!types.has(next())) bad("a type was expected that is declared above"); break;
            case 'i': use(next(), ahead); break;
            case 'r': result = next(); break;
            case 'n': next(); break;
            case 'e': enumerant(next()); break;
            case 's':
                while (!ends_text(next())) {}
                break;
            case 'I': while (at < line.count) use(next(), ahead); break;
            case 'N': at = line.count; break;
            case 'E': while (at < line.count) enumerant(next()); break;
            case 'M':
                if (at == line.count) break;
                next();
                while (at < line.count) use(next(), ahead);
                break;
            case 'W':
                while (at < line.count) {
                    next();
                    use(next(), ahead);
                }
                break;
            }
        }
        if (at != line.count) bad("an instruction has operands left over");
        if (result) seen[result] = true;
    }

    // Structures behind uniform and storage pointers, opaque types behind constant ones, and nothing else there.
    void check_variable(const Line& line) {
        uint32_t type = types.pointee(line.words[0]);
        while (types.of(type).opcode == spv::OpTypeArray || types.of(type).opcode == spv::OpTypeRuntimeArray)
            type = types.of(type).parts[0];
        const uint32_t opcode = types.of(type).opcode;
        const bool opaque = opcode == spv::OpTypeImage || opcode == spv::OpTypeSampledImage
                         || opcode == spv::OpTypeSampler;
        switch (line.words[2]) {
        case spv::StorageClassUniform: case spv::StorageClassStorageBuffer:
            if (opcode != spv::OpTypeStruct) bad("a buffer that is no structure");
            lay_out(type);
            break;
        case spv::StorageClassUniformConstant:
            if (!opaque) bad("a uniform outside of a block");
            break;
        case spv::StorageClassInput: case spv::StorageClassOutput: case spv::StorageClassPrivate:
        case spv::StorageClassFunction: case spv::StorageClassWorkgroup:
            if (opaque || opcode == spv::OpTypeVoid || opcode == spv::OpTypePointer)
                bad("a variable of a type without values");
            if ((line.words[2] == spv::StorageClassInput || line.words[2] == spv::StorageClassOutput)
                && (opcode == spv::OpTypeBool) != truths.count(line.words[1]))
                bad("an input or output is a truth value where none is due, or is none");
            break;
        default:
            bad("a storage class that OpenGL has not");
        }
    }

    // Component by component on numbers, or on booleans: SPIRV-Cross asserts where it is neither.
    void check_arithmetic(const Line& line) const {
        const uint32_t opcode = line.opcode;
        const auto numeric = [&](uint32_t type) {
            const uint32_t component = types.component(type);
            if (component != spv::OpTypeInt && component != spv::OpTypeFloat) bad("arithmetic on what is no number");
        };
        const bool computes = (opcode >= spv::OpConvertFToU && opcode <= spv::OpBitcast)
                           || (opcode >= spv::OpSNegate && opcode <= spv::OpFMod)
                           || (opcode >= spv::OpShiftRightLogical && opcode <= spv::OpFwidthCoarse);
        const bool compares = opcode >= spv::OpIEqual && opcode <= spv::OpFUnordGreaterThanEqual;
        const bool decides = opcode >= spv::OpLogicalEqual && opcode <= spv::OpLogicalNot;
        if (computes) numeric(line.words[0]);
        if ((compares || decides) && types.component(line.words[0]) != spv::OpTypeBool)
            bad("a truth value of another type");
        for (size_t i = 2; i < line.count && (computes || compares || decides); i++) {
            if (decides && types.component(type_of[line.words[i]]) != spv::OpTypeBool)
                bad("logic on what is no truth value");
            if (!decides) numeric(type_of[line.words[i]]);
        }
        const bool to_vector = opcode == spv::OpVectorTimesScalar || opcode == spv::OpVectorTimesMatrix
                            || opcode == spv::OpMatrixTimesVector;
        const bool to_matrix = opcode == spv::OpMatrixTimesScalar || opcode == spv::OpMatrixTimesMatrix
                            || opcode == spv::OpOuterProduct || opcode == spv::OpTranspose;
        if (to_vector && types.of(line.words[0]).opcode != spv::OpTypeVector) bad("a product that is no vector");
        if (to_matrix && types.of(line.words[0]).opcode != spv::OpTypeMatrix) bad("a product that is no matrix");
    }

    void check_path(const Line& line) {
        switch (line.opcode) {
        case spv::OpVariable:
            check_variable(line);
            break;
        case spv::OpDecorate:
            if (line.words[1] == spv::DecorationBuiltIn && line.count == 3
                && (line.words[2] == spv::BuiltInFrontFacing || line.words[2] == spv::BuiltInHelperInvocation))
                truths.insert(line.words[0]);
            break;
        case spv::OpAccessChain: case spv::OpInBoundsAccessChain: {
            uint32_t type = types.pointee(type_of[line.words[2]]);
            for (size_t i = 3; i < line.count; i++) type = types.step(type, line.words[i], false);
            if (types.pointee(line.words[0]) != type) bad("a pointer's type is not what it points to");
            break;
        }
        case spv::OpCompositeExtract: case spv::OpCompositeInsert: {
            const size_t first = line.opcode == spv::OpCompositeExtract ? 3 : 4;
            uint32_t type = type_of[line.words[first - 1]];
            for (size_t i = first; i < line.count; i++) type = types.step(type, line.words[i], true);
            break;
        }
        case spv::OpMemberName: case spv::OpMemberDecorate:
            members.push_back({line.words[0], line.words[1]});
            if (line.opcode == spv::OpMemberDecorate && line.words[2] == spv::DecorationOffset)
                offsets.insert(uint64_t{line.words[0]} << 32 | line.words[1]);
            break;
        }
    }

    // Every member of a buffer has a place in it: SPIRV-Cross takes that for granted.
    void lay_out(uint32_t type) {
        if (known.insert(type).second) laid_out.push_back(type);
    }

    void check_layouts() {
        while (!laid_out.empty()) {
            const uint32_t id = laid_out.back();
            laid_out.pop_back();
            const std::vector<uint32_t>& parts = types.of(id).parts;
            for (size_t i = 0; i < parts.size(); i++) {
                if (!offsets.count(uint64_t{id} << 32 | i)) bad("a buffer's member has no offset");
                uint32_t part = parts[i];
                while (types.of(part).opcode == spv::OpTypeArray || types.of(part).opcode == spv::OpTypeRuntimeArray)
                    part = types.of(part).parts[0];
                if (types.of(part).opcode == spv::OpTypeStruct) lay_out(part);
            }
        }
    }

    std::vector<uint32_t> laid_out;                           // structures that buffers are made of, not yet looked at
    std::unordered_set<uint32_t> known;                       // of them, those that are or were
    std::unordered_set<uint64_t> offsets;                     // members that have one: type above, number below
    std::unordered_set<uint32_t> truths;                      // built-in variables of type bool
    std::vector<std::pair<uint32_t, uint32_t>> members;  // named before the types are declared

public:
    explicit Checker(const std::vector<uint32_t>& words) : words(words) {}

    void run() {
        if (words.size() < 5 || words[0] != spv::MagicNumber) bad("no header");
        if (words[3] > largest_id_bound) bad("too many ids");
        defined.resize(words[3]);
        seen.resize(words[3]);
        type_of.resize(words[3]);
        split();
        define();
        std::vector<uint32_t>* callees = nullptr;
        for (const Line& line : lines) {
            check_operands(line);
            check_path(line);
            check_arithmetic(line);
            if (line.opcode >= spv::OpTypeVoid && line.opcode <= spv::OpTypeFunction) types.add(line);
            if (line.opcode == spv::OpConstant) types.add_constant(line);
            if (line.opcode == spv::OpFunction) {
                if (callees) bad("a function within a function");
                callees = calls.begin(line.words[1]);
                blocks.clear();
            } else if (line.opcode == spv::OpFunctionEnd) {
                if (!callees) bad("the end of no function");
                blocks.check();
                callees = nullptr;
            } else if (callees) {
                blocks.add(line);
                if (line.opcode == spv::OpFunctionCall) callees->push_back(line.words[2]);
            } else if (line.opcode >= spv::OpFunction && line.opcode < spv::OpNoLine && line.opcode != spv::OpVariable
                       && line.opcode != spv::OpDecorate && line.opcode != spv::OpMemberDecorate) {
                bad("code outside of a function");
            }
        }
        for (const auto& [type, member] : members)
            if (types.of(type).opcode != spv::OpTypeStruct || member >= types.of(type).parts.size())
                bad("a name or decoration for a member that is not there");
        check_layouts();
        calls.check();
    }
};

}  // namespace

void check_module(const std::vector<uint32_t>& words) { Checker(words).run(); }

}  // namespace mgpipe
