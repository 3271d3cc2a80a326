"""A network in a process: a TCP proxy that delays, slows down and cuts what passes through it."""

import heapq
import random
import select
import socket
import threading
import time


RETRANSMIT_S = 0.2      # TCP's least wait before it sends again what was lost
PACKET_BYTES = 1448


class Proxy:
    """Listens on `address` (tcp://…) and forwards to `target`. Change `delay_s`, `bytes_per_s`, `loss`, `cut` while it runs.

    `delay_s` is one way's, and no more than about `held_bytes` are on their way. `loss`: of the packets of an Ethernet; what follows a lost one waits for it, as in TCP.
    """

    def __init__(self, target: tuple[str, int], delay_s: float = 0.0, bytes_per_s: float = float("inf"), loss: float = 0.0,
                 held_bytes: int = 1 << 20) -> None:
        self.target, self.delay_s, self.bytes_per_s, self.loss = target, delay_s, bytes_per_s, loss
        self.held_bytes = held_bytes
        self.passed = self.lost = 0     # bytes, packets
        self.chance = random.Random(1)
        self.cut = False            # nothing passes, nobody is told
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, held_bytes)    # those that it accepts inherit it
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.pairs: list[socket.socket] = []
        self.ended = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self.ended:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            self.pairs += [client, server]
            for one, other in ((client, server), (server, client)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        waiting: list[tuple[float, int, bytes]] = []
        ordinal, free_at, held = 0, 0.0, 0
        try:
            while True:
                now = time.monotonic()
                while waiting and waiting[0][0] <= now and not self.cut:
                    _, _, part = heapq.heappop(waiting)
                    held -= len(part)
                    target.sendall(part)
                pause = 0.002 if self.cut else (min(0.05, max(0.0, waiting[0][0] - now)) if waiting else 0.05)
                if held > self.held_bytes:      # as a real path does, it holds only so much
                    time.sleep(max(pause, 0.001))
                    continue
                if select.select([source], [], [], pause)[0]:
                    part = source.recv(1 << 16)
                    if not part:
                        break
                    free_at = max(free_at, time.monotonic()) + len(part) / self.bytes_per_s
                    lost = sum(self.chance.random() < self.loss for _ in range(0, len(part), PACKET_BYTES)) if self.loss else 0
                    free_at += RETRANSMIT_S * (lost > 0)
                    self.lost += lost
                    self.passed += len(part)
                    ordinal += 1
                    held += len(part)
                    heapq.heappush(waiting, (free_at + self.delay_s, ordinal, part))
            while waiting:
                due, _, part = heapq.heappop(waiting)
                time.sleep(max(0.0, due - time.monotonic()))
                target.sendall(part)
        except (OSError, ValueError):       # the other direction ended, or the proxy was closed under us
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def break_connections(self) -> None:
        """As a router that restarts: both sides hear a reset or an end."""
        for stream in self.pairs:
            try:
                stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        self.ended = True
        self.listener.close()
        self.break_connections()
        for stream in self.pairs:
            stream.close()
