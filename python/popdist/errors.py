# SPDX-License-Identifier: Apache-2.0
"""What a single process cannot do."""


def not_here(name):
    """The error of a name that is not there; an AttributeError, so that programs may ask whether it is."""
    return AttributeError(f"popdist.{name} is not available: the simulated system has one process")
