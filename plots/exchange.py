#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what messages between tiles take against their size, from results.csv of `ipusim sweep`.

usage: exchange.py RESULTS.csv [RESULTS.csv ...] OUT

Left: the time from the start of the sync before the exchange to the last byte. Right: the bytes of
one message over that time. One curve for each file, machine and value of the other axes. Points
that do not fit are marked; rows without a result are left out.
"""
import curves
import style

BYTES = "workload.bytes"
SECONDS = "time.seconds"
MOST_TICKS = 7


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def seconds_of(curve):
    seconds = curve.column(SECONDS)
    if min(seconds) <= 0 or min(curve.x) <= 0:
        style.fail(f"{curve.path}: {SECONDS}, {BYTES}: wanted numbers above 0, found one of 0 or less")
    return seconds


def set_sizes(axes, sizes):
    axes.set_xscale("log", base=2)
    every = -(-len(sizes) // MOST_TICKS)
    ticks = sizes[::every]
    axes.set_xticks(ticks, [style.with_binary_prefix(size) for size in ticks], rotation=30)
    axes.minorticks_off()
    axes.set_xlabel("bytes of a message")


def draw(found):
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(9.5, 4))
    for curve in found:
        seconds = seconds_of(curve)
        curve.draw(left, seconds)
        curve.draw(right, [size / time for size, time in zip(curve.x, seconds)])
    sizes = sorted({size for curve in found for size in curve.x})
    for axes in (left, right):
        axes.set_yscale("log")
        set_sizes(axes, sizes)
    left.set_title("Time, with its sync", loc="left")
    left.yaxis.set_major_formatter(style.small_unit_formatter("s"))
    right.set_title("Bandwidth of a message", loc="left")
    right.yaxis.set_major_formatter(style.unit_formatter("B/s"))
    curves.legend_beside(right)
    figure.tight_layout()
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(curves.read_curves(arguments.results, [BYTES], [SECONDS])), arguments)


if __name__ == "__main__":
    main()
