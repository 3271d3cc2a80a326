"""A server in the test's hand: the applier and a back end, with the few things that most tests build."""

import struct
from collections.abc import Sequence
from typing import Any

from mgpipe.catalogue.calls import HANDLE_KINDS
from mgpipe.server._probe import Session
from mgpipe.shaders import compiler
from mgpipe.shaders.feedback import Request
from wire import enum, record, structs, unpack

Handle = tuple[int, int]
NULL: Handle = (0, 0)
STAGE_SHADERS = {"vertex": 0x8B31, "tess_control": 0x8E88, "tess_evaluation": 0x8E87, "geometry": 0x8DD9,
                 "fragment": 0x8B30, "compute": 0x91B9}
TRIANGLES, TRIANGLE_STRIP, POINTS = 4, 5, 0
REPLY_OK, REPLY_REFUSED = 0, 1
SHADOW = 1

# GL's initial state, as the client's front end would hold it.
KEEP, ALWAYS, LESS, ADD, ONE, ZERO = 0x1E00, 0x0207, 0x0201, 0x8006, 1, 0
BLEND = dict(enable=0, rgb_func=ADD, alpha_func=ADD, rgb_src=ONE, rgb_dst=ZERO, alpha_src=ONE, alpha_dst=ZERO, write_mask=15)
STENCIL = dict(func=ALWAYS, fail=KEEP, depth_fail=KEEP, depth_pass=KEEP, value_mask=0xFF, write_mask=0xFF)
PIPELINE = dict(
    blend=[BLEND] * 8, stencil=[STENCIL] * 2, depth_func=LESS, depth_write=1, cull_face=0x0405, front_face=0x0901,
    polygon_mode=0x1B02, multisample=1, sample_mask_value=0xFFFFFFFF, sample_coverage_value=1.0, logic_op=0x1503,
    provoking_vertex=0x8E4E, point_origin=0x8CA2, dither=1)
SAMPLER = dict(min_filter=0x2600, mag_filter=0x2600, wrap_s=0x2901, wrap_t=0x2901, wrap_r=0x2901, compare_func=0x0203,
               min_lod=-1000.0, max_lod=1000.0, max_anisotropy=1.0)


def format_number(name: str) -> int:
    from mgpipe.catalogue.formats import FORMATS
    return [f.name for f in FORMATS].index(name) + 1


