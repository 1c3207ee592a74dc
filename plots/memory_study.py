#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what variants of a program take against problem size, from results.csv of `ipusim sweep`.

usage: memory_study.py RESULTS.csv [RESULTS.csv ...] OUT [--x COLUMN]

Above: variables, vertices, edges and compute sets, and the memory of all tiles that is left. Below:
the memory of all tiles, and for each variant by category as shares of it. One curve for each file,
machine and value of the other axes; workload.m and workload.k change along with COLUMN, workload.n
unless said. Points that do not fit are marked; rows without a result are left out.
"""
import curves
import style

PREFIX = "memory.by_category."
COUNTS = ["graph.variables", "graph.vertices", "graph.edges", "graph.compute_sets"]
CAPACITY = "machine.total_sram_bytes"
TOTAL = "memory.total_bytes"
SIZES = ["workload.n", "workload.m", "workload.k"]
LEAST_SHARE = 0.01  # categories that are smaller everywhere are drawn as one
HUNDRED = 100


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--x", metavar="COLUMN", default=SIZES[0])
    return parser.parse_args()


def read(paths, x_column):
    columns = [x_column, *(size for size in SIZES if size != x_column)]
    found = curves.read_curves(paths, columns, [*COUNTS, CAPACITY, TOTAL])
    for curve in found:
        for name in (x_column, TOTAL):
            if min(curve.column(name)) <= 0:
                style.fail(f"{curve.path}: {name}: wanted numbers above 0, found {min(curve.column(name)):g}")
    return found


def draw_count(axes, found, name):
    for curve in found:
        curve.draw(axes, curve.column(name))
    axes.set_title(style.words(name.rpartition(".")[2]), loc="left")
    set_log_if_wide(axes, [value for curve in found for value in curve.column(name)])
    axes.yaxis.set_major_formatter(style.unit_formatter(""))


def set_log_if_wide(axes, values):
    if style.spans_decades(values):
        axes.set_yscale("log")
        axes.minorticks_off()
    else:
        axes.set_ylim(0, 1.1 * max(*values, 1))


def draw_free(axes, found):
    for curve in found:
        left = [capacity - total for capacity, total in zip(curve.column(CAPACITY), curve.column(TOTAL))]
        curve.draw(axes, [max(0, value) for value in left])
    axes.set_title("memory left, all tiles", loc="left")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(style.unit_formatter("B"))


def draw_total(axes, found):
    for curve in found:
        curve.draw(axes, curve.column(TOTAL))
    for capacity in sorted({curve.column(CAPACITY)[0] for curve in found}):
        axes.axhline(capacity, color="black", linestyle="--", linewidth=1)
        axes.annotate("the machine has", (0, capacity), xycoords=("axes fraction", "data"), xytext=(3, 3),
                      textcoords="offset points", fontsize=8)
    axes.set_title("memory, all tiles", loc="left")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(style.unit_formatter("B"))


def shares_of(curve):
    """{category: per cent of the categories' sum at each x}."""
    names = [name for name in curve.rows[0] if name.startswith(PREFIX)]
    columns = {name[len(PREFIX):]: curve.column(name) for name in names}
    totals = [sum(values) or 1 for values in zip(*columns.values())]
    return {name: [HUNDRED * value / total for value, total in zip(values, totals)] for name, values in columns.items()}


def drawn_categories(found):
    """The categories that are more than a sliver anywhere, in the palette's order."""
    shares = [shares_of(curve) for curve in found]
    names = dict.fromkeys(name for share in shares for name in share)
    large = [name for name in names if any(max(share.get(name, [0])) >= HUNDRED * LEAST_SHARE for share in shares)]
    known = list(style.CATEGORY_COLOURS)
    return sorted(large, key=lambda name: known.index(name) if name in known else len(known))


def draw_shares(axes, curve, categories):
    shares = shares_of(curve)
    stacked = [shares.get(name, [0] * len(curve.x)) for name in categories]
    rest = [HUNDRED - sum(values) for values in zip(*stacked)] if stacked else [HUNDRED] * len(curve.x)
    axes.stackplot(curve.x, [*stacked, rest], linewidth=0, labels=[*(style.words(name) for name in categories), "other"],
                   colors=[*(style.category_colour(name, i) for i, name in enumerate(categories)), "#EEEEEE"])
    misfits = [x for x, fits in zip(curve.x, curve.fits) if not fits]
    if misfits:  # an empty line that is not clipped would stretch the figure to its corner
        axes.plot(misfits, [HUNDRED] * len(misfits), **{**style.MISFIT, "label": ""})
    axes.set_title(f"{curve.label or 'memory'}, by category", loc="left")
    axes.set_ylim(0, HUNDRED)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")


def set_x(axes, found, x_column):
    sizes = [x for curve in found for x in curve.x]
    if style.spans_decades(sizes, 8):
        curves.set_powers_of_two(axes, sizes, text=lambda power: f"{2**power:g}", most_ticks=3)
    axes.set_xlabel(x_column.rpartition(".")[2])


def draw(found, x_column):
    columns = max(len(COUNTS), len(found)) + 1
    figure, grid = style.plt.subplots(2, columns, figsize=(2.9 * columns, 6.2), sharex=True)
    figure.subplots_adjust(wspace=0.42, hspace=0.42)
    for axes, name in zip(grid[0], COUNTS):
        draw_count(axes, found, name)
    draw_free(grid[0][len(COUNTS)], found)
    draw_total(grid[1][0], found)
    categories = drawn_categories(found)
    for axes, curve in zip(grid[1][1:], found):
        draw_shares(axes, curve, categories)
    for axes in [*grid[0][len(COUNTS) + 1:], *grid[1][len(found) + 1:]]:
        axes.set_axis_off()
    for axes in grid.flat:
        axes.tick_params(labelbottom=True)
        set_x(axes, found, x_column)
    curves.legend_beside(grid[0][len(COUNTS)])
    curves.legend_beside(grid[1][len(found)])
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(read(arguments.results, arguments.x), arguments.x), arguments)


if __name__ == "__main__":
    main()
