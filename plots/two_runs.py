#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws two runs side by side, from two folders that `ipusim run --out FOLDER` wrote.

usage: two_runs.py FOLDER FOLDER OUT

Left: how long the steps take, matched by their names, those that differ most first. Right: the bytes
of all tiles by category. A step that one run lacks has no bar there.
"""
import json
import pathlib

import style
from headings import of_run

MOST_ROWS = 16
COLOURS = (style.BLUE, style.ORANGE)


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("runs", metavar="FOLDER", nargs=2)
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def cycles_by_step(folder):
    """By name, over all iterations: of a sync the mean over the tiles, of others the slowest tile."""
    path = str(folder / "steps.csv")
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["name", "kind", "cycles", "mean_cycles"])
    found = {}
    for row in rows:
        cycles = style.number(path, row, "mean_cycles" if row["kind"] == "sync" else "cycles")
        name = style.plain(row["name"])
        found[name] = found.get(name, 0) + cycles
    return found


def bytes_by_category(folder):
    path = folder / "result.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["memory"]["by_category"]
        return {style.plain(style.words(name)): style.json_number(path, value) for name, value in found.items() if value}
    except OSError as error:
        style.fail(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError):
        style.fail(f"{path}: wanted the object that `ipusim run --json` prints")


def rows_of(first, second):
    """(name, value of the first, value of the second), the largest difference first."""
    names = list(dict.fromkeys([*first, *second]))
    rows = [(name, first.get(name, 0), second.get(name, 0)) for name in names]
    return sorted(rows, key=lambda row: -abs(row[1] - row[2]))[:MOST_ROWS]


def draw_rows(axes, rows, labels, unit):
    for run in (0, 1):
        places = [place + (run - 0.5) * 0.38 for place in range(len(rows))]
        axes.barh(places, [row[run + 1] for row in rows], height=0.36, color=COLOURS[run], label=labels[run])
    axes.set_yticks(range(len(rows)), [row[0] for row in rows], fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(style.unit_formatter(unit))


def labels_of(folders):
    """What the runs are, or else the names of their folders, or else their paths: the first that differ."""
    known = [of_run(folder) for folder in folders]
    ways = ([" on ".join(run) if run else folder.resolve().name for run, folder in zip(known, folders)],
            [folder.resolve().name for folder in folders], [str(folder) for folder in folders])
    labels = next((way for way in ways if way[0] != way[1]), ways[-1])
    # Matplotlib leaves labels that begin with an underscore out of legends.
    return [style.plain(f"./{label}" if label.startswith("_") else label) for label in labels]


def draw(folders):
    steps = rows_of(*map(cycles_by_step, folders))
    categories = rows_of(*map(bytes_by_category, folders))
    labels = labels_of(folders)
    height = 1.4 + 0.3 * max(len(steps), len(categories))
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(11, height), layout="constrained")
    draw_rows(left, steps, labels, "")
    left.set_xlabel("cycles of the slowest tile (of a sync: the mean of all tiles)")
    left.set_title(f"the {len(steps)} steps that differ most", loc="left")
    draw_rows(right, categories, labels, "B")
    right.set_xlabel("bytes of all tiles")
    right.set_title("memory by category", loc="left")
    figure.legend(*left.get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncols=2)
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw([pathlib.Path(folder) for folder in arguments.runs]), arguments)


if __name__ == "__main__":
    main()
