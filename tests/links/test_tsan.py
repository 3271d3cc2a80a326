"""Ring, doorbells, replies and arena under ThreadSanitizer.

The extension modules are built once more, instrumented, and driven by the interpreter as it is. ThreadSanitizer knows
atomics but neither futexes nor processes, so what it judges is whether cursors and watermarks alone order the bytes, as
they must on a machine weaker than x86. The controls weaken one store each and must be seen racing.
"""

import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINKS = ROOT / "src/mgpipe/links"
MODULES = ("ring", "events", "extents", "arena", "shadow", "segments", "_probe")
RACE = 66    # exit status

SCRIPT = """
import sys, threading
sys.path.insert(0, {overlay!r})
from mgpipe.links._probe import RingProbe, UploadProbe
assert {overlay!r} in sys.modules["mgpipe.links._probe"].__file__

def beside(call, *args):
    got = []
    thread = threading.Thread(target=lambda: got.append(call(*args)))
    thread.start()
    return lambda: (thread.join(), got[0])[1]

def records(count, capacity, ceiling):
    ring = RingProbe(capacity, ceiling)
    taken = beside(ring.consume, count, 16, 400)
    ring.produce(count, 16, 400)
    assert taken() == 0

def parking(count):
    ring = RingProbe(4096)
    taken = beside(ring.consume, count, 80, 80)
    ring.produce(count, 80, 80, 1, 150_000)
    assert taken() == 0

def replies(count):
    ring = RingProbe(4096)
    answered = beside(ring.answer, count)
    assert all(total for total, _ in ring.round_trips(count))
    assert answered() == 0

def uploads(count, largest):
    probe = UploadProbe()
    wrong = beside(probe.server, count)
    probe.client(count, largest)
    assert wrong() == 0

{calls}
"""
EVERYTHING = """
records(20_000, 4096, 4096)
records(20_000, 4096, 1 << 20)
parking(300)
replies(500)
uploads(4_000, 300)
uploads(300, 200_000)
"""


def build(overlay: Path, modules: tuple[str, ...], headers: Path) -> None:
    """Instrumented modules under overlay/mgpipe/links, compiled against the headers given."""
    generated = overlay / "generated"
    package = overlay / "mgpipe/links"
    package.mkdir(parents=True, exist_ok=True)
    for init in (overlay / "mgpipe/__init__.py", package / "__init__.py"):
        init.touch()
    assert shutil.which("gcc"), "this test needs gcc, whose runtime library (libtsan) it preloads"
    if not generated.exists():
        generated.mkdir()
        subprocess.run([sys.executable, "-B", ROOT / "generator/catalogue.py", generated], check=True)

    def compile_one(module: str) -> None:
        source = generated / f"{module}.c"
        subprocess.run([sys.executable, "-m", "cython", "-3", "-I", ROOT / "src", "-I", generated,
                        LINKS / f"{module}.pyx", "-o", source], check=True)
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-g", "-std=gnu11", "-w", "-fsanitize=thread",
                        "-DPy_LIMITED_API=0x030b0000", f"-I{sysconfig.get_path('include')}", f"-I{headers}",
                        f"-I{generated}", source, "-o", package / f"{module}.abi3.so"], check=True)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, modules))


def run(overlay: Path, calls: str) -> subprocess.CompletedProcess[str]:
    runtime = subprocess.check_output(["gcc", "-print-file-name=libtsan.so"], text=True).strip()
    options = f"exitcode={RACE} ignore_noninstrumented_modules=1 log_path=stderr"
    return subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT.format(overlay=str(overlay), calls=calls)],
        env={"LD_PRELOAD": runtime, "TSAN_OPTIONS": options},
        capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def instrumented(tmp_path_factory) -> Path:
    overlay = tmp_path_factory.mktemp("tsan")
    build(overlay, MODULES, LINKS)
    return overlay


def test_cursors_and_watermarks_order_every_byte(instrumented):
    ran = run(instrumented, EVERYTHING)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("module, call, weakened", [
    # The producer's bytes are no longer ordered before the cursor that announces them.
    ("ring", "records(20_000, 4096, 4096)", ("store_release", "RELEASE")),
    # The consumer no longer waits for them.
    ("ring", "records(20_000, 4096, 4096)", ("load_acquire", "ACQUIRE")),
    # The client overwrites a block although its look at the watermark orders nothing.
    ("arena", "uploads(4_000, 300)", ("load_acquire", "ACQUIRE")),
])
def test_a_weaker_store_or_load_is_seen_as_a_race(instrumented, tmp_path, module, call, weakened):
    shutil.copytree(instrumented, tmp_path / "overlay")
    headers = tmp_path / "headers"
    shutil.copytree(LINKS, headers)
    function, order = weakened
    lines = (headers / "atomics.h").read_text().splitlines()
    changed = [line.replace(f"__ATOMIC_{order}", "__ATOMIC_RELAXED") if f" {function}(" in line else line
               for line in lines]
    assert changed != lines
    (headers / "atomics.h").write_text("\n".join(changed) + "\n")
    build(tmp_path / "overlay", (module,), headers)
    for _attempt in range(12):          # the two sides must meet for it: on a busy machine one run in three missed it
        ran = run(tmp_path / "overlay", call)
        if ran.returncode == RACE:
            break
    assert ran.returncode == RACE and "data race" in ran.stderr, f"{ran.returncode}\n{ran.stdout}{ran.stderr}"
