"""What each version of OpenGL needs beyond the one before, and which is the highest that is whole on a driver.

A version is whole when all its commands are implemented (refused.py, generated, names the others), the driver has the
features and the limits that it asks for, and OpenGL ES, where that draws, lacks nothing of it for good.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mgpipe.catalogue import limits
from mgpipe.catalogue.refused import REFUSED

DIALECT_ES = 2
LEAST = 33              # what mgpipe speaks at all: missing parts of it are refused by name


class Version(NamedTuple):
    number: int                     # 43 is 4.3
    features: tuple[str, ...]       # rows of limits.FEATURES
    minimums: Mapping[str, float]   # rows of limits.LIMITS: what the version requires at least (at most, of an alignment)


VERSIONS: tuple[Version, ...] = (
    Version(LEAST, (), {}),         # and all before: while something of it lacks, nothing newer is promised
    Version(40, ("tessellation", "geometry", "cube_map_array"), {
        "max_combined_texture_image_units": 80, "max_uniform_buffer_bindings": 60, "max_combined_uniform_blocks": 60,
        "max_patch_vertices": 32, "max_tess_gen_level": 64, "max_geometry_shader_invocations": 32, "max_vertex_streams": 4,
        "min_fragment_interpolation_offset": -0.5, "max_fragment_interpolation_offset": 0.4375,
        "min_program_texture_gather_offset": -8, "max_program_texture_gather_offset": 7, "fragment_interpolation_offset_bits": 4,
    }),
    Version(41, (), {
        "max_texture_size": 16384, "max_3d_texture_size": 2048, "max_cube_map_texture_size": 16384,
        "max_array_texture_layers": 2048, "max_rectangle_texture_size": 16384, "max_renderbuffer_size": 16384,
        "max_viewport_dims": 16384, "max_viewports": 16,
    }),
    Version(42, ("base_instance",), {
        "max_image_units": 8, "max_fragment_image_uniforms": 8, "max_combined_image_uniforms": 8,
        "max_atomic_counter_buffer_bindings": 1, "max_atomic_counter_buffer_size": 32, "max_fragment_atomic_counters": 8,
        "max_combined_atomic_counters": 8, "min_map_buffer_alignment": 64,
    }),
    Version(43, ("compute", "texture_view", "multi_draw_indirect"), {
        "max_compute_work_group_invocations": 1024, "max_compute_shared_memory_size": 32768, "max_compute_uniform_blocks": 14,
        "max_vertex_uniform_blocks": 14, "max_geometry_uniform_blocks": 14, "max_fragment_uniform_blocks": 14,
        "max_combined_uniform_blocks": 70, "max_uniform_buffer_bindings": 84, "max_shader_storage_buffer_bindings": 8,
        "max_shader_storage_block_size": 1 << 24, "max_combined_shader_storage_blocks": 8, "max_framebuffer_width": 16384,
        "max_framebuffer_height": 16384, "max_framebuffer_layers": 2048,
        "max_vertex_attrib_relative_offset": 2047, "max_vertex_attrib_bindings": 16,
    }),
    Version(44, ("persistent_map",), {"max_vertex_attrib_stride": 2048}),
    Version(45, ("clip_control",), {"max_cull_distances": 8, "max_combined_clip_and_cull_distances": 8}),
    Version(46, ("anisotropy",), {"max_texture_max_anisotropy": 16}),
)


def lacking(version: Version, caps: Mapping[str, Any]) -> list[str]:
    """By name, what this version has and a driver with these capabilities, or mgpipe, has not."""
    found = list(REFUSED.get(version.number, ()))
    names = [name for name, _ in limits.FEATURES]
    found += [f"feature {name}" for name in version.features if not caps["features"] >> names.index(name) & 1]
    for field, least in version.minimums.items():
        value = caps.get(field)
        if value is None:
            found.append(f"an answer to {field}")
        elif not all(_reaches(one, least) for one in _components(value)):
            found.append(f"{field} {value}, {least} required")
    if caps["dialect"] == DIALECT_ES:
        from mgpipe.catalogue.deviations import DEVIATIONS, Effect

        found += [f"{row.what} on OpenGL ES" for row in DEVIATIONS
                  if row.effect is Effect.MISSING and 10 * row.since[0] + row.since[1] == version.number
                  and not row.unless]
    return found


def whole(caps: Mapping[str, Any]) -> int:
    """The highest version of which nothing is lacking, nor of any before it."""
    promised = LEAST
    for version in VERSIONS:
        if lacking(version, caps):
            break
        promised = version.number
    return promised


def promise(caps: Mapping[str, Any], asked: str) -> tuple[int, Sequence[str]]:
    """The version to promise: the one that is `asked` for ("" for the highest that is whole), and what is lacking of it."""
    if not asked:
        return whole(caps), ()
    number = int(asked.replace(".", ""))
    return number, [name for version in VERSIONS if version.number <= number for name in lacking(version, caps)]


def _components(value: Any) -> Sequence[float]:
    return value if isinstance(value, (list, tuple)) else (value,)


def _reaches(value: float, least: float) -> bool:
    return value <= least if least < 0 else value >= least
