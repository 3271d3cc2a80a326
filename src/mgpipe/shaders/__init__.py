"""GLSL to SPIR-V on the client, SPIR-V to the driver's dialect on the server."""
