"""A compute shader (OpenGL 4.3) moves particles in a storage buffer that is drawn as vertices, without a read in between."""

import math
import struct

import stage

COUNT = 4096
MOVE = """#version 430
layout(local_size_x = 64) in;
struct Particle { vec2 place, speed; };
layout(std430, binding = 3) buffer Particles { Particle particles[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 pull = -particles[i].place * 0.02;
    particles[i].speed = particles[i].speed * 0.98 + pull;
    particles[i].place += particles[i].speed;
}"""
VERTEX = """#version 430
in vec2 place; in vec2 speed; out vec3 tint;
void main() { gl_Position = vec4(place, 0, 1); tint = vec3(0.5 + 20.0 * speed, 0.75); }"""
FRAGMENT = """#version 430
in vec3 tint; out vec4 pixel; void main() { pixel = vec4(tint, 1); }"""


def setup(ctx, size):
    def particle(i):
        angle, radius = i * 2.399963, math.sqrt(i / COUNT)
        return struct.pack("4f", radius * math.cos(angle), radius * math.sin(angle), 0.01 * math.sin(angle), -0.01 * math.cos(angle))

    particles = ctx.buffer(b"".join(particle(i) for i in range(COUNT)))
    move = ctx.compute_shader(MOVE)
    points = ctx.vertex_array(ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT), [(particles, "2f 2f", "place", "speed")])
    target = ctx.simple_framebuffer(size)

    def frame(_):
        particles.bind_to_storage_buffer(3)
        move.run(COUNT // 64)
        ctx.memory_barrier()
        target.use()
        target.clear()
        points.render(mode=ctx.POINTS)

    return frame, target


if __name__ == "__main__":
    stage.run(setup, require=430)
