# SPDX-License-Identifier: Apache-2.0
"""Groups of options: how a model is trained, in which numbers, and where its tensors lie."""
import os

import torch

from . import enums
from ._logging import logger
from .option_group import OptionGroup, whole_from_one


class _JitOptions(OptionGroup):
    """Has no effect: a model is always recorded as it runs."""

    def traceModel(self, trace_model):
        """Accepted with a warning."""
        if trace_model:
            logger.warning("Tracing a model is deprecated; it is recorded as it runs")
        return self


class _PrecisionOptions(OptionGroup):
    """Types of numbers."""

    def __init__(self):
        super().__init__(floating_point_exceptions=False, stochastic_rounding=None, partials_type=None,
                         half_float_casting=enums.HalfFloatCastingBehavior.Default,
                         running_statistics_always_float=True, autocast_enabled=True)

    def enableFloatingPointExceptions(self, enabled):
        """Accepted; costs no time."""
        return self.set(floating_point_exceptions=bool(enabled))

    def enableStochasticRounding(self, enabled):
        """Accepted; costs no time. Numbers are PyTorch's, which round to nearest."""
        return self.set(stochastic_rounding=bool(enabled))

    def setPartialsType(self, dtype):
        """The type of partial sums in products and convolutions: torch.float or torch.half."""
        if dtype not in (torch.float, torch.half):
            raise ValueError("partialsType must be either torch.float or torch.half")
        return self.set(partials_type=dtype)

    def halfFloatCasting(self, half_float_casting):
        """Accepted with a warning."""
        logger.warning("halfFloatCasting has no effect: types follow the rules of PyTorch")
        return self.set(half_float_casting=half_float_casting)

    def runningStatisticsAlwaysFloat(self, value):
        """Accepted with a warning."""
        logger.warning("runningStatisticsAlwaysFloat has no effect: statistics keep their type")
        return self.set(running_statistics_always_float=bool(value))

    def autocastPolicy(self, _policy):
        """Accepted with a warning."""
        logger.warning("autocastPolicy has no effect: types follow the rules of PyTorch")
        return self

    def autocast(self, enabled):
        """Accepted with a warning."""
        logger.warning("autocast has no effect: types follow the rules of PyTorch")
        return self.set(autocast_enabled=bool(enabled))


class _TrainingOptions(OptionGroup):
    """Micro-batches of an update."""

    def __init__(self):
        super().__init__(gradient_accumulation=1,
                         accumulation_and_replication_reduction_type=enums.ReductionType.Mean,
                         meanAccumulationAndReplicationReductionStrategy=enums.MeanReductionStrategy.Post,
                         automatic_loss_scaling=False, convolution_dithering=False)
        object.__setattr__(self, "has_own_strategy", False)

    def gradientAccumulation(self, gradient_accumulation):
        """Micro-batches whose gradients make one update."""
        return self.set(gradient_accumulation=whole_from_one("gradientAccumulation", gradient_accumulation))

    def accumulationAndReplicationReductionType(self, reduction_type):
        """Whether gradients of micro-batches and replicas are summed or averaged."""
        if reduction_type not in (enums.ReductionType.Sum, enums.ReductionType.Mean):
            raise ValueError("accumulationAndReplicationReductionType must be set to poptorch.ReductionType.Sum or "
                             "poptorch.ReductionType.Mean")
        return self.set(accumulation_and_replication_reduction_type=reduction_type)

    def setMeanAccumulationAndReplicationReductionStrategy(self, strategy):
        """Where the division of a mean takes place; costs no time here."""
        if not isinstance(strategy, enums.MeanReductionStrategy):
            raise ValueError("wanted a poptorch.MeanReductionStrategy")
        self.set(meanAccumulationAndReplicationReductionStrategy=strategy)
        object.__setattr__(self, "has_own_strategy", True)
        return self

    def setAutomaticLossScaling(self, enabled):
        """Accepted. Numbers are PyTorch's, which need no scale."""
        return self.set(automatic_loss_scaling=bool(enabled))

    def setConvolutionDithering(self, enabled):
        """Accepted; planned convolutions begin at the first tile."""
        return self.set(convolution_dithering=bool(enabled))


