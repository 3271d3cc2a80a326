"""Espryt: desktop OpenGL or OpenGL ES through the system's EGL."""
