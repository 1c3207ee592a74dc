# SPDX-License-Identifier: Apache-2.0
"""Reads the #include lines of the tree and reports those that go up.

usage: layers.py TREE

Prints one line a fault, `file:line: what`; exit 1 when there is one.
"""
import fnmatch
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parents[2] / "cmake/Layers.cmake"
TABLE_ROW = re.compile(r'\s*"(\w+) *\|([^|]+)\|([ \w]*)(?:\| *\w+)?"')
HEADERS_ROW = re.compile(r'\s*"(\w+) *\|([^|]+)"')


def read_layers(table):
    """The rows of the table: name -> (patterns of its files, layers right below it), bottom up."""
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = filter(None, map(TABLE_ROW.match, lines))
    layers = {row.group(1): (row.group(2).split(), row.group(3).split()) for row in rows}
    for row in filter(None, map(HEADERS_ROW.fullmatch, lines)):
        for header in row.group(2).split():
            suffix = "" if header.endswith("*") else ".h"
            layers[row.group(1)][0].append(f"include/ipusim/{header}{suffix}")
    return layers


LAYERS = read_layers(TABLE)

# A named workload knows no other one, only the parts that several share.
NAMED = "workloads/sources/named/"
NAMED_PARTS = NAMED + "parts/"

# Headers of the outside that only some files may see.
FENCED = {
    "SystemC": (r"(systemc|sysc/|tlm)",
                ["models/ipu/engines/chip/*", "models/ipu/engines/pod/*", "include/ipusim/chip.h",
                 "sim/cli/main.cpp"]),
    "the config library": (r"toml(\+\+|\.hpp)", ["base/*"]),
    "the library of command lines": (r"CLI/", ["sim/cli/*"]),
    "LLVM": (r"llvm/", ["poplar/codelets/count/*"]),
    "ONNX": (r"(onnx|google)/", ["workloads/sources/onnx/*"]),
    "simdjson": (r"simdjson", ["workloads/sources/trace/*"]),
    "Ceres": (r"ceres/", ["sim/studies/calibrate/fit.cpp"]),
    "pagmo": (r"pagmo/", ["sim/studies/search/*"]),
    "SQLite": (r"sqlite3", ["sim/studies/sweep/store/sqlite.cpp"]),
    "MPI": (r"(mpi\.h|boost/mpi)", ["sim/studies/sweep/processes/mpi_ranks.cpp"]),
    "Spirit": (r"boost/spirit", ["sim/studies/sweep/space/expression.cpp"]),
    "Eigen": (r"Eigen/", ["workloads/vertices/number.h", "sim/studies/calibrate/fit.cpp"]),
    # Who hands JSON on includes base/text/json.h, which costs nothing.
    "the whole of JSON": (r"nlohmann/json\.hpp",
                          ["*.cpp", "base/text/json_reader.h", "sim/interop/profiles/recording.h",
                           "sim/report/page/run_lengths.h", "sim/studies/sweep/space/point_keys.h",
                           "sim/studies/validate/run_store.h", "sim/interop/chakra/trace.h"]),
}

FOLDERS = ["include", "base", "models", "workloads", "sim", "poplar/include", "poplar/tile_compiler",
           "poplar/codelets", "poplar/runtime"]
TOPS = {folder.split("/")[0] for folder in FOLDERS}
# Headers with the names, and the suffix, that programs written for Poplar use.
COMPATIBLE_ROOT = "poplar/include/"
COMPATIBLE = re.compile(r"(?:popfloat|poplar|poputil|popops|poplin|poprand|popnn)/.*\.hpp")
INSTALLED = ("include/", COMPATIBLE_ROOT)
SOURCE_SUFFIXES = {".h", ".cpp"}
FOREIGN_SUFFIXES = {".hpp", ".hh", ".hxx", ".cc", ".cxx", ".c", ".ipp", ".inl", ".inc", ".tpp"}
DIRECTIVE = re.compile(r"\s*#\s*include\b\s*(.*)")
OPERAND = re.compile(r'(?:"([^"]+)"|<([^>]+)>)')


def layer_of(path):
    """The layer whose pattern fits `path`, the longest first; None where none does."""
    fits = [(len(pattern), name) for name, (patterns, _) in LAYERS.items()
            for pattern in patterns if fnmatch.fnmatchcase(path, pattern)]
    return max(fits)[1] if fits else None


def allowed_from(layer):
    """`layer`, and every layer below it."""
    below = {layer}
    for name in LAYERS[layer][1]:
        below |= allowed_from(name)
    return below


def path_of(included):
    """The path of a header by the name that includes call it by."""
    if COMPATIBLE.fullmatch(included):
        return COMPATIBLE_ROOT + included
    return "include/" * included.startswith("ipusim/") + included


def includes_of(text):
    """(line number, path or None where it is no plain path, in quotes or not) of each #include."""
    for number, line in enumerate(text.splitlines(), start=1):
        directive = DIRECTIVE.match(line)
        if not directive:
            continue
        operand = OPERAND.match(directive.group(1))
        if operand:
            path = operand.group(1) or operand.group(2)
            yield number, path_of(path), operand.group(1) is not None
        else:
            yield number, None, False


def outside_fault(file, included):
    for what, (pattern, homes) in FENCED.items():
        at_home = any(fnmatch.fnmatchcase(file, home) for home in homes)
        if re.match(pattern, included) and not at_home:
            return f"{what} ({included}) is seen by {' and '.join(homes)} only"
    return None


def named_fault(file, included):
    """Why a named workload may not include another one's header; None if it is no such include."""
    if not (file.startswith(NAMED) and included.startswith(NAMED)):
        return None
    same = pathlib.PurePath(file).stem == pathlib.PurePath(included).stem
    if included.startswith(NAMED_PARTS) or same:
        return None
    return f"a workload includes another one ({included})"


def include_fault(file, layer, included, quoted):
    """Why `file` may not include `included`; None if it may."""
    if included is None:
        return "an include that is no plain path"
    if not quoted and included.split("/")[0] not in TOPS:
        return outside_fault(file, included)
    target = layer_of(included)
    if target is None or ".." in included.split("/"):
        return f'"{included}" is no path of a layer, written from the root'
    if target not in allowed_from(layer):
        return f"{layer} may not include {target} ({included})"
    if file.startswith(INSTALLED) and not included.startswith(INSTALLED):
        return f"a public header includes one that is not installed ({included})"
    return named_fault(file, included)


def file_faults(tree, path):
    file = path.relative_to(tree).as_posix()
    if path.suffix in FOREIGN_SUFFIXES and not (file.startswith(COMPATIBLE_ROOT) and path.suffix == ".hpp"):
        return [f"{file}:1: sources end in .h or .cpp"]
    layer = layer_of(file)
    if layer is None:
        return [f"{file}:1: belongs to no layer"]
    faults = []
    for number, included, quoted in includes_of(path.read_text(encoding="utf-8")):
        fault = include_fault(file, layer, included, quoted)
        if fault:
            faults.append(f"{file}:{number}: {fault}")
    return faults


def sources_of(tree):
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES | FOREIGN_SUFFIXES and path.is_file():
                yield path


def main(tree):
    sources = list(sources_of(tree))
    if not sources:
        sys.exit(f"{tree}: no sources under {', '.join(FOLDERS)}")
    faults = [fault for path in sources for fault in file_faults(tree, path)]
    print("\n".join(faults + [f"{len(sources)} files, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
