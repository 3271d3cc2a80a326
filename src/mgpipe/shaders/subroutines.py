"""Subroutines (GLSL 4.00, section 6.1.2) as a choice of functions by number: glslang has no subroutines for SPIR-V.

    subroutine vec4 Paint(vec2 at);                      vec4 mgpipe_call_Paint(int, vec2);
    subroutine(Paint) vec4 red(vec2 at) { … }            vec4 red(vec2 at) { … }
    subroutine uniform Paint paint[2];               →   uniform int mgpipe_subroutine_4_paint[2];
    … paint[i](uv) …                                     … mgpipe_call_Paint(mgpipe_subroutine_4_paint[i], uv) …
                                                         vec4 mgpipe_call_Paint(int which, vec2 a0) { switch … }

The uniform is one of the stage's loose uniforms, under a name of ours that reflection takes out again (see
reflection.Subroutines). The text is rewritten before preprocessing, so nothing of the above may come out of a macro; what
is not understood is refused by its line.
"""

import re
from dataclasses import dataclass, field

UNIFORM_PREFIX = "mgpipe_subroutine_"   # and the number of the stage: each stage has names of its own
CALL_PREFIX = "mgpipe_call_"

_NAME = r"[A-Za-z_]\w*"
_ARRAY = r"(?:\s*\[[^\]]*\])*"
_LAYOUT = r"(?:layout\s*\(([^)]*)\)\s*)?"
_TYPE = rf"(?:(?:lowp|mediump|highp)\s+)?{_NAME}{_ARRAY}"
_PROTOTYPE = re.compile(rf"\bsubroutine\s+({_TYPE})\s+({_NAME})\s*\(([^)]*)\)\s*;")
_FUNCTION = re.compile(rf"{_LAYOUT}\bsubroutine\s*\(([^)]*)\)\s*(?:{_LAYOUT})({_TYPE})\s+({_NAME})\s*\(")
_UNIFORM = re.compile(rf"{_LAYOUT}\bsubroutine\s+{_LAYOUT}uniform\s+({_NAME})\s+([^;]*);")
_DECLARATOR = re.compile(rf"\s*({_NAME})\s*({_ARRAY})\s*\Z")
_PARAMETER = re.compile(rf"((?:\b(?:const|in|out|inout|lowp|mediump|highp|precise)\s+)*)({_NAME})({_ARRAY})(?:\s*({_NAME})({_ARRAY}))?\s*\Z")
_NUMBER = re.compile(r"\b(index|location)\s*=\s*(\d+)")


class NotUnderstood(Exception):
    """A subroutine that has no form here, with the line that it stands in."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


@dataclass(slots=True)
class Declared:
    """What one shader object declares."""

    functions: dict[str, tuple[int, list[str]]] = field(default_factory=dict)   # name → index, types
    uniforms: dict[str, tuple[str, int]] = field(default_factory=dict)          # name → type, location (-1: any)


@dataclass(slots=True)
class _Type:
    result: str
    parameters: list[tuple[str, str, str]]      # qualifiers, type, array suffix


def used_in(code: str) -> bool:
    return re.search(r"\bsubroutine\b", code) is not None


def rewrite(text: str, code: str, stage: int) -> tuple[str, Declared]:
    """`code` is `text` with comments blank, of the same length. Lines keep their numbers."""
    declared = Declared()
    types: dict[str, _Type] = {}
    edits: list[tuple[int, int, str]] = []      # start, end, what stands there instead

    for found in _PROTOTYPE.finditer(code):
        result, name, parameters = found.groups()
        types[name] = _Type(result, _parameters(parameters, code, found.start(3)))
        edits.append((*found.span(), f"{_head(name, types[name])};"))
    wanted: dict[str, int] = {}
    for found in _FUNCTION.finditer(code):
        before, names, after, _, name = found.groups()
        of_types = [part.strip() for part in names.split(",")]
        for type_name in of_types:
            if type_name not in types:
                raise NotUnderstood(_line(code, found.start()), f"subroutine type '{type_name}' is not declared before its functions")
        if name in declared.functions:
            raise NotUnderstood(_line(code, found.start()), f"subroutine function '{name}' is overloaded")
        wanted[name] = _number("index", before, after)
        declared.functions[name] = (-1, of_types)
        edits.append((found.start(), found.start(4), ""))
    _number_functions(declared, wanted)

    for found in _UNIFORM.finditer(code):
        before, after, type_name, declarators = found.groups()
        if type_name not in types:
            raise NotUnderstood(_line(code, found.start()), f"subroutine type '{type_name}' is not declared before its uniforms")
        if not any(type_name in of_types for _, of_types in declared.functions.values()):
            raise NotUnderstood(_line(code, found.start()), f"no function has the subroutine type '{type_name}'")
        now = []
        for part in declarators.split(","):
            declarator = _DECLARATOR.match(part)
            if declarator is None or declarator[2].count("[") > 1:
                raise NotUnderstood(_line(code, found.start()), f"a subroutine uniform declared as '{part.strip()}'")
            declared.uniforms[declarator[1]] = (type_name, _number("location", before, after))
            now.append(f"{_uniform(declarator[1], stage)}{declarator[2]}")
        edits.append((*found.span(), f"uniform int {', '.join(now)};"))

    edits += _calls(code, declared, stage, [(start, end) for start, end, _ in edits])
    return _edited(text, code, edits) + _dispatchers(declared, types), declared


def _number_functions(declared: Declared, wanted: dict[str, int]) -> None:
    taken = {index for index in wanted.values() if index >= 0}
    following = 0
    for name, index in wanted.items():
        while index < 0:
            if following not in taken:
                index = following
            following += 1
        declared.functions[name] = (index, declared.functions[name][1])


def _calls(code: str, declared: Declared, stage: int, elsewhere: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    edits = []
    for name, (type_name, _) in declared.uniforms.items():
        for found in re.finditer(rf"(?<![\w.]){name}\b", code):
            if any(start <= found.start() < end for start, end in elsewhere):
                continue
            at = found.end()
            while (opened := re.match(r"\s*\[", code[at:])) is not None:
                at = _closing(code, at + opened.end() - 1)
            call = re.match(r"\s*\(", code[at:])
            if call is None:
                edits.append((*found.span(), _uniform(name, stage)))        # its length, or a name of another kind
                continue
            arguments = at + call.end()
            comma = "" if re.match(r"\s*(?:void\s*)?\)", code[arguments:]) else ", "
            edits.append((found.start(), found.end(), f"{CALL_PREFIX}{type_name}({_uniform(name, stage)}"))
            edits.append((at, arguments, comma))
    return edits


def _closing(code: str, opening: int) -> int:
    """Behind the bracket that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] == "[") - (code[at] == "]")
        if depth == 0:
            return at + 1
    raise NotUnderstood(_line(code, opening), "a bracket is not closed")


