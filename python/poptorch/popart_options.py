# SPDX-License-Identifier: Apache-2.0
"""Session options of PopART: kept, logged, and checked by name. Those that the simulator acts on are read in
prediction.py."""
import torch

from ._logging import logger
from .errors import Error
from .option_group import OptionGroup

# Names of session options that programs set. A name with a dot is a field of the one before it.
KNOWN = frozenset("""
accumulateOuterFragmentSettings.excludedVirtualGraphs accumulateOuterFragmentSettings.schedule
accumulationAndReplicationReductionType aliasZeroCopy autoRecomputation automaticLossScalingSettings.binEdgeLocation
automaticLossScalingSettings.enabled automaticLossScalingSettings.gradientTensorTrackingMethod
automaticLossScalingSettings.thresholdUpperCountProportion autodiffSettings.stitchStrategy
batchSerializationSettings.batchSchedule batchSerializationSettings.concatOnExecutionPhaseChange
batchSerializationSettings.concatOnPipelineStageChange batchSerializationSettings.concatOnVirtualGraphChange
batchSerializationSettings.factor batchSerializationSettings.method batchSerializationSettings.transformContext
cachePath compileEngine constantWeights convolutionOptions customCodeletCompileFlags customCodelets
decomposeGradSum defaultBufferingDepth defaultPrefetchBufferingDepth delayVarUpdates
disableGradAccumulationTensorStreams disableOptimizerStateTensorStreams dotChecks dotOpNames enableDistributedReplicatedGraphs
enableEngineCaching enableExplicitIR enableExplicitMainLoops enableFloatingPointChecks
enableFullyConnectedPass enableGradientAccumulation enableInplaceAmbiguityChecking enableLoadAndOffloadRNGState
enableMergeExchange enableNonStableSoftmax enableOutlining enableOutliningCopyCostPruning enablePipelining
enablePrefetchDatastreams enableReplicatedGraphs enableSerializedMatmuls enableStableNorm enableStochasticRounding
enableSupportedDataTypeCasting enableVariablesCaching engineOptions executionPhaseSettings.phases
executionPhaseSettings.stages experimentalSettings.createHostTransferableTensorWithOffset
explicitPipeliningEnabled explicitRecomputation exportPoplarComputationGraph exportPoplarVertexGraph finalDotOp
firstDotOp gclOptions groupHostSync groupNormStridedChannelGrouping hardwareInstrumentations
implicitPipeliningEnabled instrumentWithHardwareCycleCounter kahnTieBreaker logDir lstmOptions matmulOptions
meanAccumulationAndReplicationReductionStrategy mergeVarUpdate mergeVarUpdateMemThreshold numIOTiles
optimizerStateTensorLocationSettings.location outlineSequenceBreakCost outlineThreshold partialsTypeMatMuls
prefetchBufferingDepthMap profileDirectory rearrangeAnchorsOnHost rearrangeStreamsOnHost replicatedGraphCount
reportOptions saveInitializersToFile scheduleNonWeightUpdateGradientConsumersEarly separateCallOpPdfs
serializedPoprithmsShiftGraphsDir shouldDelayVarUpdates stashTensorsBeforeRecompute strictOpVersions
subgraphCopyingStrategy swapLimitScheduler syntheticDataMode tensorLocationSettingsOverride timeLimitScheduler
timePartialsTypeMatMuls transitiveClosureOptimizationThreshold updatableNamedBuffers useHostCopyOps
useLoopCandidateCreator virtualGraphMode weightTensorLocationSettings.location
""".split())


class _PopartOptions(OptionGroup):
    """Session options by name."""

    def __init__(self):
        super().__init__(options={}, patterns_level=2, patterns={})

    def set(self, key=None, value=None, **values):  # pylint: disable=arguments-differ
        """Keeps a value of a session option."""
        self.checkIsFrozen()
        if key is not None:
            self._values["options"][key] = value
        return super().set(**values)

    def setEngineOptions(self, engine_options):
        """Options of the engine by name."""
        return self.set("engineOptions", engine_options)

    def setPatterns(self, patterns, level=2):
        """Accepted: patterns by name, and their level."""
        assert isinstance(level, int) and 0 <= level <= 3, "Invalid patterns level"
        return self.set(patterns=dict(patterns), patterns_level=level)

    def toDict(self):
        return {"popartOptions": dict(self.options), "patterns_level": self.patterns_level,
                "patterns": dict(self.patterns)}


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _partials_lines(values):
    """The session options that the type of partial sums becomes."""
    partials = values.get("partials_type")
    if partials is None:
        return []
    word = "half" if partials == torch.half else "float"
    return [f"set partialsTypeMatMuls to value {word}", f"set convolutionOptions[partialsType] to {word}"]


def validate(values):
    """Logs what options are set to; raises for an unknown name and for a value of an unknown type."""
    for name, value in values.items():
        if name not in ("popartOptions", "patterns", "patterns_level"):
            logger.debug("poptorch.Options set %s to value %s", name, _text(value))
    for line in _partials_lines(values):
        logger.debug("poptorch.Options %s", line)
    for name, value in values.get("popartOptions", {}).items():
        if isinstance(value, (set, list, tuple)):
            lines = [f"added {one} to {name}" for one in value]
        elif isinstance(value, dict):
            lines = [f"set {name}[{key}] to {one}" for key, one in value.items()]
        elif isinstance(value, (bool, int, float, str)):
            lines = [f"set {name} to value {_text(value)}"]
        elif isinstance(value, torch.dtype):
            lines = [f"set {name} to value {value}"]
        else:
            raise Error(f"Unknown value type {type(value)} for option {name}")
        if name not in KNOWN:
            raise Error(f"Unknown session option {name}")
        for line in lines:
            logger.debug("poptorch.Options %s", line)
