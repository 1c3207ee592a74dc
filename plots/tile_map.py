#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a value of every tile, from what `ipusim run --out FOLDER` writes.

usage: tile_map.py FOLDER OUT [--value COLUMN]

FOLDER has tiles.csv and result.json. Above: the tiles as a map, by their numbers, line by line: not
the places that tiles have on a chip. Below: the same values in order, largest first, and for bytes
what a tile has. COLUMN is one of tiles.csv, including_gaps_bytes unless said, by which it is judged
whether a program fits.
"""
import math
import pathlib

import columns
import style
from liveness import read_memory

USUAL = "including_gaps_bytes"
NAMES = {USUAL: "memory of a tile, gaps included", "total_bytes": "memory of a tile"}


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--value", metavar="COLUMN", default=USUAL)
    return parser.parse_args()


def read_values(folder, column):
    path = str(folder / "tiles.csv")
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["tile", column])
    return [style.number(path, row, column) for row in rows]


def draw_map(figure, axes, values, unit):
    """A line has a power of two of tiles, so that its first number is easy to tell."""
    across = 2 ** math.ceil(math.log2(max(1, math.sqrt(2 * len(values)))))
    lines = math.ceil(len(values) / across)
    padded = values + [math.nan] * (lines * across - len(values))
    image = axes.imshow([padded[line * across:(line + 1) * across] for line in range(lines)], cmap="viridis",
                        aspect="auto", interpolation="nearest", extent=(0, across, lines * across, 0))
    axes.set_xlabel("tile, from the first of the line")
    axes.set_ylabel("first tile of the line")
    axes.grid(False)
    figure.colorbar(image, ax=axes, format=style.unit_formatter(unit))


def draw(folder, column):
    values = read_values(folder, column)
    unit = columns.unit_of(column)
    name = NAMES.get(column, columns.name_of(column))
    figure, (above, below) = style.plt.subplots(2, 1, figsize=(7, 6), height_ratios=[3, 2], layout="constrained")
    draw_map(figure, above, values, unit)
    fullest = max(range(len(values)), key=lambda tile: values[tile])
    above.set_title(f"{name}; most on tile {fullest}: {style.with_prefix(values[fullest], unit)}", loc="left")
    below.stairs(sorted(values, reverse=True), fill=True, color=style.BLUE)
    top = max(max(values), 1)
    if unit == "B":
        capacity = read_memory(folder)["capacity_tile_bytes"]
        below.axhline(capacity, color="black", linestyle="--", linewidth=1.2, label="a tile has")
        below.legend(loc="lower left", frameon=True)
        top = max(top, capacity)
    below.set_ylim(0, 1.08 * top)
    below.set_xlim(0, len(values))
    below.set_xlabel("tiles, fullest first" if unit == "B" else "tiles, largest first")
    below.set_ylabel(name)
    below.yaxis.set_major_formatter(style.unit_formatter(unit))
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(pathlib.Path(arguments.folder), arguments.value), arguments)


if __name__ == "__main__":
    main()
