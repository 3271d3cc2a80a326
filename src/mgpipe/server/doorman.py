"""Who may even try: limits on connections that nobody has authenticated yet, and back-off for addresses that failed.

Everything here is bounded, whatever strangers do: the table of addresses, the connections that wait for a Hello, the bytes
of a Hello and the time it may take (session.py).
"""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

FORGIVEN = 3                # failures of an address before it has to wait: a person mistypes
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 300.0
FORGET_S = 900.0            # after so long without a failure an address starts anew
ADDRESSES = 1024            # remembered at one time
WAITING = 64                # connections that have not said who they are; more wait in the kernel's queue
PATIENCE_S = 1.0            # such a one may be ended for a newcomer


def of_one_owner(address: str) -> str:
    """The unit that one stranger controls: an IPv4 address, a /64 of IPv6."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))


class BackOff:
    """After FORGIVEN failures an address waits, twice as long after each further one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.failures: OrderedDict[str, tuple[int, float]] = OrderedDict()   # → how many, and when the last; oldest first

    def wait_s(self, address: str) -> float:
        """For how long the address is not listened to; 0: it is."""
        count, last = self.failures.get(of_one_owner(address), (0, 0.0))
        if count <= FORGIVEN:
            return 0.0
        return max(0.0, last + min(FIRST_WAIT_S * 2 ** min(count - FORGIVEN - 1, 30), LONGEST_WAIT_S) - self.clock())

    def failed(self, address: str) -> None:
        owner, now = of_one_owner(address), self.clock()
        count, last = self.failures.pop(owner, (0, now))
        self.failures[owner] = (1 if now - last > FORGET_S else count + 1, now)
        if len(self.failures) > ADDRESSES:
            self.failures.popitem(last=False)

    def succeeded(self, address: str) -> None:
        self.failures.pop(of_one_owner(address), None)


def overdue(waiting: Iterable[tuple[float, int]], now: float) -> tuple[bool, int | None]:
    """Of the connections that have not said who they are, (since when, pid): are there as many as may be, and which of them
    is ended for a newcomer, if any: one that an honest client would not have kept waiting.
    """
    waiting = sorted(waiting)
    if len(waiting) < WAITING:
        return False, None
    since, pid = waiting[0]
    return True, pid if now - since > PATIENCE_S else None
