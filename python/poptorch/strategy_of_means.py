# SPDX-License-Identifier: Apache-2.0
"""Where a mean over gradients divides, which depends on the type of accumulated gradients."""
import torch

from .enums import MeanReductionStrategy

_TYPES = ("accum_type", "velocity_accum_type", "first_order_momentum_accum_type", "second_order_momentum_accum_type")


def choose_strategy(options, optimiser, is_compiled=False):
    """Gradients in half are divided one by one, so that their sum has room; others behind their sum."""
    group = options.Training
    is_half = getattr(optimiser, "accum_type", None) == torch.half
    is_combined = getattr(optimiser, "use_combined_accum", False)
    wanted = MeanReductionStrategy.Running if is_half and not is_combined else MeanReductionStrategy.Post
    if wanted == group.meanAccumulationAndReplicationReductionStrategy:
        return
    if not is_half and group.has_own_strategy:
        return
    if is_compiled:
        raise ValueError("the accumulation type of the optimizer must not change once the model is already compiled")
    group._values["meanAccumulationAndReplicationReductionStrategy"] = wanted  # pylint: disable=protected-access


def expect_same_types(before, now):
    """Types of what the device keeps must not change after compilation."""
    for name in _TYPES:
        if type(before) is type(now) and getattr(before, name, None) != getattr(now, name, None):
            raise ValueError(f"{name} of the optimizer must not change: the model is already compiled")
