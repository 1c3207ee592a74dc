# SPDX-License-Identifier: Apache-2.0
"""Holds the list of costs that no operation calls against the tree.

usage: uncalled_costs.py TREE

A function of models/ipu/cost/uncalled is on the list and is called by tests alone; a function of
models/ipu/cost that tests alone call is there, or on the second list. Prints one line a fault; exit
1 when there is one.
"""
import pathlib
import re

import faults
import layers

COSTS = pathlib.PurePath("models/ipu/cost")
UNCALLED = COSTS / "uncalled"
PAGE = UNCALLED / "README.md"
FUNCTION = re.compile(r"^Cycles (\w+)\(", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \|$", re.MULTILINE)
SECOND_LIST = "These stand beside"
FOLDERS = layers.FOLDERS


def declared_in(tree, folder):
    """function -> the header that declares it."""
    return {name: path for path in sorted((tree / folder).rglob("*.h"))
            for name in FUNCTION.findall(path.read_text(encoding="utf-8"))}


def words_by_file(tree):
    paths = [path for folder in FOLDERS for path in (tree / folder).rglob("*") if path.suffix in (".h", ".cpp")]
    return {path: set(re.findall(r"\w+", path.read_text(encoding="utf-8"))) for path in paths}


def is_known(name, header, words):
    """Whether another file of the product than the header and its .cpp knows the name."""
    own = (header, header.with_suffix(".cpp"))
    return any(name in found for path, found in words.items() if path not in own)


def is_called(name, header, words):
    """Whether another file knows the name, or the .cpp of the header uses it besides."""
    own = header.with_suffix(".cpp")
    if is_known(name, header, words):
        return True
    return own in words and len(re.findall(rf"\b{name}\(", own.read_text(encoding="utf-8"))) > 1


def faults_of(tree):
    page = (tree / PAGE).read_text(encoding="utf-8")
    first, _, second = page.partition(SECOND_LIST)
    listed, beside = set(ROW.findall(first)), set(ROW.findall(second))
    words = words_by_file(tree)
    uncalled = declared_in(tree, UNCALLED)
    for name, header in uncalled.items():
        if name not in listed:
            yield f"{PAGE}: {name} of {header.name} is not on the list"
        if is_known(name, header, words):
            yield f"{header.relative_to(tree)}: {name} is called: wanted its file in {COSTS}"
    called = {name: is_called(name, header, words) for name, header in declared_in(tree, COSTS).items()
              if header.parent != tree / UNCALLED}
    for name, known in called.items():
        if not known and name not in beside:
            yield f"{COSTS}: only tests call {name}: wanted it in {UNCALLED}"
    for name in sorted((listed - uncalled.keys()) | {name for name in beside if called.get(name, True)}):
        yield f"{PAGE}: {name}: there is no such function that nobody calls"


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
