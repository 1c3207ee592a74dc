# SPDX-License-Identifier: Apache-2.0
"""One process with all replicas: what programs for several processes ask for has the answers of a single one. Source
compatible with programs written for PopDist."""
from .errors import not_here

__all__ = ["execute_on_instances", "getDeviceId", "getInstanceIndex", "getNumInstances", "getNumLocalReplicas",
           "getNumTotalReplicas", "init", "isPopdistEnvSet"]


def isPopdistEnvSet():
    """Whether a launcher started several processes: never."""
    return False


def init():
    """Nothing to begin: there is one process."""


def getInstanceIndex():
    """The number of this process."""
    return 0


def getNumInstances():
    """How many processes there are."""
    return 1


def getNumTotalReplicas():
    """Replicas of all processes."""
    return 1


def getNumLocalReplicas():
    """Replicas of this process."""
    return 1


def getDeviceId(num_ipus=1):
    """The IPU that a process takes."""
    del num_ipus
    return 0


def execute_on_instances(instances, function, *args, **kwargs):
    """Calls a function if this process is among those named."""
    return function(*args, **kwargs) if 0 in instances else None


def __getattr__(name):
    raise not_here(name)
