"""Ways into a Python program: preload, install, loader objects."""
