# SPDX-License-Identifier: Apache-2.0
"""The log on standard error, and its level."""
import logging
import os
import sys
import time

# The numbers of the interface, and the levels of Python's logging beside them.
LEVELS = {"TRACE": (0, 5), "DEBUG": (1, 10), "INFO": (2, 20), "WARN": (3, 30), "ERR": (4, 40), "OFF": (6, 60)}
POPART_LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERR", "OFF", "CRITICAL")
WORDS = {5: "trace", 10: "debug", 20: "info", 30: "warning", 40: "error"}
TRACE = LEVELS["TRACE"][1]

logger = logging.getLogger("poptorch::python")


class _Line(logging.Formatter):
    """[12:34:56.789] [poptorch::python] [level] message"""

    def format(self, record):
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        word = WORDS.get(record.levelno, record.levelname.lower())
        return f"[{at}.{int(record.msecs):03}] [{record.name}] [{word}] {record.getMessage()}"


class _StandardError(logging.StreamHandler):
    """Writes to what is standard error at the time."""

    def __init__(self):
        super().__init__(sys.stderr)

    def emit(self, record):
        self.stream = sys.stderr
        super().emit(record)


def setLogLevel(level):
    """Sets what is logged: a name of LEVELS, or its number."""
    if isinstance(level, int) and not isinstance(level, bool):
        names = [name for name, (number, _) in LEVELS.items() if number == level]
        if not names:
            raise ValueError("Invalid log level integer")
        level = names[0]
    if level not in LEVELS:
        *names, last = sorted(LEVELS)
        raise ValueError(f"Unknown log level: {level}. Valid values are {', '.join(names)} and {last}")
    logger.setLevel(LEVELS[level][1])


def setPopartLogLevel(level):
    """Accepted: there is no PopART below. Level names are checked."""
    if level not in POPART_LEVELS:
        raise ValueError(f"Level must be one of {', '.join(POPART_LEVELS)}")


_said = set()


def warn_once(key, text):
    """Warns about `key` the first time that it comes up."""
    if key not in _said:
        _said.add(key)
        logger.warning(text)


def _begin():
    if not any(isinstance(handler, _StandardError) for handler in logger.handlers):
        handler = _StandardError()
        handler.setFormatter(_Line())
        logger.addHandler(handler)
    level = os.environ.get("POPTORCH_LOG_LEVEL", "WARN")
    setLogLevel(level if level in LEVELS else "WARN")


_begin()
