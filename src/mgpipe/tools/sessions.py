"""Every mgpipe session on this machine that we may look at: found through /proc, read from the pages that its two sides show.

Nothing is asked of a session, and nothing that a page says is believed beyond its own session: which process it belongs to is
the kernel's word, numbers are numbers, texts are printable.
"""

import os
import pwd
import time
from typing import Any, NamedTuple

from mgpipe.client import page as client_page
from mgpipe.server import tally

PAGE_BYTES = 4096
PAGES = 64              # of one process: more are not looked at
TICKS = os.sysconf("SC_CLK_TCK")
SYSTEM_PAGE = os.sysconf("SC_PAGE_SIZE")
LABEL = slice(16, 24)           # where a page has it


class Thread(NamedTuple):
    name: str
    cpu_s: float


class Process(NamedTuple):
    pid: int
    user: int
    command: str
    started: int                # in ticks since the machine's start
    read_s: float               # when all this was so
    cpu_s: float
    resident_bytes: int
    threads: dict[int, Thread]


class Side(NamedTuple):
    """One page: what one side of a session shows of it."""

    pid: int
    inode: int                  # which page it is, for as long as it is there
    read_s: float
    since_s: float
    label: int                  # the same on both sides; 0: it has no other side
    page: dict[str, Any] | None         # None: of another build, or damaged

    def counted(self) -> dict[str, int]:
        return self.page["counted"] if self.page else {}


class Snapshot(NamedTuple):
    clients: dict[int, Side]    # by inode
    servers: dict[int, Side]
    processes: dict[int, Process]
    unreadable: list[tuple[int, str, str]]      # pid, name, why: processes of ours that we may not look into


def take() -> Snapshot:
    pages: list[tuple[bytes, int, str, int]] = []       # label, pid, name of the page, file
    unreadable = []
    mount = memory_mount()
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()):
        try:
            for descriptor, name in find_pages(pid):
                if (file := open_page(pid, descriptor, mount)) >= 0:
                    pages.append((os.pread(file, LABEL.stop, 0)[LABEL], pid, name, file))
        except PermissionError as error:
            if owner(pid) == os.geteuid():
                unreadable.append((pid, name_of(f"/proc/{pid}/comm"), error.strerror))
        except OSError:
            continue            # it has ended
    # Both sides of a session one after the other: they go on while they are read, a million records a second.
    sides = [(name, read_side(pid, name, file)) for _, pid, name, file in sorted(pages, key=lambda page: page[:2])]
    processes = {pid: process for pid in {pid for _, pid, _, _ in pages} if (process := read_process(pid)) is not None}
    found: dict[str, dict[int, Side]] = {client_page.NAME: {}, tally.NAME: {}}
    for name, side in sides:
        # A page that a fork holds open, too, is its writer's: the older process's.
        if side is not None and side.pid in processes and (
                (other := found[name].get(side.inode)) is None or processes[other.pid].started > processes[side.pid].started):
            found[name][side.inode] = side
    return Snapshot(found[client_page.NAME], found[tally.NAME], processes, unreadable)


def find_pages(pid: int) -> list[tuple[str, str]]:
    """Descriptors of a process that are called like pages, with the name."""
    folder = f"/proc/{pid}/fd"
    found = []
    if os.geteuid() != 0 and owner(pid) != os.geteuid():
        return found
    for descriptor in os.listdir(folder):
        try:
            target = os.readlink(f"{folder}/{descriptor}")
        except OSError:
            continue            # closed meanwhile
        for name in (client_page.NAME, tally.NAME):
            if target == f"/memfd:{name} (deleted)":
                found.append((descriptor, name))
    return found[:PAGES]


