#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what fills the memory over the time of a training step, from what `ipusim run --out` writes.

usage: memory_over_time.py FOLDER OUT

FOLDER has steps.csv and variables.csv. A temporary variable lives from its first step to its last
one. The names of its node say what it holds: codes of saved activations, what is decoded of them,
gradients, other results of the forward pass. Variables that live always are at the bottom.
"""
import pathlib

import style

# In the order in which they are stacked.
PARTS = {
    "parameters, states, inputs": style.GREY,
    "codes": style.GREEN,
    "activations": style.BLUE,
    "decoded": style.SKY,
    "gradients and updates": style.ORANGE,
}
STEP_COLUMNS = ["step", "kind", "start_cycles", "end_cycles"]
VARIABLE_COLUMNS = ["name", "lifetime", "first_step", "last_step", "total_bytes"]


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def part_of(variable):
    name = variable["name"]
    if variable["lifetime"] == "always":
        return "parameters, states, inputs"
    if "/encode/" in name:
        return "codes"
    if "/decode/" in name:
        return "decoded"
    if "/gradient" in name or "/update" in name:
        return "gradients and updates"
    return "activations"


def read(folder, name, columns):
    path = str(pathlib.Path(folder) / name)
    header, rows = style.read_rows(path)
    style.need_columns(path, header, columns)
    return path, rows


def live_bytes(path, variables, steps):
    """By part, a value for each step."""
    live = {part: [0.0] * steps for part in PARTS}
    for variable in variables:
        size = style.number(path, variable, "total_bytes")
        first, last = 0, steps - 1
        if variable["first_step"]:
            first, last = (int(style.number(path, variable, end)) for end in ("first_step", "last_step"))
        elif variable["lifetime"] != "always":
            continue
        values = live[part_of(variable)]
        for step in range(first, min(last, steps - 1) + 1):
            values[step] += size
    return live


def main():
    arguments = parse_arguments()
    steps_path, steps = read(arguments.folder, "steps.csv", STEP_COLUMNS)
    path, variables = read(arguments.folder, "variables.csv", VARIABLE_COLUMNS)
    live = live_bytes(path, variables, len(steps))
    ends = [style.number(steps_path, row, "end_cycles") for row in steps]
    figure, axes = style.plt.subplots(figsize=(7.2, 3.8))
    axes.stackplot(ends, *live.values(), labels=live.keys(), colors=PARTS.values(), step="pre", linewidth=0)
    axes.set_xlim(0, max(ends))
    axes.set_xlabel("cycles")
    axes.xaxis.set_major_formatter(style.unit_formatter(""))
    axes.yaxis.set_major_formatter(style.unit_formatter("B"))
    axes.set_ylabel("live variables, all tiles")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1.02, 1.03))
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
