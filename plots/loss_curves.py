#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how a small network learns with each codec, from the CURVES.csv of compression_study.

usage: loss_curves.py CURVES.csv OUT [--codecs NAME...]

A line for the mean over all seeds of the loss of ten steps, and a band from the least to the most.
"""
import style
from curves import LOOKS

WINDOW = 10


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("curves", metavar="CURVES.csv")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--codecs", metavar="NAME", nargs="+")
    return parser.parse_args()


def read_losses(path):
    """By codec, by seed: the losses in the order of the steps."""
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["codec", "seed", "step", "loss"])
    losses = {}
    for row in sorted(rows, key=lambda row: style.number(path, row, "step")):
        losses.setdefault(row["codec"], {}).setdefault(row["seed"], []).append(style.number(path, row, "loss"))
    return losses


def windows(values):
    return [sum(values[i:i + WINDOW]) / len(values[i:i + WINDOW]) for i in range(0, len(values), WINDOW)]


def main():
    arguments = parse_arguments()
    losses = read_losses(arguments.curves)
    figure, axes = style.plt.subplots(figsize=(6.4, 4.2))
    for i, codec in enumerate(arguments.codecs or losses):
        if codec not in losses:
            style.fail(f"{arguments.curves}: codec: wanted one of {', '.join(losses)}, found {codec!r}")
        seeds = list(zip(*map(windows, losses[codec].values())))
        steps = [WINDOW * window for window in range(len(seeds))]
        look = {**LOOKS[i % len(LOOKS)], "marker": None}
        axes.plot(steps, [sum(values) / len(values) for values in seeds], label=style.words(codec), **look)
        axes.fill_between(steps, [min(values) for values in seeds], [max(values) for values in seeds],
                          color=look["color"], alpha=0.12, linewidth=0)
    axes.set_yscale("log")
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.03))
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
