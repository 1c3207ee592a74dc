# SPDX-License-Identifier: Apache-2.0
"""Holds the map of docs/architecture.md against the tree and the table of layers.

usage: source_map.py TREE

The map has a row for each folder with C++ of its own, with the layers of its files, and a row for each
layer with those right below it. Prints one line a fault; exit 1 when there is one.
"""
import pathlib
import re

import faults
import layers

PAGE = "docs/architecture.md"
FOLDERS = "## The map"
LAYERS = "## The layers"
ROW = re.compile(r"\| `([\w./-]+)` \|(?:[^|]+\|)*([^|]+)\|")
# Folders of no layer: what is built beside the libraries.
BESIDE = ["poplar/device", "poplar/examples", "python", "examples", "bench"]
NONE = "–"


def folders_of(tree):
    """folder -> the layers of its own sources, sorted; empty beside the libraries."""
    folders = {}
    for top in layers.FOLDERS + BESIDE:
        for path in (tree / top).rglob("*"):
            if path.suffix not in layers.SOURCE_SUFFIXES | layers.FOREIGN_SUFFIXES or not path.is_file():
                continue
            file = path.relative_to(tree)
            layer = layers.layer_of(file.as_posix())
            folders.setdefault(file.parent.as_posix(), set()).update([layer] if layer else [])
    return {folder: sorted(found) for folder, found in folders.items()}


def rows_of(text, heading):
    """first cell -> (line, last cell) of the rows between `heading` and the next heading."""
    lines = text.splitlines()
    begin = lines.index(heading) if heading in lines else len(lines)
    rows = {}
    for number, line in enumerate(lines[begin + 1:], start=begin + 2):
        if line.startswith("## "):
            break
        row = ROW.fullmatch(line)
        if row:
            rows[row.group(1)] = (number, row.group(2).strip())
    return rows


def row_faults(rows, wanted, gone):
    """Compares rows with `wanted`: first cell -> last cell."""
    for name, cell in wanted.items():
        if name not in rows:
            yield f"{PAGE}: wanted a row: `{name}`, which ends in: {cell}"
        elif rows[name][1] != cell:
            yield f"{PAGE}:{rows[name][0]}: {name}: wanted {cell}, found {rows[name][1]}"
    for name, (number, _) in rows.items():
        if name not in wanted:
            yield f"{PAGE}:{number}: {name}: {gone}"


def faults_of(tree):
    text = (tree / PAGE).read_text(encoding="utf-8")
    folders = {folder: ", ".join(found) or NONE for folder, found in sorted(folders_of(tree).items())}
    below = {name: ", ".join(row[1]) or NONE for name, row in layers.LAYERS.items()}
    yield from row_faults(rows_of(text, FOLDERS), folders, "no C++ is there")
    yield from row_faults(rows_of(text, LAYERS), below, "no such layer")


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
