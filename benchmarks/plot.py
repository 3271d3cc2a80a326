"""A picture of a run, as SVG: for each scene a bar an arm, time until glFinish as a multiple of the direct driver."""

import math
from html import escape
from typing import Any

from report import direct_of, figure
from scenes import GROUPS, SCENES

COLOURS = {"virpipe": "#9a9a9a", "monolith": "#d98c3f", "inproc": "#4f9d69", "spawn": "#2f6db3", "tcp": "#8e5ba6"}
BAR, GAP, LEFT, WIDTH = 7, 9, 330, 620
LEAST, MOST = 1 / 8, 8.0       # of the logarithmic scale; longer bars end with their number


def place(ratio: float) -> float:
    inside = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def svg(results: dict[str, Any]) -> str:
    labels = [label for label in results["arms"] if label not in ("floor", "direct", "direct-malloc")]
    parts, y = [], 60
    for group in GROUPS:
        for name, by_arm in results["scenes"].items():
            base = direct_of(by_arm, "finish")
            if SCENES[name].group != group or not base:
                continue
            bars = [(label, value / base) for label in labels if (value := figure(by_arm.get(label), "finish")) is not None]
            parts.append(f'<text x="{LEFT - 8}" y="{y + BAR * len(bars) / 2 + 4}" text-anchor="end">{escape(SCENES[name].title)}</text>')
            for label, ratio in bars:
                start, end = sorted((place(1.0), place(ratio)))
                opacity = "0.45" if label.endswith(" gles") else "1"
                colour = COLOURS.get(label.split()[0], "#000000")
                parts.append(f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 1):.1f}" height="{BAR - 1}" fill="{colour}" '
                             f'opacity="{opacity}"><title>{escape(label)}: {ratio:.2f}</title></rect>')
                parts.append(f'<text x="{place(ratio) + 3 if ratio >= 1 else start - 3:.1f}" y="{y + BAR - 1}" font-size="7" '
                             f'text-anchor="{"start" if ratio >= 1 else "end"}">{ratio:.2f}</text>')
                y += BAR
            y += GAP
    head = [f'<text x="10" y="20" font-size="14">until glFinish, as a multiple of the direct driver (left of the line: faster)</text>']
    for i, label in enumerate(labels):
        colour, x = COLOURS.get(label.split()[0], "#000000"), LEFT + 95 * i
        head.append(f'<rect x="{x}" y="30" width="10" height="10" fill="{colour}" opacity="{"0.45" if label.endswith(" gles") else "1"}"/>'
                    f'<text x="{x + 14}" y="39">{escape(label)}</text>')
    for ratio in (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0):
        x = place(ratio)
        head.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="48" y2="{y}" stroke="#888" stroke-width="{1.5 if ratio == 1 else 0.4}"/>'
                    f'<text x="{x:.1f}" y="{y + 14}" text-anchor="middle">{ratio:g}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{y + 30}" font-family="sans-serif" '
            'font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(head + parts) + "\n</svg>\n")
