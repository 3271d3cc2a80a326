"""The instrumented build, and how it is run: clang's address and undefined-behaviour sanitizers, libFuzzer.

meson makes it in build/fuzz by the rules of every other build, only what is fuzzed of it. The interpreter is the one that
runs the tests; the sanitizer's runtime is loaded before it, and the instrumented modules stand in front of those installed.

    python tests/fuzz/fuzzing.py SECONDS [TARGET]…      fuzzes, each target for so long

A target is one of TARGETS; one of DRIVERS, for which Espryt is built, too; or `control`, for which atheris must be there.
What it learns stays in build/fuzz-corpus/TARGET, and what it finds beside that: a file that `targets.once` takes.
"""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/fuzz"
CORPUS = ROOT / "build/fuzz-corpus"       # what was learned, by target
SEEDS = CORPUS / "seeds"                # where that began, traffic.py
MODULES = ("server/applier", "server/tables", "server/watch", "server/apply_loop", "links/segments", "links/packing", "links/stream",
           "links/intake", "links/ring", "links/events", "backends/null/backend", "shaders/_spirv_cross")
# Beside the null back end: what translates for a driver, and the driver's own code, which is not instrumented.
DRIVERS = ("gl", "gles")
ESPRYT = ("backends/driver", *(f"backends/espryt/{path.stem}" for path in (ROOT / "src/mgpipe/backends/espryt").glob("*.pyx")))
CONTROL = ("control",)
TARGETS = ("records", "session", "ring", "stream", "stream_session", "spirv")

SANITIZE = "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function,vptr -fno-sanitize-recover=undefined -shared-libasan"
COMPILE = f"{SANITIZE} -fno-omit-frame-pointer -g1 -w"
MEMORY_MB = 768         # of a fuzzing process: the sanitizer's own memory is most of it
HANG_S = 20             # one input; a session of a few hundred records takes milliseconds
QUARANTINE_MB = 32      # freed memory that is kept from reuse

PRELUDE = f"""
import importlib, json, sys
for package in {sorted({m.rpartition("/")[0].replace("/", ".") for m in (*MODULES, *ESPRYT)})!r}:
    importlib.import_module("mgpipe." + package).__path__.insert(0, {str(BUILD / "src/mgpipe")!r} + "/" + package.replace(".", "/"))
sys.path.insert(0, {str(BUILD / "tests/fuzz")!r})
import mgpipe.server.applier, targets
assert {str(BUILD)!r} in mgpipe.server.applier.__file__, "not the instrumented build"
"""


BESIDE = """
import os, fuzzing
os.setsid()
os.nice(19)
with fuzzing.claimed() as claim:
    claim.write(str(os.getpid()))
    claim.flush()
    fuzzing.run_build(claim)
"""


def build_beside() -> None:
    """Begins the build with what time the machine leaves over, while tests run that do not need it.

    Nobody's child: tests count the processes that they leave behind."""
    subprocess.run(["sh", "-c", '"$@" &', "sh", sys.executable, "-c", BESIDE], cwd=Path(__file__).parent, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def build(espryt: bool = False) -> None:
    """Takes half a minute on two cores the first time, then what has changed; with Espryt twice as long."""
    with claimed() as claim:
        run_build(claim, espryt)


@contextmanager
def claimed() -> Iterator[TextIO]:
    """The build folder is ours alone. A build beside the tests ends here, and is gone on with: a busy machine leaves it no time."""
    BUILD.parent.mkdir(exist_ok=True)
    with open(f"{BUILD}.lock", "a+") as claim:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            claim.seek(0)
            if beside := claim.read():
                with suppress(ProcessLookupError):
                    os.killpg(int(beside), signal.SIGTERM)
            fcntl.flock(claim, fcntl.LOCK_EX)
        claim.truncate(0)
        yield claim


def run_build(claim: TextIO, espryt: bool = False) -> None:
    """`claim` goes to what builds, too: the folder is given up when the last of it has ended."""
    assert shutil.which("clang"), "this needs clang: on Debian, apt-get install clang"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "CC": "clang", "CXX": "clang++"}
    if not (BUILD / "build.ninja").exists():
        shutil.rmtree(BUILD, ignore_errors=True)        # of a set-up that was not finished
        link = f"{SANITIZE} -Wl,-rpath,{runtime()}"
        subprocess.run(["meson", "setup", BUILD, "-Dfuzz=true", "-Db_lundef=false", "-Doptimization=1", "-Db_ndebug=true",
                        f"-Dc_args={COMPILE}", f"-Dcpp_args={COMPILE}", f"-Dc_link_args={link}", f"-Dcpp_link_args={link}"],
                       cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, pass_fds=[claim.fileno()])
    wanted = [f"src/mgpipe/{module}.abi3.so" for module in (*MODULES, *(ESPRYT if espryt else ()))]
    made = subprocess.run(["ninja", "-C", BUILD, *wanted, "tests/fuzz/targets.abi3.so", "tests/fuzz/libfuzz_driver.so"],
                          env=environment, capture_output=True, text=True, pass_fds=[claim.fileno()])
    assert made.returncode == 0, made.stdout[-8000:] + made.stderr


