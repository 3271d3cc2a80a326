"""Uniforms of every type: each stripe is painted from values of one type, and reads them back."""

import stage

TYPES = {  # uniform name → (GLSL type, value, how a stripe turns it into a colour)
    "f1": ("float", 0.25, "vec3(f1)"),
    "f2": ("vec2", (0.1, 0.9), "vec3(f2, 0.0)"),
    "f3": ("vec3", (0.9, 0.5, 0.1), "f3"),
    "f4": ("vec4", (0.2, 0.4, 0.6, 0.5), "f4.rgb + f4.a * 0.2"),
    "i1": ("int", -51, "vec3(0.0, float(-i1) / 255.0, 0.5)"),
    "i2": ("ivec2", (100, 200), "vec3(vec2(i2) / 255.0, 0.2)"),
    "i3": ("ivec3", (10, 120, 230), "vec3(i3) / 255.0"),
    "i4": ("ivec4", (230, 120, 10, 2), "vec3(i4.rgb / i4.a) / 255.0"),
    "u1": ("uint", 4000000000, "vec3(float(u1 >> 24) / 255.0, 0.3, 0.3)"),
    "u3": ("uvec3", (200, 30, 90), "vec3(u3) / 255.0"),
    "b1": ("bool", True, "b1 ? vec3(0.3, 0.8, 0.3) : vec3(1.0, 0.0, 0.0)"),
    "b3": ("bvec3", (True, False, True), "vec3(b3) * 0.7"),
    "m2": ("mat2", (0.2, 0.3, 0.4, 0.5), "vec3(m2 * vec2(1.0, 1.0), 0.5)"),
    "m3": ("mat3", (0.5, 0.1, 0.0, 0.0, 0.5, 0.1, 0.1, 0.0, 0.5), "m3 * vec3(1.0, 0.6, 0.3)"),
    "m4": ("mat4", tuple(0.1 + 0.05 * i for i in range(16)), "(m4 * vec4(0.3, 0.2, 0.2, 0.1)).rgb"),
    "m23": ("mat2x3", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), "m23 * vec2(0.5, 0.5)"),
    "m32": ("mat3x2", (0.1, 0.6, 0.2, 0.5, 0.3, 0.4), "vec3(m32 * vec3(0.5, 0.5, 0.5), 0.9)"),
    "m43": ("mat4x3", tuple(0.02 * i for i in range(12)), "m43 * vec4(1.0)"),
    "fa": ("float[4]", (0.9, 0.1, 0.5, 0.7), "vec3(fa[0], fa[2], fa[3])"),
    "va": ("vec3[3]", ((1, 0, 0), (0, 0.5, 0), (0, 0, 0.7)), "va[0] * 0.5 + va[1] + va[2]"),
    "ma": ("mat2[2]", ((0.1, 0.2, 0.3, 0.4), (0.5, 0.6, 0.7, 0.8)), "vec3(ma[0][1], ma[1][0].y)"),
    "ia": ("ivec2[2]", ((255, 0), (0, 128)), "vec3(vec2(ia[0] + ia[1]) / 255.0, 0.4)"),
}


def declaration(name: str, glsl: str) -> str:
    base, _, array = glsl.partition("[")
    return f"uniform {base} {name}{'[' + array if array else ''};"


def setup(ctx, size):
    stripes = "\n".join(
        f"    if (stripe == {n}) colour = {expression};" for n, (_, _, expression) in enumerate(TYPES.values())
    )
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            uniform vec2 scale;
            uniform float shift;
            out vec2 place;
            void main() {
                vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
                place = corner;
                gl_Position = vec4((corner * 2.0 - 1.0) * scale + shift, 0.0, 1.0);
            }
        """,
        fragment_shader="\n".join(
            [
                "#version 330 core",
                "in vec2 place;",
                "out vec4 pixel;",
                "uniform vec2 scale;",  # used by both stages
                *(declaration(name, glsl) for name, (glsl, _, _) in TYPES.items()),
                "void main() {",
                f"    int stripe = int(place.x * {len(TYPES)}.0);",
                "    vec3 colour = vec3(0.0);",
                stripes,
                "    pixel = vec4(colour * (0.5 + 0.5 * place.y) * scale.x, 1.0);",
                "}",
            ]
        ),
    )
    quad = ctx.vertex_array(program, [])
    target = ctx.simple_framebuffer(size)
    for name, (_, value, _) in TYPES.items():
        program[name].value = value
        if abs_difference(program[name].value, value) > 1e-6:
            raise SystemExit(f"{name}: wrote {value}, read {program[name].value}")

    def frame(number):
        program["scale"].value = (0.9, 0.9)
        program["shift"].value = 0.01 * number
        target.use()
        target.clear()
        quad.render(ctx.TRIANGLE_STRIP, vertices=4)

    return frame, target


def abs_difference(a, b) -> float:
    if isinstance(a, (tuple, list)):
        return max(abs_difference(x, y) for x, y in zip(a, b, strict=True))
    return abs(a - b)


if __name__ == "__main__":
    stage.run(setup)
