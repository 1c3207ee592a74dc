# SPDX-License-Identifier: Apache-2.0
"""Runs programs that were written for PopTorch on the simulated IPU. Source compatible with programs written for
PopTorch: names and signatures are those of its public interface. Numbers are PyTorch's; time and memory are the
simulator's.

    import poptorch
    model = poptorch.inferenceModel(torch.nn.Linear(8, 4))
    out = model(torch.ones(2, 8))
    print(model.ipusim_result.time.cycles, model.getComputeLatency())
"""
try:
    import torch
except ImportError as missing:
    raise ImportError("poptorch needs PyTorch, Debian's package python3-torch: apt install python3-torch") from missing

from . import enums, execution, options, ops, optim, poptorch_core, profiling, saving, testing
from . import _impl, _logging, context, executor
from ._logging import setLogLevel
from .arguments import ICustomArgParser, registerCustomArgParser
from .blocks import Attribute, BeginBlock, Block, BlockFunction, NameScope, module_repr, removeBlocks
from .compile_hooks import registerPostCompileHook, registerPreCompileHook
from .context import isRunningOnIpu
from .data import AsynchronousDataAccessor, DataLoader
from .enums import (AnchorMode, AutoStage, CommGroupType, ConnectionType, DataLoaderMode, HalfFloatCastingBehavior,
                    Liveness, MatMulSerializationMode, MeanReductionStrategy, MultiConvPlanType, OutputMode,
                    OverlapMode, ReductionType, SharingStrategy, SyncPattern, VariableRetrievalMode)
from .errors import Error, RecoverableError, UnrecoverableError
from .execution import (ParallelPhasedExecution, Phase, PipelinedExecution, SerialPhasedExecution, ShardedExecution,
                        Stage)
from .executor import PoplarExecutor
from .multi_conv import MultiConv
from .ops import (CPU, cond, ctc_beam_search_decoder, custom_op, dynamic_slice, dynamic_update, for_loop, fps,
                  identity_loss, ipu_print_tensor, nearest, nop, recomputationCheckpoint, serializedMatMul,
                  set_available_memory, set_overlap_for_input, set_overlap_for_output)
from .options import Options, TensorLocationSettings
from .saving import load
from .session import patch_tensors

# The version of the interface that this package follows.
__version__ = "3.2.0"

patch_tensors()


def _unwrapped(model):
    return model.model if isinstance(model, PoplarExecutor) else model


def inferenceModel(model, options=None):  # pylint: disable=redefined-outer-name
    """Wraps a module, whose calls then run on IPUs. All micro-batches hand their outputs back unless told otherwise."""
    options = options if options is not None else Options()
    if options.Training.gradient_accumulation != 1:
        text = ("You must set poptorch.Options().Training.gradientAccumulation to 1 or leave it as its default value "
                "(1) when running a poptorch.inferenceModel().")
        if isinstance(options._execution_strategy, PipelinedExecution):  # pylint: disable=protected-access
            text += (" Use poptorch.Options().deviceIterations to process a sufficient number of batches each run "
                     "for pipelined execution instead.")
        raise Error(text)
    return PoplarExecutor(_unwrapped(model), executor.default_mode(options, executor.INFERENCE_MODE), False)


def trainingModel(model, options=None, optimizer=None):  # pylint: disable=redefined-outer-name
    """Wraps a module whose forward computes the loss too. Each call trains it; the last micro-batch hands its outputs
    back unless told otherwise."""
    model = _unwrapped(model)
    options = options if options is not None else Options()
    if optimizer is None:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    return PoplarExecutor(model, executor.default_mode(options, executor.TRAINING_MODE), True, optimizer)


def ipuHardwareIsAvailable(num_ipus=1):
    """Whether programs may run: the simulated machine has as many IPUs as they ask for."""
    assert num_ipus > 0, "wanted at least one IPU"
    return True


def ipuHardwareVersion():
    """2: the machine is a Mk2."""
    return 2
