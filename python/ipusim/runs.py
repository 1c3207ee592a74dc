# SPDX-License-Identifier: Apache-2.0
"""Runs of configs, one and many."""
import itertools
import json
import math

from . import _ipusim
from .results import Result

ENGINES = {"closed-form": _ipusim.Engine.closed_form, "systemc": _ipusim.Engine.systemc}


def toml_of(value):
    """A value as TOML. Numbers of NumPy are taken as those of Python."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"wanted a finite number, found {value}")
    if isinstance(value, (int, float, str)):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_of, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_of(one)}" for key, one in value.items()) + "}"
    raise TypeError(f"wanted a number, a text, a list or a dict, found {value!r}")


def as_override(key, value):
    """`key=value`. A text stands as it is, as after --set."""
    try:
        return f"{key}={value if isinstance(value, str) else toml_of(value)}"
    except (TypeError, ValueError) as error:
        raise type(error)(f"{key}: {error}") from None


def run(config, overrides=None, *, engine="closed-form"):
    """Runs a config, a path, with other values for some dotted keys. Returns a Result; of a config of a
    GPU alone, and of one with [parallel], the object that `ipusim run --json` prints."""
    if engine not in ENGINES:
        raise ValueError(f"engine: wanted one of {', '.join(ENGINES)}, found {engine!r}")
    texts = [as_override(key, value) for key, value in (overrides or {}).items()]

    def answer(page):
        return _ipusim.run(str(config), texts, ENGINES[engine], page)

    values = json.loads(answer(_ipusim.ReportPage.without_page)[0])
    if "steps" not in values:
        return values
    return Result.of(values, lambda: answer(_ipusim.ReportPage.with_page)[1])


# What `ipusim sweep` leaves out, too: texts about the run, and wall times, which differ from run to run.
LEFT_OUT = ("schema", "tool_version", "commit", "config")


def flat(values, prefix=""):
    """The numbers, texts and truth values of an object by dotted key; lists are left out."""
    found = {}
    for key, value in values.items():
        path = f"{prefix}{key}"
        if path in LEFT_OUT or "wall" in key:
            continue
        if isinstance(value, dict):
            found.update(flat(value, path + "."))
        elif not isinstance(value, list) and value is not None:
            found[path] = value
    return found


def row_of(config, point, engine):
    """A row as `ipusim sweep` makes it: a point that is wrong says so in its status."""
    try:
        result = run(config, point, engine=engine)
    except _ipusim.ConfigError as error:
        return {**point, "status": f"invalid: {error}"}
    except (MemoryError, RuntimeError) as error:
        return {**point, "status": f"failed: {error}"}
    values = result.json if isinstance(result, Result) else result
    return {**point, "status": "ok" if values["fits"] else "does_not_fit", **flat(values)}


def sweep(config, axes, *, engine="closed-form"):
    """Runs a config at every combination of the values of some dotted keys, in this process. Returns a
    DataFrame where pandas is installed, else a list of dicts. `ipusim sweep` runs large ones: it keeps
    points, goes on after an interruption and has several processes."""
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    rows = [row_of(config, point, engine) for point in points]
    try:
        import pandas  # pylint: disable=import-outside-toplevel
    except ImportError:
        return rows
    return pandas.DataFrame(rows)
