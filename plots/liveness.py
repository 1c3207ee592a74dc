#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the bytes that live over the program, from what `ipusim run --out FOLDER` writes.

usage: liveness.py FOLDER OUT

FOLDER has liveness.csv, tiles.csv and result.json. Above: all tiles together. Below: the fullest tile
of the run, and what a tile has, without gaps between addresses. What lives always is below, what does
not is above it. Places are those of the program in its order, each as wide as the next: a step of a
loop has a place for each time that the compiler tells apart.
"""
import json
import pathlib

import style

COLUMNS = ["position", "name", "live_bytes", "max_tile_live_bytes"]
NAMED = 3  # the fullest places that are named


def parse_arguments():
    parser = style.parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("out", metavar="OUT")
    return parser.parse_args()


def read_memory(folder):
    """The memory of a run, as `ipusim run --json` prints it."""
    path = folder / "result.json"
    try:
        memory = json.loads(path.read_text(encoding="utf-8"))["memory"]
        return {key: style.json_number(path, memory[key])
                for key in ("always_live_bytes", "capacity_tile_bytes", "max_tile")}
    except OSError as error:
        style.fail(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        style.fail(f"{path}: wanted the object that `ipusim run --json` prints")


def read_always_on(folder, tile):
    """The bytes of a tile that live always."""
    path = str(folder / "tiles.csv")
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["tile", "always_live_bytes"])
    row = next((row for row in rows if row["tile"] == str(tile)), None)
    if row is None:
        style.fail(f"{path}: wanted a line of tile {tile}, the fullest, found none")
    return style.number(path, row, "always_live_bytes")


def read_places(folder):
    path = str(folder / "liveness.csv")
    header, rows = style.read_rows(path)
    style.need_columns(path, header, COLUMNS)
    return ([style.plain(row["name"]) for row in rows],
            [style.number(path, row, "live_bytes") for row in rows],
            [style.number(path, row, "max_tile_live_bytes") for row in rows])


def fullest(values):
    """The first place of each of the largest values."""
    largest = sorted(set(values), reverse=True)[:NAMED]
    return [values.index(value) for value in largest]


def draw(folder):
    memory = read_memory(folder)
    always, capacity = memory["always_live_bytes"], memory["capacity_tile_bytes"]
    always_here = read_always_on(folder, memory["max_tile"])
    names, live, max_tile = read_places(folder)
    places = range(len(names) + 1)
    figure, (above, below) = style.plt.subplots(2, 1, figsize=(8, 5.4), sharex=True)
    above.stairs([always] * len(names), places, fill=True, color=style.GREY, label="lives always")
    above.stairs([always + value for value in live], places, baseline=always, fill=True, color=style.BLUE,
                 label="lives for a time")
    for rank, place in enumerate(fullest(live)):
        above.annotate(f"{rank + 1}", (place + 0.5, always + live[place]), ha="center", va="bottom", fontsize=7.5,
                       fontweight="bold")
    listed = "\n".join(f"{rank + 1}  {names[place]}" for rank, place in enumerate(fullest(live)))
    above.set_ylabel("live bytes of all tiles")
    above.legend(loc="upper left", bbox_to_anchor=(1.02, 1.03), title=f"fullest:\n{listed}\n", alignment="left")
    below.stairs([always_here] * len(names), places, fill=True, color=style.GREY, label="lives always")
    below.stairs([always_here + value for value in max_tile], places, baseline=always_here, fill=True,
                 color=style.SKY, label="lives for a time")
    below.axhline(capacity, color="black", linestyle="--", linewidth=1.2, label="a tile has")
    below.set_ylim(0, 1.08 * max(capacity, always_here + max(max_tile)))
    below.set_ylabel(f"bytes of tile {memory['max_tile']},\nthe fullest without gaps")
    below.set_xlabel("place in the program")
    below.legend(loc="upper left", bbox_to_anchor=(1.02, 1.03))
    below.set_xlim(0, len(names))
    for axes in (above, below):
        axes.yaxis.set_major_formatter(style.unit_formatter("B"))
    above.set_ylim(0, 1.12 * (always + max(live)))
    figure.align_ylabels()
    return figure


def main():
    arguments = parse_arguments()
    style.save(draw(pathlib.Path(arguments.folder)), arguments)


if __name__ == "__main__":
    main()
