#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how fast codecs are against the size of the tensor, from sweeps of the kind codec.

usage: codec_rates.py RESULTS.csv... OUT

The bytes of the tensor over the time of its encoding, left, and of its decoding, right. One curve
for each combination of the axes besides workload.shape. Points that do not fit are marked.
"""
import style
from curves import legend_beside, read_curves

SIZE = "compression.plain_saved_bytes"
WAYS = {"encoded": "compression.encode_bytes_per_second", "decoded": "compression.decode_bytes_per_second"}


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    curves = read_curves(arguments.results, ["workload.shape", SIZE], [*WAYS.values(), "compression.ratio"],
                         lambda path, row: style.number(path, row, SIZE))
    figure, panels = style.plt.subplots(1, 2, figsize=(9, 4), sharey=True)
    for axes, (way, column) in zip(panels, WAYS.items()):
        for curve in curves:
            curve.draw(axes, curve.column(column))
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(style.unit_formatter("B"))
        axes.yaxis.set_major_formatter(style.unit_formatter("B/s"))
        axes.set_xlabel("tensor")
        axes.set_title(way, loc="left")
    legend_beside(panels[1])
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
