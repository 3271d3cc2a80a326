"""Programs that cover what the first slice promises. Each is {stage index: source}; every uniform in them is read."""

VERTEX, TESS_CONTROL, TESS_EVALUATION, GEOMETRY, FRAGMENT, COMPUTE = range(6)

PLAIN_VERTEX = """#version 330
in vec2 in_vert;
out vec2 uv;
void main() { uv = in_vert * 0.5 + 0.5; gl_Position = vec4(in_vert, 0.0, 1.0); }
"""


def fragment(declarations: str, expression: str, version: str = "330") -> dict[int, str]:
    """A fragment shader that reads `uv` and what is declared."""
    return {VERTEX: PLAIN_VERTEX, FRAGMENT: f"#version {version}\n{declarations}\nin vec2 uv;\nout vec4 color;\n"
            f"void main() {{ color = {expression}; }}\n"}


def each_type(names: str, prefix: str, to_vec4: str) -> dict[int, str]:
    """One uniform, and one array, of each type."""
    types = names.split()
    declared = "\n".join(f"uniform {name} {prefix}_{name}; uniform {name} {prefix}s_{name}[3];" for name in types)
    read = [variable for name in types for variable in (f"{prefix}_{name}", f"{prefix}s_{name}[int(uv.x * 2.9)]")]
    summed = " + ".join(to_vec4.format(variable) for variable in read)
    return fragment(declared, summed)


OWN_TEXTURE2D = "uniform sampler2D t; vec4 texture2D(sampler2D s, vec2 at) { return texture(s, at) * 2.0; }"

