// OpenGL lets a structure of uniforms hold samplers, no block may: of `uniform Material m[2]` each sampler becomes a
// uniform of its own, under the name that GL lists it by ("m[1].map"), and leaves the structure. Where an index is not
// constant, the samplers of all elements become one array, "m[].map", whose elements are listed as before.
#include "glslang_program.h"

#include <map>
#include <unordered_set>

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

// An access to an opaque member of a structure. Its name is that of the uniform that it becomes: "m[1].map" or, where
// some access to it takes an index that is not constant, "m[].map", an array over all elements of `m`.
struct Access {
    std::string name, pattern;                  // with the constant indices in place, with none
    std::vector<TIntermTyped*> indices;         // in `pattern`
    std::vector<int> sizes;                     // of the arrays that they go into
    bool is_constant = true;
};

// False where it begins elsewhere than in a uniform.
bool follow(TIntermTyped& node, glsl_stage stage, Access& access) {
    if (const TIntermSymbol* symbol = node.getAsSymbolNode()) {
        access.name = access.pattern = is_constants(symbol->getType(), stage) ? "" : symbol->getName().c_str();
        return access.name.empty() || is_structure(symbol->getType());
    }
    TIntermBinary* step = node.getAsBinaryNode();
    if (!step || !follow(*step->getLeft(), stage, access)) return false;
    const TIntermConstantUnion* constant = step->getRight()->getAsConstantUnion();
    if (step->getOp() == EOpIndexDirect || step->getOp() == EOpIndexIndirect) {
        access.name += constant ? "[" + std::to_string(index_of(*constant)) + "]" : "[]";
        access.pattern += "[]";
        access.is_constant &= constant != nullptr;
        access.indices.push_back(step->getRight());
        access.sizes.push_back(step->getLeft()->getType().getOuterArraySize());
        return true;
    }
    if (step->getOp() != EOpIndexDirectStruct || !constant) return false;
    const TType& member = *(*step->getLeft()->getType().getStruct())[index_of(*constant)].type;
    const std::string field = (access.name.empty() ? "" : ".") + std::string(member.getFieldName().c_str());
    access.name += field;
    access.pattern += field;
    return true;
}

bool reads_opaque_member(TIntermTyped* node) {
    const TIntermBinary* read = node ? node->getAsBinaryNode() : nullptr;
    return read && read->getOp() == EOpIndexDirectStruct && is_opaque(read->getType());
}

// Finds the members that some access reaches by an index that is not constant.
class Finder : public TIntermTraverser {
    const glsl_stage stage;

public:
    std::unordered_set<std::string> arrays;

    explicit Finder(glsl_stage stage) : stage(stage) {}

    bool visitBinary(TVisit, TIntermBinary* node) override {
        Access access;
        if (reads_opaque_member(node) && follow(*node, stage, access) && !access.is_constant) arrays.insert(access.pattern);
        return true;
    }
};

class Lifter : public TIntermTraverser {
    const glsl_stage stage;
    const std::unordered_set<std::string> arrays;
    std::map<std::string, TIntermSymbol*> lifted;
    std::unordered_map<const TTypeList*, std::vector<int>> renumbered;
    std::vector<TIntermBinary*> reads;  // of members of any structure

    TIntermSymbol* uniform(const std::string& name, const TType& member, const std::vector<int>& sizes) {
        TIntermSymbol*& symbol = lifted[name];
        if (symbol) return symbol;
        TType type;
        type.shallowCopy(member);
        type.getQualifier().makeTemporary();
        type.getQualifier().storage = EvqUniform;
        if (!sizes.empty()) {
            TArraySizes dimensions;
            for (int size : sizes) dimensions.addInnerSize(size);
            if (type.isArray()) dimensions.addInnerSizes(*type.getArraySizes());
            type.copyArraySizes(dimensions);
        }
        // Ids of parsed symbols count from 0 and never come near.
        const long long id = (1LL << 40) + static_cast<long long>(lifted.size());
        return symbol = new TIntermSymbol(id, TString(name.c_str()), type);
    }

    TIntermTyped* replaced(TIntermTyped* node) {
        if (!reads_opaque_member(node)) return node;
        Access access;
        if (!follow(*node, stage, access)) {
            failed = true;
            return node;
        }
        if (!arrays.count(access.pattern)) return uniform(access.name, node->getType(), {});
        TIntermTyped* element = uniform(access.pattern, node->getType(), access.sizes);
        for (TIntermTyped* index : access.indices) {
            auto* step = new TIntermBinary(index->getAsConstantUnion() ? EOpIndexDirect : EOpIndexIndirect);
            step->setLoc(node->getLoc());
            step->setLeft(element);
            step->setRight(index);
            step->setType(TType(element->getType(), 0));
            element = step;
        }
        return element;
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

    Lifter(glsl_stage stage, std::unordered_set<std::string> arrays) : stage(stage), arrays(std::move(arrays)) {}

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
    Finder finder(program.stage);
    tree.getTreeRoot()->traverse(&finder);
    Lifter lifter(program.stage, std::move(finder.arrays));
    tree.getTreeRoot()->traverse(&lifter);
    lifter.finish(constants, linkers->getSequence());
    if (lifter.failed)
        program.log = "error: a sampler within a structure is reached through a function's parameter: mgpipe cannot "
                      "express that\n";
    return !lifter.failed;
}

}  // namespace mgpipe
