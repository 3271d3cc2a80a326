// Types as GL enumerates and lays them out.
#include "glslang_program.h"

#include <glslang/MachineIndependent/gl_types.h>

using namespace glslang;

namespace mgpipe {

namespace {

struct Numeric { TBasicType type; uint32_t scalar, vector2; };  // vector3 and vector4 follow vector2
constexpr Numeric numerics[] = {
    {EbtFloat, GL_FLOAT, GL_FLOAT_VEC2},
    {EbtDouble, GL_DOUBLE, GL_DOUBLE_VEC2},
    {EbtInt, GL_INT, GL_INT_VEC2},
    {EbtUint, GL_UNSIGNED_INT, GL_UNSIGNED_INT_VEC2},
    {EbtBool, GL_BOOL, GL_BOOL_VEC2},
};

constexpr uint32_t float_matrices[3][3] = {  // [columns - 2][rows - 2]
    {GL_FLOAT_MAT2, GL_FLOAT_MAT2x3, GL_FLOAT_MAT2x4},
    {GL_FLOAT_MAT3x2, GL_FLOAT_MAT3, GL_FLOAT_MAT3x4},
    {GL_FLOAT_MAT4x2, GL_FLOAT_MAT4x3, GL_FLOAT_MAT4},
};
constexpr uint32_t double_matrices[3][3] = {
    {GL_DOUBLE_MAT2, GL_DOUBLE_MAT2x3, GL_DOUBLE_MAT2x4},
    {GL_DOUBLE_MAT3x2, GL_DOUBLE_MAT3, GL_DOUBLE_MAT3x4},
    {GL_DOUBLE_MAT4x2, GL_DOUBLE_MAT4x3, GL_DOUBLE_MAT4},
};

struct Opaque { TSamplerDim dim; bool arrayed, multisample, shadow; uint32_t float_type, int_type, uint_type; };
constexpr Opaque samplers[] = {
    {Esd1D, false, false, false, GL_SAMPLER_1D, GL_INT_SAMPLER_1D, GL_UNSIGNED_INT_SAMPLER_1D},
    {Esd2D, false, false, false, GL_SAMPLER_2D, GL_INT_SAMPLER_2D, GL_UNSIGNED_INT_SAMPLER_2D},
    {Esd3D, false, false, false, GL_SAMPLER_3D, GL_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_3D},
    {EsdCube, false, false, false, GL_SAMPLER_CUBE, GL_INT_SAMPLER_CUBE, GL_UNSIGNED_INT_SAMPLER_CUBE},
    {EsdRect, false, false, false, GL_SAMPLER_2D_RECT, GL_INT_SAMPLER_2D_RECT, GL_UNSIGNED_INT_SAMPLER_2D_RECT},
    {EsdBuffer, false, false, false, GL_SAMPLER_BUFFER, GL_INT_SAMPLER_BUFFER, GL_UNSIGNED_INT_SAMPLER_BUFFER},
    {Esd1D, true, false, false, GL_SAMPLER_1D_ARRAY, GL_INT_SAMPLER_1D_ARRAY, GL_UNSIGNED_INT_SAMPLER_1D_ARRAY},
    {Esd2D, true, false, false, GL_SAMPLER_2D_ARRAY, GL_INT_SAMPLER_2D_ARRAY, GL_UNSIGNED_INT_SAMPLER_2D_ARRAY},
    {EsdCube, true, false, false, GL_SAMPLER_CUBE_MAP_ARRAY, GL_INT_SAMPLER_CUBE_MAP_ARRAY,
     GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY},
    {Esd2D, false, true, false, GL_SAMPLER_2D_MULTISAMPLE, GL_INT_SAMPLER_2D_MULTISAMPLE,
     GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE},
    {Esd2D, true, true, false, GL_SAMPLER_2D_MULTISAMPLE_ARRAY, GL_INT_SAMPLER_2D_MULTISAMPLE_ARRAY,
     GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY},
    {Esd1D, false, false, true, GL_SAMPLER_1D_SHADOW, 0, 0},
    {Esd2D, false, false, true, GL_SAMPLER_2D_SHADOW, 0, 0},
    {EsdCube, false, false, true, GL_SAMPLER_CUBE_SHADOW, 0, 0},
    {EsdRect, false, false, true, GL_SAMPLER_2D_RECT_SHADOW, 0, 0},
    {Esd1D, true, false, true, GL_SAMPLER_1D_ARRAY_SHADOW, 0, 0},
    {Esd2D, true, false, true, GL_SAMPLER_2D_ARRAY_SHADOW, 0, 0},
    {EsdCube, true, false, true, GL_SAMPLER_CUBE_MAP_ARRAY_SHADOW, 0, 0},
};
constexpr Opaque images[] = {
    {Esd1D, false, false, false, GL_IMAGE_1D, GL_INT_IMAGE_1D, GL_UNSIGNED_INT_IMAGE_1D},
    {Esd2D, false, false, false, GL_IMAGE_2D, GL_INT_IMAGE_2D, GL_UNSIGNED_INT_IMAGE_2D},
    {Esd3D, false, false, false, GL_IMAGE_3D, GL_INT_IMAGE_3D, GL_UNSIGNED_INT_IMAGE_3D},
    {EsdCube, false, false, false, GL_IMAGE_CUBE, GL_INT_IMAGE_CUBE, GL_UNSIGNED_INT_IMAGE_CUBE},
    {EsdRect, false, false, false, GL_IMAGE_2D_RECT, GL_INT_IMAGE_2D_RECT, GL_UNSIGNED_INT_IMAGE_2D_RECT},
    {EsdBuffer, false, false, false, GL_IMAGE_BUFFER, GL_INT_IMAGE_BUFFER, GL_UNSIGNED_INT_IMAGE_BUFFER},
    {Esd1D, true, false, false, GL_IMAGE_1D_ARRAY, GL_INT_IMAGE_1D_ARRAY, GL_UNSIGNED_INT_IMAGE_1D_ARRAY},
    {Esd2D, true, false, false, GL_IMAGE_2D_ARRAY, GL_INT_IMAGE_2D_ARRAY, GL_UNSIGNED_INT_IMAGE_2D_ARRAY},
    {EsdCube, true, false, false, GL_IMAGE_CUBE_MAP_ARRAY, GL_INT_IMAGE_CUBE_MAP_ARRAY,
     GL_UNSIGNED_INT_IMAGE_CUBE_MAP_ARRAY},
    {Esd2D, false, true, false, GL_IMAGE_2D_MULTISAMPLE, GL_INT_IMAGE_2D_MULTISAMPLE,
     GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE},
    {Esd2D, true, true, false, GL_IMAGE_2D_MULTISAMPLE_ARRAY, GL_INT_IMAGE_2D_MULTISAMPLE_ARRAY,
     GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY},
};

template <size_t N> uint32_t find_opaque(const Opaque (&table)[N], const TSampler& sampler) {
    for (const Opaque& row : table) {
        if (row.dim != sampler.dim || row.arrayed != sampler.arrayed || row.multisample != sampler.ms
            || row.shadow != sampler.shadow)
            continue;
        return sampler.type == EbtInt ? row.int_type : sampler.type == EbtUint ? row.uint_type : row.float_type;
    }
    return 0;
}

}  // namespace

uint32_t gl_type(const TType& type) {
    if (type.getBasicType() == EbtSampler)
        return type.isImage() ? find_opaque(images, type.getSampler()) : find_opaque(samplers, type.getSampler());
    if (type.isMatrix()) {
        const auto& matrices = type.getBasicType() == EbtDouble ? double_matrices : float_matrices;
        return matrices[type.getMatrixCols() - 2][type.getMatrixRows() - 2];
    }
    for (const Numeric& row : numerics)
        if (row.type == type.getBasicType())
            return type.getVectorSize() == 1 ? row.scalar : row.vector2 + type.getVectorSize() - 2;
    return 0;
}

// shared and packed leave the layout to us: it is std140 then, as glslang's own SPIR-V has it.
TLayoutPacking packing_of(const TType& block) {
    return block.getQualifier().layoutPacking == ElpStd430 ? ElpStd430 : ElpStd140;
}

bool member_row_major(const TType& member, bool inherited) {
    const TLayoutMatrix layout = member.getQualifier().layoutMatrix;
    return layout == ElmNone ? inherited : layout == ElmRowMajor;
}

// The offset of the member that follows `end` bytes of others; `end` moves behind it.
int next_member_offset(const TType& member, TLayoutPacking packing, bool row_major, int& end) {
    int size, stride;
    const int alignment = TIntermediate::getMemberAlignment(member, size, stride, packing, row_major);
    const int offset = (end + alignment - 1) / alignment * alignment;
    end = offset + size;
    return offset;
}

}  // namespace mgpipe
