# SPDX-License-Identifier: Apache-2.0
"""Makes pages of docs/ fit for mkdocs.

* A fenced block keeps its language only: the rest of its first line is for the test of commands.
* The comments around parts that commands make go: they are for that test as well.
"""
import re

HOLDING = re.compile(r"^<!-- (?:(?:made|numbers)\b.*|end) -->\n", re.MULTILINE)
INFO = re.compile(r"^(```\w+) .+$", re.MULTILINE)


def on_page_markdown(markdown, **_):
    return INFO.sub(r"\1", HOLDING.sub("\n", markdown))
