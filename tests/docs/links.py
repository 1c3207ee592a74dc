# SPDX-License-Identifier: Apache-2.0
"""Checks what pages point to: other pages, their headings, files of the tree, names of types."""
import functools
import re

import pages

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
# Paths that are written as code. A star or a capital word stands for any name.
TREE_FOLDERS = ("poplar(?=/(?:include|runtime|codelets|tile_compiler|device|tests|examples))|"
                "base|models|workloads|sim|include|configs|tests|plots|docs|examples|cmake|bench|\\.ci")
# Types and steps, written as code and known to some source. NAME stands for any name.
TYPE_NAME = re.compile(r"`(?!NAME)([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:::\w+)?`")
TREE_PATH = re.compile(rf"`((?:{TREE_FOLDERS})/[^`\s;]+)`")


def anchor(heading):
    """As mkdocs makes it of a heading."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def anchors(page):
    return {anchor(part.title) for part in pages.sections(page.read_text())}


def outside_blocks(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


@functools.lru_cache(maxsize=None)
def words_of_sources():
    words = set()
    for top in ["base", "models", "workloads", "sim", "include", "poplar", "python"]:
        for source in (file for kind in ["*.h", "*.hpp", "*.cpp", "*.py"] for file in (pages.ROOT / top).rglob(kind)):
            words.update(re.findall(r"\w+", source.read_text()))
    return words


def link_faults(page):
    text = outside_blocks(page.read_text())
    faults = []
    for target, heading in LINK.findall(text):
        if re.match(r"\w+:", target):
            continue
        file = (page.parent / target) if target else page
        if not file.exists():
            faults.append(f"{page}: links to {target}, which is not there")
        elif heading and heading not in anchors(file):
            faults.append(f"{page}: links to {target}#{heading}, which has no such heading")
    for path in TREE_PATH.findall(text):
        name = re.sub(r"\{.*\}|[A-Z]{2,}", "*", path.rstrip("/"))
        if not list(pages.ROOT.glob(name)):
            faults.append(f"{page}: names {path}, which is not in the tree")
    for name in TYPE_NAME.findall(text):
        if name not in words_of_sources():
            faults.append(f"{page}: names {name}, which no source knows")
    return faults
