"""pyrender's offscreen renderer over PyOpenGL and EGL: lit meshes and their shadows; what each frame reads is what the
program asked for."""

import os
import sys

os.environ["PYOPENGL_PLATFORM"] = "egl"

import numpy as np

if not hasattr(np, "infty"):            # pyrender 0.1.45 is from before NumPy 2
    np.infty = np.inf

import pyrender
import trimesh
from PIL import Image

OUT, FRAMES = sys.argv[1], int(sys.argv[2])


def at(x, y, z):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def looking(x, y, z):
    """Along an axis."""
    pose = np.eye(4)
    pose[:3, 2] = -x, -y, -z
    pose[:3, 0] = (1, 0, 0) if x == 0 else (0, 1, 0)
    pose[:3, 1] = np.cross(pose[:3, 2], pose[:3, 0])
    return pose


scene = pyrender.Scene(ambient_light=[0.2, 0.2, 0.2], bg_color=[0.1, 0.1, 0.2])
ball = trimesh.creation.icosphere(subdivisions=2)
ball.visual.vertex_colors = np.column_stack([(ball.vertices * 127 + 127).astype(np.uint8), np.full(len(ball.vertices), 255, np.uint8)])
scene.add(pyrender.Mesh.from_trimesh(ball, smooth=False), pose=at(-0.6, 0, 0))
box = pyrender.MetallicRoughnessMaterial(baseColorFactor=[0.9, 0.5, 0.1, 1.0], metallicFactor=0.3, roughnessFactor=0.5)
scene.add(pyrender.Mesh.from_trimesh(trimesh.creation.box((0.8, 0.8, 0.8)), material=box), pose=at(1.0, 0.2, -0.5))
floor = pyrender.MetallicRoughnessMaterial(baseColorFactor=[0.7, 0.7, 0.7, 1.0])
scene.add(pyrender.Mesh.from_trimesh(trimesh.creation.box((6, 0.1, 6)), material=floor), pose=at(0, -1.2, 0))
scene.add(pyrender.DirectionalLight(intensity=3.0), pose=looking(0, -1, 0) @ at(0, 0, 3))
scene.add(pyrender.SpotLight(intensity=20.0, innerConeAngle=0.3, outerConeAngle=0.6), pose=at(-1, 0, 0) @ looking(0, -1, 0) @ at(0, 0, 2.5))
scene.add(pyrender.PointLight(color=[0.4, 0.6, 1.0], intensity=8.0), pose=at(1, 2, 1))
scene.add(pyrender.PerspectiveCamera(yfov=1.0), pose=at(0, 0, 3))
renderer = pyrender.OffscreenRenderer(256, 192)
for _ in range(FRAMES):
    colour, depth = renderer.render(scene, pyrender.RenderFlags.SHADOWS_DIRECTIONAL | pyrender.RenderFlags.SHADOWS_SPOT)
assert depth.max() > 2
Image.fromarray(colour).convert("RGBA").save(OUT)
renderer.delete()
