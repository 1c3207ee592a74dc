#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws predictions beside what was published, from the object that `ipusim validate --json` prints.

usage: published.py VALIDATION.json OUT [--ids PREFIX]

One line for each row with a prediction: predicted over published, on a logarithmic axis, and beside
it the two values in the unit of the row. Rows that constants are fitted to are open circles, others
are full ones. --ids SK-T2 draws the rows whose ids begin so: Table 2 of arXiv 2309.08946, IPU and A30.
"""
import json

import style

LARGE = 1e4  # values from here on have no digits behind the point


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("validation", metavar="VALIDATION.json")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--ids", metavar="PREFIX", default="")
    return parser.parse_args()


def values_of(row):
    """Predicted and published, with the unit where the row has one."""
    values = [style.json_number(row["id"], row[name]) for name in ("predicted", "published")]
    text = " / ".join(f"{value:,.0f}" if value >= LARGE else f"{value:.4g}" for value in values)
    return f"{text} {row['unit']}" if row.get("unit") else text


def read_rows(path):
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
            return [(row["id"], row["kind"], row["role"], row["predicted"] / row["published"],
                     values_of(row))
                    for row in rows if row["predicted"] is not None]
    except OSError as error:
        style.fail(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        style.fail(f"{path}: wanted the object that `ipusim validate --json` prints")


def chosen(path, prefix):
    rows = [row for row in read_rows(path) if row[0].startswith(prefix) and row[3] > 0]
    if not rows:
        style.fail(f"{path}: wanted a row with a prediction whose id begins with {prefix!r}, found none")
    return rows


def colour_of(kind):
    return style.GREEN if kind.endswith("GPU") else style.BLUE


def draw(rows):
    figure, axes = style.plt.subplots(figsize=(7, 0.8 + 0.22 * len(rows)))
    for line, (_, kind, role, ratio, values) in enumerate(rows):
        colour = colour_of(kind)
        axes.plot([1, ratio], [line, line], color=colour, linewidth=1)
        axes.plot(ratio, line, marker="o", markersize=5, color=colour,
                  markerfacecolor="white" if role == "calibrate" else colour)
        axes.annotate(values, (1.02, line), xycoords=("axes fraction", "data"), va="center", fontsize=7.5)
    furthest = max(max(ratio, 1 / ratio) for *_, ratio, _ in rows)
    reach = max(1.15, 1.05 * furthest)
    axes.axvline(1, color=style.GREY, linewidth=1)
    axes.axvspan(1 / 1.1, 1.1, color="#F0F0F0", zorder=0)
    axes.set_xscale("log")
    axes.set_xlim(1 / reach, reach)
    ticks = [tick for tick in (0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.33, 2, 4) if 1 / reach <= tick <= reach]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(rows)), [f"{name}  {kind}" for name, kind, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("predicted / published (grey: within 10 %; blue: IPU, green: GPU; open: fitted)")
    axes.set_title("Predictions beside what was published", loc="left")
    axes.annotate("predicted / published", (1.02, -0.6), xycoords=("axes fraction", "data"), va="bottom", fontsize=7.5,
                  fontweight="bold")
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(chosen(arguments.validation, arguments.ids)), arguments)


if __name__ == "__main__":
    main()
