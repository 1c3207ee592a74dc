#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how training scales over IPUs, and where the step goes, from sweeps of configs with [parallel].

usage: scaling.py RESULTS.csv... OUT

One column of panels per file: samples per second against IPUs beside the linear rate of the first
row that fits, and below them the share of each part of the step.
"""
import pathlib

import style
from matplotlib.ticker import LogLocator, NullLocator

PARTS = {
    "work": style.BLUE,
    "imbalance": style.PURPLE,
    "fill": style.YELLOW,
    "boundaries": style.SKY,
    "collectives": style.ORANGE,
    "update": style.GREEN,
    "host": style.GREY,
}
COLUMNS = ["status", "parallel.ipus", "step.seconds", "step.samples_per_second"]


def rows_of(path):
    """Rows that fit, in the order of their IPUs."""
    header, rows = style.read_rows(path)
    style.need_columns(path, header, COLUMNS + [f"step.{part}_seconds" for part in PARTS])
    rows = [row for row in rows if row["status"] == "ok"]
    if not rows:
        style.fail(f"{path}: wanted a point that fits, found none")
    return sorted(rows, key=lambda row: style.number(path, row, "parallel.ipus"))


def draw_rate(axes, ipus, rates):
    axes.plot(ipus, rates, marker="o", color=style.BLUE, label="predicted")
    axes.plot(ipus, [rates[0] * count / ipus[0] for count in ipus], color=style.GREY, linestyle=":", label="linear")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(style.unit_formatter(""))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylabel("samples per second")
    axes.legend()


def draw_shares(axes, path, rows):
    seconds = [style.number(path, row, "step.seconds") for row in rows]
    bottom = [0.0] * len(rows)
    for part, colour in PARTS.items():
        shares = [style.number(path, row, f"step.{part}_seconds") / whole for row, whole in zip(rows, seconds)]
        if not any(shares):
            continue
        axes.bar(range(len(rows)), shares, bottom=bottom, color=colour, width=0.8, label=part)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axes.yaxis.set_major_formatter(style.FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))
    axes.set_ylabel("share of the step")
    axes.set_xlabel("IPUs")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), ncols=3, fontsize=7.5)


def draw(paths):
    figure, panels = style.plt.subplots(2, len(paths), figsize=(4 * len(paths), 6), squeeze=False,
                                        gridspec_kw={"hspace": 0.5, "wspace": 0.4})
    for column, path in enumerate(paths):
        rows = rows_of(path)
        ipus = [style.number(path, row, "parallel.ipus") for row in rows]
        labels = [f"{count:g}" for count in ipus]
        draw_rate(panels[0][column], ipus, [style.number(path, row, "step.samples_per_second") for row in rows])
        panels[0][column].set_xticks(ipus, labels)
        panels[0][column].set_title(pathlib.Path(path).parent.name or path, loc="left")
        draw_shares(panels[1][column], path, rows)
        panels[1][column].set_xticks(range(len(rows)), labels)
    return figure


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    style.save(draw(arguments.results), arguments)


if __name__ == "__main__":
    main()
