# SPDX-License-Identifier: Apache-2.0
"""Runs of configs, one and many."""
import itertools
import json

from . import _ipusim
from .results import Result

ENGINES = ("closed-form", "systemc")


def as_override(key, value):
    """`key=value` with the value as TOML, which a list or a text in JSON is."""
    return f"{key}={value if isinstance(value, str) else json.dumps(value)}"


def run(config, overrides=None, *, engine="closed-form"):
    """Runs a config, a path, with other values for some dotted keys. Returns a Result; of a config of a
    GPU alone, the object that `ipusim run --json` prints."""
    if engine not in ENGINES:
        raise ValueError(f"engine: wanted one of {', '.join(ENGINES)}, found {engine!r}")
    texts = [as_override(key, value) for key, value in (overrides or {}).items()]

    def answer(with_page):
        return _ipusim.run(str(config), texts, engine == "systemc", with_page)

    values = json.loads(answer(False)[0])
    return Result.of(values, lambda: answer(True)[1]) if "steps" in values else values


def flat(values, prefix=""):
    """The numbers, texts and truth values of an object by dotted key; lists and the config are left out."""
    found = {}
    for key, value in values.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict) and path != "config":
            found.update(flat(value, path + "."))
        elif not isinstance(value, (dict, list)) and value is not None:
            found[path] = value
    return found


def row_of(config, point, engine):
    """A row as `ipusim sweep` makes it: a point that is wrong says so in its status."""
    try:
        result = run(config, point, engine=engine)
    except _ipusim.ConfigError as error:
        return {**point, "status": f"invalid: {error}"}
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
