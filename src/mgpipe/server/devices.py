"""Which EGL device a session draws on: `--gpu auto`, or some by number."""

import os
import select
from collections.abc import Iterable
from typing import NamedTuple

LISTING_S = 30.0        # for a driver that is loaded for the first time


class Device(NamedTuple):
    number: int         # as EGL enumerates them, and MGPIPE_DEVICE
    is_software: bool
    name: str

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


class NoSuchDevice(ValueError):
    """`--gpu` names what is not there."""


class NoDriver(Exception):
    """There is no OpenGL driver, or it does not answer."""


def list_devices() -> list[Device]:
    """Those of this machine; none where the driver cannot enumerate them. A process of its own asks: a driver never runs in
    the supervisor. NoDriver: there is none."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)        # drivers talk
            from mgpipe.backends.driver import enumerate_devices

            for number, is_software, name in enumerate_devices():
                os.write(writing, f"{number}\t{int(is_software)}\t{' '.join(name.split())[:100]}\n".encode())
        except OSError as error:
            os.write(writing, f"none\t{error}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        text = read_all(reading, LISTING_S)
    finally:
        os.close(reading)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    if text.startswith("none\t"):
        raise NoDriver(text[5:])
    rows = [line.split("\t") for line in text.splitlines()]
    return [Device(int(number), is_software == "1", name) for number, is_software, name in rows]


def read_all(descriptor: int, within_s: float) -> str:
    out = b""
    while select.select([descriptor], [], [], within_s)[0]:
        part = os.read(descriptor, 1 << 16)
        if not part:
            return out.decode(errors="replace")
        out += part
    raise NoDriver(f"the driver did not list its devices within {within_s:.0f} s")


def select_devices(asked: str, found: list[Device]) -> list[Device]:
    """Those that sessions are spread over; empty: the driver decides. `auto`: the real ones, or where there is none the software."""
    if asked == "auto":
        return [device for device in found if not device.is_software] or found[:1]
    shown = "; ".join(map(str, found)) or "none: its libEGL cannot enumerate devices"
    numbers = asked.split(",")
    if not all(number.isdecimal() for number in numbers):
        raise NoSuchDevice(f"--gpu is {asked!r}; it can be auto or numbers like 0,1. This machine has {shown}")
    by_number = {device.number: device for device in found}
    if missing := [number for number in numbers if int(number) not in by_number]:
        raise NoSuchDevice(f"there is no device {', '.join(missing)}. This machine has {shown}")
    return [by_number[number] for number in dict.fromkeys(map(int, numbers))]


def least_loaded(devices: list[Device], in_use: Iterable[int]) -> Device | None:
    """The one with the fewest sessions, `in_use` naming the device of each; the first of several."""
    used = list(in_use)
    return min(devices, key=lambda device: used.count(device.number), default=None)