class Server:
    def __init__(self, driver: str, shared: bool = True) -> None:
        """`shared`: the client has the same memory, as everywhere but behind a stream."""
        self.driver = driver
        self.session = Session(driver, 1 << 24, shared)
        self.slots = dict.fromkeys(HANDLE_KINDS, 0)
        self.top = 0

    def close(self) -> None:
        self.session.close()

    def call(self, name: str, tails: Sequence[Any] = (), **fields: Any) -> tuple[int, int, list[int]]:
        return self.session.apply(record(name, tails, **fields))

    def handle(self, kind: str) -> Handle:
        self.slots[kind] += 1
        return self.slots[kind], 1

    def blob(self, data: bytes) -> dict[str, int]:
        """Bytes put where a record may name them; the segment is used as a ring that never catches up in a test."""
        if self.top + len(data) > 1 << 23:
            self.top = 0
        at, self.top = self.top, (self.top + len(data) + 63) & ~63
        self.session.write(at, data)
        return dict(offset=at, size=len(data), segment=SHADOW)

    def answer(self, name: str, size: int, **fields: Any) -> bytes:
        """The bytes that a reading call wrote."""
        into = dict(offset=1 << 23, size=size, segment=SHADOW)
        self.session.write(1 << 23, b"\xAA" * size)
        status, *_ = self.call(name, into=into, **fields)
        assert status == REPLY_OK, f"{name} answered {status}: {self.log()}"
        return self.session.read(1 << 23, size)

    def log(self) -> list[str]:
        """Sentences of the events that carry some."""
        return [tail.decode() for op, _, tail in self.session.events if tail]

    def living(self, kind: str) -> int:
        return self.session.living(HANDLE_KINDS.index(kind) + 1)

    # -- what tests build

    def context(self, width: int = 64, height: int = 64, samples: int = 0, group: Handle | None = None) -> Handle:
        """A context with a surface, bound, with GL's initial state."""
        if group is None:
            group = self.handle("share_group")
            self.call("create_share_group", group=group)
        self.group = group
        context, surface = self.handle("context"), self.handle("surface")
        self.call("create_context", context=context, group=group)
        self.call("create_surface", surface=surface, width=width, height=height, color_format=format_number("RGBA8"),
                  depth_format=format_number("DEPTH24_STENCIL8"), samples=samples)
        self.call("bind_context", context=context, draw=surface, read=surface)
        self.pipeline()
        self.viewport(width, height)
        self.surface = surface
        return context

    def pipeline(self, **changes: Any) -> Handle:
        state = self.handle("render_state")
        self.call("create_render_state", cso=state, state=PIPELINE | changes)
        self.call("bind_render_state", cso=state)
        return state

    def dynamic(self, field: str, data: bytes, at: int = 0) -> None:
        offset = next(m.offset for m in structs()["DynamicState"].members if m.name == field) + at
        self.call("set_dynamic_state", [[dict(offset=offset, size=len(data))], data], chunk_count=1, byte_count=len(data))

    def viewport(self, width: int, height: int, x: int = 0, y: int = 0) -> None:
        self.dynamic("viewports", struct.pack("<4f2d", x, y, width, height, 0.0, 1.0))

    def clear(self, *color: float, depth: float = 1.0, buffers: int = 7) -> None:
        self.dynamic("clear_color", struct.pack("<4f", *color))
        self.dynamic("clear_depth", struct.pack("<d", depth))
        self.call("clear", buffers=buffers)

    def read(self, width: int = 64, height: int = 64, x: int = 0, y: int = 0, attachment: int = 0, layout: str = "RGBA8",
             texel: int = 4) -> bytes:
        return self.answer("read_pixels", width * height * texel, area=dict(x0=x, y0=y, x1=x + width, y1=y + height),
                           attachment=attachment, layout=enum("READ_LAYOUT", layout))

    def pixel(self, x: int, y: int, **more: Any) -> tuple[int, ...]:
        return tuple(self.read(1, 1, x, y, **more))

    def program(self, vertex: str = "", fragment: str = "", feedback: Request = Request(), **stages: str) -> Handle:
        """Linked by the client's own compiler; self.linked is its reflection."""
        stages |= {"vertex": vertex, "fragment": fragment}
        sources = [(STAGE_SHADERS[name], [text.encode()]) for name, text in stages.items() if text]
        linked = compiler.link(sources, feedback=feedback)
        assert linked.ok, linked.log
        self.linked = linked
        program = self.handle("shader")
        names = b"".join(varying.spirv_name.encode() + b"\0" for varying in linked.feedback_varyings)
        self.call("create_shader_state", cso=program, group=self.group, stages=[
            dict(code=self.blob(linked.spirv[stage]) if stage in linked.spirv else {}, constants_size=size)
            for stage, size in enumerate(linked.constants_size)],
            **(dict(feedback=self.blob(names), feedback_mode=feedback.mode) if names else {}))
        self.call("bind_shader_state", cso=program)
        return program

    def uniform(self, program: Handle, name: str, data: bytes) -> None:
        """One loose uniform, in every stage that has it."""
        uniform = next(u for u in self.linked.uniforms if u.name == name)
        for stage, offset in enumerate(uniform.stage_offsets):
            if offset >= 0:
                self.call("set_constants", shader=program, stage=stage, offset=offset, bytes=self.blob(data))

    def buffer(self, data: bytes) -> Handle:
        buffer = self.handle("resource")
        self.call("resource_create", resource=buffer, group=self.group)
        self.call("resource_respecify", resource=buffer, size=len(data), usage=0x88E4)
        if data:
            self.call("resource_subdata", resource=buffer, bytes=self.blob(data))
        return buffer

    def vertices(self, data: bytes, *attributes: tuple[int, int, int], stride: int) -> Handle:
        """Float attributes (location, components, offset) from one buffer."""
        buffer, elements = self.buffer(data), self.handle("vertex_elements")
        attribs = [dict(location=n, binding=0, size=size, type=0x1406, relative_offset=at) for n, size, at in attributes]
        self.call("create_vertex_elements", [attribs, [dict(binding=0)]], cso=elements, attrib_count=len(attribs), binding_count=1)
        self.call("bind_vertex_elements", cso=elements)
        self.call("set_vertex_buffers", [[dict(resource=buffer, stride=stride, binding=0)]], count=1)
        return buffer

    def no_vertices(self) -> None:
        elements = self.handle("vertex_elements")
        self.call("create_vertex_elements", [[], []], cso=elements)
        self.call("bind_vertex_elements", cso=elements)

    def texture(self, target: str, format: str, width: int, height: int = 1, depth: int = 1, levels: int = 1,
                samples: int = 0) -> Handle:
        """Immutable storage."""
        texture = self.handle("resource")
        number = enum("RESOURCE_TARGET", target)
        self.call("resource_create", resource=texture, group=self.group, target=number)
        self.call("resource_respecify", resource=texture, target=number, format=format_number(format), width=width,
                  height=height, depth=depth, levels=levels, immutable=1, samples=samples, fixed_samples=1)
        return texture

    def upload(self, texture: Handle, data: bytes, row: int, width: int, height: int = 1, depth: int = 1, level: int = 0,
               x: int = 0, y: int = 0, z: int = 0) -> None:
        box = dict(x=x, y=y, z=z, width=width, height=height, depth=depth)
        self.call("resource_subdata", [[dict(box=box, row_stride=row, slice_stride=row * height)]], resource=texture,
                  level=level, region_count=1, bytes=self.blob(data), bounds=box)

    def sample(self, target: str, *textures: Handle, **sampler: Any) -> None:
        """Textures at slots 0, 1, …, all with one sampler."""
        cso = self.handle("sampler")
        self.call("create_sampler_state", cso=cso, state=SAMPLER | sampler)
        number = enum("TEXTURE_TARGET", target)
        self.call("set_sampler_views", [[dict(resource=t, slot=i, target=number) for i, t in enumerate(textures)]],
                  count=len(textures))
        self.call("bind_sampler_states", [[dict(sampler=cso, slot=i) for i in range(len(textures))]], count=len(textures))

    def framebuffer(self, *colors: Handle, depth: Handle = NULL, draw: Sequence[int] | None = None, read: int = 0,
                    **first: int) -> Handle:
        """Bound for drawing and reading. `first`: level, layer, layered of the attachments."""
        framebuffer = self.handle("framebuffer")
        draw = list(range(len(colors))) if draw is None else list(draw)
        self.call("set_framebuffer_state", framebuffer=framebuffer, target=enum("FRAMEBUFFER_TARGET", "BOTH"),
                  draw_buffers=draw + [-1] * (8 - len(draw)), read_buffer=read,
                  color=[dict(resource=c, **first) for c in colors], depth=dict(resource=depth))
        return framebuffer

    def default_framebuffer(self) -> None:
        self.call("set_framebuffer_state", target=enum("FRAMEBUFFER_TARGET", "BOTH"), draw_buffers=[0] + [-1] * 7)

    def draw(self, count: int, mode: int = TRIANGLES, first: int = 0, instances: int = 1, **more: Any) -> None:
        self.call("draw_vbo", mode=mode, first=first, count=count, instance_count=instances, **more)

    def caps(self) -> dict[str, Any]:
        layout = structs()["Caps"]
        return unpack(layout, self.answer("get_caps", layout.size))
