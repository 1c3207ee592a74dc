#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the rate, such as that of streaming memory, at which codes for activations stop to pay.

usage: break_even.py RESULTS.csv OUT --x COLUMN --rate COLUMN

The sweep has the axis workload.compress.codec, with none among its values, and the axis of the
rate. For each value of COLUMN, the rate at which a step takes as long with codes as without: between
two points of the sweep, on a logarithmic scale. Values at which codes pay or do not at all rates of
the sweep have no point. One curve for each combination of the other axes.
"""
import columns
import gains
import style
from curves import LOOKS, words_of


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--x", required=True, metavar="COLUMN")
    parser.add_argument("--rate", required=True, metavar="COLUMN")
    return parser.parse_args()


def read_curves(path, x_column, rate_column):
    """Labels, and points (x, rate)."""
    header, rows = gains.read_coded(path, [x_column, rate_column])
    gained = gains.add_gains(path, rows, gains.Plain(path))
    axes = gains.free_axes(gained, gains.axes_of(header), [x_column, rate_column])
    curves = []
    for key, group in gains.groups_by(gained, axes).items():
        by_x = {}
        for row in group:
            by_x.setdefault(style.number(path, row, x_column), []).append(
                (style.number(path, row, rate_column), row["gain"]))
        crossings = [(x, gains.crossing(sorted(points))) for x, points in sorted(by_x.items())]
        found = [(x, rate) for x, rate in crossings if rate is not None]
        if found:
            curves.append((", ".join(words_of(axis, value) for axis, value in key), found))
    if not curves:
        style.fail(f"{path}: wanted {rate_column} from where codes pay to where they do not, found no such change")
    return curves


def main():
    arguments = parse_arguments()
    figure, axes = style.plt.subplots(figsize=(6.4, 4.2))
    for i, (label, points) in enumerate(read_curves(arguments.results, arguments.x, arguments.rate)):
        axes.plot(*zip(*points), label=label, **LOOKS[i % len(LOOKS)])
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(style.unit_formatter(columns.unit_of(arguments.rate)))
    axes.set_xlabel(columns.label_of(arguments.x))
    axes.set_ylabel(f"{columns.name_of(arguments.rate)} at break-even")
    if any(axes.get_legend_handles_labels()[1]):
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.03))
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
