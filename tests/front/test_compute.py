"""Compute programs, storage and counter bindings, images, indirect commands: state and errors, as OpenGL 4.3 says."""

import ctypes

import pytest

FILL = b"""#version 430
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 1) readonly buffer From { float scale; float from[]; };
layout(std430, binding = 2) buffer To { float to[]; } target;
layout(binding = 3, offset = 4) uniform atomic_uint done;
layout(r32f, binding = 5) writeonly uniform image2D marks;
uniform sampler2D map;
void main() {
    target.to[gl_LocalInvocationIndex] = from[0] * scale + texture(map, vec2(0)).x;
    imageStore(marks, ivec2(0), vec4(atomicCounterIncrement(done)));
}"""
FLAT = [(0x8B31, b"#version 330\nvoid main() { gl_Position = vec4(0); }"),
        (0x8B30, b"#version 330\nout vec4 c; void main() { c = vec4(1); }")]


@pytest.fixture
def gl():
    """A 4.6 context that draws nothing. Leaves no error behind."""
    import mgpipe
    from gl import GL

    with mgpipe.context(topology="monolith", driver="null", gl_version="4.6") as loader:
        gl = GL(loader)
        yield gl
        assert gl.error() == "NO_ERROR"
    loader.release()


def link(gl, *shaders) -> int:
    program = gl.CreateProgram()
    for kind, source in shaders:
        shader = gl.CreateShader(kind)
        text = ctypes.c_char_p(source)
        gl.ShaderSource(shader, 1, ctypes.byref(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    return program


@pytest.fixture
def program(gl) -> int:
    program = link(gl, (gl.COMPUTE_SHADER, FILL))
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 1
    return program


def refuses(gl, error: str, call, *arguments) -> None:
    call(*arguments)
    assert gl.error() == error, (call, arguments)


def filled(gl, target: int, size: int) -> int:
    name = gl.gen("Buffers")
    gl.BindBuffer(target, name)
    gl.BufferData(target, size, bytes(size), gl.STATIC_DRAW)
    return name


# -- programs

def test_a_compute_program_tells_the_size_of_its_work_group(gl, program):
    sizes = (ctypes.c_int * 3)()
    gl.GetProgramiv(program, gl.COMPUTE_WORK_GROUP_SIZE, sizes)
    assert list(sizes) == [4, 2, 1]
    refuses(gl, "INVALID_OPERATION", gl.GetProgramiv, link(gl, *FLAT), gl.COMPUTE_WORK_GROUP_SIZE, sizes)


def test_compute_shaders_link_alone(gl):
    both = link(gl, (gl.COMPUTE_SHADER, FILL), FLAT[0])
    assert gl.get_int("GetProgramiv", both, gl.LINK_STATUS) == 0


def test_a_program_of_an_older_version_knows_no_compute_shaders(gl):
    import mgpipe
    from gl import GL

    with mgpipe.context(topology="monolith", driver="null", gl_version="4.2") as loader:
        old = GL(loader)
        assert old.CreateShader(old.COMPUTE_SHADER) == 0 and old.error() == "INVALID_ENUM"
    loader.release()


def test_a_work_group_larger_than_the_driver_takes_does_not_link(gl):
    large = link(gl, (gl.COMPUTE_SHADER, b"#version 430\nlayout(local_size_x = 1024, local_size_y = 2) in;\nvoid main() {}"))
    assert gl.get_int("GetProgramiv", large, gl.LINK_STATUS) == 0


def test_more_storage_blocks_than_a_stage_has_do_not_link(gl):
    blocks = "".join(f"buffer B{i} {{ float v{i}; }};" for i in range(17))
    uses = "".join(f"v{i} = 1.0;" for i in range(17))
    text = f"#version 430\nlayout(local_size_x = 1) in;\n{blocks}\nvoid main() {{ {uses} }}"
    assert gl.get_int("GetProgramiv", link(gl, (gl.COMPUTE_SHADER, text.encode())), gl.LINK_STATUS) == 0


# -- dispatches

def test_dispatch_wants_a_compute_program(gl, program):
    refuses(gl, "INVALID_OPERATION", gl.DispatchCompute, 1, 1, 1)
    gl.UseProgram(link(gl, *FLAT))
    refuses(gl, "INVALID_OPERATION", gl.DispatchCompute, 1, 1, 1)
    gl.UseProgram(program)
    refuses(gl, "NO_ERROR", gl.DispatchCompute, 1, 1, 1)
    refuses(gl, "NO_ERROR", gl.DispatchCompute, 0, 1, 1)


@pytest.mark.parametrize("axis", range(3))
def test_dispatch_is_bounded_in_each_direction(gl, program, axis):
    most = gl.get_int("GetIntegeri_v", gl.MAX_COMPUTE_WORK_GROUP_COUNT, axis)
    groups = [1, 1, 1]
    groups[axis] = most + 1
    gl.UseProgram(program)
    refuses(gl, "INVALID_VALUE", gl.DispatchCompute, *groups)


def test_a_mapped_storage_buffer_stops_dispatches_and_draws(gl, program):
    gl.UseProgram(program)
    buffer = filled(gl, gl.SHADER_STORAGE_BUFFER, 64)
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 2, buffer)
    gl.DispatchCompute(1, 1, 1)
    gl.MapBufferRange(gl.SHADER_STORAGE_BUFFER, 0, 64, gl.MAP_READ_BIT)
    refuses(gl, "INVALID_OPERATION", gl.DispatchCompute, 1, 1, 1)
    gl.UnmapBuffer(gl.SHADER_STORAGE_BUFFER)
    refuses(gl, "NO_ERROR", gl.DispatchCompute, 1, 1, 1)


def test_indirect_dispatches(gl, program):
    gl.UseProgram(program)
    refuses(gl, "INVALID_OPERATION", gl.DispatchComputeIndirect, 0)
    buffer = filled(gl, gl.DISPATCH_INDIRECT_BUFFER, 16)
    assert gl.get_int("GetIntegerv", gl.DISPATCH_INDIRECT_BUFFER_BINDING) == buffer
    refuses(gl, "INVALID_VALUE", gl.DispatchComputeIndirect, -4)
    refuses(gl, "INVALID_VALUE", gl.DispatchComputeIndirect, 2)
    refuses(gl, "INVALID_OPERATION", gl.DispatchComputeIndirect, 8)
    refuses(gl, "NO_ERROR", gl.DispatchComputeIndirect, 4)
    gl.UseProgram(0)
    refuses(gl, "INVALID_OPERATION", gl.DispatchComputeIndirect, 0)


def test_barriers_take_known_bits_or_all(gl):
    refuses(gl, "NO_ERROR", gl.MemoryBarrier, gl.ALL_BARRIER_BITS)
    refuses(gl, "NO_ERROR", gl.MemoryBarrier, gl.SHADER_STORAGE_BARRIER_BIT | gl.COMMAND_BARRIER_BIT)
    refuses(gl, "INVALID_VALUE", gl.MemoryBarrier, 1 << 30)
    refuses(gl, "NO_ERROR", gl.MemoryBarrierByRegion, gl.ALL_BARRIER_BITS)
    refuses(gl, "NO_ERROR", gl.MemoryBarrierByRegion, gl.SHADER_IMAGE_ACCESS_BARRIER_BIT)
    refuses(gl, "INVALID_VALUE", gl.MemoryBarrierByRegion, gl.COMMAND_BARRIER_BIT)
    refuses(gl, "NO_ERROR", gl.TextureBarrier)


# -- bindings

@pytest.mark.parametrize(("kind", "alignment"), [("SHADER_STORAGE", 256), ("ATOMIC_COUNTER", 4)])
def test_indexed_bindings_are_kept_and_checked(gl, kind, alignment):
    target, most = getattr(gl, f"{kind}_BUFFER"), "MAX_SHADER_STORAGE_BUFFER_BINDINGS" if alignment > 4 else "MAX_ATOMIC_COUNTER_BUFFER_BINDINGS"
    count = gl.get_int("GetIntegerv", getattr(gl, most))
    buffer = filled(gl, target, 4 * alignment)
    gl.BindBufferRange(target, count - 1, buffer, alignment, 32)
    answers = [gl.get_int("GetIntegeri_v", getattr(gl, f"{kind}_BUFFER_{what}"), count - 1) for what in ("BINDING", "START", "SIZE")]
    assert answers == [buffer, alignment, 32]
    assert gl.get_int("GetIntegerv", getattr(gl, f"{kind}_BUFFER_BINDING")) == buffer
    refuses(gl, "INVALID_VALUE", gl.BindBufferBase, target, count, buffer)
    refuses(gl, "INVALID_VALUE", gl.BindBufferRange, target, 0, buffer, alignment // 2, 32)
    refuses(gl, "INVALID_VALUE", gl.BindBufferRange, target, 0, buffer, 0, 0)
    refuses(gl, "INVALID_VALUE", gl.GetIntegeri_v, getattr(gl, f"{kind}_BUFFER_START"), 1000, (ctypes.c_int * 4)())
    gl.delete("Buffers", buffer)
    assert gl.get_int("GetIntegeri_v", getattr(gl, f"{kind}_BUFFER_BINDING"), count - 1) == 0


def test_storage_blocks_are_bound_by_index(gl, program):
    index = gl.GetProgramResourceIndex(program, gl.SHADER_STORAGE_BLOCK, b"To")
    assert properties(gl, program, gl.SHADER_STORAGE_BLOCK, index, gl.BUFFER_BINDING) == [2]
    gl.ShaderStorageBlockBinding(program, index, 6)
    assert properties(gl, program, gl.SHADER_STORAGE_BLOCK, index, gl.BUFFER_BINDING) == [6]
    refuses(gl, "INVALID_VALUE", gl.ShaderStorageBlockBinding, program, 2, 0)
    refuses(gl, "INVALID_VALUE", gl.ShaderStorageBlockBinding, program, 0, 1000)
    refuses(gl, "INVALID_VALUE", gl.ShaderStorageBlockBinding, 999, 0, 0)


# -- images

def test_image_units_start_empty_and_keep_what_is_bound(gl):
    def unit(number):
        return [gl.get_int("GetIntegeri_v", getattr(gl, f"IMAGE_BINDING_{what}"), number)
                for what in ("NAME", "LEVEL", "LAYERED", "LAYER", "ACCESS", "FORMAT")]

    assert unit(3) == [0, 0, 0, 0, gl.READ_ONLY, gl.R8]
    texture = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.BindImageTexture(3, texture, 1, 1, 2, gl.READ_WRITE, gl.RGBA32F)
    assert unit(3) == [texture, 1, 1, 2, gl.READ_WRITE, gl.RGBA32F]
    gl.delete("Textures", texture)
    assert unit(3) == [0, 0, 0, 0, gl.READ_ONLY, gl.R8]


def test_what_image_units_refuse(gl):
    texture = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    units = gl.get_int("GetIntegerv", gl.MAX_IMAGE_UNITS)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, units, texture, 0, 0, 0, gl.READ_ONLY, gl.RGBA8)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, 0, 999, 0, 0, 0, gl.READ_ONLY, gl.RGBA8)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, 0, texture, -1, 0, 0, gl.READ_ONLY, gl.RGBA8)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, 0, texture, 0, 0, -1, gl.READ_ONLY, gl.RGBA8)
    refuses(gl, "INVALID_ENUM", gl.BindImageTexture, 0, texture, 0, 0, 0, gl.RGBA, gl.RGBA8)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, 0, texture, 0, 0, 0, gl.READ_ONLY, gl.RGB8)
    refuses(gl, "INVALID_VALUE", gl.BindImageTexture, 0, texture, 0, 0, 0, gl.READ_ONLY, gl.SRGB8_ALPHA8)