CORPUS: dict[str, dict[int, str]] = {
    "triangle": {
        VERTEX: """#version 330
            in vec2 in_vert; in vec3 in_color; out vec3 v_color;
            void main() { v_color = in_color; gl_Position = vec4(in_vert, 0.0, 1.0); }""",
        FRAGMENT: """#version 330
            in vec3 v_color; out vec3 f_color;
            void main() { f_color = v_color; }""",
    },
    "vertex shader alone": {VERTEX: """#version 330
        in vec2 a; out vec2 twice; uniform float factor;
        void main() { twice = a * factor; gl_Position = vec4(twice, 0.0, 1.0); }"""},
    "scalars": each_type("float int uint bool", "s", "vec4(float({}))"),
    "vectors": {**each_type("vec4 ivec4 uvec4 bvec4", "v", "vec4({})")},
    "short vectors": fragment(
        "uniform vec2 a; uniform vec3 b; uniform ivec2 c; uniform ivec3 d; uniform uvec2 e; uniform uvec3 f; "
        "uniform bvec2 g; uniform bvec3 h;",
        "vec4(a, 0, 0) + vec4(b, 0) + vec4(c, 0, 0) + vec4(d, 0) + vec4(e, 0, 0) + vec4(f, 0) + vec4(g, 0, 0) + "
        "vec4(h, 0)"),
    "matrices": each_type("mat2 mat3 mat4 mat2x3 mat2x4 mat3x2 mat3x4 mat4x2 mat4x3", "m", "vec4({}[1][1])"),
    "structs": fragment(
        "struct Light { vec3 position; float power; mat3 basis; float weights[4]; };\n"
        "struct Scene { Light sun; int count; };\n"
        "uniform Light light; uniform Light lights[2]; uniform Scene scene;",
        "vec4(light.position * light.power * light.basis, light.weights[int(uv.x)]) + "
        "vec4(lights[int(uv.y)].position * lights[int(uv.y)].basis, lights[int(uv.y)].power * "
        "lights[1].weights[int(uv.x)]) + "
        "vec4(scene.sun.position * scene.sun.basis, scene.sun.power * scene.sun.weights[int(uv.x)] + "
        "float(scene.count))"),
    "uniforms by stage": {
        VERTEX: """#version 330
            uniform mat4 mvp; uniform float both; uniform vec3 never_read; in vec3 in_vert; out float v;
            float unreached() { return never_read.x; }
            void main() { v = both; gl_Position = mvp * vec4(in_vert, 1.0); }""",
        FRAGMENT: """#version 330
            uniform vec4 tint; uniform float both; uniform float pad; in float v; out vec4 color;
            void main() { color = tint * (both + pad) * v; }""",
    },
    "initialisers": fragment(
        "uniform float a = 2.5; uniform vec3 b = vec3(1, 2, 3); uniform int c = -7; uniform uint d = 4000000000u; "
        "uniform bool e = true; uniform vec2 f[2] = vec2[](vec2(1, 2), vec2(3, 4)); uniform mat2 g = mat2(1, 2, 3, 4);",
        "vec4(a, b) + vec4(c, float(d), float(e), f[int(uv.x)].y) + vec4(g[0], g[1])"),
    "blocks": {
        VERTEX: """#version 330
            layout(std140) uniform Camera { mat4 projection; mat4 view; vec3 eye; float near; };
            layout(std140) uniform Model { mat4 matrix; vec4 weights[3]; mat3x2 odd; bool flag; } model;
            in vec3 in_vert; out vec3 v;
            void main() { v = eye + near + model.weights[1].xyz + vec3(model.odd[2], model.flag);
                          gl_Position = projection * view * model.matrix * vec4(in_vert, 1.0); }""",
        FRAGMENT: """#version 330
            layout(std140) uniform Camera { mat4 projection; mat4 view; vec3 eye; float near; };
            struct Lamp { vec3 place; vec4 tint[2]; };
            layout(std140, row_major) uniform Lamps { Lamp lamps[2]; mat4 rows; layout(column_major) mat3 columns; }
                all;
            in vec3 v; out vec4 color;
            void main() { color = vec4(v - eye, 1.0) * all.lamps[1].tint[0] * all.rows + vec4(all.columns[0], 0.0); }
            """,
    },
    "block never read": fragment("layout(std140) uniform Unread { vec4 a; float b[2]; };", "vec4(uv, 0, 1)"),
    "block without layout": fragment("uniform Shared { float a; vec3 b; mat4 c; };", "vec4(a) + vec4(b, 0) + c[0]"),
    "arrays of blocks": fragment("layout(std140) uniform B { vec4 a; } b[2];", "b[0].a + b[1].a"),
    "samplers": fragment(
        "uniform sampler2D a; uniform sampler2DArray b; uniform samplerCube c; uniform sampler3D d; uniform "
        "isampler2D e; "
        "uniform usampler2D f; uniform sampler2DShadow g; uniform sampler2D h[3]; uniform samplerCubeShadow j; "
        "uniform usampler3D k; uniform isampler2DArray l; uniform sampler2DArrayShadow m;",
        "texture(a, uv) + texture(b, vec3(uv, 1)) + texture(c, vec3(uv, 1)) + texture(d, vec3(uv, 1)) + "
        "vec4(texture(e, uv)) + "
        "vec4(texture(f, uv)) + texture(g, vec3(uv, 1)) + texture(h[0], uv) + texture(h[1], uv) + texture(h[2], uv) + "
        "texture(j, vec4(uv, 1, 1)) + vec4(texture(k, vec3(uv, 0))) + vec4(texture(l, vec3(uv, 0))) + texture(m, "
        "vec4(uv, 1, 1))"),
    "buffer, multisample and 1D samplers": fragment(
        "uniform samplerBuffer a; uniform usamplerBuffer b; uniform sampler2DMS c; uniform sampler1D d;",
        "texelFetch(a, 1) + vec4(texelFetch(b, 2)) + texelFetch(c, ivec2(0), 1) + texture(d, uv.x)"),
    "samplers in structures": fragment(
        "struct Material { float shine; sampler2D maps[2]; vec4 tint; sampler2DShadow shadow; }; uniform Material one;"
        "struct Layer { sampler2D map; vec2 scale; }; uniform Layer layers[2]; struct Scene { Layer sky; float fog; };"
        "uniform Scene scene; struct Maps { sampler2D diffuse; sampler3D volume; }; uniform Maps only; uniform int k;",
        "texture(one.maps[1], uv) * one.tint * one.shine + texture(one.maps[0], uv) + texture(one.shadow, vec3(uv, 1)) + "
        "texture(layers[1].map, uv * layers[k].scale) + texture(layers[0].map, uv) + "
        "texture(scene.sky.map, uv * scene.sky.scale) * scene.fog + texture(only.diffuse, uv) + "
        "texture(only.volume, vec3(uv, textureSize(only.volume, 0).z))"),
    "samplers in structures by any index": fragment(
        "struct Light { vec4 tint; sampler2D shadow; mat2 turn; sampler2DArray maps[2]; }; uniform Light lights[3]; uniform int n;"
        "struct Pair { Light each[2]; float weight; }; uniform Pair pairs[2];"
        "vec4 of(sampler2D map, vec2 at) { return texture(map, at); }"
        "vec4 all_of(vec2 at) { vec4 sum = vec4(0); for (int i = 0; i < n; i++)"
        "  sum += of(lights[i].shadow, lights[i].turn * at) * lights[i].tint + texture(lights[i].maps[1], vec3(at, i)); return sum; }",
        "all_of(uv) + texture(lights[1].shadow, uv) + texture(pairs[1].each[n].shadow, uv) * pairs[n].weight + "
        "texture(pairs[n].each[0].maps[n], vec3(uv, 1))", "400"),
    "sampler functions": fragment(
        "uniform sampler2D t;",
        "textureLod(t, uv, 1.0) + texelFetch(t, ivec2(uv), 0) + textureGrad(t, uv, dFdx(uv), dFdy(uv)) + "
        "textureOffset(t, uv, ivec2(1, 0)) + vec4(textureSize(t, 0), 0, 0) + textureProj(t, vec3(uv, 1.0))"),
    "a sampler in two stages": {
        VERTEX: """#version 330
            uniform sampler2D height; in vec2 in_vert; out vec2 uv;
            void main() { uv = in_vert; gl_Position = vec4(in_vert, textureLod(height, in_vert, 0.0).x, 1.0); }""",
        FRAGMENT: """#version 330
            uniform sampler2D color_map; uniform sampler2D height; in vec2 uv; out vec4 color;
            void main() { color = texture(color_map, uv) + texture(height, uv); }""",
    },
    "geometry shader": {
        VERTEX: """#version 330
            in vec2 in_vert; out vec3 v_color;
            void main() { v_color = vec3(in_vert, 0.0); gl_Position = vec4(in_vert, 0.0, 1.0); }""",
        GEOMETRY: """#version 330
            layout(points) in; layout(triangle_strip, max_vertices = 4) out;
            uniform float size; in vec3 v_color[]; out vec3 g_color; flat out int g_corner;
            void main() {
                for (int i = 0; i < 4; i++) {
                    g_color = v_color[0]; g_corner = i;
                    gl_Position = gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0) * size;
                    EmitVertex();
                }
                EndPrimitive();
            }""",
        FRAGMENT: """#version 330
            in vec3 g_color; flat in int g_corner; out vec4 color;
            void main() { color = vec4(g_color, float(g_corner + gl_PrimitiveID)); }""",
    },
    "geometry shader with blocks": {
        VERTEX: """#version 330
            in vec2 in_vert; out Data { vec3 normal; vec2 uv; } data;
            void main() { data.normal = vec3(0, 0, 1); data.uv = in_vert; gl_Position = vec4(in_vert, 0.0, 1.0); }""",
        GEOMETRY: """#version 330
            layout(triangles) in; layout(line_strip, max_vertices = 6) out;
            in Data { vec3 normal; vec2 uv; } data[]; out Out { vec2 uv; } result;
            void main() {
                for (int i = 0; i < gl_in.length(); i++) {
                    result.uv = data[i].uv; gl_Position = gl_in[i].gl_Position + vec4(data[i].normal, 0); EmitVertex();
                }
            }""",
        FRAGMENT: """#version 330
            in Out { vec2 uv; } data; out vec4 color;
            void main() { color = vec4(data.uv, 0.0, 1.0); }""",
    },
    "tessellation": {
        VERTEX: """#version 410
            in vec3 in_vert; out vec3 v;
            void main() { v = in_vert; gl_Position = vec4(in_vert, 1.0); }""",
        TESS_CONTROL: """#version 410
            layout(vertices = 3) out; in vec3 v[]; out vec3 tc[]; patch out float level;
            void main() { tc[gl_InvocationID] = v[gl_InvocationID]; level = 2.0;
                gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
                gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 3.0; }""",
        TESS_EVALUATION: """#version 410
            layout(triangles, equal_spacing, ccw) in; in vec3 tc[]; patch in float level; out vec3 te; uniform
                float lift;
            void main() { te = tc[0] * gl_TessCoord.x + tc[1] * gl_TessCoord.y + tc[2] * gl_TessCoord.z + level;
                gl_Position = vec4(te * lift, 1.0); }""",
        FRAGMENT: """#version 410
            in vec3 te; out vec4 color;
            void main() { color = vec4(te, 1.0); }""",
    },
    "several outputs": {
        VERTEX: PLAIN_VERTEX,
        FRAGMENT: """#version 330
            in vec2 uv; layout(location = 2) out vec4 third; out vec4 first; out ivec2 second;
            void main() { first = vec4(uv, 0, 1); second = ivec2(uv); third = vec4(1); }""",
    },
    "an array of outputs": {
        VERTEX: PLAIN_VERTEX,
        FRAGMENT: """#version 330
            in vec2 uv; out vec4 color[3];
            void main() { color[0] = vec4(uv, 0, 1); color[1] = vec4(1); color[2] = vec4(0); }""",
    },
    "interpolation": {
        VERTEX: """#version 330
            in vec4 a; flat out int id; flat out uvec2 ids; noperspective out vec2 straight; centroid out vec4 middle;
            smooth out float usual; flat out vec3 same;
            void main() { id = int(a.x); ids = uvec2(a.xy); straight = a.xy; middle = a; usual = a.x; same = a.xyz;
                          gl_Position = a; }""",
        FRAGMENT: """#version 330
            flat in int id; flat in uvec2 ids; noperspective in vec2 straight; centroid in vec4 middle; smooth in
                float usual;
            flat in vec3 same; out vec4 color;
            void main() { color = middle + vec4(straight, id, ids.x) + usual + vec4(same, 1.0); }""",
    },
    "varyings of every shape": {
        VERTEX: """#version 330
            in vec4 a; out mat3 m; out float list[3]; out vec2 pair[2];
            struct S { vec3 x; float y; }; out S s;
            void main() { m = mat3(a.x); list[0] = list[1] = list[2] = a.x; pair[0] = pair[1] = a.xy; s.x = a.xyz;
                s.y = a.w;
                          gl_Position = a; }""",
        FRAGMENT: """#version 330
            in mat3 m; in float list[3]; in vec2 pair[2]; struct S { vec3 x; float y; }; in S s; out vec4 color;
            void main() { color = vec4(m[1] + s.x, list[2] + pair[1].x + s.y); }""",
    },
    "outputs nobody reads": {
        VERTEX: """#version 330
            in vec4 a; out vec4 read; out vec4 unread;
            void main() { read = unread = a; gl_Position = a; }""",
        FRAGMENT: """#version 330
            in vec4 read; in vec3 declared_only; out vec4 color;
            void main() { color = read; }""",
    },
    "built-ins": {
        VERTEX: """#version 330
            in vec2 in_vert;
            void main() { gl_Position = vec4(in_vert, float(gl_InstanceID), float(gl_VertexID)); 
                          gl_PointSize = 3.0; }""",
        FRAGMENT: """#version 330
            out vec4 color;
            void main() {
                if (gl_FragCoord.x < 3.0) discard;
                color = gl_FrontFacing ? vec4(gl_PointCoord, 0, 1) : vec4(0);
                gl_FragDepth = gl_FragCoord.z * 0.5;
            }""",
    },
    "attributes": {
        VERTEX: """#version 330
            in float a; in ivec3 b; in uvec4 c; in mat4 d; in mat2x3 e; layout(location = 9) in vec2 f; in vec4 unread;
            void main() { gl_Position = vec4(a) + vec4(b, 0) + vec4(c) + d[3] + vec4(e[1], f.x); }""",
    },
    "arrays of attributes": {
        VERTEX: """#version 330
            in float a[3]; in vec4 b[2]; in mat2 c[2]; in vec2 d; uniform int which;
            vec4 sum() { vec4 s = vec4(0); for (int i = 0; i < 2; i++) s += b[i]; return s; }
            void main() { vec4 local = vec4(a[0], a[which], a[2], d.x);
                          gl_Position = local + sum() + b[which] + vec4(c[which][1], c[1][0]); }""",
        FRAGMENT: "#version 330\nout vec4 color; void main() { color = vec4(1); }",
    },
    "clip distances": {
        VERTEX: """#version 330
            in vec4 a; uniform vec4 planes[2]; out float gl_ClipDistance[2];
            void main() { gl_Position = a; for (int i = 0; i < 2; i++) gl_ClipDistance[i] = dot(a, planes[i]); }""",
        FRAGMENT: "#version 330\nout vec4 color; void main() { color = vec4(1); }",
    },
    "layered rendering": {
        VERTEX: PLAIN_VERTEX.replace("out vec2 uv;", "out vec2 uv_in;").replace("uv = in_vert", "uv_in = in_vert"),
        GEOMETRY: """#version 330
            layout(triangles) in; layout(triangle_strip, max_vertices = 18) out; in vec2 uv_in[]; out vec2 uv;
            uniform mat4 faces[6];
            void main() { for (int f = 0; f < 6; f++) { gl_Layer = f;
                for (int i = 0; i < 3; i++) { uv = uv_in[i]; gl_Position = faces[f] * gl_in[i].gl_Position;
                    EmitVertex(); }
                EndPrimitive(); } }""",
        FRAGMENT: "#version 330\nin vec2 uv; out vec4 color; void main() { color = vec4(uv, 0, 1); }",
    },
    "dual-source blending": {
        VERTEX: PLAIN_VERTEX,
        FRAGMENT: """#version 330
            in vec2 uv; layout(location = 0, index = 0) out vec4 first; layout(location = 0, index = 1) out vec4 second;
            void main() { first = vec4(uv, 0, 1); second = vec4(0.5); }""",
    },
    "gl_FragColor": {
        VERTEX: PLAIN_VERTEX,
        FRAGMENT: """#version 330
            in vec2 uv;
            void main() { gl_FragColor = vec4(uv, 0.0, 1.0); }""",
    },
    "gl_FragData": {
        VERTEX: PLAIN_VERTEX,
        FRAGMENT: """#version 330
            in vec2 uv;
            void main() { gl_FragData[0] = vec4(uv, 0.0, 1.0); gl_FragData[1] = vec4(1.0); }""",
    },
    "old texture functions": fragment("uniform sampler2D t; uniform samplerCube s;",
                                      "texture2D(t, uv) + textureCube(s, vec3(uv, 1.0))"),
    "its own texture2D": fragment(OWN_TEXTURE2D, "texture2D(t, uv)"),
    "its own texture2D in GLSL 4.50": fragment(OWN_TEXTURE2D, "texture2D(t, uv)", "450"),
    "texture2D by its own macro": fragment("#define texture2D(s, at) texture(s, at, 0.0)\nuniform sampler2D t;",
                                           "texture2D(t, uv)"),
    "old texture functions as names": fragment("uniform sampler2D textureCube; uniform vec4 sampler;",
                                               "texture2D(textureCube, uv) * sampler"),
    "line ends of another system": {stage: text.replace("\n", "\r\n") for stage, text in fragment(
        "uniform float f;\n// comment\n/* another\n */\n#define TWICE(x) \\\n (x * 2.0)", "vec4(TWICE(f))").items()},
    "a name that Vulkan reserves": fragment("uniform sampler2D sampler; uniform vec4 texture3D; "
                                            "uniform vec2 subpassInput;",
                                            "texture(sampler, uv) * texture3D + subpassInput.xyxy"),
    "names of functions and variables that clash with GLSL's": fragment(
        "uniform float input1; uniform float filter2; float helper(float x) { return x * 2.0; }",
        "vec4(helper(input1) + helper(filter2))"),
    "switch, loops and ternaries": fragment(
        "uniform int mode; uniform float list[8];"
        "float pick() { switch (mode) { case 0: return list[0]; case 1: return list[1]; default: break; }"
        "float s = 0.0; for (int k = 0; k < 8; k++) { if (k == mode) continue; s += list[k]; } while (s > 9.0) s -= "
        "1.0; "
        "return s; }", "vec4(pick())"),
    "a global initialiser that reads a uniform": fragment("uniform float scale; float doubled = scale * 2.0;",
                                                          "vec4(doubled)"),
    "version 140": {0: PLAIN_VERTEX.replace("330", "140"),
                    4: "#version 140\nin vec2 uv; out vec4 color; void main() { color = vec4(uv, 0, 1); }"},
    "version 150": {0: PLAIN_VERTEX.replace("330", "150 core"),
                    4: "#version 150\nin vec2 uv; out vec4 color; void main() { color = vec4(uv, 0, 1); }"},
    "version 460": {0: PLAIN_VERTEX.replace("330", "450"),
                    4: "#version 450 core\nlayout(location = 3) uniform vec4 tint; layout(binding = 2) uniform "
                       "sampler2D t;"
                       "layout(std140, binding = 4) uniform B { vec4 b; }; in vec2 uv; out vec4 color;"
                       "void main() { color = tint * texture(t, uv) + b; }"},
    "GLSL ES 3.00": {0: "#version 300 es\nprecision highp float;\nlayout(location = 0) in vec2 a; out vec2 uv;"
                        "void main() { uv = a; gl_Position = vec4(a, 0, 1); }",
                     4: "#version 300 es\nprecision highp float;\nin vec2 uv; uniform sampler2D t; uniform float f;"
                        "layout(location = 0) out vec4 color; void main() { color = texture(t, uv) * f; }"},
    "a comment in every language": fragment(
        "// Größe, 大きさ, размер\n/* ¡uniform! */ uniform float f; // end", "vec4(f)"),
    "extensions that are core by now": fragment(
        "#extension GL_ARB_shading_language_420pack : enable\n#extension GL_ARB_shader_precision : require\n"
        "#extension GL_ARB_explicit_attrib_location : enable\n"
        "#ifdef GL_ARB_shader_precision\nuniform float present;\n#else\nuniform float absent;\n#endif",
        "vec4(present)"),
    "compute": {COMPUTE: """#version 430
        layout(local_size_x = 8, local_size_y = 4) in;
        layout(std430, binding = 1) buffer Data { float scale; vec2 values[]; } data;
        layout(rgba8, binding = 0) writeonly uniform image2D target;
        uniform float factor;
        void main() { data.values[gl_GlobalInvocationID.x] *= factor * data.scale;
                      imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(1.0)); }"""},
    "functions on numbers": {
        VERTEX: PLAIN_VERTEX.replace("330", "450"),
        FRAGMENT: """#version 450
            in vec2 uv; out vec4 color; uniform mat3 m; uniform mat2x3 n; uniform vec4 v; uniform ivec4 i; uniform
                uvec4 u;
            uniform bvec3 b; uniform sampler2D t; uniform samplerCubeArray cubes;
            void main() {
                float whole; int exponent; uint carry, high, low; vec4 s = v;
                s += sin(v) + atan(v, v) + pow(abs(v), v) + exp2(v) + inversesqrt(v) + mod(v, 2.0) + fract(v) +
                    mix(v, s, 0.5);
                s += smoothstep(v, s, v) + clamp(v, 0.0, 1.0) + step(v, s) + sign(v) + roundEven(v) + fma(v, v, v)
                    - v / s;
                s.x += modf(v.x, whole) + ldexp(v.y, 3) + frexp(v.z, exponent) + float(exponent) + whole;
                s.xyz += cross(v.xyz, s.xyz) + reflect(v.xyz, s.xyz) + refract(v.xyz, s.xyz, 0.9) + normalize(v.xyz);
                s.x += dot(v, s) + length(v) + distance(v, s) + determinant(m) + float(isnan(v.x)) + float(isinf(v.y));
                s.xyz += inverse(m) * transpose(m) * v.xyz + v.xyz * m + (m * n)[1] + outerProduct(v.xyz, s.xyz)[2]
                    + (-m)[0];
                s.xyz += matrixCompMult(m, m)[0] + (m == transpose(m) ? vec3(1) : vec3(0)) + (m / 2.0 + 1.0)[1];
                s += vec4(i % 3 + (i << 2) + (i >> 1) + (i & 7) + (i | 1) + (i ^ 3) + ~i + abs(i) + max(i, 3) -
                    min(i, -i));
                s += vec4(u % 3u + (u << 2u) + (u >> 1u) + bitfieldExtract(u, 2, 3) + bitfieldReverse(u) +
                    bitfieldInsert(u, u, 1, 2));
                s += vec4(bitCount(i) + findLSB(i) + findMSB(u));
                s.x += float(uaddCarry(u.x, u.y, carry)) + float(usubBorrow(u.x, u.y, low)) + float(carry);
                umulExtended(u.x, u.y, high, low); s.x += float(high + low);
                s.x += float(any(b)) + float(all(not(b))) + float(any(lessThan(v, s))) + float(any(equal(i, ivec4(2))));
                s.xy += unpackHalf2x16(packHalf2x16(v.xy)) + unpackUnorm2x16(packSnorm2x16(v.xy));
                s += unpackUnorm4x8(u.x) + intBitsToFloat(i) + vec4(floatBitsToUint(v));
                s += dFdx(v) + fwidth(uv.xyxy) + dFdxFine(uv.xyxy) + textureGather(t, uv, 1);
                s.xy += textureSize(cubes, 0).xy; s += texture(cubes, vec4(uv, 1, 2)); s[i.x & 3] = 1.0; s.zw = s.wz;
                do { s *= 0.5; if (s.x < 0.1) break; } while (s.y > 1.0);
                color = b.x ^^ b.y && (v.x < s.x || !b.z) ? s : v;
            }""",
    },
    "compute with shared memory and atomics": {COMPUTE: """#version 430
        layout(local_size_x = 32) in; layout(std430, binding = 0) buffer B { uint total; int least; uint seen[]; };
        layout(r32ui, binding = 0) uniform uimage2D marks; shared uint sum; shared vec4 rows[32];
        void main() {
            if (gl_LocalInvocationIndex == 0u) sum = 0u;
            rows[gl_LocalInvocationID.x] = vec4(gl_WorkGroupID, 1); barrier(); memoryBarrierShared();
            atomicAdd(sum, uint(rows[31 - gl_LocalInvocationID.x].x)); groupMemoryBarrier(); barrier();
            atomicMin(least, int(sum)); atomicExchange(total, sum); atomicCompSwap(seen[gl_GlobalInvocationID.x],
                0u, 1u);
            imageAtomicOr(marks, ivec2(gl_GlobalInvocationID.xy), 1u); atomicXor(seen[uint(seen.length()) - 1u], 3u);
        }"""},
    "images read and written": {COMPUTE: """#version 430
        layout(local_size_x = 16) in; layout(rgba8, binding = 0) uniform image2D from; layout(rgba8, binding = 1)
            uniform image2D to;
        layout(r32f, binding = 2) uniform image2D both;
        void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(to, at, imageLoad(from, at));
                      imageStore(both, at, imageLoad(both, at) * 2.0); }"""},
}
