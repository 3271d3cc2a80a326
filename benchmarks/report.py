"""What a run measured, as text: tables, then what is promised of them."""

import statistics
from collections.abc import Callable, Iterator
from typing import Any

from acceptance import lines as acceptance
from scenes import GROUPS, SCENES


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    tenth = len(ordered) // 10
    return {"median": statistics.median(ordered), "p10": ordered[tenth], "p90": ordered[-1 - tenth]}


def summary(starts: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """Of one scene on one arm: for each figure the median of the starts' medians, and the spread of all samples."""
    every = [sample for start in starts for sample in start]
    told: dict[str, Any] = {}
    for what in every[0]:
        if what != "threads":
            told[what] = spread([sample[what] for sample in every])
            told[what]["median"] = statistics.median(statistics.median(sample[what] for sample in start) for start in starts)
    names = {name for sample in every for name in sample["threads"]}
    told["threads"] = {name: statistics.median(sample["threads"].get(name, 0.0) for sample in every) for name in sorted(names)}
    return told


def number(value: float) -> str:
    """Three digits that matter."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(title: str, columns: list[str], rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield title
    first = max(len(what) for what, _ in rows) + 2
    widths = [max(len(name), *(len(cells[i]) for _, cells in rows)) + 2 for i, name in enumerate(columns)]
    yield " " * first + "".join(name.rjust(width) for name, width in zip(columns, widths))
    for what, cells in rows:
        yield what.ljust(first) + "".join(cell.rjust(width) for cell, width in zip(cells, widths))


def figure(of_arm: dict[str, Any] | None, what: str) -> float | None:
    return of_arm[what]["median"] if of_arm and what in of_arm else None


def by_scene(results: dict, tell: Callable[[dict[str, dict], str], str], wanted: Callable[[str], bool] = lambda name: True
             ) -> list[tuple[str, list[str]]]:
    rows = []
    for group in GROUPS:
        for name, by_arm in results["scenes"].items():
            if SCENES[name].group == group and by_arm and wanted(name):
                rows.append((SCENES[name].title, [tell(by_arm, label) for label in results["arms"]]))
    return rows


def with_spread(what: str) -> Callable[[dict[str, dict], str], str]:
    def tell(by_arm, label):
        of_arm = by_arm.get(label)
        if not of_arm or what not in of_arm:
            return "-"
        row = of_arm[what]
        return f"{number(row['median'])} [{number(row['p10'])}..{number(row['p90'])}]"
    return tell


def plain(what: str) -> Callable[[dict[str, dict], str], str]:
    def tell(by_arm, label):
        value = figure(by_arm.get(label), what)
        return "-" if value is None else number(value)
    return tell


def direct_of(by_arm: dict[str, dict], what: str) -> float | None:
    """The faster of the direct driver and the same with the server's allocator settings."""
    values = [figure(by_arm.get(label), what) for label in ("direct", "direct-malloc")]
    return min((value for value in values if value is not None), default=None)


def against_direct(what: str) -> Callable[[dict[str, dict], str], str]:
    def tell(by_arm, label):
        value, base = figure(by_arm.get(label), what), direct_of(by_arm, what)
        return "-" if value is None or not base else f"{value / base:.2f}"
    return tell


def pace(by_arm: dict[str, dict], label: str) -> str:
    frame, latency, late = (figure(by_arm.get(label), what) for what in ("finish", "latency", "late"))
    return "-" if None in (frame, latency, late) else f"{1e6 / frame:.0f}; {number(latency)}, {number(late)}"


def cpu(by_arm: dict[str, dict], label: str) -> str:
    client, server = (figure(by_arm.get(label), f"{side} cpu") for side in ("client", "server"))
    if client is None or server is None:
        return "-"
    return f"{number(client)}+{number(server)}" if server else number(client)


def tables(results: dict) -> Iterator[str]:
    arms = list(results["arms"])
    yield from table("until glFinish, us each: median [10 % .. 90 %]", arms, by_scene(results, with_spread("finish")))
    yield from table("until the calls have returned, us each: median [10 % .. 90 %]", arms, by_scene(results, with_spread("submit")))
    yield from table("until glFinish, as a multiple of the direct driver (the faster of both)", arms,
                     by_scene(results, against_direct("finish")))
    yield from table("one alone and glFinish, us", arms, by_scene(results, plain("single"), lambda name: SCENES[name].single))
    yield from table("frames a second; us from a frame's input until its pixels are there: median, and what one in ten exceeds", arms,
                     by_scene(results, pace, lambda name: SCENES[name].paced))
    yield from table("CPU, us each: client + server", arms, by_scene(results, cpu))
    told = [label for label in arms if label.split()[0] in ("spawn", "inproc", "tcp", "monolith")]
    for label in told[:1] if "spawn" not in told else ["spawn"]:
        yield from counters(results, label)
    for label in [name for name in told if name in ("spawn", "inproc")]:
        yield from threads(results, label)


def counters(results: dict, label: str) -> Iterator[str]:
    rows = []
    columns = ["records", "record_bytes", "staging_bytes", "upload_bytes", "client_copy_bytes", "round_trips", "reads", "waits", "parks"]
    for group in GROUPS:
        for name, by_arm in results["scenes"].items():
            if SCENES[name].group == group and label in by_arm and "records" in by_arm[label]:
                rows.append((SCENES[name].title, [number(by_arm[label][what]["median"]) for what in columns]))
    yield from table(f"what crossed, each, on {label}", columns, rows)


def threads(results: dict, label: str) -> Iterator[str]:
    names = sorted({name for by_arm in results["scenes"].values() for name, us in by_arm.get(label, {}).get("threads", {}).items()
                    if us >= 0.005})
    rows = []
    for name, by_arm in results["scenes"].items():
        if label in by_arm:
            rows.append((SCENES[name].title, [number(by_arm[label]["threads"].get(thread, 0.0)) for thread in names]))
    yield from table(f"CPU by thread, us each, on {label}", names, rows)


def beside(results: dict) -> Iterator[str]:
    first = results["first pixel"]
    rows = []
    for kind, title in (("fresh", "start to first pixel, shaders never seen, ms"), ("seen", "start to first pixel, shaders seen, ms")):
        rows.append((title, [number(row[kind]["median"]) for row in first.values()]))
    rows.append(("memory then, client, MiB (PSS)", [number(row["memory MiB"].get("client", 0.0)) for row in first.values()]))
    rows.append(("memory then, session process, MiB (PSS)", [number(sum(row["memory MiB"].get("servers", ()))) for row in first.values()]))
    yield from table("starting", list(first), rows)
    for driver, counts in results["sessions"].items():
        rows = [(what, [number(row[what]) for row in counts])
                for what in ("draws per second", "slowest", "server MiB each", "client MiB each")]
        yield from table(f"sessions on one server, {driver}", [str(row["sessions"]) for row in counts], rows)
    trip = results["round trip us"]
    yield ""
    yield f"a bare round trip between two sleepers: {number(trip['median'])} us [{number(trip['p10'])}..{number(trip['p90'])}]"


def text(results: dict) -> str:
    machine, effort = results["machine"], results["effort"]
    told = [f"{machine['date']}, {machine['cpus']} CPUs, load {machine['load']:.1f}, kernel {machine['kernel']}, {machine['took_s']} s",
            f"{machine['command']}: {effort['starts']} starts, up to {effort['repetitions']} repetitions in each"]
    for label, hello in results["arms"].items():
        told.append(f"  {label:14} {hello['renderer']}" + "".join(f", {hello[what]}" for what in ("link", "driver") if what in hello))
    told += [f"  {label:14} not measured: {why}" for label, why in results["missing"].items()]
    told += [f"  {label:14} without `{SCENES[name].title}`: {why}"
             for name, by_arm in results["unavailable"].items() for label, why in by_arm.items()]
    told += tables(results)
    told += beside(results)
    told += acceptance(results)
    return "\n".join(told) + "\n"
