# SPDX-License-Identifier: Apache-2.0
"""Options of a program whose replicas a launcher chooses."""
import poptorch
from poptorch.option_groups import _DistributedOptions


def _refuse(name):
    raise RuntimeError(f"Cannot call `{name}` with popdist.poptorch.Options")


class _LaunchedProcesses(_DistributedOptions):
    """Processes are the launcher's."""

    def __init__(self):
        super().__init__()
        self._values.update(num_distributed_processes=1, distributed_process_id=0)

    def disable(self):
        """Refused."""
        _refuse("Distributed.disable")

    def setEnvVarNames(self, var_num_processes, var_process_id):
        """Refused once the options are made."""
        if self.__dict__.get("is_made"):
            _refuse("Distributed.setEnvVarNames")

    def configureProcessId(self, process_id=0, num_processes=1):
        """Refused once the options are made."""
        if self.__dict__.get("is_made"):
            _refuse("Distributed.configureProcessId")


class Options(poptorch.Options):
    """Options with the replicas of one process."""

    def __init__(self, ipus_per_replica=1):
        super().__init__()
        object.__setattr__(self, "ipus_per_replica", ipus_per_replica)
        processes = _LaunchedProcesses()
        object.__setattr__(processes, "is_made", True)
        self._groups["Distributed"] = processes

    def replicationFactor(self, replication_factor):
        """Refused: replicas are the launcher's."""
        _refuse("replicationFactor")

    def useIpuId(self, ipu_id):
        """Refused: IPUs are the launcher's."""
        _refuse("useIpuId")
