# SPDX-License-Identifier: Apache-2.0
"""Options of a model: how it is compiled and run."""
import copy
import json
import os

import torch

from . import enums
from . import execution
from ._logging import logger
from .errors import Error
from .option_group import OptionGroup, whole_from_one
from .option_groups import (TensorLocationSettings, _DistributedOptions, _JitOptions, _PrecisionOptions,
                            _TensorLocationOptions, _TrainingOptions)
from .option_texts import ConfigFileError, apply_file, apply_json
from .popart_options import _PopartOptions

__all__ = ["ConfigFileError", "Options", "TensorLocationSettings"]


def _defaults():
    """Values of options that nothing has set."""
    return {
        "replication_factor": 1, "device_iterations": 1, "log_dir": ".", "auto_round_num_ipus": False,
        "anchored_tensors": {}, "output_mode": enums.OutputMode.Default, "output_return_period": 1,
        "connection_type": enums.ConnectionType.Always, "sync_pattern": enums.SyncPattern.Full,
        "available_memory_proportion": {}, "input_group_size": 1, "input_group_type": enums.CommGroupType.Consecutive,
        "broadcast_buffers": True, "max_repeat_logs": 4, "model_name": None, "cache_path": None, "use_model": None,
        "ipu_version": 2, "ipu_id": None, "is_offline": False, "random_seed": None, "stable_norm": False,
        "synthetic_data": False, "log_cycle_count": False, "profile_dir": None, "module_namescope_enabled": True,
        "show_compilation_progress_bar": True, "relax_optimizer_checks": False,
        "source_location_excludes": [], "updatable_named_buffers": [],
    }


