"""How sessions look in a terminal: one line of columns each, as many as its width has room for, and the rest in words below."""

import os
import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from rich.text import Text

from mgpipe.tools.sessions import user_name

UNKNOWN = "–"
PROGRAM_WIDTH = range(16, 33)       # a sixth of the line, and what is left of it
GAP = 1
INDENT = 8
BUSY_PERCENT = 0.5      # a thread below is idle
ROLES = {"draws": "render thread", "applies": "apply thread", "": ""}


class Column(NamedTuple):
    title: str          # over the column
    name: str           # in words, where there is no room for it
    width: int
    worth: int          # the less, the sooner it has room
    cell: Callable[[dict[str, Any]], str]


def draw(seen: list[dict[str, Any]], unreadable: list[tuple[int, str, str]], width: int, height: int, sort: str, nothing: str) -> Text:
    """`height`: lines that there are; 0: as many as it takes."""
    lines = [heading(seen, width, height, sort)]
    if seen:
        columns, others = fit(width)
        room = width - sum(column.width + GAP for column in columns) - 1
        lines.append(Text(line(columns, [column.title for column in columns], "PROGRAM", room), style="reverse"))
        for n, one in enumerate(seen):
            block = [Text(line(columns, [column.cell(one) for column in columns], program(one), room), style=style(one))]
            block += [Text(" " * INDENT + words, style="dim") for words in wrapped(details(one, others), width - INDENT)]
            if height and len(lines) + len(block) + (n + 1 < len(seen)) > height:
                lines.append(Text(f"… and {len(seen) - n} more", style="dim"))
                break
            lines += block
    else:
        lines.append(Text(nothing))
    if unreadable and (not height or len(lines) < height):
        names = ", ".join(f"{name} {pid}" for pid, name, _ in unreadable)
        lines.append(Text(f"not looked into, for lack of permission: {names}"[:width], style="dim"))
    return Text("\n").join(lines)


def heading(seen: list[dict[str, Any]], width: int, height: int, sort: str) -> Text:
    programs = len({one["client"]["pid"] for one in seen if one["client"]})
    words = f"mgpipe top  {counted(len(seen), 'session')}, {counted(programs, 'program')}, by {sort}, {time.strftime('%H:%M:%S')}"
    keys = "f frames  c cpu  q quit" if height else ""
    return Text((words + keys.rjust(width - len(words)) if len(words) + len(keys) < width else words)[:width], style="bold")


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def style(one: dict[str, Any]) -> str:
    return {"standing": "", "starting": "yellow"}.get(one["state"], "red")


# -- columns

