# SPDX-License-Identifier: Apache-2.0
"""From a recorded graph to a network of the simulator."""
from . import elementwise, indexing, losses, norms, products, reductions, shapes
from .builder import Builder, handled
from .losses import loss_form

__all__ = ["Builder", "elementwise", "handled", "indexing", "loss_form", "losses", "norms", "products", "reductions",
           "shapes"]
