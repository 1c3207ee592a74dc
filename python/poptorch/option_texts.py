# SPDX-License-Identifier: Apache-2.0
"""Options from JSON and from files of setter calls."""
import json
import os

from . import enums


class ConfigFileError(Exception):
    """A file of options that cannot be read; the text has the line."""


def _value_of(value):
    """A JSON value; the text of a member of an enumeration is that member."""
    if isinstance(value, str) and value.count(".") == 1:
        kind, member = value.split(".")
        found = getattr(enums, kind, None)
        if isinstance(found, type) and member in getattr(found, "__members__", {}):
            return found[member]
    return value


def apply_json(options, string):
    """Calls a setter for each key, with one value or a list of arguments."""
    for name, value in json.loads(string).items():
        target = options
        *groups, setter = name.split(".")
        for group in groups:
            target = getattr(target, group)
        method = getattr(target, setter)
        if isinstance(value, list):
            method(*[_value_of(one) for one in value])
        elif isinstance(value, dict) and setter != "setAvailableMemoryProportion":
            method(**{key: _value_of(one) for key, one in value.items()})
        else:
            method(_value_of(value))


def apply_file(options, filepath):
    """Runs each line as a method of `options`. Empty lines and comments are left out."""
    import poptorch  # pylint: disable=import-outside-toplevel,import-self

    name = os.path.basename(filepath)
    with open(filepath, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    lines = [line for line in lines if line]
    for number, line in enumerate(lines):
        if line.startswith("#"):
            continue
        call = f"options.{line}"
        try:
            exec(compile(call, name, "exec"), {"poptorch": poptorch, "options": options})  # pylint: disable=exec-used
        except SyntaxError as error:
            what = "unexpected EOF while parsing" if "was never closed" in error.msg else error.msg
            raise ConfigFileError(f"SyntaxError at line {number} of {name}: {what}\n> {call}") from None
        except Exception as error:
            raise ConfigFileError(f"{type(error).__name__} at line {number} of {name}: {error}\n> {call}") from error