def test_several_image_units_at_once(gl):
    textures = gl.gen("Textures", 2)
    for texture in textures:
        gl.BindTexture(gl.TEXTURE_2D, texture)
        gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, 4, 4)
    gl.BindImageTextures(1, 2, (ctypes.c_uint * 2)(*textures))
    assert gl.get_int("GetIntegeri_v", gl.IMAGE_BINDING_NAME, 2) == textures[1]
    assert gl.get_int("GetIntegeri_v", gl.IMAGE_BINDING_FORMAT, 2) == gl.RGBA16F
    assert gl.get_int("GetIntegeri_v", gl.IMAGE_BINDING_ACCESS, 2) == gl.READ_WRITE
    gl.BindImageTextures(1, 2, None)
    assert gl.get_int("GetIntegeri_v", gl.IMAGE_BINDING_NAME, 1) == 0
    refuses(gl, "INVALID_OPERATION", gl.BindImageTextures, 31, 2, None)
    refuses(gl, "INVALID_OPERATION", gl.BindImageTextures, 0, 1, (ctypes.c_uint * 1)(999))


def test_image_uniforms_name_units(gl, program):
    gl.UseProgram(program)
    location = gl.GetUniformLocation(program, b"marks")
    value = (ctypes.c_int * 1)()
    gl.GetUniformiv(program, location, value)
    assert value[0] == 5
    gl.Uniform1i(location, 2)
    gl.GetUniformiv(program, location, value)
    assert value[0] == 2
    refuses(gl, "INVALID_VALUE", gl.Uniform1i, location, gl.get_int("GetIntegerv", gl.MAX_IMAGE_UNITS))
    refuses(gl, "INVALID_OPERATION", gl.Uniform1f, location, gl.f(0))


