# SPDX-License-Identifier: Apache-2.0
"""The heading of a figure: which program on which machine."""
import csv
import json
import pathlib

from columns import words

MOST_WORDS = 6  # keys of a program in a heading
# What scripts call the argument that says where results are, in the order in which they are looked at.
SOURCES = ("results", "steps", "folder", "dir")


def program_of(config):
    """A [workload] in words: matmul, m = 64, k = 64."""
    plain = [f"{words(key)} = {value}" for key, value in config.items()
             if key != "kind" and isinstance(value, (int, float, str)) and "\n" not in str(value)]
    return ", ".join([words(config["kind"]), *plain[:MOST_WORDS]])


def of_run(folder):
    """Program and machine of a folder that `ipusim run --out` made; None where it is another folder."""
    try:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        return program_of(result["config"]["workload"]), result["machine"]["name"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def machines_of(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return [row.get("machine.name") for row in csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, csv.Error):
        return []


def of_source(path):
    """(program, machines) of a table, or of a folder."""
    folder = path if path.is_dir() else path.resolve().parent
    run = of_run(folder)
    if run:
        return run[0], [run[1]]
    table = path / "results.csv" if path.is_dir() else path
    return words(folder.resolve().name), machines_of(table)


def heading(arguments):
    """--title, or each program and machine once; empty where nothing says them."""
    if arguments.title is not None:
        return arguments.title
    found = next((getattr(arguments, name) for name in SOURCES if hasattr(arguments, name)), None)
    if found is None:
        return ""
    sources = [of_source(pathlib.Path(path)) for path in (found if isinstance(found, list) else [found])]
    programs = dict.fromkeys(program for program, _ in sources)
    machines = dict.fromkeys(machine for _, some in sources for machine in some if machine)
    return " and ".join(programs) + (f" on {', '.join(machines)}" if machines else "")
