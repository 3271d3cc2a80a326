"""The main job: every example, unmodified, through a server that mgpipe spawns. Pictures and a page go to out/.

    python examples/run_all.py [--topology spawn] [--driver gl] [--out out]
"""

import argparse
import html
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
HELPERS = {"run_all", "stage", "surfaces"}
FEW, MANY = 3, 8  # frames: what the longer run adds is what a steady frame costs


@dataclass
class Result:
    name: str
    picture: Path
    stats: dict
    steady_round_trips: float
    seconds: float
    sentence: str


def programs() -> list[Path]:
    return sorted(path for path in HERE.glob("*.py") if path.stem not in HELPERS)


def run(program: Path, picture: Path, frames: int, topology: str, driver: str) -> tuple[dict, float]:
    with tempfile.TemporaryDirectory() as folder:
        stats = Path(folder) / "stats.json"
        version = ["--gl-version", "4.3"] if program.stem.startswith("compute") else []
        command = [sys.executable, "-m", "mgpipe", "run", "--topology", topology, "--driver", driver, "--stats", str(stats),
                   *version, "--", sys.executable, str(program), str(picture), "--frames", str(frames)]
        start = time.monotonic()
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        seconds = time.monotonic() - start
        if result.returncode or not stats.exists():
            sys.exit(f"{program.name} failed with status {result.returncode}:\n{result.stdout}{result.stderr}")
        return json.loads(stats.read_text()), seconds


def sentence(program: Path) -> str:
    return program.read_text().split('"""')[1].strip()


def page(results: list[Result], line: str) -> str:
    figures = "\n".join(
        f'<figure><img src="{r.picture.name}" width="256" height="256" alt=""><figcaption><b>{r.name}</b><br>'
        f"{html.escape(r.sentence)}</figcaption></figure>"
        for r in results
    )
    return (
        "<!doctype html><meta charset=utf-8><title>mgpipe</title><style>body{font:15px system-ui;margin:2em;background:#181818;"
        "color:#ddd}figure{display:inline-block;width:256px;margin:8px;vertical-align:top}</style>"
        f"<h1>mgpipe</h1><p>{html.escape(line)}</p>\n{figures}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topology", default="spawn")
    parser.add_argument("--driver", default="gl")
    parser.add_argument("--out", type=Path, default=Path("out"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    results = []
    for program in programs():
        picture = asked.out / f"{program.stem}.png"
        few, _ = run(program, picture, FEW, asked.topology, asked.driver)
        many, seconds = run(program, picture, MANY, asked.topology, asked.driver)
        # What the program itself reads each frame is a read, not a round trip (docs/architecture.md, "Frames").
        steady = (many["round_trips"] - few["round_trips"]) / (MANY - FEW)
        results.append(Result(program.stem, picture, many, steady, seconds, sentence(program)))
        s = many
        print(f"  {program.stem + '.png':24} {s['draws'] / MANY:6.0f} draws, {s['records'] / MANY:6.0f} records a frame, "
              f"{steady:g} round trips, {seconds:.2f} s", flush=True)
    s = results[0].stats
    line = f"{s['topology']} · Espryt {s['driver']} · {s['renderer']} · server pid {s['server_pid']}"
    print(f"  {line}")
    print(f"  {len(results)} programs, {max(r.steady_round_trips for r in results):g} round trips per steady frame")
    (asked.out / "index.html").write_text(page(results, line))
    print(f"  look: {asked.out / 'index.html'}")


if __name__ == "__main__":
    main()
