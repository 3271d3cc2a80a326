"""From nothing to one pixel: what benchmarks/run.py times as a cold start. Takes the same arm names as arm.py."""

import sys

import moderngl
from scenes import Program

name, driver = sys.argv[1:3]
if name in ("direct", "virpipe"):
    ctx = moderngl.create_context(standalone=True, backend="egl")
else:
    import mgpipe

    place = {} if name == "tcp" else {"topology": name}     # where its server listens, the environment says
    ctx = moderngl.create_context(context=mgpipe.context(driver=driver, **place))
program = Program(ctx)
program.triangle.render()
assert len(program.target.read(viewport=(0, 0, 1, 1))) == 3
