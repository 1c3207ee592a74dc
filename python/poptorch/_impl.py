# SPDX-License-Identifier: Apache-2.0
"""Names that programs look for inside the interface."""
from . import context


def isDispatchTracing():
    """Whether a model is being recorded, or runs as it was recorded."""
    return context.session() is not None