# -- the program's interfaces

def properties(gl, program, interface, index, *names):
    values, length = (ctypes.c_int * 32)(*[-77] * 32), ctypes.c_int()
    gl.GetProgramResourceiv(program, interface, index, len(names), (ctypes.c_uint * len(names))(*names), 32,
                            ctypes.byref(length), values)
    return list(values[:length.value])


def name_of(gl, program, interface, index) -> str:
    text = ctypes.create_string_buffer(64)
    gl.GetProgramResourceName(program, interface, index, 64, None, text)
    return text.value.decode()


def names(gl, program, interface) -> list[str]:
    count = gl.get_int("GetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)
    return [name_of(gl, program, interface, i) for i in range(count)]


def test_the_resources_of_a_compute_program(gl, program):
    assert sorted(names(gl, program, gl.UNIFORM)) == ["done", "map", "marks"]
    assert sorted(names(gl, program, gl.SHADER_STORAGE_BLOCK)) == ["From", "To"]
    assert sorted(names(gl, program, gl.BUFFER_VARIABLE)) == ["To.to[0]", "from[0]", "scale"]
    assert names(gl, program, gl.PROGRAM_INPUT) == ["gl_LocalInvocationIndex"]
    assert names(gl, program, gl.PROGRAM_OUTPUT) == names(gl, program, gl.COMPUTE_SUBROUTINE) == []
    assert gl.get_int("GetProgramInterfaceiv", program, gl.ATOMIC_COUNTER_BUFFER, gl.ACTIVE_RESOURCES) == 1
    assert gl.get_int("GetProgramInterfaceiv", program, gl.BUFFER_VARIABLE, gl.MAX_NAME_LENGTH) == len("To.to[0]") + 1


def test_properties_of_buffer_variables(gl, program):
    index = gl.GetProgramResourceIndex(program, gl.BUFFER_VARIABLE, b"from")
    assert properties(gl, program, gl.BUFFER_VARIABLE, index, gl.TYPE, gl.ARRAY_SIZE, gl.OFFSET, gl.ARRAY_STRIDE,
                      gl.REFERENCED_BY_COMPUTE_SHADER, gl.REFERENCED_BY_VERTEX_SHADER) == [gl.FLOAT, 0, 4, 4, 1, 0]
    block = gl.GetProgramResourceIndex(program, gl.SHADER_STORAGE_BLOCK, b"From")
    assert properties(gl, program, gl.BUFFER_VARIABLE, index, gl.BLOCK_INDEX) == [block]
    assert properties(gl, program, gl.SHADER_STORAGE_BLOCK, block, gl.BUFFER_DATA_SIZE, gl.NUM_ACTIVE_VARIABLES) == [8, 2]
    assert index in properties(gl, program, gl.SHADER_STORAGE_BLOCK, block, gl.ACTIVE_VARIABLES)


def test_properties_of_atomic_counters(gl, program):
    index = gl.GetProgramResourceIndex(program, gl.UNIFORM, b"done")
    assert properties(gl, program, gl.UNIFORM, index, gl.TYPE, gl.OFFSET, gl.ATOMIC_COUNTER_BUFFER_INDEX, gl.LOCATION,
                      gl.BLOCK_INDEX) == [gl.UNSIGNED_INT_ATOMIC_COUNTER, 4, 0, -1, -1]
    assert properties(gl, program, gl.ATOMIC_COUNTER_BUFFER, 0, gl.BUFFER_BINDING, gl.BUFFER_DATA_SIZE, gl.ACTIVE_VARIABLES) == [
        3, 8, index]
    assert gl.get_int("GetActiveAtomicCounterBufferiv", program, 0, gl.ATOMIC_COUNTER_BUFFER_DATA_SIZE) == 8
    assert gl.get_int("GetActiveAtomicCounterBufferiv", program, 0, gl.ATOMIC_COUNTER_BUFFER_REFERENCED_BY_COMPUTE_SHADER) == 1
    assert gl.get_int("GetProgramiv", program, gl.ACTIVE_ATOMIC_COUNTER_BUFFERS) == 1
    refuses(gl, "INVALID_VALUE", gl.GetActiveAtomicCounterBufferiv, program, 1, gl.ATOMIC_COUNTER_BUFFER_BINDING,
            (ctypes.c_int * 1)())


def test_inputs_and_outputs_of_a_drawing_program(gl):
    program = link(gl, (gl.VERTEX_SHADER, b"#version 430\nlayout(location = 2) in mat3 m[2]; in vec4 a; out vec4 v;"
                                          b"void main() { v = a; gl_Position = vec4(m[1][0], 1); }"),
                   (gl.FRAGMENT_SHADER, b"#version 430\nin vec4 v; layout(location = 3) out vec4 c[2];"
                                        b"void main() { c[0] = c[1] = v; }"))
    assert sorted(names(gl, program, gl.PROGRAM_INPUT)) == ["a", "m[0]"]
    assert names(gl, program, gl.PROGRAM_OUTPUT) == ["c[0]"]
    assert gl.GetProgramResourceLocation(program, gl.PROGRAM_INPUT, b"m[1]") == 5
    assert gl.GetProgramResourceLocation(program, gl.PROGRAM_OUTPUT, b"c[1]") == 4
    assert gl.GetProgramResourceLocation(program, gl.PROGRAM_OUTPUT, b"c[2]") == -1
    assert gl.GetProgramResourceLocationIndex(program, gl.PROGRAM_OUTPUT, b"c") == 0
    output = gl.GetProgramResourceIndex(program, gl.PROGRAM_OUTPUT, b"c")
    assert properties(gl, program, gl.PROGRAM_OUTPUT, output, gl.TYPE, gl.ARRAY_SIZE, gl.LOCATION, gl.LOCATION_INDEX,
                      gl.REFERENCED_BY_FRAGMENT_SHADER, gl.IS_PER_PATCH) == [gl.FLOAT_VEC4, 2, 3, 0, 1, 0]


def test_what_the_interface_query_refuses(gl, program):
    out = (ctypes.c_int * 8)(*[-77] * 8)
    refuses(gl, "INVALID_ENUM", gl.GetProgramInterfaceiv, program, gl.TEXTURE_2D, gl.ACTIVE_RESOURCES, out)
    refuses(gl, "INVALID_ENUM", gl.GetProgramInterfaceiv, program, gl.UNIFORM, gl.TYPE, out)
    refuses(gl, "INVALID_OPERATION", gl.GetProgramInterfaceiv, program, gl.ATOMIC_COUNTER_BUFFER, gl.MAX_NAME_LENGTH, out)
    refuses(gl, "INVALID_OPERATION", gl.GetProgramInterfaceiv, program, gl.UNIFORM, gl.MAX_NUM_ACTIVE_VARIABLES, out)
    refuses(gl, "INVALID_OPERATION", gl.GetProgramInterfaceiv, program, gl.UNIFORM, gl.MAX_NUM_COMPATIBLE_SUBROUTINES, out)
    refuses(gl, "INVALID_VALUE", gl.GetProgramInterfaceiv, 999, gl.UNIFORM, gl.ACTIVE_RESOURCES, out)
    refuses(gl, "INVALID_ENUM", gl.GetProgramResourceIndex, program, gl.ATOMIC_COUNTER_BUFFER, b"x")
    assert gl.GetProgramResourceIndex(program, gl.UNIFORM, b"nobody") == gl.INVALID_INDEX
    refuses(gl, "INVALID_VALUE", gl.GetProgramResourceName, program, gl.UNIFORM, 99, 8, None, None)
    refuses(gl, "INVALID_VALUE", gl.GetProgramResourceName, program, gl.UNIFORM, 0, -1, None, None)
    one = (ctypes.c_uint * 1)
    refuses(gl, "INVALID_VALUE", gl.GetProgramResourceiv, program, gl.UNIFORM, 0, 0, one(gl.TYPE), 8, None, out)
    refuses(gl, "INVALID_VALUE", gl.GetProgramResourceiv, program, gl.UNIFORM, 99, 1, one(gl.TYPE), 8, None, out)
    refuses(gl, "INVALID_ENUM", gl.GetProgramResourceiv, program, gl.UNIFORM, 0, 1, one(gl.TEXTURE_2D), 8, None, out)
    refuses(gl, "INVALID_OPERATION", gl.GetProgramResourceiv, program, gl.UNIFORM, 0, 1, one(gl.BUFFER_BINDING), 8, None, out)
    assert out[0] == -77
    refuses(gl, "INVALID_ENUM", gl.GetProgramResourceLocation, program, gl.BUFFER_VARIABLE, b"scale")
    refuses(gl, "INVALID_ENUM", gl.GetProgramResourceLocationIndex, program, gl.PROGRAM_INPUT, b"scale")
    refuses(gl, "INVALID_OPERATION", gl.GetProgramResourceLocation, gl.CreateProgram(), gl.UNIFORM, b"scale")


# -- draws from commands in a buffer, and with a base instance

@pytest.fixture
def drawing(gl) -> None:
    array = gl.gen("VertexArrays")
    gl.BindVertexArray(array)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, 4)
    gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_HEIGHT, 4)
    gl.UseProgram(link(gl, *FLAT))


