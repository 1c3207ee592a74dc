# SPDX-License-Identifier: Apache-2.0
"""What the figures share: colours, units, reading CSV, errors in one line."""
import argparse
import csv
import math
import pathlib
import sys

try:
    import matplotlib
except ImportError as missing:
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: wanted the Python module {missing.name} (Debian package "
             "python3-matplotlib), found none")

from columns import words  # noqa: F401  (figures say style.words)
from headings import heading

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)
from matplotlib.ticker import FuncFormatter  # noqa: E402

# Okabe and Ito's palette, which colour-blind readers can tell apart.
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, YELLOW, GREY = "#CC79A7", "#56B4E9", "#F0E442", "#888888"

# Memory: data first, then tables, then code.
CATEGORY_COLOURS = {
    "variables": BLUE,
    "constants": "#8FB8DE",
    "message_buffers": SKY,
    "vertex_state": GREEN,
    "vertex_field_data": "#7FCDB5",
    "copy_descriptors": "#B6E3D4",
    "vertex_code": ORANGE,
    "internal_exchange_code": RED,
    "control_code": YELLOW,
    "host_exchange_code": "#F2B48A",
    "host_exchange_headers": "#C9C9C9",
    "global_exchange_code": "#B15928",
    "global_exchange_headers": "#E5C494",
    "stack": GREY,
}
OTHER_COLOURS = [PURPLE, "#8C6BB1", "#4D4D4D", "#A6761D"]

# Points of programs that do not fit.
MISFIT = {"linestyle": "none", "marker": "X", "markersize": 8, "color": RED, "markeredgecolor": "white",
          "markeredgewidth": 0.7, "label": "does not fit", "zorder": 5, "clip_on": False}

KIND_COLOURS = {"compute": BLUE, "copy": GREEN, "exchange": ORANGE, "sync": GREY}

plt.rcParams.update(
    {
        "figure.dpi": 150,
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#E5E5E5",
        "legend.frameon": False,
        "pdf.fonttype": 42,  # publishers want fonts that can be edited
        "svg.hashsalt": "ipusim",  # the same CSV gives the same bytes
    }
)


def parser(doc):
    """A parser whose help is the script's text and whose errors are one line."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter,
                                   usage=argparse.SUPPRESS)
    made.add_argument("--format", metavar="LIST", default="", help="also in these: png, pdf, svg, with commas")
    made.add_argument("--title", metavar="TEXT", help="in place of the one with program and machine")
    made.error = lambda message: fail(f"{made.prog}: {message}; see {made.prog} --help")
    return made


def category_colour(category, index):
    return CATEGORY_COLOURS.get(category, OTHER_COLOURS[index % len(OTHER_COLOURS)])


def with_prefix(value, unit):
    """1234567, "B" -> "1.23 MB": three figures at most."""
    for scale, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= scale:
            return f"{value / scale:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}" if unit else f"{value:.3g}"


def unit_formatter(unit):
    """Ticks with a prefix, so that axes read 200 MB and not 2e8."""
    return FuncFormatter(lambda value, _: with_prefix(value, unit))


def small_unit_formatter(unit):
    """As unit_formatter, with prefixes below one: 2.5e-6 reads 2.5 µs."""
    def text(value, _):
        for scale, prefix in ((1, ""), (1e-3, "m"), (1e-6, "µ")):
            if abs(value) >= 0.9999 * scale:
                return f"{value / scale:.3g} {prefix}{unit}"
        return f"{value / 1e-9:.3g} n{unit}"

    return FuncFormatter(text)


def with_binary_prefix(value):
    """131072 -> "128 KiB"."""
    for scale, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= scale:
            return f"{value / scale:g} {unit}"
    return f"{value:g} B"


def spans_decades(values, factor=30):
    """True where a linear axis would squeeze most of the values into a corner."""
    positive = [v for v in values if v > 0]
    return bool(positive) and len(positive) == len(values) and max(positive) / min(positive) >= factor


def read_rows(path):
    """The rows of a CSV file as dicts; exits with one line where there are none."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            header = reader.fieldnames or []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fail(f"{path}: {getattr(error, 'strerror', None) or error}")
    if not rows:
        fail(f"{path}: wanted a header and at least one row, found none")
    return header, rows


def need_columns(path, header, columns):
    missing = [column for column in columns if column not in header]
    if missing:
        fail(f"{path}: wanted the column {missing[0]}, found {', '.join(header[:8])}, ...")


def number(path, row, column):
    """A cell as a number; exits with one line where it is none."""
    try:
        value = float(row[column])
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        fail(f"{path}: {column}: wanted a number, found {row[column]!r}")
    return value


# No metadata: the same CSV gives the same bytes.
METADATA = {
    ".png": {"Software": None},
    ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    ".svg": {"Creator": None, "Date": None},
}


def paths_of(out, formats):
    """The files to write: `out`, and one beside it for each further format."""
    first = pathlib.Path(out)
    if first.suffix not in METADATA:
        fail(f"{out!r}: wanted a name that ends in .png, .pdf or .svg")
    suffixes = [f".{name.strip()}" for name in formats.split(",") if name.strip()]
    for suffix in suffixes:
        if suffix not in METADATA:
            fail(f"--format: wanted some of png, pdf and svg, found {suffix[1:]!r}")
    return list(dict.fromkeys([first] + [first.with_suffix(suffix) for suffix in suffixes]))


def plain(text):
    """A name for a figure: Matplotlib would read what is between two dollars as a formula."""
    return str(text).replace("$", r"\$")


def json_number(path, value):
    """A number of a result; exits with one line where it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        fail(f"{path}: wanted a number, found {value!r}")
    return value


def add_heading(figure, text):
    """Above all that is drawn, at the left of the first axes."""
    figure.canvas.draw()
    top = max(axes.get_tightbbox().y1 for axes in figure.axes)
    left = min(axes.get_position().x0 for axes in figure.axes)
    above = (top + 0.08 * figure.dpi) / (figure.dpi * figure.get_figheight())
    figure.text(left, above, plain(text), ha="left", va="bottom", fontsize=11, fontweight="bold")


def save(figure, arguments):
    """Writes the figure to `arguments.out`, in the formats that were asked for."""
    paths = paths_of(arguments.out, arguments.format)
    if text := heading(arguments):
        add_heading(figure, text)
    write(figure, paths)


def write(figure, paths):
    for path in paths:
        try:
            figure.savefig(path, bbox_inches="tight", metadata=METADATA[path.suffix])
        except OSError as error:
            fail(f"{path}: {error.strerror}")


def fail(line):
    sys.exit(line)
