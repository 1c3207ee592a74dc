# SPDX-License-Identifier: Apache-2.0
"""A model that is wrapped: called, it computes its numbers on the host and knows what its program takes on IPUs."""
import warnings

import torch

from . import compile_hooks, prediction, saving
from ._logging import logger
from .arguments import Arguments, mapped, warn_of_strides
from .batches import Batching, Outputs
from .compiled import compile_model
from .enums import ConnectionType, OutputMode
from .errors import Error
from .execution_checks import expect_buffers_alike, expect_enough_batches, expect_valid
from .graph_log import log_graph
from .optimiser_state import IpuOptimizer, log_attributes
from .performance import Performance
from .popart_options import validate
from .strategy_of_means import choose_strategy, expect_same_types
from .training import Numbers, as_outputs, expect_known

_ABOUT_WRAPPERS = ("Model has already been wrapped in 'poptorch.trainingModel'. Call model.destroy() on the model to "
                   "unwrap before wrapping again.")


class PoplarExecutor:
    """The wrapper that poptorch.inferenceModel and poptorch.trainingModel return. Weights lie where PyTorch has them:
    what the device trains is seen at once, and copies of weights take no time of the host."""

    def __init__(self, model, options, is_training, optimizer=None):
        self._user_model = model
        self._options = options
        self._is_training = is_training
        self._optimizer = optimizer
        self._compiled = None
        self._is_attached = False
        self._performance = None
        self._has_run = False
        self._anchored = {}
        self._mode = model.training
        if is_training:
            expect_known(optimizer)
            if getattr(model, "_poptorch_trainer", None) is not None:
                raise RuntimeError(_ABOUT_WRAPPERS)
            model.__dict__["_poptorch_trainer"] = self
            model.__dict__["destroy"] = self.destroy
            saving.guard(model)

    # What it is made of.

    @property
    def model(self):
        """The user's model."""
        return self._user_model

    @property
    def options(self):
        """Its options, which nothing changes any more."""
        return self._options

    @property
    def rng_state(self):
        """The seed and the state of random numbers."""
        return [torch.random.initial_seed(), torch.random.get_rng_state()]

    @rng_state.setter
    def rng_state(self, state):
        torch.random.set_rng_state(state[1])

    @property
    def ipusim_result(self):
        """What the simulator says about the compiled program, an ipusim.Result: that of the first program where there
        are several, and the object of a run with [parallel]. None where nothing runs on the IPU."""
        return self.prediction.expect_known().result

    @property
    def prediction(self):
        """All that is predicted: prediction.Prediction."""
        return self._expect_compiled().prediction

    def __getattr__(self, name):
        if name in ("_user_model", "_compiled"):
            raise AttributeError(name)
        return getattr(self._user_model, name)

    def __repr__(self):
        from .blocks import module_repr  # pylint: disable=import-outside-toplevel

        return f"PoplarExecutor(\n{module_repr(self._user_model)}\n)"

    # Compilation.

    def _expect_compiled(self):
        if self._compiled is None:
            raise Error("Model has not been compiled or has been destroyed.")
        return self._compiled

    def isCompiled(self):
        """Whether a program is there."""
        return self._compiled is not None

    def _arguments(self, args, kwargs):
        arguments = Arguments(self._user_model, args, kwargs)
        if warn_of_strides(arguments):
            args, kwargs = mapped((args, dict(kwargs)), lambda one: one.contiguous())
            arguments = Arguments(self._user_model, args, kwargs)
        return arguments

    def _compile(self, arguments):
        options = self._options
        compile_hooks.call_before()
        validate(options.toDict())
        batching = Batching.of(options, self._is_training)
        if self._optimizer is not None:
            choose_strategy(options, self._optimizer)
            log_attributes(self._optimizer)
        with prediction.progress(options):
            compiled = compile_model(self._user_model, arguments, batching, options, self._is_training)
            expect_valid(compiled.graph, options)
            expect_buffers_alike(compiled.graph, options)
            log_graph(compiled.graph, options)
            expect_enough_batches(compiled.graph, options, batching, self._is_training)
            compiled.prediction = prediction.predict(compiled.graph, self._user_model, options, self._optimizer)
        self._compiled = compiled
        self._performance = Performance(compiled, options, batching)
        if isinstance(self._optimizer, IpuOptimizer):
            names = {id(one): name for name, one in self._user_model.named_parameters()}
            self._optimizer.on_device(names, options.Training.automatic_loss_scaling)
        compile_hooks.call_behind()

    def compile(self, *args, **kwargs):
        """Compiles for the shapes of these arguments, without running."""
        if self._compiled is not None:
            logger.warning("Model has already been compiled: call destroy() to compile it again")
            return
        self._compile(self._arguments(args, kwargs))
        if self._options.connection_type == ConnectionType.Always:
            self._is_attached = True

    def compileAndExport(self, filename, *args, export_model=True, **kwargs):
        """compile() and save()."""
        self.compile(*args, **kwargs)
        self.save(filename, export_model=export_model)

    def save(self, filename, export_model=True, save_rng_state=True):
        """Writes what load() reads."""
        self._expect_compiled()
        saving.save(self, filename, export_model, save_rng_state)

    def loadExecutable(self, filename):
        """Takes the program of a file. It is compiled anew at the first call, as numbers are PyTorch's."""
        saving.expect_executable(filename)

    def destroy(self):
        """Forgets the program, and unwraps the model."""
        self._compiled = None
        self._is_attached = False
        self._has_run = False
        for name in ("_poptorch_trainer", "destroy"):
            self._user_model.__dict__.pop(name, None)

    # Running.

    def __call__(self, *args, **kwargs):
        options = self._options
        assert not options.is_offline, "Trying to run a model on an offline device (ConnectionType.Never)"
        if options.connection_type == ConnectionType.Never:
            raise Error("Trying to run a model with ConnectionType.Never: it may only be compiled")
        if any(isinstance(one, dict) for one in args):
            warnings.warn("Dictionaries as inputs are cut by their values; keyword arguments are clearer")
        arguments = self._arguments(args, kwargs)
        if self._compiled is None:
            self._claim()
            self._compile(arguments)
        else:
            self._compiled.signature.expect(arguments)
        self._is_attached = True
        result = self._run(arguments)
        self._has_run = True
        self._performance.count_run()
        if options.log_cycle_count:
            logger.debug("Total number of IPU cycles: %d", self._performance.cycles)
        return result

    def _claim(self):
        """A model that was destroyed is wrapped again by its next call."""
        if self._is_training and getattr(self._user_model, "_poptorch_trainer", None) is None:
            self._user_model.__dict__["_poptorch_trainer"] = self
            self._user_model.__dict__["destroy"] = self.destroy

    def _run(self, arguments):
        options = self._options
        batching = Batching.of(options, self._is_training)
        outputs = Outputs(batching, options.output_mode, options.output_return_period)
        numbers = Numbers(self._user_model, batching, options._execution_strategy, self._compiled)  # pylint: disable=protected-access
        if self._is_training:
            reduction = options.Training.accumulation_and_replication_reduction_type
            numbers.keeps_gradients = bool(options.anchored_tensors)
            result = numbers.train(arguments, outputs, self._optimizer, reduction)
            self._keep_anchored(numbers.gradients)
        else:
            result = numbers.infer(arguments, outputs)
        return as_outputs(result)

    def _keep_anchored(self, gradients):
        """Keeps gradients and weights that anchorTensor() named."""
        weights = dict(self._user_model.named_parameters())
        for short, (name, *_rest) in self._options.anchored_tensors.items():
            prefix, _, parameter = name.rpartition("___")
            if name == "finalLossScale":
                self._anchored[short] = torch.tensor(float(getattr(self._optimizer, "loss_scaling", 1.0)))
            elif prefix == "Gradient" and parameter in gradients:
                self._anchored[short] = gradients[parameter]
            elif prefix == "UpdatedVar" and parameter in weights:
                self._anchored[short] = weights[parameter].detach().clone()

    # The optimiser and the weights.

    def setOptimizer(self, optimizer):
        """Trains with these attributes from the next call on."""
        expect_known(optimizer)
        if self._compiled is not None:
            expect_same_types(self._optimizer, optimizer)
            choose_strategy(self._options, optimizer, is_compiled=True)
        if optimizer is not self._optimizer:
            for parameter, state in (self._optimizer.state.items() if self._optimizer else ()):
                if parameter not in optimizer.state and type(optimizer) is type(self._optimizer):
                    optimizer.state[parameter] = state
            if self._compiled is not None and isinstance(optimizer, IpuOptimizer):
                optimizer.on_device({id(one): name for name, one in self._user_model.named_parameters()})
        self._optimizer = optimizer
        for number in range(len(optimizer.param_groups)):
            logger.debug("Updating group %d optimizer", number)

    def copyWeightsToHost(self):
        """Weights lie on the host: nothing moves."""
        self._expect_compiled()
        logger.debug("copyWeightsToHost()")

    def copyWeightsToHostIfNeeded(self):
        """The same. Returns whether anything was copied."""
        return False

    def copyWeightsToDevice(self):
        """Weights lie on the host: nothing moves."""
        self._expect_compiled()
        logger.debug("Writing weights from host to IPU memory")

    def copyNamedBuffersToDevice(self):
        """Buffers lie on the host: nothing moves."""
        self._expect_compiled()

    def load_state_dict(self, state_dict, strict=True):
        """Loads the weights of the model."""
        return self._user_model.load_state_dict(state_dict, strict)

    def state_dict(self, *args, **kwargs):
        """The weights of the model."""
        return self._user_model.state_dict(*args, **kwargs)

    def named_parameters(self, *args, **kwargs):
        """Those of the model."""
        return self._user_model.named_parameters(*args, **kwargs)

    def train(self, mode=True):
        """As the model's."""
        self._user_model.train(mode)
        return self

    def eval(self):
        """As the model's."""
        return self.train(False)

    # The device.

    def isAttachedToDevice(self):
        """Whether the program holds a device."""
        return self._is_attached

    def attachToDevice(self):
        """Takes a device for a compiled program."""
        self._expect_compiled()
        assert self._options.connection_type != ConnectionType.Never, "Trying to attach to an offline device"
        self._is_attached = True

    def detachFromDevice(self):
        """Gives the device back."""
        self._expect_compiled()
        if not self._is_attached:
            raise Error("Device is not attached")
        self._is_attached = False

    # What a run took.

    def cycleCount(self):
        """Cycles of the last call."""
        if not self._options.log_cycle_count:
            raise Error("Cycle count logging is disabled. Please set option logCycleCount to True to enable.")
        if not self._has_run:
            raise Error("Please run the model at least once before obtaining cycle count.")
        return self._performance.cycles

    def _expect_run(self):
        self._expect_compiled()
        if not self._has_run:
            raise Error("Please run the model at least once before obtaining its times.")
        return self._performance

    @property
    def compilationTime(self):
        """How long the compilation took on this host."""
        return self._expect_compiled().prediction.compilation_time

    def getPerfCounters(self):
        """Times of inputs and outputs by tensor and step, in seconds."""
        return self._expect_run().counters()

    def getLatency(self):
        """(least, most, mean) seconds of a round trip."""
        return self._expect_run().round_trip()

    def getComputeLatency(self):
        """(least, most, mean) seconds from the last input to the last output: the time of the device."""
        return self._expect_run().compute()

    def getHostIpuLatency(self):
        """(least, most, mean) seconds of the inputs on the link."""
        return self._expect_run().host_to_ipu()

    def getIpuHostLatency(self):
        """(least, most, mean) seconds of the outputs on the link."""
        return self._expect_run().ipu_to_host()

    def getTensorNames(self):
        """The names of tensors that anchorTensor() may name."""
        assert self._compiled is not None, "Model has not been compiled or has been destroyed."
        names = prediction.tensor_names(self._compiled.graph)
        if self._is_training:
            names += [f"{word}___{name}" for name, _ in self._user_model.named_parameters()
                      for word in ("Gradient", "UpdatedVar")]
        return names

    def getAnchoredTensor(self, short_name):
        """A tensor that anchorTensor() named: the gradient of a weight, or an updated weight."""
        if short_name not in self._options.anchored_tensors:
            raise Error(f"No tensor is anchored as {short_name}")
        if short_name not in self._anchored:
            raise Error(f"The tensor {self._options.anchored_tensors[short_name][0]} is not kept: wanted Gradient___NAME "
                        "or UpdatedVar___NAME of a weight. Return others from forward")
        return self._anchored[short_name]

    def check(self):
        """The compiled program with numbers, against the graph in doubles: prediction.check()."""
        return prediction.check(self._expect_compiled().prediction)


def default_mode(options, mode):
    """Options of a wrapper: a copy with its own default of outputs, which nothing changes any more."""
    options.freeze()
    own = options.clone()
    if own.defaultOutputMode():
        own.set(output_mode=mode)
    own.freeze()
    return own


TRAINING_MODE, INFERENCE_MODE = OutputMode.Final, OutputMode.All
