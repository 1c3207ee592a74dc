# SPDX-License-Identifier: Apache-2.0
"""What a recorded model must fulfil before it runs on several IPUs."""
import torch

from .errors import Error
from .graph import Value
from .execution import PipelinedExecution

_MOST_IPUS = 64
# What the device has no number of elements for beforehand.
_DYNAMIC = {"aten::nonzero": "aten::nonzero", "aten::masked_select": "aten::masked_select",
            "aten::_unique2": "aten::unique", "aten::unique_dim": "aten::unique",
            "aten::unique_consecutive": "aten::unique_consecutive"}


def ipus_of(graph):
    """The IPUs of a replica, as the numbers that blocks named."""
    return {node.block[2] for node in graph.nodes} or {0}


def stages_of(graph):
    """The stages in their order."""
    return sorted({node.block[1] for node in graph.nodes}) or [0]


def _expect_no_mask(node):
    """An index of truth values asks for the places of those that are true."""
    masks = [one for one in node.args[1] or () if isinstance(one, Value) and one.dtype == torch.bool] \
        if node.op.startswith("aten::index.Tensor") else []
    if masks:
        raise Error("Operations using aten::nonzero are unsupported because the output shape is determined by the "
                    f"tensor values. The IPU cannot support dynamic output shapes. ({node.source})")


def expect_buffers_alike(graph, options):
    """Raises where replicas would have buffers of their own."""
    is_written = any(value.kind == "result" for value in graph.updates)
    if options.replication_factor > 1 and options.broadcast_buffers and is_written:
        raise Error("PopTorch does not support broadcasting buffers. If your model is able to tolerate buffers becoming "
                    "out of sync between replicas, you can disable buffer broadcasting using "
                    "poptorch.Options.broadcastBuffers(False).")


def expect_valid(graph, options):
    """Raises for what no IPU can do, and for numbers of IPUs that no machine has."""
    for node in graph.nodes:
        for name, said in _DYNAMIC.items():
            if node.op == name or node.op.startswith(name + "."):
                raise Error(f"Operations using {said} are unsupported because the output shape is determined by the "
                            f"tensor values. The IPU cannot support dynamic output shapes. ({node.source})")
        _expect_no_mask(node)
    ipus = max(ipus_of(graph)) + 1
    rounded = 1
    while rounded < ipus:
        rounded *= 2
    if options.is_offline:
        return
    if rounded != ipus and not options.auto_round_num_ipus:
        raise Error(f"The number of IPUs is not a power of two. The model specifies the use of {ipus} IPUs, however "
                    f"PopTorch must reserve a minimum of {rounded} in order to allow the model to run, because "
                    "PopTorch must reserve a power of 2 or maximum of 64 IPUs per process. Please reconfigure your "
                    "model to use a different number of IPUs or set poptorch.Options().autoRoundNumIPUs(True).")
    in_all = rounded * options.replication_factor
    if in_all > _MOST_IPUS:
        raise Error(f"Too many IPUs requested ({in_all}). Experiments that need more than {_MOST_IPUS} IPUs need "
                    "several processes")


def expect_enough_batches(graph, options, batching, is_training):
    """A pipeline needs a micro-batch for each stage, those of the backward pass too."""
    if not isinstance(options._execution_strategy, PipelinedExecution):  # pylint: disable=protected-access
        return
    stages = len(stages_of(graph))
    if stages < 2:
        return
    if is_training:
        wanted = 2 * stages - 1
        if batching.accumulation < wanted:
            raise Error("poptorch.Options().Training.gradientAccumulation must be greater than or equal to the number "
                        f"of pipeline stages ({wanted}) when using poptorch.PipelinedExecution. Please note that a "
                        f"model with {stages} pipeline stages in PopTorch will have an additional {stages - 1} stages "
                        "when training.")
    elif batching.iterations < stages:
        raise Error("poptorch.Options().deviceIterations must be greater than or equal to the number of pipeline "
                    f"stages ({stages}) when using poptorch.PipelinedExecution.")
