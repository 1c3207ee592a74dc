# SPDX-License-Identifier: Apache-2.0
"""Errors that programs catch."""


class Error(RuntimeError):
    """What a user can mend: a text, the kind of error and the place that found it."""

    def __init__(self, message="", type="poptorch", location=""):  # pylint: disable=redefined-builtin
        super().__init__(message)
        self.message = message
        self.type = type
        self.location = location


class UnrecoverableError(Error):
    """The device is lost. No simulated run raises it."""


class RecoverableError(Error):
    """The program may go on after `recovery_action`. No simulated run raises it."""

    def __init__(self, message="", recovery_action="", location=""):
        super().__init__(message, "poptorch", location)
        self.recovery_action = recovery_action


class OutOfMemoryError(Error):
    """The compiled program has no room on a tile."""

    def __init__(self, message, tile, bytes_over, report):
        super().__init__(message, "poplar_memory_allocation_error")
        self.tile = tile
        self.bytes_over = bytes_over
        self.report = report


def not_here(name, instead=""):
    """The error of a name that this package does not have."""
    hint = f"; {instead}" if instead else ""
    return Error(f"poptorch.{name} is not available with the simulated IPU{hint}")
