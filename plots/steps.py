#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how long each step of a run takes, from the steps.csv that `ipusim run --out DIR` writes.

usage: steps.py STEPS.csv OUT

One bar a step in program order, over all iterations: the cycles of the tile that is longest in it.
The bar of a sync is what a tile waits there on average: the longest wait is work of another tile,
which has a bar of its own. Of more than 40 steps the longest are drawn.
"""
import style
from matplotlib.patches import Patch

MOST_STEPS = 40
LONGEST_NAME = 44


def shortened(name):
    if len(name) <= LONGEST_NAME:
        return name
    head = (LONGEST_NAME - 2) // 2
    return name[:head] + ".." + name[-(LONGEST_NAME - 2 - head):]


def drawn_steps(path):
    """(name, kind, cycles, iterations) of the steps to draw, and how many there are in all."""
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["name", "kind", "cycles", "iterations", "mean_cycles"])
    steps = [
        (row["name"], row["kind"], style.number(path, row, "mean_cycles" if row["kind"] == "sync" else "cycles"),
         int(style.number(path, row, "iterations")))
        for row in rows
    ]
    longest = sorted(range(len(steps)), key=lambda i: -steps[i][2])[:MOST_STEPS]
    return [steps[i] for i in sorted(longest)], len(steps)


def label_of(name, iterations):
    return shortened(name) + (f"  ×{iterations:,}" if iterations > 1 else "")


def draw(steps, count):
    figure, axes = style.plt.subplots(figsize=(8, 1.1 + 0.24 * len(steps)))
    cycles = [step[2] for step in steps]
    places = range(len(steps))
    axes.barh(places, cycles, color=[style.KIND_COLOURS.get(step[1], style.PURPLE) for step in steps], height=0.72)
    for place, value in zip(places, cycles):
        axes.annotate(f"{value:,.0f}", (value, place), xytext=(3, 0), textcoords="offset points",
                      va="center", fontsize=7.5)
    axes.set_yticks(places, [label_of(step[0], step[3]) for step in steps])
    axes.set_ylim(len(steps) - 0.4, -0.6)  # the first step on top
    axes.set_xlim(0, 1.15 * max(max(cycles), 1))
    axes.xaxis.set_major_formatter(style.unit_formatter(""))
    axes.set_xlabel("cycles of the slowest tile (of a sync: the mean of all tiles)")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    title = f"{count} steps" if len(steps) == count else f"the {len(steps)} longest of {count} steps"
    axes.set_title(title + ", in program order", loc="left")
    kinds = [kind for kind in style.KIND_COLOURS if any(step[1] == kind for step in steps)]
    figure.legend(handles=[Patch(color=style.KIND_COLOURS[kind], label=kind) for kind in kinds],
                  loc="upper left", bbox_to_anchor=(1.0, 0.98), bbox_transform=axes.transAxes)
    return figure


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("steps", metavar="STEPS.csv")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    style.save(draw(*drawn_steps(arguments.steps)), arguments)


if __name__ == "__main__":
    main()
