// OpenGL lets a structure of uniforms hold samplers, no block may: of `uniform Material m[2]` each sampler becomes a
// uniform of its own, under the name that GL lists it by ("m[1].map"), and leaves the structure.
#include "glslang_program.h"

#include <map>

using namespace glslang;

namespace mgpipe {

namespace {

bool is_opaque(const TType& type) { return type.getBasicType() == EbtSampler; }

int index_of(const TIntermConstantUnion& constant) {
    const TConstUnion& value = constant.getConstArray()[0];
    return value.getType() == EbtUint ? static_cast<int>(value.getUConst()) : value.getIConst();
}

// glslang leaves a structure of nothing but samplers where it is: a variable outside of the constants block.
bool is_structure(const TType& type) {
    return type.getBasicType() == EbtStruct && type.getQualifier().storage == EvqUniform;
}

// "m[1].map" of an access into a uniform. False where it begins elsewhere or an index is not constant.
bool path_of(TIntermTyped& node, glsl_stage stage, std::string& path) {
    if (const TIntermSymbol* symbol = node.getAsSymbolNode()) {
        path = is_constants(symbol->getType(), stage) ? "" : symbol->getName().c_str();
        return path.empty() || is_structure(symbol->getType());
    }
    TIntermBinary* step = node.getAsBinaryNode();
    const TIntermConstantUnion* index = step ? step->getRight()->getAsConstantUnion() : nullptr;
    if (!index || !path_of(*step->getLeft(), stage, path)) return false;
    if (step->getOp() == EOpIndexDirect) {
        path += "[" + std::to_string(index_of(*index)) + "]";
        return true;
    }
    if (step->getOp() != EOpIndexDirectStruct) return false;
    const TType& member = *(*step->getLeft()->getType().getStruct())[index_of(*index)].type;
    path += (path.empty() ? "" : ".") + std::string(member.getFieldName().c_str());
    return true;
}

class Lifter : public TIntermTraverser {
    const glsl_stage stage;
    std::map<std::string, TIntermSymbol*> lifted;
    std::unordered_map<const TTypeList*, std::vector<int>> renumbered;
    std::vector<TIntermBinary*> reads;  // of members of any structure

    TIntermTyped* replaced(TIntermTyped* node) {
        TIntermBinary* read = node ? node->getAsBinaryNode() : nullptr;
        if (!read || read->getOp() != EOpIndexDirectStruct || !is_opaque(read->getType())) return node;
        std::string name;
        if (!path_of(*read, stage, name)) {
            failed = true;
            return node;
        }
        TIntermSymbol*& symbol = lifted[name];
        if (!symbol) {
            TType type;
            type.shallowCopy(read->getType());
            type.getQualifier().makeTemporary();
            type.getQualifier().storage = EvqUniform;
            // Ids of parsed symbols count from 0 and never come near.
            const long long id = (1LL << 40) + static_cast<long long>(lifted.size());
            symbol = new TIntermSymbol(id, TString(name.c_str()), type);
        }
        return symbol;
    }

    // Takes opaque members out; false when nothing is left.
    bool strip(TTypeList& members) {
        if (renumbered.count(&members)) return !members.empty();
        std::vector<int> numbers;
        size_t kept = 0;
        for (size_t i = 0; i < members.size(); i++) {
            TType& type = *members[i].type;
            const bool stays = !is_opaque(type) && (!type.isStruct() || strip(*type.getWritableStruct()));
            numbers.push_back(stays ? static_cast<int>(kept) : -1);
            if (stays) members[kept++] = members[i];
        }
        members.resize(kept);
        renumbered.emplace(&members, std::move(numbers));
        return kept > 0;
    }

public:
    bool failed = false;

    explicit Lifter(glsl_stage stage) : stage(stage) {}

    bool visitAggregate(TVisit, TIntermAggregate* node) override {
        for (TIntermNode*& child : node->getSequence())
            if (TIntermTyped* typed = child ? child->getAsTyped() : nullptr) child = replaced(typed);
        return true;
    }

    bool visitUnary(TVisit, TIntermUnary* node) override {
        node->setOperand(replaced(node->getOperand()));
        return true;
    }

    bool visitBinary(TVisit, TIntermBinary* node) override {
        node->setLeft(replaced(node->getLeft()));
        if (node->getOp() == EOpIndexDirectStruct) reads.push_back(node);
        return true;
    }

    void finish(TIntermSymbol* constants, TIntermSequence& linkers) {
        if (constants)
            for (TTypeLoc& uniform : *constants->getWritableType().getWritableStruct())
                if (uniform.type->isStruct() && uniform.type->containsOpaque())
                    strip(*uniform.type->getWritableStruct());
        for (TIntermBinary* read : reads) {
            const auto numbers = renumbered.find(read->getLeft()->getType().getStruct());
            if (numbers == renumbered.end()) continue;
            const int number = numbers->second[index_of(*read->getRight()->getAsConstantUnion())];
            failed |= number < 0;
            TConstUnionArray index(1);
            index[0].setIConst(number);
            read->setRight(new TIntermConstantUnion(index, TType(EbtInt, EvqConst)));
        }
        for (const auto& [name, symbol] : lifted) linkers.push_back(symbol);
    }
};

}  // namespace

bool lift_opaque_members(glsl_program& program) {
    TIntermediate& tree = *program.intermediate();
    TIntermAggregate* linkers = tree.findLinkerObjects();
    if (!linkers) return true;
    TIntermSymbol* constants = nullptr;
    bool needed = false;
    for (TIntermNode* node : linkers->getSequence()) {
        TIntermSymbol* symbol = node->getAsSymbolNode();
        const bool holds = is_constants(symbol->getType(), program.stage);
        if (holds) constants = symbol;
        needed |= (holds || is_structure(symbol->getType())) && symbol->getType().containsOpaque();
    }
    if (!needed) return true;
    Lifter lifter(program.stage);
    tree.getTreeRoot()->traverse(&lifter);
    lifter.finish(constants, linkers->getSequence());
    if (lifter.failed)
        program.log = "error: a sampler within a structure is reached by an index that is not constant, or through a "
                      "function's parameter: mgpipe cannot express that\n";
    return !lifter.failed;
}

}  // namespace mgpipe
