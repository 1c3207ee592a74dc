#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws structured layers beside the dense one, from the results.csv that `ipusim sweep` writes.

usage: structured_layers.py RESULTS.csv... OUT [--host-seconds S]

Against the features: time of the forward pass, speed-up over the dense layer, compute sets and memory.
A file has a curve for each workload.lowering; it is called after its folder. The dense layer is that of
the first file. Where the sweep compares with a GPU, its times are dotted. A file of a sweep of dense
layers, with the axis workload.in, adds the dense layer on that GPU, with tensor cores too: where its
curve crosses a dotted one is the break-even on the GPU. Speed-ups are those of the chip
alone and, dashed, with S seconds of the host on either side; host copies count where the sweep has them. Points that
do not fit are marked.
"""
import pathlib

import columns
import style
from curves import LOOKS
from style import plt

NEEDED = ["workload.features", "status", "machine.total_sram_bytes", "memory.total_bytes", "time.seconds",
          "graph.compute_sets", "dense.fits", "dense.seconds", "dense.total_bytes", "dense.graph.compute_sets"]
GPU_SECONDS = "compare.a30.seconds"
MOST_COLUMNS = 5  # of the legend
DENSE_INPUTS = "workload.in"  # the axis of a sweep of dense layers
DENSE_GPU_LOOKS = {
    "compare.a30.seconds": {"color": "black", "linestyle": ":", "marker": "x", "markersize": 4, "linewidth": 1.3},
    "compare.a30_tf32.seconds": {"color": style.GREY, "linestyle": ":", "marker": "+", "markersize": 6, "linewidth": 1.3},
}
DENSE_LOOK = {"color": "black", "marker": "x", "markersize": 5, "linewidth": 1.3}


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("results", metavar="RESULTS.csv", nargs="+")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--host-seconds", metavar="S", type=float, default=0.0)
    return parser.parse_args()


class Series:
    """The rows of one layer in the order of its features."""

    def __init__(self, path, label, rows):
        self.label, self.rows = label, sorted(rows, key=lambda row: style.number(path, row, "workload.features"))
        self.path = path
        self.fits = [row["status"] == "ok" for row in self.rows]
        self.dense_fits = [row["dense.fits"].lower() == "true" for row in self.rows]
        self.x = self.column("workload.features")
        self.seconds = self.column("time.seconds")
        self.dense_seconds = self.column("dense.seconds")

    def column(self, name):
        return [style.number(self.path, row, name) for row in self.rows]

    def speedups(self, host_seconds):
        """(features, speed-up) of the points that both fit."""
        return [(x, (dense + host_seconds) / (own + host_seconds))
                for x, own, dense, fits, dense_fits in zip(self.x, self.seconds, self.dense_seconds, self.fits,
                                                           self.dense_fits) if fits and dense_fits]


def read_series(path):
    header, rows = style.read_rows(path)
    style.need_columns(path, header, NEEDED)
    rows = [row for row in rows if row["status"] in ("ok", "does_not_fit")]
    if not rows:
        style.fail(f"{path}: wanted a row whose status is ok or does_not_fit, found none")
    name = columns.words(pathlib.Path(path).resolve().parent.name)
    lowerings = list(dict.fromkeys(row.get("workload.lowering") or "" for row in rows))
    return [Series(path, f"{name}, {lowering}" if lowering else name,
                   [row for row in rows if (row.get("workload.lowering") or "") == lowering])
            for lowering in lowerings]


def draw_points(axes, x, values, fits, look, label):
    kept = [(a, b) for a, b, ok in zip(x, values, fits) if ok]
    axes.plot([a for a, _ in kept], [b for _, b in kept], label=label, **look)
    lost = [(a, b) for a, b, ok in zip(x, values, fits) if not ok]
    if lost:
        axes.plot([a for a, _ in lost], [b for _, b in lost], **{**style.MISFIT, "color": look["color"], "label": None})


def draw_result(axes, series, own, dense):
    for one, look in zip(series, LOOKS):
        draw_points(axes, one.x, one.column(own), one.fits, look, one.label)
    draw_points(axes, series[0].x, series[0].column(dense), series[0].dense_fits, DENSE_LOOK, "dense")
    axes.set_yscale("log")


def draw_gpu(axes, series):
    """The A30's times: of the same layers, so a curve for each file."""
    drawn = set()
    for one, look in zip(series, LOOKS):
        points = [(x, float(row[GPU_SECONDS])) for x, row in zip(one.x, one.rows) if row.get(GPU_SECONDS)]
        if points and one.path not in drawn:
            drawn.add(one.path)
            axes.plot([x for x, _ in points], [y for _, y in points], color=look["color"], linestyle=":",
                      linewidth=1.3, label=f"{one.label.split(',')[0]} on an A30")


