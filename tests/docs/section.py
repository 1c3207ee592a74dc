# SPDX-License-Identifier: Apache-2.0
"""Prints a section of a page of the tree, without its heading.

usage: section.py FILE HEADING
"""
import re
import sys

import pages


def section(file, heading):
    text = (pages.ROOT / file).read_text()
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"{file} has no section {heading}")
    return found[1].strip()


if __name__ == "__main__":
    print(section(*sys.argv[1:3]))
