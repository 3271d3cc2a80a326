"""What is promised of speed, line by line: the figure, the bound, and whether it holds in this run."""

from collections.abc import Iterator
from typing import Any

from scenes import DRAWS, MAPS, SCENES, UPLOADS

OURS = ("spawn", "inproc")
DIRECT = ("direct", "direct-malloc")
LIGHT = ("draw", "vertex_uniform", "vertex_array", "blend_toggle")     # scenes held to more than the others
BULK = ("buffer_1m", "buffer_64m", "texture_1024")
MAP_BOUNDS = {"map_1m": 1.3, "map_16m": 1.5, "map_256m": 2.0}


class Judge:
    def __init__(self, results: dict[str, Any]) -> None:
        self.results = results
        self.gpu = "virpipe" not in results["arms"] and "llvmpipe" not in "".join(
            hello["renderer"] for label, hello in results["arms"].items() if label in DIRECT)

    def of(self, scene: str, label: str, what: str = "finish") -> float | None:
        row = self.results["scenes"].get(scene, {}).get(label, {}).get(what)
        return None if row is None else row["median"]

    def direct(self, scene: str, what: str = "finish") -> float | None:
        return min((value for label in DIRECT if (value := self.of(scene, label, what)) is not None), default=None)

    def bounded(self, what: str, value: float | None, base: float | None, bound: float, unit: str = "") -> Iterator[str]:
        """`value` at most `bound` times `base`; nothing where either was not measured."""
        if value is None or not base:
            return
        ratio = value / base
        yield f"  {'yes' if ratio <= bound else 'NO ':3} {what}: {ratio:.2f} (at most {bound}{unit})"

    def draws(self, label: str) -> Iterator[str]:
        for name, scene in SCENES.items():
            if scene.group != DRAWS:
                continue
            submit, floor, direct, virpipe = (self.of(name, of, "submit") for of in (label, "floor", "direct", "virpipe"))
            direct = self.direct(name, "submit")
            if None not in (submit, floor, direct) and direct > floor:
                yield from self.bounded(f"{label}, {scene.title}: submit above the floor, of direct's", max(0.0, submit - floor),
                                        direct - floor, 0.3 if self.gpu else 0.2)
            yield from self.bounded(f"{label}, {scene.title}: submit, of virpipe's", submit, virpipe, 0.9)
            finish = self.of(name, label)
            bound = 0.8 if self.gpu else 1.0 if name in LIGHT else 1.1
            yield from self.bounded(f"{label}, {scene.title}: finish, of direct's", finish, self.direct(name), bound)
            if name in LIGHT:
                yield from self.bounded(f"{label}, {scene.title}: finish, of virpipe's", finish, self.of(name, "virpipe"), 0.6)
            yield from self.bounded(f"{label}, {scene.title}: CPU, of direct's", self.cpu(name, label), self.direct(name, "client cpu"), 1.6)

    def cpu(self, scene: str, label: str) -> float | None:
        client, server = (self.of(scene, label, f"{side} cpu") for side in ("client", "server"))
        return None if client is None or server is None else client + server

    def bulk(self, label: str) -> Iterator[str]:
        for name in BULK:
            title = f"{label}, {SCENES[name].title}"
            yield from self.bounded(f"{title}: back to back, of direct's", self.of(name, label), self.direct(name), 1.15)
            single = self.of(name, label, "single")
            yield from self.bounded(f"{title}: one alone, of direct's", single, self.direct(name, "single"), 1.8)
            yield from self.bounded(f"{title}: one alone, of virpipe's", single, self.of(name, "virpipe", "single"), 0.4)
        for name, bound in MAP_BOUNDS.items():
            yield from self.bounded(f"{label}, {SCENES[name].title}: finish, of direct's", self.of(name, label), self.direct(name), bound)

    def reads(self, label: str) -> Iterator[str]:
        title = f"{label}, {SCENES['read_512'].title}"
        value = self.of("read_512", label)
        yield from self.bounded(f"{title}, of direct's", value, self.direct("read_512"), 1.3)
        yield from self.bounded(f"{title}, of virpipe's", value, self.of("read_512", "virpipe"), 0.5)
        yield from self.bounded(f"{label}, {SCENES['pack_512'].title}: submit, of direct's blocking read",
                                self.of("pack_512", label, "submit"), self.direct("read_512"), 0.2)
        idle, title = self.of("idle_finish", label), f"{label}, {SCENES['idle_finish'].title}"
        yield from self.bounded(f"{title}, of virpipe's", idle, self.of("idle_finish", "virpipe"), 1.0)
        yield from self.bounded(f"{title}, of a bare round trip", idle, self.results["round trip us"]["median"], 1.5)

    def counts(self, label: str) -> Iterator[str]:
        for name, scene in SCENES.items():
            trips = self.of(name, label, "round_trips")
            if trips is not None and trips > 0:
                yield f"  NO  {label}, {scene.title}: {trips:.2f} round trips each (0)"
            if scene.group in (UPLOADS, MAPS) and scene.upload_bytes:
                for counter, what in (("client_copy_bytes", "copied"), ("upload_bytes", "sent")):
                    value = self.of(name, label, counter)
                    if value is not None and value > 1.01 * scene.upload_bytes:
                        yield f"  NO  {label}, {scene.title}: each byte is {what} {value / scene.upload_bytes:.2f} times (1)"

    def floor(self, label: str) -> Iterator[str]:
        costs, held = self.results["render us"], self.results["allocations"]
        if label in costs and "floor" in costs:
            above = costs[label] - costs["floor"]
            yield (f"  {'yes' if above <= 0.1 else 'NO ':3} {label}, vao.render() with nothing changed: {above:.3f} us above moderngl's own "
                   f"{costs['floor']:.3f} (at most 0.1)")
            left, peak = (held[label][what] - held["floor"][what] for what in ("blocks left", "peak bytes"))
            yield (f"  {'yes' if left <= 0 and peak <= 0 else 'NO ':3} {label}, Python memory on the draw path beyond moderngl's own: {left} "
                   f"blocks left by 100,000 draws, {peak} bytes held during one (0)")

    def starts(self) -> Iterator[str]:
        first = self.results["first pixel"]
        if "direct" not in first or "spawn" not in first:
            return
        for kind, what in (("seen", "shaders seen before"), ("fresh", "shaders never seen")):
            above = first["spawn"][kind]["median"] - first["direct"][kind]["median"]
            yield f"  {'yes' if above <= 150 else 'NO ':3} spawn, start to first pixel, {what}: {above:.0f} ms above direct (at most 150)"
        own = first["direct"]["memory MiB"]["client"] - first["bare"]["memory MiB"]["client"]
        above = sum(first["spawn"]["memory MiB"]["servers"]) - own
        yield (f"  {'yes' if above <= 24 else 'NO ':3} spawn, the process of a session that waits: {above:.1f} MiB above the driver's own "
               f"{own:.1f} (at most 24)")

    def monolith_and_tcp(self) -> Iterator[str]:
        for name, scene in SCENES.items():
            if scene.group == DRAWS:
                yield from self.bounded(f"monolith, {scene.title}: finish, of direct's", self.of(name, "monolith"), self.direct(name), 1.1)
                # A frame rate of at least 0.85 of spawn's.
                yield from self.bounded(f"tcp, {scene.title}: finish, of spawn's", self.of(name, "tcp"), self.of(name, "spawn"), 1.18)


def lines(results: dict[str, Any]) -> list[str]:
    judge = Judge(results)
    told = ["", "what is promised"]
    for label in OURS:
        told += judge.floor(label)
        for part in (judge.draws, judge.bulk, judge.reads, judge.counts):
            told += part(label)
    told += judge.monolith_and_tcp()
    told += judge.starts()
    return told
