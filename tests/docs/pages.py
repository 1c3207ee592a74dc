# SPDX-License-Identifier: Apache-2.0
"""What the tests of the docs read from a page: tables, fenced blocks, directives.

A directive is a comment `<!-- keys ARGUMENTS -->` on a line of its own. It says what the table below it
is a reference of, and holds until the next heading.
"""
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# rows are dicts from heading to cell; blocks are Block.
Section = collections.namedtuple("Section", "title directive rows blocks")
# A fenced block: its language, the rest of the info string, its text, its first line in the page.
Block = collections.namedtuple("Block", "language info text line")

# The reference of config keys, a page a kind.
CONFIG_PAGES = sorted((ROOT / "docs" / "reference" / "config").glob("*.md"))
DIRECTIVE = re.compile(r"<!-- (keys) ?(.*?) -->")
FENCE = re.compile(r"```(\w*) ?(.*)")


def pages():
    """README.md and every page below docs/, by name."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + sorted((ROOT / "docs").rglob("*.md"))


def config_sections():
    """The sections of all pages of config keys."""
    return [section for page in CONFIG_PAGES for section in sections(page.read_text())]


def cells(line):
    """The cells of a row. A bar inside a cell is written with a backslash before it."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def plain(cell):
    """A cell without the ticks of code."""
    return cell.replace("`", "")


def sections(text):
    """The page cut at its headings."""
    found = [Section("", None, [], [])]
    headings, block, opened = None, None, None
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line.startswith("```"):
                found[-1].blocks.append(Block(*opened, "".join(block), number - len(block)))
                block = None
            else:
                block.append(line + "\n")
        elif FENCE.fullmatch(line):
            block, opened = [], FENCE.fullmatch(line).groups()
        elif line.startswith("#"):
            found.append(Section(plain(line.lstrip("# ")), None, [], []))
            headings = None
        elif DIRECTIVE.fullmatch(line):
            found[-1] = found[-1]._replace(directive=DIRECTIVE.fullmatch(line).groups())
        elif line.startswith("|"):
            if headings is None:
                headings = [plain(cell).lower() for cell in cells(line)]
            elif set(line) - set("|-: "):
                found[-1].rows.append(dict(zip(headings, map(plain, cells(line)))))
        else:
            headings = None
    if block is not None:
        raise ValueError(f"the block opened before line {opened} has no end")
    return found
