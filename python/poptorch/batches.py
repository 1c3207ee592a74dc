# SPDX-License-Identifier: Apache-2.0
"""Micro-batches: how inputs are cut, and how outputs are put together.

The first dimension of an input has, from the outside in: device iterations, accumulated gradients, groups of
replicas, and the rows of a micro-batch. Replicas of one group get the same rows."""
import dataclasses

import torch

from .arguments import mapped, tensors_in
from .enums import CommGroupType, OutputMode
from .errors import Error


@dataclasses.dataclass(frozen=True)
class Batching:
    """How often a model runs in a call."""
    iterations: int
    accumulation: int
    replicas: int
    group_size: int = 1
    is_orthogonal: bool = False

    @classmethod
    def of(cls, options, is_training):
        """From the options of a model."""
        accumulation = options.Training.gradient_accumulation if is_training else 1
        return cls(options.device_iterations, accumulation, options.replication_factor, options.input_group_size,
                   options.input_group_type == CommGroupType.Orthogonal)

    @property
    def groups(self):
        """Groups of replicas that get rows of their own."""
        return self.replicas // self.group_size

    @property
    def pieces(self):
        """Micro-batches in an input."""
        return self.iterations * self.accumulation * self.groups

    @property
    def runs(self):
        """Runs of the model in a call."""
        return self.iterations * self.accumulation * self.replicas

    def places(self):
        """(iteration, accumulation, replica), in the order of execution."""
        for iteration in range(self.iterations):
            for step in range(self.accumulation):
                for replica in range(self.replicas):
                    yield iteration, step, replica

    def piece_of(self, iteration, step, replica):
        """Which piece of an input a run reads."""
        group = replica % self.groups if self.is_orthogonal else replica // self.group_size
        return (iteration * self.accumulation + step) * self.groups + group

    def rows(self, tensor, name="input"):
        """Rows of a micro-batch."""
        if self.pieces == 1:
            return None
        if tensor.dim() == 0:
            raise Error(f"Input {name} has no batch dimension to cut into {self.pieces} micro-batches")
        if tensor.shape[0] % self.pieces != 0:
            raise Error(
                f"Invalid batch dimension: In the input {name}, the batch dimension ({tensor.shape[0]}) must be a "
                f"multiple of Options.deviceIterations({self.iterations}) * Options.replicationFactor("
                f"{self.replicas}) / Options.inputReplicaGrouping({self.group_size}) * "
                f"Options.Training.gradientAccumulation({self.accumulation}) = {self.pieces} because it is used to "
                f"calculate the batch size which will be executed on the device in any given iteration. For a full "
                f"explanation see the batching semantics page of the documentation.")
        return tensor.shape[0] // self.pieces

    def cut(self, arguments, place):
        """The arguments of one run: args and kwargs."""
        piece = self.piece_of(*place)
        names = iter(arguments.names())

        def part(tensor):
            rows = self.rows(tensor, next(names))
            return tensor if rows is None else tensor[piece * rows:(piece + 1) * rows]

        return arguments.map(part)


class Outputs:
    """Gathers the outputs of the runs that an output mode keeps."""

    def __init__(self, batching, mode, period):
        self._batching = batching
        self._mode = mode
        self._period = period
        self._kept = []
        self._sums = {}
        self.count = 0

    def add(self, place, outputs):
        """What the run at a place returned."""
        iteration, step, replica = place
        batching = self._batching
        outputs = mapped(outputs, lambda one: one.detach())
        if self._mode == OutputMode.Sum:
            so_far = self._sums.get(replica)
            self._sums[replica] = outputs if so_far is None else _summed(so_far, outputs)
            return
        is_last = iteration + 1 == batching.iterations and step + 1 == batching.accumulation
        if self._mode == OutputMode.Final and not is_last:
            return
        if self._mode == OutputMode.EveryN and (iteration + 1) % self._period != 0:
            return
        self._kept.append(outputs)

    def result(self):
        """The structure of the model's outputs, with tensors put together along their first dimension."""
        kept = [self._sums[replica] for replica in sorted(self._sums)] if self._sums else self._kept
        self.count = len(kept)
        if not kept:
            return None
        if len(kept) == 1:
            return kept[0]
        columns = zip(*[tensors_in(one) for one in kept])
        joined = iter([_joined(column) for column in columns])
        return mapped(kept[0], lambda _one: next(joined))


def _joined(column):
    if column[0].dim() == 0:
        return torch.stack(column)
    return torch.cat(column)


def _summed(left, right):
    others = iter(tensors_in(right))
    return mapped(left, lambda one: one + next(others))