def fit(width: int) -> tuple[list[Column], list[Column]]:
    """Those that there is room for, in their order, and the others."""
    left = width - min(max(width // 6, PROGRAM_WIDTH.start), PROGRAM_WIDTH.stop - 1) - 1
    chosen = set()
    for column in sorted(COLUMNS, key=lambda column: column.worth):
        if column.width + GAP > left:
            break
        left -= column.width + GAP
        chosen.add(column)
    return [column for column in COLUMNS if column in chosen], [column for column in COLUMNS if column not in chosen]


def line(columns: list[Column], cells: list[str], program: str, room: int) -> str:
    """The program's name comes second, and takes what room there is."""
    first, *rest = [cell.rjust(column.width)[: column.width + GAP - 1] for column, cell in zip(columns, cells)]
    return " ".join([first, shortened(program, room).ljust(room), *rest])


def shortened(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def rate(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda one: number(one["per_second"].get(name))


def rate_of_bytes(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda one: size(one["per_second"].get(name))


def both(one: dict[str, Any], client: str, server: str) -> str:
    """Two numbers, of which one may not be known."""
    values = [one["per_second"].get(client), one["per_second"].get(server)]
    return "/".join(number(value) for value in values)


def in_flight(one: dict[str, Any]) -> str:
    return UNKNOWN if one["frames_in_flight"] is None else f"{one['frames_in_flight']}/{one['frames_in_flight_limit']}"


def percent(side: dict[str, Any] | None) -> str:
    return UNKNOWN if side is None or side["cpu_percent"] is None else f"{side['cpu_percent']:.0f}"


def is_one_process(one: dict[str, Any]) -> bool:
    return bool(one["client"] and one["server"] and one["client"]["pid"] == one["server"]["pid"])


def server_percent(one: dict[str, Any]) -> str:
    """Of a server in the program's own process, the apply thread; what else its driver runs is told thread by thread."""
    if not is_one_process(one):
        return percent(one["server"])
    spent = [thread["cpu_percent"] for thread in one["server"]["threads"] if thread["role"] == "applies"]
    return UNKNOWN if None in spent else f"{sum(spent):.0f}"


def memory(one: dict[str, Any]) -> str:
    sides = [one["client"]] if is_one_process(one) else [one["client"], one["server"]]
    return "+".join(size(side["resident_bytes"]) for side in sides if side)


def topology(one: dict[str, Any]) -> str:
    return one["topology"] if one["state"] == "standing" else one["state"]


COLUMNS = (
    Column("PID", "pid", 7, 0, lambda one: str((one["client"] or one["server"])["pid"])),
    Column("TOPOLOGY", "", 8, 1, topology),
    Column("DRIVER", "driver", 6, 8, lambda one: one["driver"] or UNKNOWN),
    Column("AGE", "age", 6, 7, lambda one: age(one["age_s"])),
    Column("FRAMES/s", "frames", 8, 2, rate("frames")),
    Column("DRAWS/s", "draws", 7, 3, rate("draws")),
    Column("RECS/s", "records", 6, 9, rate("records")),
    Column("UP/s", "up", 6, 6, rate_of_bytes("upload_bytes")),
    Column("DOWN/s", "down", 6, 10, rate_of_bytes("answer_bytes")),
    Column("WAITS/s", "waits", 7, 11, rate("waits")),
    Column("TRIPS/s", "round trips", 7, 12, rate("round_trips")),
    Column("PARKS/s", "parks", 9, 13, lambda one: both(one, "parks", "server_parks")),
    Column("BEHIND", "behind", 6, 14, lambda one: number(one["behind_records"])),
    Column("FLIGHT", "in flight", 6, 15, in_flight),
    Column("CPU%", "cpu", 5, 4, lambda one: percent(one["client"])),
    Column("SRV%", "server cpu", 5, 5, server_percent),
    Column("MEMORY", "memory", 11, 16, memory),
    Column("SHADOW", "shadow", 6, 17, lambda one: size(one["shadow_bytes"])),
)


def program(one: dict[str, Any]) -> str:
    """An interpreter goes without saying, where it runs a script; so does the user who looks."""
    if one["client"]:
        words = re.sub(r"^python[\d.]* (?=[^-])", "", one["client"]["command"])
    else:
        words = f"for {one['peer']}" if one["peer"] else one["server"]["command"]
    user = (one["client"] or one["server"])["user"]
    return words if user == user_name(os.geteuid()) else f"{user}: {words}"


# -- words

def details(one: dict[str, Any], others: list[Column]) -> list[str]:
    """What has no column, or none that there is room for; nothing of what is not known, or does not happen."""
    server = one["server"]
    where = []
    if server and one["client"]:
        where.append("server in its process" if is_one_process(one) else f"server {server['pid']}")
    elif one["server_address"]:
        where.append(f"server {one['server_address']}")
    where += [one["renderer"], one["link"] if server and not is_one_process(one) else ""]
    told = [f"{column.name} {cell}" for column in others if re.search("[1-9a-z]", cell := column.cell(one))]
    return [words for words in where if words] + told + threads(one)


def threads(one: dict[str, Any]) -> list[str]:
    """What they cost, those alike together: a driver's come in numbers."""
    groups: dict[tuple[str, str], dict[int, float]] = {}
    for name in ("client", "server"):
        for thread in one[name]["threads"] if one[name] else ():
            if thread["cpu_percent"] is not None:
                key = (thread["role"], "" if thread["role"] else stem(thread["name"]))
                groups.setdefault(key, {})[thread["tid"]] = thread["cpu_percent"]
    for tid in {tid for (role, _), spent in groups.items() if role for tid in spent}:
        for (role, _), spent in groups.items():
            if not role:
                spent.pop(tid, None)        # of two sides that are one process, the other has told it
    spent = {key: (len(group), sum(group.values())) for key, group in groups.items() if group}
    return [f"{ROLES[role] or name}{f' ×{count}' if count > 1 else ''} {percent:.0f}%"
            for (role, name), (count, percent) in sorted(spent.items(), key=lambda item: (list(ROLES).index(item[0][0]), -item[1][1]))
            if role or percent >= BUSY_PERCENT]


def stem(name: str) -> str:
    """What threads that share work have in common. One that its driver gave no name has the apply thread's, which made it."""
    return "driver" if name == "mgpipe-apply" else re.sub(r"[-:#/]?\d+$", "", name)


def wrapped(words: list[str], width: int) -> list[str]:
    """In lines, parted between words only."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 3 + len(word) > width:
            lines.append("")
        lines[-1] += f" · {word}" if lines[-1] else shortened(word, width)
    return lines


def number(value: float | None) -> str:
    """In five letters at most."""
    if value is None:
        return UNKNOWN
    if value < 9.95:
        return f"{value:.1f}".removesuffix(".0")
    return scaled(value, 1000, "kMGTP")


def size(value: float | None) -> str:
    """Bytes, in units of 1024."""
    return UNKNOWN if value is None else scaled(value, 1024, "KMGTP")


def scaled(value: float, step: int, units: str) -> str:
    if value < 999.5:
        return f"{value:.0f}"
    unit = ""
    for unit in units:
        value /= step
        if value < 999.5:
            break
    return f"{value:.0f}{unit}" if value >= 99.95 else f"{value:.1f}{unit}"


def age(seconds: float | None) -> str:
    if seconds is None:
        return UNKNOWN
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}h{whole // 60 % 60:02}" if whole < 86400 else f"{whole // 86400}d{whole // 3600 % 24:02}h"