class Options(OptionGroup):
    """All options. Every setter returns the options; after their first use nothing changes them."""

    def __init__(self):
        super().__init__(**_defaults())
        groups = {"Jit": _JitOptions(), "Precision": _PrecisionOptions(), "Training": _TrainingOptions(),
                  "Distributed": _DistributedOptions(), "TensorLocations": _TensorLocationOptions(),
                  "_Popart": _PopartOptions()}
        object.__setattr__(self, "_groups", groups)
        object.__setattr__(self, "_execution_strategy", execution.PipelinedExecution())
        self._values["cache_path"] = os.environ.get("POPTORCH_CACHE_DIR")
        defaults = os.environ.get("POPTORCH_DEFAULT_OPTIONS")
        if defaults:
            self.from_json(defaults)

    Jit = property(lambda self: self._groups["Jit"])
    Precision = property(lambda self: self._groups["Precision"])
    Training = property(lambda self: self._groups["Training"])
    Distributed = property(lambda self: self._groups["Distributed"])
    TensorLocations = property(lambda self: self._groups["TensorLocations"])
    _Popart = property(lambda self: self._groups["_Popart"])

    def groups(self):
        return self._groups

    def toDict(self):
        values = super().toDict()
        values["execution_mode"] = self._execution_strategy.number
        values["syntheticDataMode"] = 2 if self.synthetic_data else 0
        return values

    def clone(self):
        """A copy that may be changed."""
        return copy.deepcopy(self)

    def from_json(self, string):
        """Calls setters by name: {"deviceIterations": 2, "Training.gradientAccumulation": 4}."""
        apply_json(self, string)
        return self

    def loadFromFile(self, filepath):
        """Calls setters as the lines of a file have them: deviceIterations(2)."""
        apply_file(self, filepath)
        return self

    def deviceIterations(self, device_iterations):
        """Iterations of a call on the device."""
        return self.set(device_iterations=whole_from_one("deviceIterations", device_iterations))

    def replicationFactor(self, replication_factor):
        """Copies of the model side by side."""
        return self.set(replication_factor=whole_from_one("replicationFactor", replication_factor))

    def inputReplicaGrouping(self, input_group_size, input_group_type):
        """Replicas that get the same input."""
        if input_group_type == enums.CommGroupType.NoGrouping:
            assert input_group_size == 1, "wanted groups of 1 with NoGrouping"
        return self.set(input_group_size=input_group_size, input_group_type=input_group_type)

    def setExecutionStrategy(self, strategy):
        """How the IPUs of a model share it."""
        self.checkIsFrozen()
        if isinstance(strategy, enums.AutoStage):
            strategy = execution.PipelinedExecution(strategy)
        object.__setattr__(self, "_execution_strategy", strategy)
        return self

    def setAvailableMemoryProportion(self, available_memory_proportion):
        """{"IPU0": 0.6}: the share of a tile that plans may take for temporary data."""
        by_ipu = {}
        for name, proportion in available_memory_proportion.items():
            number = name[3:] if name.startswith("IPU") else ""
            assert number.isdigit(), f"wanted keys such as IPU0, found {name}"
            by_ipu[int(number)] = float(proportion)
        return self.set(available_memory_proportion=by_ipu)

    def outputMode(self, output_mode, output_return_period=None):
        """Which micro-batches hand their outputs back, every `output_return_period`-th with EveryN."""
        assert isinstance(output_mode, enums.OutputMode), "wanted a poptorch.OutputMode"
        if output_mode == enums.OutputMode.EveryN:
            assert output_return_period and output_return_period > 0, "EveryN wants an output_return_period"
        elif output_return_period is not None:
            logger.info("output_return_period is ignored without OutputMode.EveryN")
        return self.set(output_mode=output_mode, output_return_period=output_return_period or 1)

    def defaultOutputMode(self):
        """Whether nothing has chosen the outputs."""
        return self.output_mode == enums.OutputMode.Default

    def anchorTensor(self, short_name, long_name, output_mode=None, output_return_period=1):
        """A tensor by name to be read after a run."""
        if output_mode is None:
            output_mode = enums.OutputMode.All
        self.checkIsFrozen()
        self.anchored_tensors[short_name] = [long_name, output_mode != self.output_mode, output_mode,
                                             output_return_period]
        return self

    def randomSeed(self, random_seed):
        """The seed of random numbers, those of PyTorch too."""
        assert isinstance(random_seed, int), "wanted a whole number"
        torch.manual_seed(random_seed)
        return self.set(random_seed=random_seed)

    def useIpuModel(self, use_model):
        """Accepted: everything runs on the same simulator."""
        return self.set(use_model=bool(use_model))

    def useIpuId(self, ipu_id):
        """Accepted: all IPUs are alike."""
        assert isinstance(ipu_id, int), "wanted a whole number"
        return self.set(ipu_id=ipu_id)

    def useOfflineIpuTarget(self, ipu_version=2):
        """Models compile and do not run."""
        return self.set(is_offline=True, ipu_version=ipu_version, connection_type=enums.ConnectionType.Never)

    def connectionType(self, connection_type):
        """When a model attaches to a device."""
        assert isinstance(connection_type, enums.ConnectionType), "wanted a poptorch.ConnectionType"
        return self.set(connection_type=connection_type)

    def syncPattern(self, sync_pattern):
        """Accepted: IPUs of a step wait for each other as the schedule needs."""
        assert isinstance(sync_pattern, enums.SyncPattern), "wanted a poptorch.SyncPattern"
        return self.set(sync_pattern=sync_pattern)

    def enableExecutableCaching(self, path):
        """The folder of compiled programs; None for none."""
        return self.set(cache_path=path or None)

    def enableProfiling(self, profile_dir=None):
        """The folder of the report."""
        return self.set(profile_dir=profile_dir or ".")

    def enableSyntheticData(self, enabled):
        """Inputs do not come from the host, and outputs do not go there."""
        return self.set(synthetic_data=bool(enabled))

    def logCycleCount(self, log_cycle_count):
        """Whether cycleCount() may be called."""
        return self.set(log_cycle_count=bool(log_cycle_count))

    def autoRoundNumIPUs(self, auto_round_num_ipus=True):
        """Whether a model may take more IPUs, up to a power of two."""
        return self.set(auto_round_num_ipus=bool(auto_round_num_ipus))

    def broadcastBuffers(self, broadcast_buffers=True):
        """Whether buffers must be alike on all replicas."""
        return self.set(broadcast_buffers=bool(broadcast_buffers))

    def logDir(self, log_dir):
        """Accepted."""
        return self.set(log_dir=log_dir)

    def modelName(self, name):
        """The name of the model's folder of reports."""
        return self.set(model_name=name)

    def maxRepeatLogs(self, max_lines):
        """Accepted."""
        return self.set(max_repeat_logs=max_lines)

    def enableStableNorm(self, enabled):
        """Accepted: norms are those of the vendor's library without it."""
        return self.set(stable_norm=bool(enabled))

    def showCompilationProgressBar(self, show=True):
        """Whether a bar shows that a model compiles."""
        return self.set(show_compilation_progress_bar=bool(show))

    def relaxOptimizerAttributesChecks(self, relax=True):
        """Whether unexpected attributes of optimisers are no warnings."""
        return self.set(relax_optimizer_checks=bool(relax))

    def disableModuleNamescope(self):
        """Layers are named by operations alone."""
        return self.set(module_namescope_enabled=False)

    def sourceLocationExcludes(self, excludes):
        """Paths that are no source lines of layers."""
        return self.set(source_location_excludes=list(excludes))

    def appendToLocationExcludes(self, *excludes):
        """More of them."""
        return self.set(source_location_excludes=self.source_location_excludes + list(excludes))

    def updatableNamedBuffers(self, buffers):
        """Accepted: buffers lie where PyTorch has them."""
        return self.set(updatable_named_buffers=list(buffers))

    def __setattr__(self, name, value):
        if name in ("_execution_strategy", "_groups"):
            raise Error(f"Options.{name} is set by its method")
        super().__setattr__(name, value)

    def __repr__(self):
        return f"{super().__repr__()[:-1]}, execution_strategy={self._execution_strategy!r})"