def test_indirect_draws_check_where_their_commands_lie(gl, drawing):
    at = gl.offset
    refuses(gl, "INVALID_OPERATION", gl.DrawArraysIndirect, gl.TRIANGLES, None)
    filled(gl, gl.DRAW_INDIRECT_BUFFER, 64)
    refuses(gl, "NO_ERROR", gl.DrawArraysIndirect, gl.TRIANGLES, at(48))
    refuses(gl, "INVALID_OPERATION", gl.DrawArraysIndirect, gl.TRIANGLES, at(52))
    refuses(gl, "INVALID_VALUE", gl.DrawArraysIndirect, gl.TRIANGLES, at(2))
    refuses(gl, "INVALID_ENUM", gl.DrawArraysIndirect, gl.QUADS, at(0))
    refuses(gl, "INVALID_OPERATION", gl.DrawElementsIndirect, gl.TRIANGLES, gl.UNSIGNED_INT, at(0))     # no indices
    filled(gl, gl.ELEMENT_ARRAY_BUFFER, 64)
    refuses(gl, "NO_ERROR", gl.DrawElementsIndirect, gl.TRIANGLES, gl.UNSIGNED_INT, at(44))
    refuses(gl, "INVALID_OPERATION", gl.DrawElementsIndirect, gl.TRIANGLES, gl.UNSIGNED_INT, at(48))
    refuses(gl, "INVALID_ENUM", gl.DrawElementsIndirect, gl.TRIANGLES, gl.FLOAT, at(0))


