# SPDX-License-Identifier: Apache-2.0
"""How many times faster points of a sweep are with codes for activations than without."""
import math

import style

CODEC = "workload.compress.codec"
NO_CODEC = "none"
SAMPLES = "step.samples_per_second"


def axes_of(header):
    return header[:header.index("status")]


def is_of_codes(axis):
    return axis.startswith("workload.compress.")


class Plain:
    """Points without codes, by the axes that are not of codes."""

    def __init__(self, path):
        header, rows = style.read_rows(path)
        style.need_columns(path, header, ["status", CODEC, SAMPLES])
        self.path = path
        self.axes = [axis for axis in axes_of(header) if not is_of_codes(axis)]
        self.rows = [row for row in rows if row["status"] == "ok" and row[CODEC] == NO_CODEC]
        if not self.rows:
            style.fail(f"{path}: wanted a point that fits and whose {CODEC} is {NO_CODEC}, found none")

    def rate_beside(self, row):
        """Samples per second of the point with the same axes, as far as both files have them; None without one."""
        shared = [axis for axis in self.axes if axis in row]
        alike = [plain for plain in self.rows if all(plain[axis] == row[axis] for axis in shared)]
        rates = {style.number(self.path, plain, SAMPLES) for plain in alike}
        if len(rates) > 1:
            style.fail(f"{self.path}: wanted one point without codes for each point with codes, found {len(rates)} "
                       f"for {', '.join(row[axis] for axis in shared) or 'all'}")
        return rates.pop() if rates else None


def add_gains(path, rows, plain):
    """The points that fit and have one without codes beside them, each with its `gain`."""
    gained = []
    for row in rows:
        rate = plain.rate_beside(row) if row["status"] == "ok" else None
        if rate:
            gained.append({**row, "gain": style.number(path, row, SAMPLES) / rate})
    if not gained:
        style.fail(f"{path}: wanted a point that fits beside one without codes, found none")
    return gained


def read_coded(path, columns):
    """The points with codes."""
    header, rows = style.read_rows(path)
    style.need_columns(path, header, ["status", CODEC, SAMPLES, *columns])
    return header, [row for row in rows if row[CODEC] != NO_CODEC]


def free_axes(rows, axes, fixed):
    """Those of `axes` that have several values at one place of the `fixed` axes; the others go together with them."""
    values = {}
    for row in rows:
        at = tuple(row[axis] for axis in fixed)
        for axis in axes:
            values.setdefault((axis, at), set()).add(row[axis])
    free = {axis for (axis, _), found in values.items() if len(found) > 1}
    return [axis for axis in axes if axis in free and axis not in fixed]


def groups_by(rows, axes):
    """Rows by the values of those axes of which there is more than one."""
    varied = [axis for axis in axes if len({row[axis] for row in rows}) > 1]
    groups = {}
    for row in rows:
        groups.setdefault(tuple((axis, row[axis]) for axis in varied), []).append(row)
    return groups


def crossing(points):
    """Where y of the points (x, y), in the order of x, first passes 1; x between two points on a logarithmic scale.

    None where it does not.
    """
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if (y0 - 1) * (y1 - 1) <= 0 and y0 != y1:
            share = math.log(y0) / (math.log(y0) - math.log(y1))
            return x0 * (x1 / x0) ** share
    return None
