# SPDX-License-Identifier: Apache-2.0
"""Numbers of a call, computed by PyTorch on the host."""
import contextlib

import torch

from . import session as sessions
from .arguments import mapped, tensors_in
from .enums import ReductionType
from .errors import Error
from .half_numbers import HalfNumbers

_TRAINED_BY = (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop)


def expect_known(optimiser):
    """Raises for an optimiser that the device has no form of."""
    from .optim import LAMB  # pylint: disable=import-outside-toplevel

    if not isinstance(optimiser, _TRAINED_BY + (LAMB,)):
        raise ValueError(f"Unsupported optimizer type {type(optimiser)}. Types supported: SGD, Adam, AdamW, RMSprop, "
                         "LAMB")
    if any(group.get("amsgrad") for group in optimiser.param_groups):
        raise ValueError("Only non-amsgrad Adam/AdamW optimizers are supported.")


# Types that the device has no numbers of, and what it has in their place.
_ON_DEVICE = {torch.int64: torch.int32, torch.float64: torch.float32}


def _refuse_backward(*_args, **_kwargs):
    raise Error("backward() cannot be called explicitly on outputs of a PopTorch model. If you're using a "
                "trainingModel, the backwards pass is performed automatically when invoking the model. If you're "
                "using an inferenceModel, you should use a trainingModel instead.")


def as_outputs(outputs):
    """Outputs whose backward() says what to do instead."""

    def guard(tensor):
        tensor = tensor.detach()
        if tensor.dtype in _ON_DEVICE:
            tensor = tensor.to(_ON_DEVICE[tensor.dtype])
        tensor.backward = _refuse_backward
        return tensor

    return mapped(outputs, guard)


class Numbers:
    """Runs a model with numbers as its options say."""

    def __init__(self, model, batching, strategy, compiled):
        self._model, self._batching, self._strategy, self._compiled = model, batching, strategy, compiled
        self.gradients = {}  # of parameters by name, where somebody asks for them
        self.keeps_gradients = False

    @contextlib.contextmanager
    def _modes(self, is_training):
        session = sessions.Session(self._strategy)
        session.is_training = is_training
        half = HalfNumbers() if self._compiled.uses_half else contextlib.nullcontext()
        is_watched = self._compiled.is_watched or (is_training and self._compiled.loss_place is None)
        with sessions.run(session, is_watched), half:
            yield session

    def infer(self, arguments, outputs):
        """All runs of an inference model."""
        with torch.no_grad():
            for place in self._batching.places():
                args, kwargs = self._batching.cut(arguments, place)
                with self._modes(False):
                    outputs.add(place, self._model(*args, **kwargs))
        return outputs.result()

    def train(self, arguments, outputs, optimiser, reduction):
        """All runs of a training model, with an update for each iteration."""
        batching = self._batching
        per_update = batching.accumulation * batching.replicas
        factor = 1 / per_update if reduction == ReductionType.Mean else 1.0
        done = 0
        parameters = [one for group in optimiser.param_groups for one in group["params"]]
        for place in batching.places():
            if done == 0:
                for parameter in parameters:
                    parameter.grad = None
            args, kwargs = batching.cut(arguments, place)
            args, kwargs = mapped((args, kwargs), lambda one: one.detach())
            with torch.enable_grad(), self._modes(True) as session:
                made = self._model(*args, **kwargs)
                loss = self._loss_of(made, session)
                if loss.requires_grad:
                    loss.sum().mul(factor).backward()
            outputs.add(place, made)
            done += 1
            if done == per_update:
                done = 0
                self._update(optimiser, parameters)
        return outputs.result()

    def _loss_of(self, made, session):
        place = self._compiled.loss_place
        return session.final_loss() if place is None else tensors_in(made)[place]

    def _update(self, optimiser, parameters):
        largest = getattr(optimiser, "max_grad_norm", None)
        half = HalfNumbers() if self._compiled.uses_half else contextlib.nullcontext()
        with half:
            if largest is not None and largest != float("inf"):
                torch.nn.utils.clip_grad_norm_(parameters, largest)
            if self.keeps_gradients:
                self.gradients = {name: one.grad.detach().clone() for name, one in self._model.named_parameters()
                                  if one.grad is not None}
            optimiser.step()
        for parameter in parameters:
            parameter.grad = None
