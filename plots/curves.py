# SPDX-License-Identifier: Apache-2.0
"""Curves from the results.csv files that `ipusim sweep` writes: one for each combination of the other axes."""
import math
import pathlib

import style

RATE = "gflops_per_second"
RESULT = ("ok", "does_not_fit")
MOST_MARKERS = 100
# Curves often lie on one another: the earlier are wider, the later dashed, so that both show.
LOOKS = [
    {"color": style.BLUE, "marker": "o", "markersize": 6, "linewidth": 2.4},
    {"color": style.ORANGE, "marker": "s", "markersize": 4, "linewidth": 1.3, "linestyle": "--"},
    {"color": style.GREEN, "marker": "^", "markersize": 5, "linewidth": 1.3},
    {"color": style.PURPLE, "marker": "D", "markersize": 3.5, "linewidth": 1.3, "linestyle": "--"},
    {"color": style.SKY, "marker": "v", "markersize": 5, "linewidth": 1.3},
    {"color": style.GREY, "marker": "P", "markersize": 5, "linewidth": 1.3, "linestyle": ":"},
    {"color": style.BLUE, "marker": "*", "markersize": 6, "linewidth": 1.3, "linestyle": ":"},
    {"color": style.ORANGE, "marker": "X", "markersize": 5, "linewidth": 1.3, "linestyle": "-."},
]


class Curve:
    """Rows of one file that differ in x alone, in the order of x. 

    `work` begins the columns of what it achieves, `time` those of how long it takes.
    """

    def __init__(self, path, key, rows, x_of):
        self.path, self.key, self.x_of, self.rows = path, key, x_of, sorted(rows, key=x_of)
        self.label = ""
        self.look = LOOKS[0]
        self.work = "work"
        self.time = "time"
        self.x = [x_of(row) for row in self.rows]
        self.fits = [row["status"] == "ok" for row in self.rows]

    def compared(self, gpu):
        """The same work on a GPU, or None where no row has it."""
        work = f"compare.{gpu}"
        rows = [row for row in self.rows if row[f"{work}.{RATE}"]]
        if not rows:
            return None
        curve = Curve(self.path, {**self.key, "machine.name": gpu}, rows, self.x_of)
        curve.work = curve.time = work
        curve.fits = [row.get(f"{work}.fits") != "false" for row in curve.rows]
        return curve

    def column(self, name):
        return [style.number(self.path, row, name) for row in self.rows]

    def band(self, rates):
        """Lowest and highest rates by the band around the time; None where the file has no such columns."""
        if any(f"{self.time}.{end}_seconds" not in self.rows[0] for end in ("low", "high")):
            return None
        seconds, low, high = (self.column(f"{self.time}.{part}") for part in ("seconds", "low_seconds", "high_seconds"))
        return ([rate * usual / most for rate, usual, most in zip(rates, seconds, high)],
                [rate * usual / least for rate, usual, least in zip(rates, seconds, low)])

    def draw_band(self, axes, rates):
        band = self.band(rates)
        if band:
            axes.fill_between(self.x, *band, color=self.look["color"], alpha=0.15, linewidth=0)

    def draw(self, axes, values):
        """The curve, with its points that do not fit marked. So many points that their markers would hide it have none."""
        look = self.look if len(self.x) <= MOST_MARKERS else {**self.look, "marker": None, "linewidth": 1}
        axes.plot(self.x, values, label=self.label, **look)
        misfits = [(x, y) for x, y, fits in zip(self.x, values, self.fits) if not fits]
        if misfits:
            axes.plot(*zip(*misfits), **style.MISFIT)


def words_of(axis, value):
    """pattern, all_to_all -> all to all; tiles, 64 -> tiles = 64."""
    try:
        float(value)
    except ValueError:
        return style.words(value)
    return f"{style.words(axis.rpartition('.')[2])} = {value}"


def curves_of_file(path, x_columns, needed, x_of):
    """`x_of` takes the row and the path."""
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["status", "machine.name", *x_columns, *needed])
    axes = [name for name in header[:header.index("status")] if name not in (*x_columns, "machine")]
    groups = {}
    for row in rows:
        if row["status"] in RESULT:
            key = (("machine.name", row["machine.name"]), *((name, row[name]) for name in axes))
            groups.setdefault(key, []).append(row)
    return [Curve(path, dict(key), group, lambda row: x_of(path, row)) for key, group in groups.items()]


def with_gpus(curves):
    """The curves, and after them those of the GPUs that `[compare]` sets beside them."""
    found = list(curves)
    for curve in curves:
        columns = [name.split(".") for name in curve.rows[0]]
        gpus = [parts[1] for parts in columns if parts[0] == "compare" and parts[2:] == [RATE]]
        found += filter(None, map(curve.compared, gpus))
    return found


def add_labels(curves):
    """What a curve has and not all have; the folder of its file where that is not enough."""
    def differs(name):
        return len({curve.key.get(name) for curve in curves}) > 1

    names = [name for name in dict.fromkeys(name for curve in curves for name in curve.key) if differs(name)]
    for i, curve in enumerate(curves):
        parts = [words_of(name, curve.key[name]) for name in names if name in curve.key]
        curve.label = ", ".join(parts)
        curve.look = LOOKS[i % len(LOOKS)]
    labels = [curve.label for curve in curves]
    for curve in curves:
        if labels.count(curve.label) > 1 and len({other.path for other in curves}) > 1:
            folder = pathlib.Path(curve.path).resolve().parent.name
            curve.label = f"{curve.label} ({folder})" if curve.label else folder


def read_curves(paths, x_columns, needed, x_of=None):
    """The curves of all files; x is the first of `x_columns` unless `x_of(path, row)` says otherwise."""
    x_of = x_of or (lambda path, row: style.number(path, row, x_columns[0]))
    curves = [curve for path in paths for curve in curves_of_file(path, x_columns, needed, x_of)]
    if not curves:
        style.fail(f"{', '.join(paths)}: wanted a row whose status is ok or does_not_fit, found none")
    for curve in curves:
        if len(set(curve.x)) != len(curve.x):
            style.fail(f"{curve.path}: {', '.join(x_columns)}: wanted each value once in a curve, found one twice")
    curves = with_gpus(curves) if f"work.{RATE}" in needed else curves
    add_labels(curves)
    return curves


def power_text(power):
    return f"$2^{{{power}}}$" if power else "1"


def set_powers_of_two(axes, values, *, text=power_text, most_ticks=11):
    """A logarithmic x axis whose ticks are powers of two, 1 among them where it is in the range."""
    lowest, highest = (round(math.log2(end)) for end in (min(values), max(values)))
    step = max(1, -(-(highest - lowest) // most_ticks))
    powers = [power for power in range(lowest, highest + 1) if power % step == 0]
    axes.set_xscale("log", base=2)
    axes.set_xticks([2.0**power for power in powers], [text(power) for power in powers])
    axes.minorticks_off()


def legend_beside(axes, title=None):
    """A legend to the right of the axes, each label once, the misfits last."""
    handles = {}
    for handle, label in zip(*axes.get_legend_handles_labels()):
        if label:
            handles.setdefault(label, handle)
    misfit = handles.pop(style.MISFIT["label"], None)
    if misfit:
        handles[style.MISFIT["label"]] = misfit
    if handles:
        axes.legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.02, 1.03), title=title,
                    alignment="left")