def runtime() -> Path:
    return Path(subprocess.check_output(["clang", "-print-runtime-dir"], text=True).strip())


def environment() -> dict[str, str]:
    sanitizer = next(runtime().glob(f"libclang_rt.asan*{os.uname().machine}*.so"), None) or runtime() / "libclang_rt.asan.so"
    # Leaks are Python's own at the end, and looked for by libFuzzer in between; allocations that fail are tried on purpose.
    options = (f"verify_asan_link_order=0:leak_check_at_exit=0:abort_on_error=1:handle_abort=1:allocator_may_return_null=1:"
               f"quarantine_size_mb={QUARANTINE_MB}:max_allocation_size_mb=4096")
    return {"LD_PRELOAD": f"{BUILD / 'tests/fuzz/libfuzz_driver.so'}:{sanitizer}", "ASAN_OPTIONS": options,
            "UBSAN_OPTIONS": "print_stacktrace=1", "LSAN_OPTIONS": "print_suppressions=0"}


def run(arguments: list[str], timeout_s: float, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Python with these arguments; returncode 124: it took too long. By way of `timeout`: the kernel counts into a process's peak
    of memory, which is limited here, what its parent holds, and the tests' own process holds much."""
    return subprocess.run(["timeout", "--kill-after=5", str(timeout_s), "env", *(f"{k}={v}" for k, v in variables.items()), sys.executable,
                           *arguments], env={k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")},
                          capture_output=True, text=True, errors="replace")


def python(script: str, *arguments: str, timeout_s: float = 300) -> subprocess.CompletedProcess[str]:
    """Runs a script with the instrumented modules; `targets` is imported."""
    return run(["-c", PRELUDE + script, *arguments], timeout_s, environment())


def fuzz(target: str, seconds: int, corpus: Path = CORPUS, seed: int = 0) -> subprocess.CompletedProcess[str]:
    """libFuzzer for so long, from the seeds and what was learned before. Its returncode is 0 unless it found something.

    `seed` is that of its choices; 0: another one each time, which it names at its start (see `told`)."""
    learned = corpus / target
    learned.mkdir(parents=True, exist_ok=True)
    arguments = [f"-seed={seed}", f"-max_total_time={seconds}", f"-timeout={HANG_S}", f"-rss_limit_mb={MEMORY_MB}", "-max_len=65536",
                 "-print_final_stats=1", "-verbosity=1", f"-artifact_prefix={CORPUS}/{target}-", str(learned), str(SEEDS / target)]
    if target in DRIVERS:       # which keep what they have loaded and compiled
        arguments += ["-detect_leaks=0", "-rss_limit_mb=4096"]
    (SEEDS / target).mkdir(parents=True, exist_ok=True)     # choices, which some targets take, have none
    return python(f"targets.run({target!r}, {arguments!r})", timeout_s=seconds + 120)


def told(ran: subprocess.CompletedProcess[str]) -> str:
    """What a run says that found something: the seed that it can be repeated with, and its end."""
    return "\n".join([*re.findall(r"^INFO: Seed: .*", ran.stderr, re.M), ran.stderr[-6000:]])


def fuzz_control(seconds: int) -> subprocess.CompletedProcess[str]:
    """The same for what reads a handshake, which is Python: atheris instruments it."""
    learned = CORPUS / "control"
    learned.mkdir(parents=True, exist_ok=True)
    return run([str(Path(__file__).parent / "control.py"), f"-max_total_time={seconds}", f"-timeout={HANG_S}", f"-rss_limit_mb={MEMORY_MB}",
                f"-artifact_prefix={CORPUS}/control-", str(learned), str(SEEDS / "control")], seconds + 120, {})


def soak(target: str, seed: int, records: int, timeout_s: float = 600) -> dict:
    """Valid-looking sessions until so many records went by; what became of them, and the peak of memory in MiB."""
    ran = python(f"""
import resource
out = targets.soak({target!r}, {seed}, {records})
out["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
print(json.dumps(out))
""", timeout_s=timeout_s)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-6000:]
    return json.loads(ran.stdout)


def main(seconds: str, *targets: str) -> None:
    import traffic

    drivers = [driver for driver in DRIVERS if driver in (targets or DRIVERS)]
    build(espryt=bool(drivers))
    traffic.seed(SEEDS)
    for driver in drivers:
        traffic.seed_driver(SEEDS, driver)
    for target in targets or (*TARGETS, *DRIVERS, *CONTROL):
        ran = fuzz(target, int(seconds)) if target not in CONTROL else fuzz_control(int(seconds))
        if ran.returncode:
            sys.exit(f"{ran.stderr}\n{target}: found something")
        print(f"{target}: nothing found", *re.findall(r"(Done.*|tally:.*)", ran.stderr), sep="\n    ", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
