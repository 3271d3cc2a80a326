"""Write the look-up of glGet* values, indexed values and extensions from catalogue/gets.py and catalogue/limits.py.

usage: gets.py GETS LIMITS OUT.pxi
"""

import runpy
import sys
from pathlib import Path

PUT = {"bool": "put_integer", "int": "put_integer", "uint": "put_integer", "float": "put_real", "unit": "put_real"}
KINDS = {"bool": "KIND_BOOL", "int": "KIND_INT", "uint": "KIND_UINT", "float": "KIND_FLOAT", "unit": "KIND_UNIT"}
LIMIT_KINDS = {"i32": "int", "i64": "int", "f32": "float"}


class GetsError(Exception):
    """The table contradicts itself."""


def branch(name: str, kind: str, where: str, check: str = "") -> str:
    components = [part for part in where.split(";") if part]
    lines = [f"value.kind, value.count = {KINDS[kind]}, {len(components)}"]
    lines += [f"{PUT[kind]}(value, {i}, {expression})" for i, expression in enumerate(components)]
    if check:
        lines.insert(0, f"if i >= {check}: return OUT_OF_RANGE")
    return f"if pname == {name}:\n" + "".join(f"        {line}\n" for line in lines)


def look_up(signature: str, branches: list[str]) -> str:
    # One chain over constants: Cython makes a C switch of it.
    return f"cdef int {signature} noexcept nogil:\n    " + "    el".join(branches) + "    else:\n        return NOT_FOUND\n    return FOUND\n"


def main(gets: str, limits: str, out: str) -> None:
    data, rows = runpy.run_path(gets), runpy.run_path(limits)["LIMITS"]
    values = [branch(get.name, get.kind, get.where) for get in data["VALUES"]]
    for limit in rows:
        field = f"ctx.session.caps.{limit.field}"
        where = ";".join(f"{field}[{i}]" for i in range(limit.count)) if limit.count > 1 else field
        if limit.indexed:
            continue
        values.append(branch(limit.gl_name, LIMIT_KINDS[limit.type], where))
    names = [get.name for get in data["VALUES"]] + [limit.gl_name for limit in rows]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise GetsError(f"listed twice: {', '.join(twice)}")
    indexed = [branch(get.name, get.kind, get.where, end) for get, end in data["INDEXED"]]
    indexed += [branch(limit.gl_name, LIMIT_KINDS[limit.type], f"ctx.session.caps.{limit.field}[i]", str(limit.count))
                for limit in rows if limit.indexed]
    conditions = [(name, f"ctx.session.caps.features & PIPE_FEATURE_{feature}" if feature else "True")
                  for name, feature in data["EXTENSIONS"]]
    conditions += [(f"GL_{name}", f"ctx.version >= {version}")
                   for version, listed in data["CORE_EXTENSIONS"].items() for name in listed.split()]
    if twice := sorted({name for name, _ in conditions if [n for n, _ in conditions].count(name) > 1}):
        raise GetsError(f"extensions listed twice: {', '.join(twice)}")
    extensions = "".join(f'    if {condition}:\n        if n == index: return b"{name}"\n        n += 1\n'
                         for name, condition in conditions)
    text = (
        look_up("find_value(Context* ctx, GLenum pname, Value* value)", values) + "\n\n"
        + look_up("find_indexed(Context* ctx, GLenum pname, GLuint i, Value* value)", indexed) + "\n\n"
        + "cdef const char* extension(Context* ctx, uint32_t index, uint32_t* count) noexcept nogil:\n"
        + '    """The extension of this index, or NULL and how many there are."""\n    cdef uint32_t n = 0\n'
        + extensions + "    count[0] = n\n    return NULL\n"
    )
    if not Path(out).exists() or Path(out).read_text() != text:
        Path(out).write_text(text)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except GetsError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
