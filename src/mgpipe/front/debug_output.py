"""What becomes of debug messages (OpenGL 4.6, chapter 20): which are wanted, the log, groups. One object a context.

Errors are raised by debug.pyx, which checks what comes in; here everything is valid already. All of it is cold: nothing
comes here unless a program inserts a message, opens a group, or makes an error while debug output is on.
"""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

SOURCE_API, SOURCE_WINDOW_SYSTEM, SOURCE_SHADER_COMPILER, SOURCE_THIRD_PARTY, SOURCE_APPLICATION, SOURCE_OTHER = SOURCES = range(
    0x8246, 0x824C)
TYPE_ERROR, TYPE_DEPRECATED, TYPE_UNDEFINED, TYPE_PORTABILITY, TYPE_PERFORMANCE, TYPE_OTHER = range(0x824C, 0x8252)
TYPE_MARKER, TYPE_PUSH_GROUP, TYPE_POP_GROUP = range(0x8268, 0x826B)
TYPES = (TYPE_ERROR, TYPE_DEPRECATED, TYPE_UNDEFINED, TYPE_PORTABILITY, TYPE_PERFORMANCE, TYPE_OTHER, TYPE_MARKER, TYPE_PUSH_GROUP,
         TYPE_POP_GROUP)
SEVERITY_NOTIFICATION = 0x826B
SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW = range(0x9146, 0x9149)
SEVERITIES = (SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW, SEVERITY_NOTIFICATION)
DONT_CARE = 0x1100

ID_WAITED = 1           # of the messages that are no errors; an error's identifier is its enumerant

ERROR_NAMES = {
    0x0500: ("GL_INVALID_ENUM", "an enumerant is not one that this command accepts here"),
    0x0501: ("GL_INVALID_VALUE", "a number is out of range, or a name is not that of an object"),
    0x0502: ("GL_INVALID_OPERATION", "the state of the context or of an object does not allow it"),
    0x0503: ("GL_STACK_OVERFLOW", "the stack is full"),
    0x0504: ("GL_STACK_UNDERFLOW", "the stack is empty"),
    0x0505: ("GL_OUT_OF_MEMORY", "there is not enough memory"),
    0x0506: ("GL_INVALID_FRAMEBUFFER_OPERATION", "a framebuffer is not complete: ask glCheckFramebufferStatus"),
    0x0507: ("GL_CONTEXT_LOST", "the render server is gone"),
}


class Message(NamedTuple):
    source: int
    type: int
    id: int
    severity: int
    text: bytes


class Filter:
    """Which messages are wanted. Rules apply in the order they were given; the last that fits decides."""

    def __init__(self, rules: Iterable[tuple] = ((DONT_CARE, DONT_CARE, SEVERITY_LOW, None, False),)) -> None:
        self.rules = list(rules)

    def copy(self) -> "Filter":
        return Filter(self.rules)

    def control(self, source: int, kind: int, severity: int, ids: frozenset[int] | None, enabled: bool) -> None:
        rule = (source, kind, severity, ids, enabled)
        # A rule that fits all the messages of an older one replaces it: a program that repeats itself does not grow the list.
        self.rules = [old for old in self.rules if not _covers(rule, old)] + [rule]

    def wants(self, message: Message) -> bool:
        for source, kind, severity, ids, enabled in reversed(self.rules):
            if (source in (DONT_CARE, message.source) and kind in (DONT_CARE, message.type)
                    and severity in (DONT_CARE, message.severity) and (ids is None or message.id in ids)):
                return enabled
        return True


def _covers(rule: tuple, old: tuple) -> bool:
    return all(new in (DONT_CARE, was) for new, was in zip(rule[:3], old[:3], strict=True)) and (
        rule[3] is None or (old[3] is not None and old[3] <= rule[3]))


class DebugOutput:
    """Filter, log and groups of one context."""

    def __init__(self, logged: int) -> None:
        self.log: deque[Message] = deque()
        self.logged = logged
        self.filter = Filter()
        self.groups: list[tuple[Message, Filter]] = []

    def keep(self, message: Message) -> None:
        """Into the log; a full one loses the new message (section 20.7)."""
        if len(self.log) < self.logged:
            self.log.append(message)

    def push(self, message: Message) -> None:
        self.groups.append((message, self.filter))
        self.filter = self.filter.copy()

    def pop(self) -> Message:
        message, self.filter = self.groups.pop()
        return message._replace(type=TYPE_POP_GROUP)

    def fetch(self, count: int, size: int | None) -> list[Message]:
        """The oldest messages, out of the log: at most `count`, as many as fit with their final NULs."""
        taken: list[Message] = []
        while self.log and len(taken) < count:
            if size is not None:
                size -= len(self.log[0].text) + 1
                if size < 0:
                    break
            taken.append(self.log.popleft())
        return taken


def error_message(command: str, error: int, why: str = "") -> Message:
    name, usual = ERROR_NAMES.get(error, (hex(error), "an error"))
    return Message(SOURCE_API, TYPE_ERROR, error, SEVERITY_HIGH, f"{name} in {command}: {why or usual}".encode())


def wait_message(command: str, asked: bool) -> Message:
    """A wait for the render server: `asked` for by the program, as a read is, or not."""
    text = f"{command} waited for the render server: " + (
        "what it reads is there only when all drawing before it is done" if asked else "it needed an answer")
    return Message(SOURCE_API, TYPE_PERFORMANCE, ID_WAITED, SEVERITY_LOW if asked else SEVERITY_MEDIUM, text.encode())
