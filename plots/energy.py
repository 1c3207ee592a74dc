#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws energy against time for programs of several sizes, from the results.csv that `ipusim sweep` writes.

usage: energy.py BASE.csv [RESULTS.csv ...] OUT --size COLUMN [COLUMN ...] [--along COLUMN ...]

Left: a curve for each file and each value of its axes but those of --size and --along; the size of a
row is its value of the first column of --size that its file has. Vertical bars are bands of 90 %.
Right: energy over that of the first curve at the same size, draw by draw, so that what both have in
common cancels: median and 90 %. A hollow point is a tie, less in more than a tenth of the draws and
more in more than a tenth. Points that do not fit are left out.
"""
import style
from columns import label_of, name_of
from curves import add_labels, curves_of_file

JOULES = "energy.joules"
BAND = ["energy.low_joules", "energy.high_joules"]
DRAWS = "energy.joules_draws"
NEEDED = ["time.seconds", JOULES, *BAND, DRAWS]
TIE_SHARE = 0.1


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--size", metavar="COLUMN", nargs="+", required=True)
    parser.add_argument("--along", metavar="COLUMN", nargs="+", default=[])
    return parser.parse_args()


def read(arguments):
    curves = []
    for path in arguments.results:
        header, _ = style.read_rows(path)
        size = next((name for name in arguments.size if name in header), None)
        style.need_columns(path, header, arguments.size if size is None else [])
        along = [name for name in (*arguments.size, *arguments.along) if name in header]
        curves += curves_of_file(path, along, NEEDED, lambda file, row, size=size: style.number(file, row, size))
    for curve in curves:
        curve.rows = [row for row in curve.rows if row["status"] == "ok" and row[JOULES]]
        curve.x = [curve.x_of(row) for row in curve.rows]
    curves = [curve for curve in curves if curve.rows]
    if not curves:
        style.fail(f"{', '.join(arguments.results)}: wanted a row that fits and has {JOULES}, found none")
    add_labels(curves)
    return curves


def draws_of(curve):
    """The joules in each draw, by size."""
    return {size: [float(text) for text in row[DRAWS].split()] for size, row in zip(curve.x, curve.rows)}


def quantile(values, share):
    """Between the two nearest, as results have it."""
    at = share * (len(values) - 1)
    first = sorted(values)[int(at):int(at) + 2]
    return first[0] + (first[-1] - first[0]) * (at - int(at))


def bars(middle, low, high):
    return [[m - l for m, l in zip(middle, low)], [h - m for m, h in zip(middle, high)]]


def draw_energies(axes, curves):
    for curve in curves:
        joules, low, high = (curve.column(name) for name in (JOULES, *BAND))
        axes.errorbar(curve.column("time.seconds"), joules, yerr=bars(joules, low, high), label=curve.label,
                      elinewidth=0.8, **curve.look)
    largest = max(curves, key=lambda curve: len(curve.x))
    for size, seconds, joules in zip(largest.x, largest.column("time.seconds"), largest.column(JOULES)):
        axes.annotate(f"{size:g}", (seconds, joules), xytext=(4, -9), textcoords="offset points", fontsize=6.5)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(style.small_unit_formatter("s"))
    axes.yaxis.set_major_formatter(style.small_unit_formatter("J"))
    axes.set_xlabel(name_of("time.seconds"))
    axes.set_ylabel(name_of(JOULES))
    if len(curves) > 1:
        axes.legend(loc="upper left", fontsize=7.5)


def draw_ratios(axes, base, curves, size):
    of_base = draws_of(base)
    axes.axhline(1, **{**base.look, "marker": None})
    for curve in curves:
        drawn = draws_of(curve)
        sizes = [x for x in curve.x if x in of_base]
        ratios = [[a / b for a, b in zip(drawn[x], of_base[x])] for x in sizes]
        middle = [quantile(values, 0.5) for values in ratios]
        yerr = bars(middle, [quantile(values, 0.05) for values in ratios], [quantile(values, 0.95) for values in ratios])
        axes.errorbar(sizes, middle, yerr=yerr, elinewidth=0.8, **curve.look)
        less = [sum(ratio < 1 for ratio in values) / len(values) for values in ratios]
        ties = [(x, y) for x, y, share in zip(sizes, middle, less) if TIE_SHARE < share < 1 - TIE_SHARE]
        if ties:
            axes.plot(*zip(*ties), linestyle="none", marker="o", markersize=9, markerfacecolor="white",
                      markeredgecolor=curve.look["color"], zorder=4)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ticks = sorted(of_base)
    axes.set_xticks(ticks, [f"{x:g}" for x in ticks], fontsize=7)
    axes.set_xlabel(label_of(size))
    axes.set_ylabel(f"energy over that of {base.label or 'the first'}")


def main():
    arguments = parse_arguments()
    curves = read(arguments)
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    draw_energies(left, curves)
    draw_ratios(right, curves[0], curves[1:], arguments.size[0])
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
