# SPDX-License-Identifier: Apache-2.0
"""Reports files and functions that are too long to read at once.

usage: sizes.py TREE

A source has at most 400 lines, and the body of a function in C++ at most 50. What is longer does more
than one thing. Prints one line a fault; exit 1 when there is one.
"""
import re

import definitions
import faults

MOST_LINES = 400
MOST_BODY = 50
SUFFIXES = {".h", ".cpp", ".py"}
# What somebody else wrote, and what was built.
NOT_OURS = {"build", "third_party", "__pycache__"}
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n[^\n]*)*", re.M)
ACCESS = re.compile(r"^(?:public|private|protected)\s*:")
# What opens a scope that has functions and is none.
SCOPE = re.compile(r"(?:inline\s+)?namespace\b|(?:template\s*<.*>\s*)?(?:class|struct|union|enum)\b|extern\b", re.S)
PARAMETERS = re.compile(r"\)\s*(?:const)?\s*(?:noexcept)?\s*(?:override)?\s*$")


def sources_of(tree):
    for top in [*definitions.FOLDERS, "plots"]:
        for path in sorted((tree / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and not NOT_OURS & set(path.relative_to(tree).parts):
                yield path


def bodies_of(text):
    """(line, lines of the body) of each function that stands in no other one."""
    plain = DIRECTIVE.sub(lambda directive: "\n" * directive.group().count("\n"), definitions.without_noise(text))
    opened, begin = [], 0  # of each brace that is open: whether it is a function's, and where it stands
    for mark in re.finditer(r"[{};]", plain):
        if mark.group() == "{":
            head = ACCESS.sub("", plain[begin:mark.start()].strip()).strip()
            is_scope = bool(SCOPE.match(head)) and not PARAMETERS.search(head)
            is_outer = all(kind == "scope" for kind, _ in opened)
            kind = "scope" if is_scope else "function" if is_outer and "(" in head else "block"
            opened.append((kind, mark.start()))
        elif mark.group() == "}" and opened:
            kind, start = opened.pop()
            if kind == "function":
                yield plain.count("\n", 0, start) + 1, max(1, plain.count("\n", start, mark.start()) - 1)
        begin = mark.end()


def faults_of(tree):
    for path in sources_of(tree):
        text, file = path.read_text(encoding="utf-8"), path.relative_to(tree).as_posix()
        lines = text.count("\n")
        if lines > MOST_LINES:
            yield f"{file}: wanted at most {MOST_LINES} lines, found {lines}: cut it by what its parts are for"
        if path.suffix == ".py":
            continue
        for line, body in bodies_of(text):
            if body > MOST_BODY:
                yield f"{file}:{line}: wanted a function of at most {MOST_BODY} lines, found {body}"


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