def _edited(text: str, code: str, edits: list[tuple[int, int, str]]) -> str:
    edits.sort()
    parts, at = [], 0
    for start, end, instead in edits:
        if start < at:
            raise NotUnderstood(_line(code, start), "two subroutine declarations in one another")
        parts += [text[at:start], instead, "\n" * (text.count("\n", start, end) - instead.count("\n"))]
        at = end
    parts.append(text[at:])
    kept = "".join(code[a:b] for a, b in zip([0, *(end for _, end, _ in edits)], [*(start for start, _, _ in edits), len(code)]))
    left = re.search(r"\bsubroutine\b", kept)
    if left is not None:
        raise NotUnderstood(_line(code, code.find("subroutine")), "a subroutine declaration that mgpipe cannot rewrite")
    return "".join(parts)


def _dispatchers(declared: Declared, types: dict[str, _Type]) -> str:
    texts = []
    for type_name, type_ in types.items():
        functions = sorted((index, name) for name, (index, of_types) in declared.functions.items() if type_name in of_types)
        if not functions:
            continue
        arguments = ", ".join(f"mgpipe_a{i}" for i in range(len(type_.parameters)))
        leave = "" if type_.result != "void" else " return;"
        cases = []
        for index, name in functions:
            label = "default" if index == functions[0][0] else f"case {index}"
            returned = f"return {name}({arguments});" if type_.result != "void" else f"{name}({arguments});{leave}"
            cases.append(f"{label}: {returned}")
        texts.append(f"{_head(type_name, type_)} {{ switch (mgpipe_which) {{ {' '.join(cases[1:] + cases[:1])} }} }}")
    return "\n" + " ".join(texts) + "\n" if texts else ""


def _head(name: str, type_: _Type) -> str:
    parameters = [f"{qualifiers}{kind} mgpipe_a{i}{array}" for i, (qualifiers, kind, array) in enumerate(type_.parameters)]
    return f"{type_.result} {CALL_PREFIX}{name}({', '.join(['int mgpipe_which', *parameters])})"


def _parameters(text: str, code: str, at: int) -> list[tuple[str, str, str]]:
    if text.strip() in ("", "void"):
        return []
    parameters = []
    for part in text.split(","):
        found = _PARAMETER.match(part.strip())
        if found is None:
            raise NotUnderstood(_line(code, at), f"a subroutine parameter declared as '{part.strip()}'")
        qualifiers, kind, first, _, second = found.groups()
        parameters.append((" ".join(qualifiers.split()) + (" " if qualifiers else ""), kind, (first or "") + (second or "")))
    return parameters


def _uniform(name: str, stage: int) -> str:
    return f"{UNIFORM_PREFIX}{stage}_{name}"


def _number(key: str, *layouts: str | None) -> int:
    return next((int(value) for layout in layouts for name, value in _NUMBER.findall(layout or "") if name == key), -1)


def _line(code: str, at: int) -> int:
    return code.count("\n", 0, at) + 1
