# SPDX-License-Identifier: Apache-2.0
"""Holds the places that catch errors against a list.

usage: error_boundary.py TREE

Errors cross one boundary, base/error_boundary.h: an error is told again as another one, or ends as
a value that is not there. `main` ends the program with its message. The list has the handlers that
stand elsewhere, by pattern with the most there may be. Prints one line a fault; exit 1 when there
is one.
"""
import fnmatch
import re

import definitions
import faults
import layers

BOUNDARY = "base/error_boundary.h"
FOLDERS = layers.FOLDERS + ["python"]
CATCH = re.compile(r"\bcatch \(")
# pattern -> (the most handlers, why they are not calls of the boundary)
LISTED = {
    "sim/cli/main.cpp": (5, "the end of the program"),
    "poplar/codelets/popc_main.cpp": (2, "the end of the program"),
    "sim/cli/options/command_line_parse.cpp": (3, "the library of command lines tells of --help by an exception"),
    "models/ipu/*": (5, "errors cross SystemC as reports, and threads as pointers"),
    "poplar/runtime/*": (20, "errors take the names that programs written for Poplar know"),
}


def handlers_in(tree):
    """(file, line) of each handler."""
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(definitions.without_noise(path.read_text(encoding="utf-8")).splitlines(), 1):
                if CATCH.search(line):
                    yield path.relative_to(tree).as_posix(), number


def faults_of(tree):
    left = {pattern: most for pattern, (most, _) in LISTED.items()}
    for file, line in handlers_in(tree):
        if file == BOUNDARY:
            continue
        pattern = next((one for one in LISTED if fnmatch.fnmatch(file, one)), None)
        if pattern is None or left[pattern] == 0:
            yield f"{file}:{line}: catches an error, which {BOUNDARY} is for"
        else:
            left[pattern] -= 1
    for pattern, more in left.items():
        if more:
            yield f"{pattern}: the list allows {more} handlers more than there are"


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
