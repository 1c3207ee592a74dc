#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a value against an axis for variants of machine and program, from results.csv of `ipusim sweep`.

usage: variants.py RESULTS.csv [RESULTS.csv ...] OUT --x COLUMN --y COLUMN [COLUMN ...]
                   [--along COLUMN ...] [--relative]

A curve for each file, machine, y and value of the other axes; those that change along with x are
named by --along. --relative divides each curve by its smallest value. Points that do not fit are
marked; rows without a result are left out. With y = memory.max_tile_bytes what a tile has is drawn
for each curve, in its colour.
"""
import math
import pathlib

import columns
import curves
import style

MAX_TILE = "memory.max_tile_bytes"
MOST_TICKS = 9
TILE_HAS = "memory.capacity_tile_bytes"


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--x", metavar="COLUMN", required=True)
    parser.add_argument("--y", metavar="COLUMN", nargs="+", required=True)
    parser.add_argument("--along", metavar="COLUMN", nargs="+", default=[])
    parser.add_argument("--relative", action="store_true")
    return parser.parse_args()


def read(arguments, needed):
    """The curves of all files. A file need not have all columns of --along: its program may have other keys."""
    found = []
    for path in arguments.results:
        header, _ = style.read_rows(path)
        columns = [arguments.x, *(name for name in arguments.along if name in header)]
        of_file = curves.read_curves([path], columns, needed)
        for curve in of_file:
            curve.key["folder"] = pathlib.Path(path).resolve().parent.name
        found += of_file
    curves.add_labels(found)
    return found


def values_of(curve, column, relative):
    values = curve.column(column)
    return [value / min(values) for value in values] if relative else values


def draw_curve(axes, curve, column, arguments):
    values = values_of(curve, column, arguments.relative)
    curve.draw(axes, values)
    if column == MAX_TILE and not arguments.relative:
        axes.plot(curve.x, curve.column(TILE_HAS), color=curve.look["color"], linestyle=":", linewidth=1)
    return values


def set_axes(axes, arguments, x_values, y_values):
    if style.spans_decades(x_values, 8):
        axes.set_xscale("log", base=2)
        ticks = sorted(set(x_values))
        if len(ticks) > MOST_TICKS:
            first, last = math.ceil(math.log2(ticks[0])), math.floor(math.log2(ticks[-1]))
            ticks = [2**power for power in range(first, last + 1, math.ceil((last - first + 1) / MOST_TICKS))]
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.minorticks_off()
    if style.spans_decades(y_values, 8):
        axes.set_yscale("log")
        axes.minorticks_off()
    elif not arguments.relative:
        axes.set_ylim(bottom=0)
    column = arguments.y[0]
    if arguments.relative:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    elif column.endswith("seconds"):
        axes.yaxis.set_major_formatter(style.small_unit_formatter("s"))
    else:
        axes.yaxis.set_major_formatter(style.unit_formatter(columns.unit_of(column)))
    axes.set_xlabel(columns.label_of(arguments.x))
    names = {columns.name_of(name).partition(" on the ")[0] for name in arguments.y}
    if len(names) == 1:
        axes.set_ylabel(names.pop() + (", relative to the smallest" if arguments.relative else ""))


def draw(arguments):
    needed = arguments.y + ([TILE_HAS] if MAX_TILE in arguments.y else [])
    found = read(arguments, needed)
    figure, axes = style.plt.subplots(figsize=(6.4, 4))
    drawn, look = [], 0
    for curve in found:
        label = curve.label
        for column in arguments.y:
            curve.label = label if len(arguments.y) == 1 else f"{label}: {columns.name_of(column)}" if label else columns.name_of(column)
            curve.look = curves.LOOKS[look % len(curves.LOOKS)]
            drawn += draw_curve(axes, curve, column, arguments)
            look += 1
    set_axes(axes, arguments, [x for curve in found for x in curve.x], drawn)
    curves.legend_beside(axes)
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(arguments), arguments)


if __name__ == "__main__":
    main()
