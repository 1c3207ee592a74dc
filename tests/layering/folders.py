# SPDX-License-Identifier: Apache-2.0
"""Reports folders that have too many source files of their own.

usage: folders.py TREE

A folder that a reader cannot take in at a glance is several. Prints one line a fault; exit 1 when
there is one.
"""
import collections

import definitions
import faults

MOST = 40


def faults_of(tree):
    counts = collections.Counter(path.parent.relative_to(tree).as_posix() for path in definitions.sources_of(tree))
    for folder, count in sorted(counts.items()):
        if count > MOST:
            yield f"{folder}: wanted at most {MOST} source files, found {count}: cut it by what they are for"


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
