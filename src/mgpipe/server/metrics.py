"""What Prometheus scrapes: the ledger, and the pages of the sessions that stand. Needs the extra `serve`."""

import signal
import socket
from collections import Counter
from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import MetricsHandler
from prometheus_client.registry import Collector

from mgpipe.server import tally
from mgpipe.server.budget import resident_bytes
from mgpipe.server.ledger import REFUSALS, Ledger, known_family

ANSWER_S = 10       # for a reader that does not read

MEANINGS = {
    "records": "records applied",
    "record_bytes": "bytes of records",
    "blob_bytes": "bytes that records brought or took beside themselves: uploads, shaders, answers",
    "draws": "draws, each of a multi-draw's",
    "dispatches": "compute dispatches",
    "frames": "ends of frames: presents, finishes, reads into the program's memory",
    "answers": "records that a client waited for",
    "waits": "times that a session had applied all there was",
}


class Sessions(Collector):
    """`living`: the page, process and EGL device of each connection that there is."""

    def __init__(self, ledger: Ledger, living: Iterable[tuple[tally.Tally, int, int]]) -> None:
        self.ledger = ledger
        self.living = [one for one in living if one[0].stage >= tally.STARTING]

    def collect(self) -> Iterator[Metric]:
        ledger, ended = self.ledger, sum(self.ledger.ended.values())
        yield GaugeMetricFamily("mgpipe_sessions", "sessions at this moment", len(self.living))
        yield CounterMetricFamily("mgpipe_sessions_started", "sessions so far", ended + len(self.living))
        yield labelled("mgpipe_sessions_ended", "sessions that ended, by how", "why", ledger.ended, ("left", "gone", "faulted", "killed"))
        yield labelled("mgpipe_refused", "connections that became no session, by the code of the refusal", "code", ledger.refused,
                       REFUSALS)
        faults = ledger.faults + Counter(known_family(page) for page, _, _ in self.living if page.stage == tally.FAULTED)
        yield labelled("mgpipe_faults", "sessions latched by a fault, by its family", "family", faults)
        counted = Counter(ledger.counted)
        for page, _, _ in self.living:
            counted.update(page.counted())
        for name in tally.COUNTERS:
            yield CounterMetricFamily(f"mgpipe_{name}", MEANINGS[name], counted[name])
        memory = GaugeMetricFamily("mgpipe_memory_bytes", "resident memory of the sessions' processes", labels=["device"])
        on_device = GaugeMetricFamily("mgpipe_device_sessions", "sessions on each EGL device", labels=["device"])
        for number in sorted({device for _, _, device in self.living}):
            pids = [pid for _, pid, device in self.living if device == number]
            memory.add_metric([str(number) if number >= 0 else "any"], sum(map(resident_bytes, pids)))
            on_device.add_metric([str(number) if number >= 0 else "any"], len(pids))
        yield memory
        yield on_device
        yield CounterMetricFamily("mgpipe_supervisor_restarts", "starts of the server after its first, as systemd keeps count",
                                  ledger.restarts)
        yield GaugeMetricFamily("mgpipe_supervisor_start_time_seconds", "when the server started", ledger.started)


def labelled(name: str, meaning: str, label: str, values: Counter[str], always: Iterable[str] = ()) -> CounterMetricFamily:
    family = CounterMetricFamily(name, meaning, labels=[label])
    for value in sorted({*always, *values}):
        family.add_metric([value], values[value])
    return family


def answer(stream: socket.socket, address: object, ledger: Ledger, living: Iterable[tuple[tally.Tally, int, int]]) -> None:
    """One scrape, in a process of its own."""
    signal.alarm(ANSWER_S)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Sessions(ledger, living))
    stream.settimeout(ANSWER_S)
    MetricsHandler.factory(registry)(stream, address, None)
