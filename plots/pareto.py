#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `ipusim explore` found: its points and their front, and how the front grew.

usage: pareto.py DIR OUT X_COLUMN Y_COLUMN [COLOUR_COLUMN]

DIR is the folder of the search. To the left are all points that were computed and fit, and those of
the front (of all objectives) in colour; to the right the hypervolume of each generation. Where an
objective is rough, rings are points that tie with the front.
"""
import pathlib

import columns as names
import style


def parse_arguments():
    parser = style.parser(__doc__)
    for name in ("DIR", "OUT", "X_COLUMN", "Y_COLUMN"):
        parser.add_argument(name.lower().replace(".png", ""), metavar=name)
    parser.add_argument("colour", metavar="COLOUR_COLUMN", nargs="?")
    return parser.parse_args()


def set_scale(axes, which, values, column):
    """Units on the ticks, a logarithm where the values span much."""
    axis = getattr(axes, f"{which}axis")
    if style.spans_decades(values, 8):
        getattr(axes, f"set_{which}scale")("log")
        axes.minorticks_off()
    unit = names.unit_of(column)
    axis.set_major_formatter(style.small_unit_formatter(unit) if max(values) < 1 else style.unit_formatter(unit))
    getattr(axes, f"set_{which}label")(names.name_of(column))


def points(path, columns):
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["status", *columns])
    rows = [row for row in rows if row["status"] == "ok"]
    if not rows:
        style.fail(f"{path}: wanted a row whose status is ok, found none")
    return [[style.number(path, row, column) for row in rows] for column in columns]


def draw_ties(axes, path, columns):
    """Rings around points off the front that are not dominated in more than a tenth of the draws."""
    if not path.exists():
        return
    header, rows = style.read_rows(path)
    if not set(columns) <= set(header):
        return
    ties = [row for row in rows if row["standing"] == "tie"]
    if ties:
        axes.scatter(*([style.number(path, row, column) for row in ties] for column in columns), s=22,
                     facecolors="none", edgecolors=style.RED, linewidths=0.7, zorder=2,
                     label=f"{len(ties)} that tie with it")


def draw_points(figure, axes, folder, columns):
    every = points(folder / "results.csv", columns[:2])
    front = points(folder / "pareto.csv", columns)
    axes.scatter(*every, s=9, color="#C9C9C9", linewidths=0, label=f"{len(every[0])} points that fit")
    draw_ties(axes, folder / "standings.csv", columns[:2])
    looks = {"c": front[2], "cmap": "viridis"} if len(columns) > 2 else {"color": style.RED}
    shown = axes.scatter(front[0], front[1], s=26, edgecolors="white", linewidths=0.5, zorder=3,
                         label=f"{len(front[0])} on the front", **looks)
    if len(columns) > 2:
        figure.colorbar(shown, ax=axes, label=names.label_of(columns[2]))
    for which, values, column in zip("xy", every, columns):
        set_scale(axes, which, values, column)
    axes.legend(loc="upper right")


def draw_growth(axes, path):
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["points", "hypervolume"])
    axes.plot([style.number(path, row, "points") for row in rows],
              [100 * style.number(path, row, "hypervolume") for row in rows], color=style.BLUE, marker=".")
    axes.set_xlabel("points looked at")
    axes.set_ylabel("hypervolume, % of the box")


def main():
    arguments = parse_arguments()
    columns = [arguments.x_column, arguments.y_column, *([arguments.colour] if arguments.colour else [])]
    folder = pathlib.Path(arguments.dir)
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(10, 4), width_ratios=[3, 2], layout="constrained")
    draw_points(figure, left, folder, columns)
    draw_growth(right, folder / "hypervolume.csv")
    style.save(figure, arguments)


if __name__ == "__main__":
    main()
