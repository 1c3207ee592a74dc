# SPDX-License-Identifier: Apache-2.0
"""Groups of convolutions that are planned together."""
import torch

from . import context
from .enums import MultiConvPlanType
from .errors import Error


class MultiConv:
    """A context: the convolutions in it have one plan. Options are kept as marks of the convolutions; the prediction
    plans each of them alone."""

    def __init__(self):
        self._settings = {}
        self._first_node = 0

    def _with(self, **settings):
        self._settings.update(settings)
        return self

    def availableMemoryProportions(self, value):
        """A share of a tile for each convolution, or one for all."""
        _expect_numbers("Invalid memory proportions", value)
        return self._with(proportions=value)

    def partialsTypes(self, value):
        """A type of partial sums for each convolution, or one for all."""
        kinds = value if isinstance(value, (tuple, list)) else [value]
        if any(one not in (torch.half, torch.float) for one in kinds):
            raise ValueError("Invalid partials types")
        return self._with(partials=value)

    def enableConvDithering(self, value):
        """Accepted: convolutions begin at the first tile."""
        kinds = value if isinstance(value, (tuple, list)) else [value]
        assert all(isinstance(one, bool) for one in kinds), "Invalid conv dithering"
        return self._with(dithering=value)

    def planType(self, value):
        """Side by side or one after the other."""
        assert isinstance(value, MultiConvPlanType), "Invalid plan type"
        return self._with(plan=value)

    def perConvReservedTiles(self, value):
        """Accepted."""
        assert isinstance(value, int), "Invalid per-conv reserved tiles"
        return self._with(reserved_tiles=value)

    def cycleBackOff(self, value):
        """Accepted."""
        assert isinstance(value, float), "Invalid cycle back-off"
        return self._with(back_off=value)

    def __enter__(self):
        session = context.session()
        if session is not None:
            if any("multi_conv" in marks for marks in session.attributes):
                raise Error("Nested poptorch.MultiConv is not supported")
            session.attributes.append({"multi_conv": self._settings})
            if session.recorder is not None:
                self._first_node = len(session.recorder.graph.nodes)
        return self

    def __exit__(self, kind, *_):
        session = context.session()
        if session is None:
            return
        session.attributes.pop()
        if kind is None and session.recorder is not None:
            nodes = session.recorder.graph.nodes[self._first_node:]
            if not any("convolution" in node.op for node in nodes):
                raise Error("Unexpected end_multi_conv: there is no convolution in the poptorch.MultiConv")


def _expect_numbers(what, value):
    numbers = value if isinstance(value, (tuple, list)) else [value]
    if not all(isinstance(one, (int, float)) for one in numbers):
        raise AssertionError(what)
