# SPDX-License-Identifier: Apache-2.0
"""Reports types that several files define under one name.

usage: definitions.py TREE

The language allows one definition of a name (basic.def.odr). Of two, the linker keeps one
destructor for both, and no compiler says so. Types in unnamed namespaces are their file's own.
Prints one line a fault, `file:line: what`; exit 1 when there is one.
"""
import pathlib
import re
import sys

FOLDERS = ["include", "base", "models", "workloads", "sim", "poplar", "tests", "bench", "examples", "python"]
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
SCOPE = re.compile(
    r"\bnamespace\s*(?P<space>[\w:]*)\s*\{"
    r"|(?<!enum )\b(?:struct|class|enum class)\s+(?P<type>\w+)(?:\s+final)?(?:\s*:(?!:)[^;{}()]*)?\s*\{"
    r"|(?P<brace>[{}])")


def without_noise(text):
    """`text` without comments and literals, line by line as long as before."""
    return NOISE.sub(lambda noise: "\n" * noise.group().count("\n"), text)


def definitions_of(text):
    """(line, full name) of each type that is defined in named namespaces alone."""
    plain = without_noise(text)
    scopes = []  # the namespaces around; None for anything else in braces
    for scope in SCOPE.finditer(plain):
        if scope["brace"] == "}":
            del scopes[-1:]
            continue
        if scope["type"] and all(scopes):
            yield plain.count("\n", 0, scope.start()) + 1, "::".join([*scopes, scope["type"]])
        scopes.append(scope["space"] if scope["space"] is not None else None)


def sources_of(tree):
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"} and path.is_file():
                yield path


def main(tree):
    first, faults, files = {}, [], 0
    for path in sources_of(tree):
        files += 1
        file = path.relative_to(tree).as_posix()
        for line, name in definitions_of(path.read_text(encoding="utf-8")):
            other = first.setdefault(name, f"{file}:{line}")
            if other != f"{file}:{line}":
                faults.append(f"{file}:{line}: {name} is defined in {other}, too")
    if not files:
        sys.exit(f"{tree}: no sources under {', '.join(FOLDERS)}")
    print("\n".join(faults + [f"{len(first)} types, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
