#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how many times faster training is with codes for activations than one machine is without.

usage: compression_gain.py PLAIN.csv [RESULTS.csv ...] OUT --x COLUMN

The files are results.csv of sweeps with the axis workload.compress.codec. Rows of PLAIN.csv whose
codec is none are what all are compared with, each with the row of the same batch, rates and other
axes, as far as both files have them. One curve for each combination of the axes besides COLUMN.
A single file compares each machine with itself.
"""
import pathlib

import columns
import gains
import style
from curves import LOOKS, words_of


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--x", required=True, metavar="COLUMN")
    return parser.parse_args()


def curves_of(path, x_column, plain):
    """Labels, and points in the order of x."""
    header, rows = gains.read_coded(path, [x_column])
    gained = gains.add_gains(path, rows, plain)
    axes = [axis for axis in gains.axes_of(header) if axis != x_column]
    for key, group in gains.groups_by(gained, axes).items():
        points = sorted((style.number(path, row, x_column), row["gain"]) for row in group)
        if len({x for x, _ in points}) != len(points):
            style.fail(f"{path}: {x_column}: wanted each value once in a curve, found one twice")
        yield ", ".join(words_of(axis, value) for axis, value in key), points


def main():
    arguments = parse_arguments()
    plain = gains.Plain(arguments.results[0])
    figure, axes = style.plt.subplots(figsize=(6.4, 4.2))
    count = 0
    for path in arguments.results:
        for label, points in curves_of(path, arguments.x, plain):
            folder = pathlib.Path(path).resolve().parent.name if len(arguments.results) > 1 else ""
            axes.plot(*zip(*points), label=", ".join(filter(None, (folder, label))), **LOOKS[count % len(LOOKS)])
            count += 1
    axes.axhline(1, color=style.GREY, linestyle=":", linewidth=1)
    axes.set_xlabel(columns.label_of(arguments.x))
    axes.set_ylabel("speed-up over no codes")
    axes.set_ylim(bottom=0)
    if any(axes.get_legend_handles_labels()[1]):
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.03))
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
