"""OpenGL and EGL as a program meets them: entry points, errors, objects and state."""
