#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the throughput of products against the skew of the left operand, from results.csv of `ipusim sweep`.

usage: skewed_matmul.py RESULTS.csv [RESULTS.csv ...] OUT [--skew ROWS COLUMNS]

The skew is ROWS / COLUMNS, workload.m / workload.k unless said. One curve for each file, machine and
value of the other axes, and for each GPU that the run config compares with, with the band of its
predictions. Points that do not fit are marked; rows without a result are left out.
"""
import curves
import style

GIGA = 1e9


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--skew", nargs=2, metavar=("ROWS", "COLUMNS"), default=["workload.m", "workload.k"])
    return parser.parse_args()


def skew_of(path, row, columns):
    rows, across = (style.number(path, row, column) for column in columns)
    if rows <= 0 or across <= 0:
        style.fail(f"{path}: {', '.join(columns)}: wanted numbers above 0, found {rows:g} and {across:g}")
    return rows / across


def draw(found, columns):
    figure, axes = style.plt.subplots(figsize=(7, 4))
    highest = 0
    for curve in found:
        rates = [GIGA * rate for rate in curve.column(f"{curve.work}.{curves.RATE}")]
        highest = max(highest, *rates)
        curve.draw_band(axes, rates)
        curve.draw(axes, rates)
    curves.set_powers_of_two(axes, [skew for curve in found for skew in curve.x])
    axes.set_ylim(0, 1.08 * highest)
    axes.yaxis.set_major_formatter(style.unit_formatter("FLOP/s"))
    axes.set_ylabel("throughput")
    names = [column.rpartition(".")[2] for column in columns]
    axes.set_xlabel(f"rows / columns of the operand ({names[0]} / {names[1]})")
    axes.set_title("Products of a skewed operand", loc="left")
    curves.legend_beside(axes)
    return figure


def main():
    arguments = parse_arguments()
    found = curves.read_curves(arguments.results, arguments.skew, [f"work.{curves.RATE}"],
                               lambda path, row: skew_of(path, row, arguments.skew))
    style.save(draw(found, arguments.skew), arguments)


if __name__ == "__main__":
    main()
