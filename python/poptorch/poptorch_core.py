# SPDX-License-Identifier: Apache-2.0
"""Names that programs look for in the compiled part of the interface."""
from . import context
from .errors import Error, RecoverableError, UnrecoverableError
from .popart_options import validate as _validateOptions

__all__ = ["Error", "RecoverableError", "UnrecoverableError", "isCompilingWithDispatcher"]
_ = _validateOptions


def isCompilingWithDispatcher():
    """Whether a model is being recorded."""
    return context.recorder() is not None
