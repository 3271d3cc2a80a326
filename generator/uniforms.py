"""Write glUniform* and glProgramUniform* of every type and shape: the name of each says all that it does.

usage: uniforms.py CATALOGUE OUT.pxi DECLARED.pxi

front/uniforms.pyx includes the one and defines what it uses (set_vectors, set_matrices, vectors, matrices,
linked_program); its .pxd includes the other.
"""

import re
import runpy
import sys

from entry_points import CatalogueError, Command, Registry, write

SCALARS = {"f": "GL_FLOAT", "i": "GL_INT", "ui": "GL_UNSIGNED_INT", "d": "GL_DOUBLE"}
NAME = re.compile(r"gl(?P<program>Program)?Uniform(?P<matrix>Matrix)?(?P<n>[1-4])(x(?P<rows>[2-4]))?"
                  r"(?P<scalar>f|i|ui|d)(?P<array>v)?")


def signature(command: Command) -> str:
    return f"cdef void {command.name.removeprefix('gl')}(Context* ctx, {command.declared}) noexcept nogil"


def body(command: Command, name: re.Match[str]) -> list[str]:
    kind, last = command.params[-1]
    shape = f"{name['n']}, {name['rows'] or name['n']}" if name["matrix"] else name["n"]
    given, lines = last, []
    if not name["array"]:
        values = ", ".join(param for _, param in command.params[-int(name["n"]):])
        lines.append(f"cdef {kind}[{name['n']}] value = [{values}]")
        given = "value"
    count = "count" if name["array"] else "1"
    transpose = "transpose, " if name["matrix"] else ""
    arguments = f"location, {count}, {transpose}{shape}, {SCALARS[name['scalar']]}, <const uint32_t*>{given}"
    setter = "matrices" if name["matrix"] else "vectors"
    if name["program"]:
        return [*lines, "cdef Program* to = linked_program(ctx, program)", "if to != NULL:",
                f"    {setter}(ctx, to, {arguments})"]
    return [*lines, f"set_{setter}(ctx, ctx.uniform_program, {arguments})"]


def main(catalogue: str, defined: str, declared: str) -> None:
    registry = Registry.read("gl.xml", "gl")
    functions = next(module.hot.split() for module in runpy.run_path(catalogue)["GL"] if module.name == "uniforms")
    commands = [(registry.commands["gl" + function], NAME.fullmatch("gl" + function)) for function in functions]
    setters = [(command, name) for command, name in commands if name]
    if not setters:
        raise CatalogueError("no setter among the commands of the module uniforms")
    write(defined, "\n\n".join("".join([f"{signature(command)}:\n", *(f"    {line}\n" for line in body(command, name))])
                               for command, name in setters))
    write(declared, "".join(f"{signature(command)}\n" for command, _ in setters))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except CatalogueError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
