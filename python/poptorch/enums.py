# SPDX-License-Identifier: Apache-2.0
"""Enumerations of options and operations."""
import enum


class OutputMode(enum.Enum):
    """Which micro-batches of a call hand their outputs back."""
    Final = 0
    EveryN = 1
    All = 2
    Sum = 3
    Default = 4


class DataLoaderMode(enum.Enum):
    """Who loads data: the calling process, or another one."""
    Sync = 0
    Async = 1
    AsyncRebatched = 2


class SharingStrategy(enum.Enum):
    """How a loading process hands data over."""
    SharedMemory = "file_descriptor"
    FileSystem = "file_system"
    Fork = "fork"
    ForkServer = "forkserver"


class ConnectionType(enum.Enum):
    """When a model attaches to a device."""
    Always = 0
    OnDemand = 1
    Never = 2


class HalfFloatCastingBehavior(enum.Enum):
    """Has no effect: types follow the rules of PyTorch."""
    FloatDowncastToHalf = 0
    HalfUpcastToFloat = 1
    Default = 2


class ReductionType(enum.Enum):
    """How gradients of micro-batches and replicas become one."""
    Sum = 0
    Mean = 1
    NoReduction = 2


class MeanReductionStrategy(enum.Enum):
    """Where the division of a mean takes place."""
    Running = 0
    Post = 1
    PostAndLoss = 2


class SyncPattern(enum.Enum):
    """Which IPUs wait for each other."""
    Full = 0
    SinglePipeline = 1
    ReplicaAndLadder = 2


class MatMulSerializationMode(enum.Enum):
    """Which dimension of a product is done part by part."""
    InputChannels = "input_channels"
    ReducingDim = "reducing_dim"
    OutputChannels = "output_channels"
    Disabled = "none"


class Liveness(enum.Enum):
    """Where tensors of a phase wait."""
    AlwaysLive = 0
    OffChipAfterFwd = 1
    OffChipAfterFwdNoOverlap = 2
    OffChipAfterEachPhase = 3


class OverlapMode(enum.Enum):
    """Which loop a transfer overlaps with."""
    NoOverlap = "no_overlap"
    OverlapAccumulationLoop = "overlap_accumulation_loop"
    OverlapDeviceIterationLoop = "overlap_device_iteration_loop"


class AutoStage(enum.Enum):
    """How blocks without a stage become stages."""
    SameAsIpu = 0
    AutoIncrement = 1


class MultiConvPlanType(enum.Enum):
    """Whether convolutions of one group run side by side."""
    Parallel = 0
    Serial = 1


class CommGroupType(enum.Enum):
    """Which replicas share the value of a variable."""
    All = 0
    Consecutive = 1
    Orthogonal = 2
    NoGrouping = 3  # The name of the interface for groups of one replica.


class VariableRetrievalMode(enum.Enum):
    """Which replicas hand the value of a variable back."""
    OnePerGroup = 0
    AllReplicas = 2


AnchorMode = OutputMode
