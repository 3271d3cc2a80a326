// The instructions that OpenGL shaders are made of, and the operands of each. Whatever is not here is refused.
//
// t type   r result   i id   n literal   s string   I ids to the end   N literals to the end
// e enumerant   E enumerants, or numbers as small, to the end
// M image operands: a mask, then ids     W switch cases: literal and label, to the end
#pragma once
#include <cstdint>

namespace mgpipe {

struct OperandRow { uint16_t first, last; const char* operands; };

constexpr OperandRow operand_rows[] = {  // ascending
    {0, 0, ""},           // OpNop
    {1, 1, "tr"},         // OpUndef
    {3, 3, "N"},          // OpSource
    {4, 4, "s"},          // OpSourceExtension
    {5, 5, "is"},         // OpName
    {6, 6, "ins"},        // OpMemberName
    {7, 7, "rs"},         // OpString
    {8, 8, "inn"},        // OpLine
    {10, 10, "s"},        // OpExtension
    {11, 11, "rs"},       // OpExtInstImport
    {12, 12, "trieI"},    // OpExtInst
    {14, 14, "ee"},       // OpMemoryModel
    {15, 15, "eisI"},     // OpEntryPoint
    {16, 16, "ieN"},      // OpExecutionMode
    {17, 17, "e"},        // OpCapability
    {19, 20, "r"},        // OpTypeVoid, OpTypeBool
    {21, 21, "rnn"},      // OpTypeInt
    {22, 22, "rn"},       // OpTypeFloat
    {23, 24, "rtn"},      // OpTypeVector, OpTypeMatrix
    {25, 25, "rtennnneN"},  // OpTypeImage
    {26, 26, "r"},        // OpTypeSampler
    {27, 27, "rt"},       // OpTypeSampledImage
    {28, 28, "rti"},      // OpTypeArray
    {29, 29, "rt"},       // OpTypeRuntimeArray
    {30, 30, "rI"},       // OpTypeStruct
    {32, 32, "ret"},      // OpTypePointer
    {33, 33, "rtI"},      // OpTypeFunction
    {41, 42, "tr"},       // OpConstantTrue, OpConstantFalse
    {43, 43, "trnN"},     // OpConstant
    {44, 44, "trI"},      // OpConstantComposite
    {46, 46, "tr"},       // OpConstantNull
    {48, 49, "tr"},       // OpSpecConstantTrue, OpSpecConstantFalse
    {50, 50, "trnN"},     // OpSpecConstant
    {51, 51, "trI"},      // OpSpecConstantComposite
    {54, 54, "tret"},     // OpFunction
    {55, 55, "tr"},       // OpFunctionParameter
    {56, 56, ""},         // OpFunctionEnd
    {57, 57, "triI"},     // OpFunctionCall
    {59, 59, "treI"},     // OpVariable
    {60, 60, "triii"},    // OpImageTexelPointer
    {61, 61, "triN"},     // OpLoad
    {62, 63, "iiN"},      // OpStore, OpCopyMemory
    {65, 66, "triI"},     // OpAccessChain, OpInBoundsAccessChain
    {68, 68, "trin"},     // OpArrayLength
    {71, 71, "ieE"},      // OpDecorate
    {72, 72, "ineE"},     // OpMemberDecorate
    {77, 77, "trii"},     // OpVectorExtractDynamic
    {78, 78, "triii"},    // OpVectorInsertDynamic
    {79, 79, "triiN"},    // OpVectorShuffle
    {80, 80, "trI"},      // OpCompositeConstruct
    {81, 81, "triN"},     // OpCompositeExtract
    {82, 82, "triiN"},    // OpCompositeInsert
    {83, 84, "tri"},      // OpCopyObject, OpTranspose
    {86, 86, "trii"},     // OpSampledImage
    {87, 88, "triiM"},    // OpImageSample…Lod
    {89, 90, "triiiM"},   // OpImageSampleDref…Lod
    {91, 92, "triiM"},    // OpImageSampleProj…Lod
    {93, 94, "triiiM"},   // OpImageSampleProjDref…Lod
    {95, 95, "triiM"},    // OpImageFetch
    {96, 97, "triiiM"},   // OpImageGather, OpImageDrefGather
    {98, 98, "triiM"},    // OpImageRead
    {99, 99, "iiiM"},     // OpImageWrite
    {100, 100, "tri"},    // OpImage
    {103, 103, "trii"},   // OpImageQuerySizeLod
    {104, 104, "tri"},    // OpImageQuerySize
    {105, 105, "trii"},   // OpImageQueryLod
    {106, 107, "tri"},    // OpImageQueryLevels, OpImageQuerySamples
    {109, 116, "tri"},    // conversions
    {124, 124, "tri"},    // OpBitcast
    {126, 127, "tri"},    // OpSNegate, OpFNegate
    {128, 152, "trii"},   // arithmetic
    {154, 157, "tri"},    // OpAny, OpAll, OpIsNan, OpIsInf
    {164, 167, "trii"},   // OpLogicalEqual to OpLogicalAnd
    {168, 168, "tri"},    // OpLogicalNot
    {169, 169, "triii"},  // OpSelect
    {170, 191, "trii"},   // comparisons
    {194, 199, "trii"},   // shifts, bitwise
    {200, 200, "tri"},    // OpNot
    {201, 201, "triiii"}, // OpBitFieldInsert
    {202, 203, "triii"},  // OpBitFieldSExtract, OpBitFieldUExtract
    {204, 205, "tri"},    // OpBitReverse, OpBitCount
    {207, 215, "tri"},    // derivatives
    {218, 219, ""},       // OpEmitVertex, OpEndPrimitive
    {220, 221, "i"},      // OpEmitStreamVertex, OpEndStreamPrimitive
    {224, 224, "iii"},    // OpControlBarrier
    {225, 225, "ii"},     // OpMemoryBarrier
    {227, 227, "triii"},  // OpAtomicLoad
    {228, 228, "iiii"},   // OpAtomicStore
    {229, 229, "triiii"}, // OpAtomicExchange
    {230, 230, "triiiiii"},  // OpAtomicCompareExchange
    {232, 233, "triii"},  // OpAtomicIIncrement, OpAtomicIDecrement
    {234, 242, "triiii"}, // OpAtomicIAdd to OpAtomicXor
    {245, 245, "trI"},    // OpPhi
    {246, 246, "iinN"},   // OpLoopMerge
    {247, 247, "in"},     // OpSelectionMerge
    {248, 248, "r"},      // OpLabel
    {249, 249, "i"},      // OpBranch
    {250, 250, "iiiN"},   // OpBranchConditional
    {251, 251, "iiW"},    // OpSwitch
    {252, 253, ""},       // OpKill, OpReturn
    {254, 254, "i"},      // OpReturnValue
    {255, 255, ""},       // OpUnreachable
    {317, 317, ""},       // OpNoLine
    {330, 330, "s"},      // OpModuleProcessed
    {4428, 4430, "tri"},  // OpSubgroupAllKHR, …AnyKHR, …AllEqualKHR
};

}  // namespace mgpipe
