#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a value over two axes of a sweep, from the results.csv that `ipusim sweep` writes.

usage: heat_map.py RESULTS.csv OUT X_COLUMN Y_COLUMN VALUE_COLUMN

A cell for each pair of values; its number is that of VALUE_COLUMN. Cells whose program does not fit
are crossed; those without a row or a result are empty. Other axes may have one value only, or change
along with these.
"""
import math

import columns
import style


def parse_arguments():
    parser = style.parser(__doc__)
    for name in ("RESULTS.csv", "OUT", "X_COLUMN", "Y_COLUMN", "VALUE_COLUMN"):
        parser.add_argument(name.split(".")[0].lower(), metavar=name)
    return parser.parse_args()


class Cells:
    """Values and whether they fit by (x, y)."""

    def __init__(self, path, x_column, y_column, value_column):
        header, rows = style.read_rows(path)
        style.need_columns(path, header, ["status", x_column, y_column, value_column])
        self.value, self.fits = {}, {}
        for row in rows:
            if row["status"] not in ("ok", "does_not_fit"):
                continue
            at = tuple(style.number(path, row, column) for column in (x_column, y_column))
            if at in self.value:
                style.fail(f"{path}: {x_column}, {y_column}: wanted each pair once, found {at[0]:g}, {at[1]:g} twice")
            self.value[at] = style.number(path, row, value_column)
            self.fits[at] = row["status"] == "ok"
        if not self.value:
            style.fail(f"{path}: wanted a row whose status is ok or does_not_fit, found none")
        self.x, self.y = (sorted({at[i] for at in self.value}) for i in (0, 1))

    def grid(self):
        return [[self.value.get((x, y), math.nan) for x in self.x] for y in self.y]


def text_of(value):
    return style.with_prefix(value, "") if abs(value) >= 1 else f"{value:.3g}"


def draw_cell(axes, cells, image, place, at):
    """The number, dark on light and light on dark, crossed out where the program does not fit."""
    column, row = place
    value = cells.value[at]
    red, green, blue, _ = image.cmap(image.norm(value))
    dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
    axes.text(column, row, text_of(value), ha="center", va="center", fontsize=7, color="white" if dark else "black")
    if not cells.fits[at]:
        axes.plot([column - 0.5, column + 0.5], [row - 0.5, row + 0.5], color=style.RED, linewidth=1.5)


def draw(cells, arguments):
    size = (1.6 + 0.62 * len(cells.x), 1.2 + 0.42 * len(cells.y))
    figure, axes = style.plt.subplots(figsize=size, layout="constrained")
    image = axes.imshow(cells.grid(), origin="lower", aspect="auto", cmap="viridis")
    for row, y in enumerate(cells.y):
        for column, x in enumerate(cells.x):
            if (x, y) in cells.value:
                draw_cell(axes, cells, image, (column, row), (x, y))
    axes.set_xticks(range(len(cells.x)), [f"{x:g}" for x in cells.x])
    axes.set_yticks(range(len(cells.y)), [f"{y:g}" for y in cells.y])
    axes.set_xlabel(columns.label_of(arguments.x_column))
    axes.set_ylabel(columns.label_of(arguments.y_column))
    axes.grid(False)
    crossed = "" if all(cells.fits.values()) else ", crossed where it does not fit"
    axes.set_title(columns.label_of(arguments.value_column) + crossed, loc="left")
    return figure


def main():
    arguments = parse_arguments()
    cells = Cells(arguments.results, arguments.x_column, arguments.y_column, arguments.value_column)
    style.save(draw(cells, arguments), arguments)


if __name__ == "__main__":
    main()
