# SPDX-License-Identifier: Apache-2.0
"""Prints how far loops of message passing lie from cycles of one Bow, by operator, size class and
proportion of memory. Gathers and scatters are all run. Of the interaction blocks, which take long, each eighth row is.

usage: message_passing.py [blocks]
"""
import csv
import json
import statistics
import sys
import tempfile

from studies import figures
from tables import ipusim

ROWS = "configs/measurements/message_passing/bow.csv"
REPETITIONS = 128
# Upper bounds of published cycles of a repetition.
CLASSES = {
    "gather": [2_500, 5_000, 10_000, 30_000],
    "scatter add": [5_000, 10_000, 30_000],
    "SchNet block": [150_000, 300_000],
}


def class_of(operator, cycles):
    bounds = CLASSES[operator]
    number = sum(cycles >= bound for bound in bounds)
    if number == len(bounds):
        return f"from {bounds[-1]:,}"
    low = f"{bounds[number - 1]:,}" if number else "0"
    return f"{low} to {bounds[number]:,}"


def line(cells, errors):
    below = sum(error <= 15 for error in errors) / len(errors)
    return [*cells, str(len(errors)), f"{statistics.median(errors):.1f}", f"{max(errors):.1f}", f"{100 * below:.0f} %"]


def verdicts(of_blocks):
    with open(ROWS, newline="") as file:
        head, *rows = csv.reader(file)
    blocks = [row for row in rows if row[2].startswith("SchNet")]
    others = [row for row in rows if not row[2].startswith("SchNet")]
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
        csv.writer(file).writerows([head, *(blocks[::8] if of_blocks else others)])
        file.flush()
        return json.loads(ipusim("validate", "--measurements", file.name, "--json"))["rows"]


def text_of(rows_of_file):
    groups = {}
    for row in rows_of_file:
        operator, proportion = row["kind"].split(", ")
        error = abs(row["error_percent"])
        size = class_of(operator, row["published"] / REPETITIONS)
        groups.setdefault((operator, proportion), {"all": []})["all"].append(error)
        groups[operator, proportion].setdefault(size, []).append(error)
    rows = []
    for (operator, proportion), classes in groups.items():
        order = ["all", *sorted(set(classes) - {"all"}, key=lambda size: int(size.split()[-1].replace(",", "")) + size.startswith("from"))]
        rows += [line([operator, proportion, size], classes[size]) for size in order]
    return figures(["operator", "proportion", "cycles", "rows", "median", "worst", "within 15 %"], rows)


if __name__ == "__main__":
    print(text_of(verdicts(sys.argv[1:] == ["blocks"])))
