#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws over two axes of a sweep when codes for activations pay, from its results.csv.

usage: compression_map.py RESULTS.csv OUT X_COLUMN Y_COLUMN

The sweep has the axis workload.compress.codec, with none among its values. A cell has the speed-up
of codes over none at the same point: of the best codes, where axes of codes have several values.
Cells above 1 are blue, those below 1 orange. A line parts them.
"""
import math

import columns
import gains
import style
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

COLOURS = LinearSegmentedColormap.from_list("gain", [style.ORANGE, "white", style.BLUE])


def parse_arguments():
    parser = style.parser(__doc__)
    for name in ("RESULTS.csv", "OUT", "X_COLUMN", "Y_COLUMN"):
        parser.add_argument(name.split(".")[0].lower(), metavar=name)
    return parser.parse_args()


def read_cells(path, x_column, y_column):
    """The best gain by (x, y)."""
    header, rows = gains.read_coded(path, [x_column, y_column])
    others = [axis for axis in gains.axes_of(header) if not gains.is_of_codes(axis)]
    gained = gains.add_gains(path, rows, gains.Plain(path))
    if gains.free_axes(gained, others, [x_column, y_column]):
        style.fail(f"{path}: wanted one value of each axis besides {x_column}, {y_column} and those of codes")
    cells = {}
    for row in gained:
        at = tuple(style.number(path, row, column) for column in (x_column, y_column))
        cells[at] = max(row["gain"], cells.get(at, 0))
    return cells


def draw_border(axes, grid):
    """A line along the edges between cells above and below 1."""
    for row, gains_of_row in enumerate(grid):
        for column, gain in enumerate(gains_of_row):
            right = gains_of_row[column + 1] if column + 1 < len(gains_of_row) else gain
            above = grid[row + 1][column] if row + 1 < len(grid) else gain
            if (gain - 1) * (right - 1) < 0:
                axes.plot([column + 0.5] * 2, [row - 0.5, row + 0.5], color="black", linewidth=1.5)
            if (gain - 1) * (above - 1) < 0:
                axes.plot([column - 0.5, column + 0.5], [row + 0.5] * 2, color="black", linewidth=1.5)


def tick_texts(values):
    return [style.with_prefix(value, "") if value >= 1e4 else f"{value:g}" for value in values]


def draw(cells, arguments):
    xs, ys = (sorted({at[i] for at in cells}) for i in (0, 1))
    grid = [[cells.get((x, y), math.nan) for x in xs] for y in ys]
    figure, axes = style.plt.subplots(figsize=(2.4 + 0.62 * len(xs), 1.2 + 0.42 * len(ys)), layout="constrained")
    logs = [math.log2(gain) for gain in cells.values()]
    norm = TwoSlopeNorm(0, min(-0.1, *logs), max(0.1, *logs))
    axes.imshow([[math.log2(gain) for gain in row] for row in grid], origin="lower", aspect="auto", cmap=COLOURS,
                norm=norm)
    for (x, y), gain in cells.items():
        axes.text(xs.index(x), ys.index(y), f"{gain:.3g}", ha="center", va="center", fontsize=7)
    draw_border(axes, grid)
    axes.set_xticks(range(len(xs)), tick_texts(xs))
    axes.set_yticks(range(len(ys)), tick_texts(ys))
    axes.set_xlabel(columns.label_of(arguments.x_column))
    axes.set_ylabel(columns.label_of(arguments.y_column))
    axes.grid(False)
    axes.set_title("speed-up of codes", loc="left")
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(read_cells(arguments.results, arguments.x_column, arguments.y_column), arguments), arguments)


if __name__ == "__main__":
    main()