def test_several_indirect_draws(gl, drawing):
    at = gl.offset
    filled(gl, gl.DRAW_INDIRECT_BUFFER, 64)
    refuses(gl, "NO_ERROR", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), 4, 0)
    refuses(gl, "INVALID_OPERATION", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), 5, 0)
    refuses(gl, "NO_ERROR", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), 2, 48)
    refuses(gl, "INVALID_OPERATION", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), 2, 52)
    refuses(gl, "INVALID_VALUE", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), 2, 18)
    refuses(gl, "INVALID_VALUE", gl.MultiDrawArraysIndirect, gl.TRIANGLES, at(0), -1, 0)
    refuses(gl, "INVALID_OPERATION", gl.MultiDrawArraysIndirectCount, gl.TRIANGLES, at(0), 0, 4, 0)
    filled(gl, gl.PARAMETER_BUFFER, 4)
    refuses(gl, "NO_ERROR", gl.MultiDrawArraysIndirectCount, gl.TRIANGLES, at(0), 0, 4, 0)
    refuses(gl, "INVALID_OPERATION", gl.MultiDrawArraysIndirectCount, gl.TRIANGLES, at(0), 4, 4, 0)
    refuses(gl, "INVALID_VALUE", gl.MultiDrawArraysIndirectCount, gl.TRIANGLES, at(0), 2, 4, 0)


def test_draws_with_a_base_instance(gl, drawing):
    refuses(gl, "NO_ERROR", gl.DrawArraysInstancedBaseInstance, gl.TRIANGLES, 0, 3, 2, 5)
    refuses(gl, "INVALID_VALUE", gl.DrawArraysInstancedBaseInstance, gl.TRIANGLES, 0, 3, -1, 5)
    refuses(gl, "INVALID_VALUE", gl.DrawArraysInstancedBaseInstance, gl.TRIANGLES, -1, 3, 1, 5)
    refuses(gl, "INVALID_OPERATION", gl.DrawElementsInstancedBaseInstance, gl.TRIANGLES, 3, gl.UNSIGNED_INT, None, 1, 5)
    filled(gl, gl.ELEMENT_ARRAY_BUFFER, 12)
    refuses(gl, "NO_ERROR", gl.DrawElementsInstancedBaseVertexBaseInstance, gl.TRIANGLES, 3, gl.UNSIGNED_INT, None, 1, 2, 5)
    refuses(gl, "INVALID_VALUE", gl.DrawElementsInstancedBaseInstance, gl.TRIANGLES, -3, gl.UNSIGNED_INT, None, 1, 5)
