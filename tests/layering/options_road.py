# SPDX-License-Identifier: Apache-2.0
"""Counts the files on the road of a run's options and config, from `main` to the result.

usage: options_road.py TREE [--most N] [--list]

The options are the values of the type RunArguments, and what is set from them and has a type of
options: its name ends in Arguments, Options or Limits, or is on the list below, which has the
config too. Numbers, texts, paths and units are values as others are, and no options. A file is on
the road when it holds a call, of a function that the product defines, that gives options to a
parameter of such a type. From there the road goes on in the function. A function in a table, such
as the reader of a kind of workload, ends the road, because it is called by no name. A member of a
class, `name_`, counts as one variable for its file. An object `T{options}` of a class of the file
has them in its members of such types.

A call means each definition of its name with room for as many arguments: one of the namespace or
class that the call names, else one of the file itself, else one behind the includes of the file.

Prints the number of files, with --list their names and what they call; exit 1 when there are more
than --most.
"""
import argparse
import collections
import functools
import pathlib
import re
import sys

import definitions
import layers

FOLDERS = layers.FOLDERS
OPTIONS = "RunArguments"
TYPES = re.compile(r"\w*(?:Arguments|Options|Limits)$|(?:Engine|SimulatedChips|Form|Stats|Detail|StepOrder"
                   r"|Override|ConfigReader|TimelineFile|WaveFile)$")
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|<<|>=|<=|==|!=|&&|\|\||[^\s\w]|\d[\w.']*")
NAME = re.compile(r"[A-Za-z_]\w*$")
DIRECTIVE = re.compile(r"^\s*#.*(?:\\\n.*)*$", re.MULTILINE)
SPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
CLOSE = {"(": ")", "{": "}", "[": "]"}
NO_CALLS = {"if", "for", "while", "switch", "return", "catch", "sizeof", "decltype", "throw", "alignof", "noexcept"}
SAME_VALUE = {"move", "forward", "ref", "cref"}  # a call of these gives what it takes

Function = collections.namedtuple("Function", "name scope file parameters types body")


def matching(tokens, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i] in CLOSE:
            depth += 1
        elif tokens[i] in CLOSE.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def parts_of(tokens):
    """The parts between commas that stand in no bracket; `<` counts as one beside a type."""
    part, depth, angles = [], 0, 0
    for token in tokens:
        depth += (token in CLOSE) - (token in CLOSE.values())
        angles = max(0, angles + (token == "<") - (token == ">"))
        if token == "," and depth == 0 and angles == 0:
            yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def parameter_of(part):
    """The name of a parameter; empty when it has none."""
    part = part[:part.index("=")] if "=" in part else part
    has_name = len(part) > 1 and NAME.match(part[-1]) and part[-2] not in ("::", "const")
    return part[-1] if has_name else ""


class FileReader:
    """Finds the functions that a file defines."""

    def __init__(self, file, text):
        self.file = file
        self.tokens = TOKEN.findall(DIRECTIVE.sub("", definitions.without_noise(text)))
        self.functions = []
        self.members = {}  # class -> its members of types of options
        self.read(0, len(self.tokens), "")

    def read(self, begin, end, scope):
        head, i = begin, begin  # a declaration begins at `head`
        while i < end:
            token = self.tokens[i]
            if token == ";" or (token == ":" and self.tokens[i - 1] in ("public", "private", "protected")):
                head = i + 1
            elif token in ("(", "["):
                i = matching(self.tokens, i)
            elif token == "{":
                close = matching(self.tokens, i)
                if self.is_initialiser(head, close):
                    i = close + 1
                    continue
                self.read_block(head, i, close, scope)
                i, head = close, close + 1
            i += 1

    def is_initialiser(self, head, close):
        """Whether the braces set a member in the list before the body of a constructor."""
        return close + 1 < len(self.tokens) and self.tokens[close + 1] in (",", "{") and "(" in self.tokens[head:close]

    def read_block(self, head, at, close, scope):
        before = self.tokens[head:at]
        opening = before.index("(") if "(" in before else None
        if "namespace" in before:
            self.read(at + 1, close, scope)
        elif opening is None and {"class", "struct", "union"} & set(before) and "enum" not in before:
            word = next(i for i, token in enumerate(before) if token in ("class", "struct", "union"))
            names = [token for token in before[word + 1:] if NAME.match(token)]
            name, inside = names[0] if names else "", self.tokens[at + 1:close]
            ends = zip(inside, inside[1:], inside[2:], inside[3:])
            self.members[name] = {c if b == "&" else b for a, b, c, d in ends
                                  if TYPES.match(a) and (c in (";", "=") or (b == "&" and d == ";"))}
            self.read(at + 1, close, name)
        elif opening and "=" not in before[:opening] and NAME.match(before[opening - 1]):
            end = matching(before, opening)
            qualifier = before[opening - 3] if opening > 2 and before[opening - 2] == "::" else scope
            parameters = [parameter_of(part) for part in parts_of(before[opening + 1:end])]
            types = [set(part[:-1] if name else part) for name, part in
                     zip(parameters, parts_of(before[opening + 1:end]))]
            self.functions.append(Function(before[opening - 1], qualifier, self.file, parameters, types,
                                           before[end + 1:] + self.tokens[at:close + 1]))


def copied(tokens):
    """The tokens of an expression whose value it has: not those in calls, nor in bodies of lambdas."""
    i = 0
    while i < len(tokens):
        token = tokens[i]
        is_call = token == "(" and i > 0 and (NAME.match(tokens[i - 1]) or tokens[i - 1] == ">")
        if is_call and tokens[i - 1] in SAME_VALUE:
            is_call = False
        if is_call or (token == "{" and i > 0 and tokens[i - 1] in (")", "]", "mutable")):
            i = matching(tokens, i)
        elif NAME.match(token) and (i == 0 or tokens[i - 1] not in (".", "->", "::")):
            yield token
        i += 1


def expression_from(tokens, begin):
    """The tokens from `begin` to the end of the expression."""
    i = begin
    while i < len(tokens) and tokens[i] not in (";", ",", ")", "}", "]"):
        i = matching(tokens, i) + 1 if tokens[i] in CLOSE else i + 1
    return tokens[begin:i]


def root_of(tokens, at):
    """The variable whose member the name at `at` is."""
    while at >= 2 and tokens[at - 1] in (".", "->") and NAME.match(tokens[at - 2]):
        at -= 2
    return tokens[at] if NAME.match(tokens[at]) else ""


def settings_of(tokens):
    """(variable, the expression that sets it) in a body."""
    for i in range(1, len(tokens) - 1):
        if tokens[i] == "=" and NAME.match(tokens[i - 1]):
            yield root_of(tokens, i - 1), expression_from(tokens, i + 1)
        elif tokens[i] == "for" and ":" in (head := tokens[i + 2:matching(tokens, i + 1)]):
            at = head.index(":")
            yield head[at - 1], head[at + 1:]
        elif tokens[i] in ("(", "{") and NAME.match(tokens[i - 1]):
            is_declared = i > 1 and (NAME.match(tokens[i - 2]) or tokens[i - 2] in (">", "&", "*"))
            is_declared = is_declared and tokens[i - 2] not in NO_CALLS and tokens[i - 1] not in NO_CALLS
            if (is_declared and tokens[i] == "{") or tokens[i - 1].endswith("_"):
                yield tokens[i - 1], tokens[i + 1:matching(tokens, i)]


def objects_of(tokens):
    """(class, what stands in the braces) of each `T{...}` in a body."""
    for i in range(1, len(tokens)):
        if tokens[i] == "{" and NAME.match(tokens[i - 1]):
            yield tokens[i - 1], tokens[i + 1:matching(tokens, i)]


def calls_of(tokens):
    """(qualifier, name, the arguments) of each call in a body. `T name(...)` calls T's constructor."""
    for i in range(1, len(tokens)):
        if tokens[i] != "(" or not NAME.match(tokens[i - 1]) or tokens[i - 1] in NO_CALLS:
            continue
        is_declared = i > 1 and NAME.match(tokens[i - 2]) and tokens[i - 2] not in NO_CALLS
        at = i - 2 if is_declared else i - 1
        qualifier = tokens[at - 2] if at > 1 and tokens[at - 1] == "::" else ""
        yield qualifier, tokens[at], list(parts_of(tokens[i + 1:matching(tokens, i)]))


class Product:
    def __init__(self, tree):
        self.text = {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8")
                     for folder in FOLDERS for path in sorted((tree / folder).rglob("*"))
                     if path.suffix in (".h", ".cpp")}
        readers = {file: FileReader(file, text) for file, text in self.text.items()}
        self.of_file = {file: reader.functions for file, reader in readers.items()}
        self.members = {file: reader.members for file, reader in readers.items()}
        self.by_name = collections.defaultdict(list)
        for functions in self.of_file.values():
            for function in functions:
                self.by_name[function.name].append(function)

    @functools.lru_cache(maxsize=None)
    def includes(self, file):
        """The files that a file includes itself."""
        found = INCLUDE.findall(self.text[file])
        return frozenset(path for name in found for path in (name, "include/" + name) if path in self.text)

    @functools.lru_cache(maxsize=None)
    def spaces(self, file):
        """The names in the namespaces of a file."""
        return frozenset(name for space in SPACE.findall(self.text[file]) for name in space.split("::"))

    @functools.lru_cache(maxsize=None)
    def behind(self, file):
        """All files that are behind the includes of a file."""
        seen, open_files = set(), [file]
        while open_files:
            for other in self.includes(open_files.pop()) - seen:
                seen.add(other)
                open_files.append(other)
        return frozenset(seen)

    @functools.lru_cache(maxsize=None)
    def meant(self, file, qualifier, name, arguments):
        """The functions that a call in a file may mean."""
        fitting = [f for f in self.by_name[name] if len(f.parameters) >= arguments]
        if qualifier:
            fitting = [f for f in fitting if qualifier in (f.scope, *self.spaces(f.file))]
        own = [f for f in fitting if f.file == file]
        if own:
            return own
        declares = [h for h in self.behind(file) if re.search(rf"\b{name}\(", self.text[h])]
        return [f for f in fitting if f.file in declares or self.includes(f.file) & set(declares)]


class Road:
    """Follows the options; `calls` has the files with what they call."""

    def __init__(self, product):
        self.product = product
        self.calls = collections.defaultdict(set)
        self.members = collections.defaultdict(set)  # by file
        self.known = {}  # function -> its variables that have options
        self.open = collections.deque()
        self.walk()

    def walk(self):
        for functions in self.product.of_file.values():
            for function in functions:
                given = {name for name, words in zip(function.parameters, function.types) if OPTIONS in words}
                given |= {after for word, after in zip(function.body, function.body[1:]) if word == OPTIONS}
                self.give(function, {name for name in given if NAME.match(name)})
        while self.open:
            self.follow(self.open.popleft())

    def give(self, function, names):
        before = self.known.get(id(function), set())
        if names - before:
            self.known[id(function)] = before | names
            self.open.append(function)

    def variables(self, function):
        """The variables of a function that have options."""
        names = self.known[id(function)] | self.members[function.file]
        typed = {name for name, words in zip(function.parameters, function.types) if any(map(TYPES.match, words))}
        typed |= {name for word, name in zip(function.body, function.body[1:]) if TYPES.match(word)}
        settings = list(settings_of(function.body))
        while True:
            new = {name for name, value in settings if name and name not in names
                   and names & set(value if name in typed else copied(value))}
            if not new:
                return names
            names = names | new

    def follow(self, function):
        names = self.variables(function)
        members = {name for name in names if name.endswith("_")} - self.members[function.file]
        if members:
            self.members[function.file] |= members
            for other in self.product.of_file[function.file]:
                if members & set(other.body):
                    self.give(other, members)
        for built, inside in objects_of(function.body):
            if names & set(copied(inside)):
                for other in self.product.of_file[function.file]:
                    if other.scope == built:
                        self.give(other, self.product.members[function.file].get(built, set()))
        for qualifier, name, arguments in calls_of(function.body):
            places = [i for i, part in enumerate(arguments) if names & set(copied(part))]
            if not places:
                continue
            for callee in self.product.meant(function.file, qualifier, name, len(arguments)):
                given = {callee.parameters[i] for i in places if any(TYPES.match(word) for word in callee.types[i])}
                if given:
                    self.calls[function.file].add(name)
                    self.give(callee, given - {""})


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--most", type=int)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    calls = Road(Product(arguments.tree)).calls
    if arguments.list:
        for file in sorted(calls):
            print(f"{file}: {', '.join(sorted(calls[file]))}")
    print(f"{len(calls)} files hold a call that takes the options or the config of a run")
    sys.exit(1 if arguments.most is not None and len(calls) > arguments.most else 0)


if __name__ == "__main__":
    main()
