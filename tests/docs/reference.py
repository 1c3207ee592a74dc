# SPDX-License-Identifier: Apache-2.0
"""Compares the tables of docs/reference with what the program knows."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib

import pages

UNITS = [
    ("_bytes_per_second", "B/s"), ("_bytes_per_cycle", "B/cycle"), ("_flops_per_cycle", "FLOP/cycle"),
    ("gflops_per_second", "GFLOP/s"), ("_per_second", "1/s"), ("bytes", "B"), ("cycles", "cycles"),
    ("seconds", "s"), ("_hz", "Hz"), ("_percent", "%"),
]


def unit_of(key):
    """The unit that the end of a key names, None where it names none."""
    last = key.rsplit(".", 1)[-1]
    if last.startswith("within_"):  # a share of rows, named after the bound
        return None
    return next((unit for end, unit in UNITS if last.endswith(end)), None)


def unit_faults(place, row):
    unit = unit_of(row["key"])
    if unit and row["unit"] != unit:
        return [f"{place}: {row['key']}: wanted the unit {unit}, found {row['unit']!r}"]
    return []


def presence_faults(place, known, rows, show):
    """Both ways: what has no row, and rows of what is not there. `show` makes the row to add."""
    written = [row["key"] for row in rows]
    faults = [f"{place}: {key} stands there twice" for key in sorted(set(written))
              if written.count(key) > 1]
    faults += [f"{place}: no entry for {key}: {show(key)}" for key in sorted(set(known) - set(written))]
    return faults + [f"{place}: {key} is in the table alone"
                     for key in sorted(set(written) - set(known))]


# ---- Config keys ----------------------------------------------------------------------------------


def with_plain_values(key, preset):
    """A run config that gives every number of a preset: `key` is machine or gpu."""
    values = tomllib.loads((pages.ROOT / preset).read_text())
    included = (pages.ROOT / preset).parent / values.pop("include")
    values.update(tomllib.loads(included.read_text()))
    lines = [f'{key}.{name} = {json.dumps(value["value"] if isinstance(value, dict) else value)}\n'
             for name, value in values.items()]
    return f'{key}.base = "{pathlib.Path(preset).stem}"\n' + "".join(lines)


class ConfigKeys:
    """Asks the program config_keys what a reader asks for."""

    def __init__(self, program):
        self.program = program

    def asked(self, reader, toml):
        """{key: (type, range, default, may be left out)} of one example."""
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(toml)
            file.flush()
            done = subprocess.run([self.program, reader, file.name], cwd=pages.ROOT, text=True,
                                  capture_output=True)
        if done.returncode:
            raise ValueError(done.stderr + toml)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        return {line[0]: line[1:] for line in lines}


def below(key, prefix):
    """The key without the prefix, None where it is not right below it. A star is any one name."""
    path, top = key.split("."), prefix.split(".") if prefix else []
    fits = len(path) == len(top) + 1 and all(b in ("*", a) for a, b in zip(path, top))
    return path[-1] if fits else None


def seen_in(section, config_keys):
    """{key: list of (type, range, default, optional)} over the examples of a section."""
    reader, prefix, *rest = (section.directive[1] + " -").split()
    examples = [block.text for block in section.blocks if block.language == "toml"]
    options = dict(item.split("=", 1) for item in rest if "=" in item)
    if "preset" in options:
        examples = [example + with_plain_values(prefix, options["preset"]) for example in examples]
    skipped = options.get("except", "").split(",")
    seen = {}
    for example in examples:
        for key, words in config_keys.asked(reader, example).items():
            name = below(key, "" if prefix == "root" else prefix)
            if name and name not in skipped:
                seen.setdefault(name, []).append(words)
    return seen


def said(words, column):
    return sorted({word[column] for word in words if word[column]})


def entry(key, words):
    """The row that a page would have, but for its meaning."""
    one = [", ".join(said(words, column)) or "-" for column in range(3)]
    return f"| `{key}` | {one[0]} | {unit_of(key) or '-'} | {one[2]} | {one[1]} | ... |"


def cell_fault(place, row, column, known, otherwise):
    """What a cell says against the one thing that the reader said; any text where it said several."""
    wanted = known[0] if len(known) == 1 else None
    if wanted is None:
        if known or not otherwise:
            return [] if row[column] not in ("", "-") else [f"{place}: {row['key']}: no {column}"]
        wanted = otherwise
    if row[column] == wanted:
        return []
    return [f"{place}: {row['key']}: {column}: wanted {wanted}, found {row[column]}"]


def config_faults(section, config_keys):
    place = section.title
    seen = seen_in(section, config_keys)
    if not seen:
        return [f"{place}: no reader asks for these keys"]
    faults = presence_faults(place, seen, section.rows, lambda key: entry(key, seen[key]))
    for row in section.rows:
        words = seen.get(row["key"])
        if words is None:
            continue
        faults += unit_faults(place, row)
        faults += cell_fault(place, row, "type", said(words, 0), None)
        faults += cell_fault(place, row, "range", said(words, 1), "-")
        optional = any(word[3] == "1" for word in words)
        faults += cell_fault(place, row, "default", said(words, 2), None if optional else "required")
        if not row["meaning"]:
            faults.append(f"{place}: {row['key']}: no meaning")
    return faults


# Getters of ConfigReader whose first argument is a key as it stands.
KEY_IN_SOURCE = re.compile(
    r'\b(?:whole|wholes|real|text|texts|choice|flag|has|table|path|extent|powerOfTwo|read[A-Z]\w*)'
    r'\((?:\w+, )?"([a-z0-9_]+)"')
READERS = ["models/ipu/machine", "models/ipu/energy", "models/gpu", "workloads", "sim", "poplar/codelets", "poplar/runtime"]


JSON_KEY_IN_SOURCE = re.compile(r'\{"(\w+)", |\["(\w+)"\]')


def named_in(folders, pattern):
    """{key: the first file that names it} over the C++ sources of the folders."""
    keys = {}
    for top in folders:
        for file in sorted((pages.ROOT / top).rglob("*.cpp")):
            if file.parent.name == "page":
                continue  # only the scripts of a report page read its data
            for match in pattern.finditer(file.read_text()):
                key = next(filter(None, match.groups()))
                keys.setdefault(key, file.relative_to(pages.ROOT))
    return keys


def keys_in_sources():
    """Every key that a reader names in the sources, also in branches that no example takes."""
    return named_in(READERS, KEY_IN_SOURCE)


def json_keys_in_sources():
    return named_in(["sim/report", "sim/interop/profiles", "sim/interop/simgrid"], JSON_KEY_IN_SOURCE)


def source_faults(page, keys):
    """Keys of the sources that no table of the page has, whatever table or list they are in."""
    written = {name for part in page for row in part.rows if "key" in row
               for name in row["key"].replace("[]", "").split(".")}
    written |= {part.title.strip("[]") for part in page}
    return [f"{file} names the key {key}, which has no entry" for key, file in keys.items()
            if key not in written]


# ---- JSON keys ------------------------------------------------------------------------------------


def type_name(value):
    names = {bool: "true or false", int: "whole number", float: "number", str: "text",
             dict: "object", list: "list", type(None): "null"}
    return names[type(value)]


def json_paths(value, prefix=""):
    """Every path of an object with the types found there. Members of a list share `[]`."""
    found = {}
    members = value.items() if isinstance(value, dict) else [("[]", one) for one in value]
    for key, one in members:
        path = f"{prefix}.{key}" if prefix and key != "[]" else prefix + key
        found.setdefault(path, set()).add(type_name(one))
        if isinstance(one, (dict, list)):
            for below_path, types in json_paths(one, path).items():
                found.setdefault(below_path, set()).update(types)
    return found


def merged(objects):
    found = {}
    for one in objects:
        for path, types in json_paths(one).items():
            found.setdefault(path, set()).update(types)
    return found


def json_faults(section, found):
    """`found`: {path: types} of example runs."""
    place = section.title
    faults = presence_faults(place, found, section.rows,
                             lambda key: f"| `{key}` | {' or '.join(sorted(found[key]))} |")
    for row in section.rows:
        types = found.get(row["key"], set())
        documented = set(row["type"].split(" / "))
        if types - documented:
            faults.append(f"{place}: {row['key']}: wanted {' / '.join(sorted(types))}, "
                          f"found {row['type']}")
        faults += unit_faults(place, row)
    return faults


# ---- CSV columns and options ----------------------------------------------------------------------


def csv_faults(section, header):
    faults = presence_faults(section.title, header, section.rows, lambda key: f"| `{key}` |")
    return faults + [fault for row in section.rows for fault in unit_faults(section.title, row)]


OPTION = re.compile(r"^  (--[a-z-]+)", re.MULTILINE)


def options_of(help_text):
    return sorted(set(OPTION.findall(help_text)) - {"--help"})


def run(program, *arguments):
    done = subprocess.run([program, *arguments], cwd=pages.ROOT, capture_output=True, text=True,
                          env=os.environ)
    if done.returncode:
        raise ValueError(f"{arguments}: {done.stderr}")
    return done.stdout
