# SPDX-License-Identifier: Apache-2.0
"""Makes pages of docs/ fit for mkdocs.

* A fenced block keeps its language only: the rest of its first line is for the test of commands.
* A line `<!-- include FILE: HEADING -->` becomes the section of that file of the tree, the heading itself left out.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r"^<!-- include (\S+): (.+) -->$", re.MULTILINE)
INFO = re.compile(r"^(```\w+) .+$", re.MULTILINE)


def section(file, heading):
    text = (ROOT / file).read_text()
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"{file} has no section {heading}")
    return found[1].strip()


def on_page_markdown(markdown, **_):
    markdown = INCLUDE.sub(lambda match: section(match[1], match[2]), markdown)
    return INFO.sub(r"\1", markdown)