def draw_dense_gpu(axes, paths):
    """The dense layer on the GPU, from sweeps of dense layers."""
    for path in paths:
        header, rows = style.read_rows(path)
        for column, look in DENSE_GPU_LOOKS.items():
            points = sorted((style.number(path, row, DENSE_INPUTS), style.number(path, row, column))
                            for row in rows if column in header and row[column])
            if points:
                axes.plot(*zip(*points), label=f"dense on an {columns.gpu_words(column.split('.')[1])}", **look)


def draw_speedups(axes, series, host_seconds):
    for one, look in zip(series, LOOKS):
        for host, line in ((0.0, "-"), (host_seconds, "--")):
            points = one.speedups(host)
            if points and (host or line == "-"):
                axes.plot([x for x, _ in points], [y for _, y in points], color=look["color"], linestyle=line,
                          marker=look["marker"], markersize=4, linewidth=1.3)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(style.unit_formatter("x"))
    axes.set_ylabel("speed-up over the dense layer")
    if host_seconds:
        axes.set_title(f"dashed: with {host_seconds * 1e6:.3g} µs of the host in both", loc="left", fontsize=9)


def main():
    arguments = parse_arguments()
    dense = [path for path in arguments.results if DENSE_INPUTS in style.read_rows(path)[0]]
    arguments.results = [path for path in arguments.results if path not in dense]
    if not arguments.results:
        style.fail(f"{dense[0]}: wanted a sweep of structured layers beside that of dense ones, found none")
    series = [one for path in arguments.results for one in read_series(path)]
    figure, grid = plt.subplots(2, 2, figsize=(11, 7.6), layout="constrained")
    (time, speed), (sets, memory) = grid
    draw_result(time, series, "time.seconds", "dense.seconds")
    draw_gpu(time, series)
    draw_dense_gpu(time, dense)
    time.set_ylabel("time of the forward pass")
    time.yaxis.set_major_formatter(style.small_unit_formatter("s"))
    draw_speedups(speed, series, arguments.host_seconds)
    draw_result(sets, series, "graph.compute_sets", "dense.graph.compute_sets")
    sets.set_ylabel("compute sets")
    sets.yaxis.set_major_formatter(style.unit_formatter(""))
    draw_result(memory, series, "memory.total_bytes", "dense.total_bytes")
    memory.set_ylabel("memory of all tiles")
    memory.yaxis.set_major_formatter(style.unit_formatter("B"))
    memory.axhline(series[0].column("machine.total_sram_bytes")[0], color=style.GREY, linewidth=1, linestyle=":",
                   label="of the machine")
    capacity = series[0].column("machine.total_sram_bytes")[0]
    memory.set_ylim(top=max(memory.get_ylim()[1], 1.5 * capacity))
    memory.legend(handles=memory.get_lines()[-1:])
    for axes in grid.flat:
        axes.set_xscale("log", base=2)
        axes.set_xlabel("features = rows of the batch")
    handles, labels = time.get_legend_handles_labels()
    if any(not ok for one in series for ok in one.fits + one.dense_fits):
        handles.append(plt.Line2D([], [], **{**style.MISFIT, "color": style.GREY}))
        labels.append("does not fit")
    figure.get_layout_engine().set(rect=(0, 0.07, 1, 0.93))
    figure.legend(handles, labels, loc="lower center", ncols=min(len(labels), MOST_COLUMNS))
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
