# SPDX-License-Identifier: Apache-2.0
"""Holds the namespace of each source against its folder.

usage: namespaces.py TREE

A floor has one namespace, by its name: ipusim::models, ipusim::workloads. A room of sim, of
sim/studies or of poplar has one by its own: ipusim::run, ipusim::sweep. The tables below have the
rooms with another one. Namespaces inside are free. A .cpp whose first include is a public header, or
whose name begins with public_, defines what such a header declares, in ipusim. Prints one line a fault; exit 1 when there is one.
"""
import re

import definitions
import faults
import layers

# The longest folder counts.
SHARED = "what public headers show"
LISTED = {
    "include/ipusim": ("ipusim", SHARED),
    "base": ("ipusim", "everybody reads it"),
    "models/ipu/machine": ("ipusim", SHARED),
    "models/ipu/program": ("ipusim", SHARED),
    "workloads/graph": ("ipusim", SHARED),
    "models/gpu": ("ipusim::gpu", "another machine than the IPU"),
    "models/ipu/energy": ("ipusim::energy", "joules and mm2, which nothing else of the models knows"),
    "sim/compile": ("ipusim::compiler", "ipusim::compile is a public function"),
    "sim/execute": ("ipusim::executor", "ipusim::execute is a public function"),
    "poplar/runtime": ("poplar::detail", "programs written for Poplar link these names"),
}
ROOMS = ("sim/studies/", "sim/", "poplar/")
FLOORS = ("models/", "workloads/")
# It defines functions of parts that are not built, in their namespaces.
FREE = ("sim/absent/", layers.COMPATIBLE_ROOT)
# Namespaces of others, for what their libraries look up there.
FOREIGN = {"CLI", "llvm", "std"}
FORWARD = re.compile(r"\s*(?:(?:class|struct) \w+;\s*)+\}")
FIRST_INCLUDE = re.compile(r'^#include ["<]([^">]+)', re.MULTILINE)
SCOPE = re.compile(r"\bnamespace\s+(?P<name>[\w:]+)\s*\{|[{}]")


def namespace_of(file):
    """The namespace of a file by its folder."""
    listed = [folder for folder in LISTED if file.startswith(folder + "/")]
    if listed:
        return LISTED[max(listed, key=len)][0]
    for room in ROOMS:
        if file.startswith(room):
            return "ipusim::" + file[len(room):].split("/")[0]
    return "ipusim::" + next(floor for floor in FLOORS if file.startswith(floor)).rstrip("/")


def outermost(text):
    """(line, name) of each named namespace that stands in no other braces and defines something."""
    plain, depth = definitions.without_noise(text), 0
    for scope in SCOPE.finditer(plain):
        if scope["name"] and depth == 0 and not FORWARD.match(plain, scope.end()):
            yield plain.count("\n", 0, scope.start()) + 1, scope["name"]
        depth += -1 if scope.group() == "}" else 1


def defines_public(file, text):
    first = FIRST_INCLUDE.search(text)
    is_first = first is not None and first.group(1).startswith("ipusim/")
    return file.endswith(".cpp") and (is_first or "/public_" in file)


def faults_of(tree):
    paths = list(layers.sources_of(tree))
    rooms = {namespace_of(path.relative_to(tree).as_posix()) for path in paths}
    for path in paths:
        file = path.relative_to(tree).as_posix()
        if file.startswith(FREE):
            continue
        text = path.read_text(encoding="utf-8")
        wanted = namespace_of(file)
        for line, found in outermost(text):
            is_inside = found.startswith(wanted + "::") and found not in rooms
            if found == wanted or is_inside or found in FOREIGN:
                continue
            if found != "ipusim" or not defines_public(file, text):
                yield f"{file}:{line}: wanted namespace {wanted}, found {found}"


if __name__ == "__main__":
    faults.report(__doc__, faults_of)