class _DistributedOptions(OptionGroup):
    """Processes that share the work."""

    def __init__(self):
        super().__init__(num_distributed_processes=1, distributed_process_id=0)
        self.setEnvVarNames("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK")

    def disable(self):
        """One process, whatever the environment says."""
        return self.configureProcessId(0, 1)

    def setEnvVarNames(self, var_num_processes, var_process_id):
        """Where the environment has the number of processes and that of this one."""
        return self.configureProcessId(int(os.environ.get(var_process_id, "0")),
                                       int(os.environ.get(var_num_processes, "1")))

    def configureProcessId(self, process_id, num_processes):
        """This process, and how many there are."""
        return self.set(distributed_process_id=process_id, num_distributed_processes=num_processes)

    @property
    def processId(self):
        """The number of this process."""
        return self.distributed_process_id

    @property
    def numProcesses(self):
        """How many processes share the work."""
        return self.num_distributed_processes


class TensorLocationSettings(OptionGroup):
    """Where tensors of a kind lie: on the chip or beside it, whole or shared out over replicas."""

    def __init__(self, **values):
        super().__init__(**values)

    def _with(self, **values):
        self.checkIsFrozen()
        self._values.update(values)
        return self

    def minElementsForOffChip(self, min_elements):
        """Smaller tensors stay on the chip."""
        return self._with(minElementsForOffChip=min_elements)

    def minElementsForReplicatedTensorSharding(self, min_elements):
        """Smaller tensors are not shared out."""
        return self._with(minElementsForReplicatedTensorSharding=min_elements)

    def useOnChipStorage(self, use=True):
        """Tile memory, or streaming memory."""
        return self._with(onChip=bool(use))

    def useReplicatedTensorSharding(self, use=True):
        """Each replica keeps a share."""
        return self._with(useReplicatedTensorSharding=bool(use))

    def useIOTilesToLoad(self, use=True):
        """I/O tiles load tensors."""
        return self._with(useIOTilesToLoad=bool(use))

    def useIOTilesToStore(self, use=True):
        """I/O tiles store tensors."""
        return self._with(useIOTilesToStore=bool(use))

    def __getitem__(self, name):
        return self._values[name]

    def get(self, name, otherwise=None):
        """The value of a name."""
        return self._values.get(name, otherwise)


class _TensorLocationOptions(OptionGroup):
    """Where weights, activations, accumulators and the optimiser's state lie."""

    def __init__(self):
        super().__init__(num_io_tiles=0, location_activation=TensorLocationSettings(),
                         location_weight=TensorLocationSettings(), location_optimizer=TensorLocationSettings(),
                         location_accumulator=TensorLocationSettings())

    def numIOTiles(self, num_tiles):
        """Tiles that transfer and do not compute."""
        assert num_tiles % 2 == 0 and 32 <= num_tiles <= 192, "numIOTiles must be an even number between 32 and 192."
        return self.set(num_io_tiles=num_tiles)

    def _setLocation(self, name, location):
        assert isinstance(location, TensorLocationSettings), "wanted poptorch.TensorLocationSettings"
        return self.set(**{name: location})

    def setActivationLocation(self, location):
        """Of what waits for the backward pass."""
        return self._setLocation("location_activation", location)

    def setWeightLocation(self, location):
        """Of parameters."""
        return self._setLocation("location_weight", location)

    def setOptimizerLocation(self, location):
        """Of the optimiser's state."""
        return self._setLocation("location_optimizer", location)

    def setAccumulatorLocation(self, location):
        """Of accumulated gradients."""
        return self._setLocation("location_accumulator", location)