def owner(pid: int) -> int:
    """The user it runs as; -1: it has ended. (The folder itself is root's where a process may not be looked into.)"""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return next(int(line.split()[2]) for line in file if line.startswith(b"Uid:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return -1


def memory_mount() -> str:
    """The kernel's own mount that memory files are on: a file of that name elsewhere is none, and opening it might never end."""
    descriptor = os.memfd_create("mgpipe-top", os.MFD_CLOEXEC)
    try:
        return mount_of("self", str(descriptor))
    finally:
        os.close(descriptor)


def mount_of(pid: int | str, descriptor: str) -> str:
    with open(f"/proc/{pid}/fdinfo/{descriptor}") as file:
        return next((line for line in file if line.startswith("mnt_id:")), "")


def open_page(pid: int, descriptor: str, mount: str) -> int:
    """A file to be read and closed; -1: the descriptor is of something else, or closed meanwhile."""
    try:
        if mount_of(pid, descriptor) == mount:
            return os.open(f"/proc/{pid}/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        pass
    return -1


def read_side(pid: int, name: str, file: int) -> Side | None:
    """Reads and closes it. None: it cannot be read."""
    try:
        copy, read_s, inode = os.pread(file, PAGE_BYTES, 0), time.monotonic(), os.fstat(file).st_ino
    except OSError:
        return None
    finally:
        os.close(file)
    page = client_page.read_page(copy) if name == client_page.NAME else read_server(copy)
    if page is None:
        return Side(pid, inode, read_s, read_s, 0, None)
    return Side(pid, inode, read_s, min(page["since_ns"] / 1e9, read_s), page["label"], page)


def read_server(copy: bytes) -> dict[str, Any] | None:
    page = tally.Tally.copied(copy)
    if page is None:
        return None
    return {
        "label": page.label, "since_ns": page.since_ns, "stage": page.stage, "threads": [page.thread],
        **{name: page.text(name) for name in ("driver", "renderer", "link", "peer", "detail")},
        "counted": page.counted() | page.beside(),
    }


# -- processes

def read_process(pid: int) -> Process | None:
    """None: it has ended."""
    folder = f"/proc/{pid}"
    try:
        with open(f"{folder}/stat", "rb") as file:
            values = file.read().rpartition(b")")[2].split()        # its name may hold anything, parentheses, too
        with open(f"{folder}/cmdline", "rb") as file:
            command = command_line(file.read()) or name_of(f"{folder}/comm")
        threads = {}
        read_s = time.monotonic()
        for task in os.listdir(f"{folder}/task"):
            try:
                with open(f"{folder}/task/{task}/schedstat") as file:
                    threads[int(task)] = Thread(name_of(f"{folder}/task/{task}/comm"), int(file.read().split()[0]) / 1e9)
            except OSError:
                continue        # it has ended
        cpu_s, started, resident = (int(values[11]) + int(values[12])) / TICKS, int(values[19]), int(values[21]) * SYSTEM_PAGE
        return Process(pid, owner(pid), command, started, read_s, cpu_s, resident, threads)
    except (OSError, IndexError, ValueError):
        return None


def name_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return printable(file.read().rstrip(b"\n"))
    except OSError:
        return ""


def command_line(words: bytes) -> str:
    """As a person would say it: without the folder of the program and of the script that an interpreter runs."""
    first, *rest = [printable(word) for word in words.rstrip(b"\0").split(b"\0")]
    return " ".join([os.path.basename(first), *(os.path.basename(word) if word.startswith("/") else word for word in rest[:1]), *rest[1:]])


def printable(text: bytes) -> str:
    """What a process says of itself may hold what a terminal obeys."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text.decode(errors="replace"))


def user_name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


# -- two snapshots: sessions, and what they did in between

def pairs(after: Snapshot) -> list[tuple[Side | None, Side | None]]:
    """Client and server of each session; None: that side is on another machine, another user's, or part of the other."""
    by_age = sorted(after.clients.values(), key=lambda side: (after.processes[side.pid].started, side.inode))
    servers = {side.label: side for side in after.servers.values() if side.label}
    out: list[tuple[Side | None, Side | None]] = [(client, servers.pop(client.label, None)) for client in by_age]
    met = {server.inode for _, server in out if server is not None}
    begun = (tally.STARTING, tally.STANDING, tally.FAULTED)
    out += [(None, side) for side in after.servers.values()
            if side.inode not in met and (side.page is None or side.page["stage"] in begun)]
    return out


def compare(before: Snapshot, after: Snapshot) -> list[dict[str, Any]]:
    """Each session of `after` as `mgpipe top --json` tells it. Rates are a second's, since `before` or its own start."""
    return [session(client, server, before, after) for client, server in pairs(after)]


def session(client: Side | None, server: Side | None, before: Snapshot, after: Snapshot) -> dict[str, Any]:
    ours, theirs = client.page if client else None, server.page if server else None
    served = rates(server, before.servers)
    drawn = rates(client, before.clients) if ours else served
    one = ours or theirs or {}
    side = client or server
    per_second = {name: drawn.get(name) for name in ("frames", "draws", "records", "upload_bytes", "answer_bytes")}
    if ours:
        per_second |= {name: drawn[name] for name in ("waits", "parks", "round_trips", "reads", "finishes", "sent_bytes", "received_bytes")}
    if theirs:
        per_second |= {"server_waits": served["waits"], "server_parks": served["parks"]}
    applied = (theirs["counted"]["records"] if theirs else ours["applied"] if ours else 0)
    emitted = client.counted()["records"] if ours else None
    is_ahead = ours is not None and ours["topology"] != "monolith"
    return {
        "topology": topology(ours, theirs),
        "state": state(ours, theirs),
        "driver": one.get("driver", ""), "renderer": one.get("renderer", ""),
        "link": one.get("link", ""), "server_address": ours["server"] if ours else "", "peer": theirs["peer"] if theirs else "",
        "age_s": round(side.read_s - side.since_s, 3) if one else None,
        "over_s": round(over(side, before), 3),
        "per_second": per_second,
        "behind_records": max(0, emitted - applied) if is_ahead else None,
        # One more, and the program waits at its end.
        "frames_in_flight": min(sum(end > applied for end in ours["frame_ends"]), ours["frames_in_flight"]) if is_ahead else None,
        "frames_in_flight_limit": ours["frames_in_flight"] if ours else None,
        "shadow_bytes": ours["shadow_bytes"] if ours else None,
        "client": told(client, before, after, "draws"),
        "server": told(server, before, after, "applies"),
    }


def over(side: Side, before: Snapshot) -> float:
    """Seconds that the rates are of."""
    earlier = before.clients.get(side.inode) or before.servers.get(side.inode)
    return side.read_s - (earlier.read_s if earlier else side.since_s)


def rates(side: Side | None, before: dict[int, Side]) -> dict[str, float]:
    """Of each counter; one that went back was reset by nobody who means well, and stands still."""
    if side is None or side.page is None:
        return {}
    earlier = before.get(side.inode)
    seconds = max(side.read_s - (earlier.read_s if earlier else side.since_s), 1e-3)
    counted = earlier.counted() if earlier else {}
    return {name: round(max(0, value - counted.get(name, 0)) / seconds, 3) for name, value in side.counted().items()}


def topology(ours: dict[str, Any] | None, theirs: dict[str, Any] | None) -> str:
    return ours["topology"] if ours else "served" if theirs else "unknown"      # served: for a client that is not seen from here


def state(ours: dict[str, Any] | None, theirs: dict[str, Any] | None) -> str:
    if ours and ours["lost"]:
        return "lost"
    if theirs and theirs["stage"] != tally.STANDING:
        return tally.STAGES[theirs["stage"]]
    return "standing" if ours or theirs else "of another build"


def told(side: Side | None, before: Snapshot, after: Snapshot, role: str) -> dict[str, Any] | None:
    """One side's process; its counters as they stand. The threads that its page names have that role."""
    if side is None:
        return None
    process, earlier = after.processes[side.pid], before.processes.get(side.pid)
    if earlier is not None and earlier.started != process.started:
        earlier = None          # another process, under the same number
    seconds = max(process.read_s - earlier.read_s, 1e-3) if earlier else 0.0
    threads, named = [], side.page["threads"] if side.page else ()
    for number, thread in sorted(process.threads.items()):
        spent_s = thread.cpu_s - earlier.threads[number].cpu_s if earlier and number in earlier.threads else 0.0
        threads.append({"tid": number, "name": thread.name, "role": role if number in named else "",
                        "cpu_percent": round(max(0.0, spent_s) / seconds * 100, 1) if earlier else None})
    return {
        "pid": process.pid, "user": user_name(process.user), "command": process.command,
        "cpu_percent": round(max(0.0, process.cpu_s - earlier.cpu_s) / seconds * 100, 1) if earlier else None,
        "resident_bytes": process.resident_bytes,
        "threads": threads,
        "counted": side.counted(),
    }
