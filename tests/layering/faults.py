# SPDX-License-Identifier: Apache-2.0
"""Ends a script that prints one line a fault of a tree."""
import pathlib
import sys


def report(usage, faults_of):
    """Prints the faults of the tree that the command line names, and ends; exit 1 when there is one."""
    if len(sys.argv) != 2:
        sys.exit(usage)
    faults = list(faults_of(pathlib.Path(sys.argv[1])))
    print("\n".join(faults + [f"{len(faults)} faults"]))
    sys.exit(1 if faults else 0)
