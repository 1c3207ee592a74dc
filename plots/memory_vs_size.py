#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws memory against problem size, from the results.csv that `ipusim sweep` writes.

usage: memory_vs_size.py RESULTS.csv OUT [--x COLUMN]

Above: the bytes of all tiles together by category, and what the machine has: stacked, or where they
span decades as lines on a logarithmic axis, on which the height of a stack would mean nothing.
Below: the fullest tile, the mean tile with the gaps between its addresses, and what a tile has.
Points that do not fit are marked; rows without a result are left out. COLUMN is the axis to draw
against, the first column unless said.
"""
import columns
import style

PREFIX = "memory.by_category."
NEEDED = [
    "status",
    "machine.tiles",
    "machine.total_sram_bytes",
    "memory.capacity_tile_bytes",
    "memory.max_tile_bytes",
    "memory.total_including_gaps_bytes",
]
LEAST_SHARE = 0.002  # smaller categories are drawn as one


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--x", metavar="COLUMN")
    return parser.parse_args()


class Points:
    """The rows that have a result, in the order of x."""

    def __init__(self, path, x_column):
        header, rows = style.read_rows(path)
        self.x_column = x_column or header[0]
        style.need_columns(path, header, [self.x_column, *NEEDED])
        rows = [row for row in rows if row["status"] in ("ok", "does_not_fit")]
        if len(rows) < 2:
            style.fail(f"{path}: wanted two rows or more whose status is ok or does_not_fit, found {len(rows)}")
        rows.sort(key=lambda row: style.number(path, row, self.x_column))

        def column(name):
            return [style.number(path, row, name) for row in rows]

        self.x = column(self.x_column)
        if len(set(self.x)) != len(self.x):
            style.fail(f"{path}: {self.x_column}: wanted each value once, found one twice (--x names another column)")
        self.fits = [row["status"] == "ok" for row in rows]
        self.max_tile = column("memory.max_tile_bytes")
        self.mean_with_gaps = [
            total / tiles for total, tiles in zip(column("memory.total_including_gaps_bytes"), column("machine.tiles"))
        ]
        self.tile_capacity = column("memory.capacity_tile_bytes")
        self.capacity = column("machine.total_sram_bytes")
        self.categories = {name[len(PREFIX):]: column(name) for name in header if name.startswith(PREFIX)}

    def totals(self):
        return [sum(values) for values in zip(*self.categories.values())]

    def by_size(self):
        """(name, values), the largest category first, the small ones joined."""
        totals = self.totals()
        large, small = [], [0.0] * len(self.x)
        for name, values in self.categories.items():
            if any(value > LEAST_SHARE * total for value, total in zip(values, totals)):
                large.append((name, values))
            else:
                small = [a + b for a, b in zip(small, values)]
        large.sort(key=lambda item: -sum(value / total for value, total in zip(item[1], totals)))
        return large + ([("everything else", small)] if any(small) else [])


def mark_misfits(axes, points, heights):
    misfits = [(x, y) for x, y, fits in zip(points.x, heights, points.fits) if not fits]
    if misfits:
        axes.plot(*zip(*misfits), **style.MISFIT)


def draw_stack(axes, points):
    stacked = points.by_size()
    axes.stackplot(points.x, [values for _, values in stacked],
                   colors=[style.category_colour(name, i) for i, (name, _) in enumerate(stacked)],
                   labels=[style.words(name) for name, _ in stacked], linewidth=0)
    axes.set_ylim(bottom=0)


def draw_lines(axes, points):
    for i, (name, values) in reversed(list(enumerate(points.by_size()))):
        axes.plot(points.x, [value or float("nan") for value in values], color=style.category_colour(name, i),
                  marker=".", linewidth=1.4, label=style.words(name))
    axes.plot(points.x, points.totals(), color="black", linewidth=1.8, label="total")
    axes.set_yscale("log")


def keep_inside(axes, capacity):
    """Leaves room above the line of what there is, however little is in use."""
    room = 2 if axes.get_yscale() == "log" else 1.08
    axes.set_ylim(top=max(axes.get_ylim()[1], room * max(capacity)))


def draw_categories(axes, points):
    if style.spans_decades(points.totals()):
        draw_lines(axes, points)
    else:
        draw_stack(axes, points)
    axes.plot(points.x, points.capacity, color="black", linestyle="--", linewidth=1.2, label="the machine has")
    keep_inside(axes, points.capacity)
    mark_misfits(axes, points, points.totals())
    axes.yaxis.set_major_formatter(style.unit_formatter("B"))
    axes.set_ylabel("all tiles together")
    axes.set_title("Memory by category", loc="left")


def draw_tiles(axes, points):
    axes.plot(points.x, points.tile_capacity, color="black", linestyle="--", linewidth=1.2, label="a tile has")
    axes.plot(points.x, points.mean_with_gaps, color=style.GREY, marker=".", linewidth=1,
              label="mean tile, gaps included")
    axes.plot(points.x, points.max_tile, color=style.BLUE, marker="o", markersize=4, label="fullest tile")
    mark_misfits(axes, points, points.max_tile)
    if style.spans_decades(points.max_tile):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    keep_inside(axes, points.tile_capacity)
    axes.yaxis.set_major_formatter(style.unit_formatter("B"))
    axes.set_ylabel("memory of a tile")
    axes.set_xlabel(columns.label_of(points.x_column))


def finish(axes, points):
    """The scale of x, and the legend beside the axes in the order of the stack."""
    if style.spans_decades(points.x, 8):
        axes.set_xscale("log", base=2)
        axes.set_xticks(points.x, [f"{x:g}" for x in points.x])
        axes.minorticks_off()
    axes.set_xlim(min(points.x), max(points.x))
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1.02, 1.03))


def draw(points):
    figure, (above, below) = style.plt.subplots(2, 1, figsize=(7, 6.4), sharex=True, height_ratios=[3, 2])
    draw_categories(above, points)
    draw_tiles(below, points)
    finish(above, points)
    finish(below, points)
    figure.align_ylabels()
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(Points(arguments.results, arguments.x)), arguments)


if __name__ == "__main__":
    main()
