# SPDX-License-Identifier: Apache-2.0
"""What the program of a recorded model takes on IPUs: memory, time and energy, from the simulator."""
import contextlib
import datetime
import importlib.util
import math
import os
import pathlib
import sys
import tempfile
import time

from . import settings, simulator
from ._logging import logger, warn_once
from .errors import Error, OutOfMemoryError
from .execution import PipelinedExecution
from .execution_checks import ipus_of, stages_of
from .network import expect_supported, inference_network, stage_graphs, training_network
from .simulator import SimulatorError

try:
    from ipusim import results
except ImportError:  # The compiled module is not there: its dataclasses do without it.
    _SPEC = importlib.util.spec_from_file_location(
        "ipusim_results", pathlib.Path(__file__).resolve().parents[1] / "ipusim/results.py")
    results = importlib.util.module_from_spec(_SPEC)
    sys.modules["ipusim_results"] = results
    _SPEC.loader.exec_module(results)


class Prediction:
    """What the simulator says. `results` has a run for each program: one, or one for each stage of an inference
    pipeline. `why` says why there is none. Times of a call are in cycles_of_call() and seconds_of_call()."""

    def __init__(self, kind):
        self.kind = kind
        self.runs = []
        self.networks = []
        self.why = ""
        self.stage_link_seconds = 0.0
        self.is_pipelined = True
        self.is_whole_update = False
        self.compilation_time = datetime.timedelta(0)
        self.input_seconds = 0.0
        self.output_seconds = 0.0
        self.report = None

    def expect_known(self):
        """Raises where there is no prediction."""
        if not self.runs and self.why:
            raise Error(f"There is no prediction of this model: {self.why}")
        return self

    @property
    def result(self):
        """ipusim.Result of the program, the first one of several; the object of a run with [parallel]; or None."""
        if not self.runs:
            return None
        values = self.runs[0]
        if "steps" not in values:
            return values
        return results.Result.of(values, lambda: self.page(0))

    @property
    def clock(self):
        """Cycles in a second."""
        machine = self.runs[0].get("machine", {}) if self.runs else {}
        return machine.get("clock_hz") or settings.machine_value("clock_hz")

    def page(self, number=0):
        """The report page of a program as text."""
        network = self.networks[number]
        with tempfile.TemporaryDirectory(prefix="poptorch-") as folder:
            return simulator.page(network.model, network.config, folder).read_text(encoding="utf-8")

    def seconds_of_call(self, batching):
        """Seconds of the device in a call."""
        if not self.runs:
            return 0.0
        if self.is_whole_update:
            return self.runs[0]["step"]["seconds"] * batching.iterations
        if self.kind == "training":
            return self._seconds_of_updates(batching)
        seconds = [run["time"]["seconds"] * _repeats(run, network)
                   for run, network in zip(self.runs, self.networks)]
        if len(seconds) == 1:
            return seconds[0] * batching.iterations
        if not self.is_pipelined:
            return (sum(seconds) + self.stage_link_seconds) * batching.iterations
        longest = max(seconds) + self.stage_link_seconds
        return longest * (batching.iterations + len(seconds) - 1)

    def _seconds_of_updates(self, batching):
        """Passes for each micro-batch, and one update."""
        run = self.runs[0]
        update = sum(layer.get("update_cycles", 0) for layer in run.get("layers", []))
        passes = max(run["time"]["cycles"] - update, 0)
        cycles = passes * batching.accumulation + min(update, run["time"]["cycles"])
        return cycles * batching.iterations / self.clock

    def cycles_of_call(self, batching):
        """Cycles of the device in a call."""
        return math.ceil(self.seconds_of_call(batching) * self.clock)

    def modules(self):
        """[(module, parameters, forward, backward, update cycles)] in the order of the program."""
        rows = {}
        for run, network in zip(self.runs, self.networks):
            for layer in run.get("layers", []):
                node = network.origin.get(layer["name"])
                name = node.scope if node is not None else layer["name"]
                row = rows.setdefault(name, [0, 0, 0, 0])
                for place, key in enumerate(("parameters", "forward_cycles", "backward_cycles", "update_cycles")):
                    row[place] += layer.get(key) or 0
        return [(name, *row) for name, row in rows.items()]

    def __repr__(self):
        if not self.runs:
            return f"Prediction({self.why or 'nothing runs on the IPU'})"
        run = self.runs[0]
        return f"Prediction(fits={run.get('fits')}, programs={len(self.runs)})"

    def _repr_html_(self):
        result = self.result
        return result._repr_html_() if hasattr(result, "_repr_html_") else repr(self)


def _repeats(run, network):
    """How much longer a program takes for the bodies of its loops, which it has once: a factor."""
    more = 0
    for layer in run.get("layers", []):
        node = network.origin.get(layer["name"])
        times = node.attributes.get("repeat", 1) if node is not None else 1
        more += (times - 1) * (layer.get("forward_cycles") or 0)
    cycles = run["time"]["cycles"]
    return (cycles + more) / cycles if cycles else 1.0


@contextlib.contextmanager
def progress(options):
    """The bar that shows that a model compiles."""
    if not options.show_compilation_progress_bar:
        yield
        return
    try:
        from tqdm import tqdm  # pylint: disable=import-outside-toplevel
    except ImportError:
        yield
        return
    with tqdm(total=100, desc="Graph compilation", file=sys.stderr,
              bar_format="{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]") as bar:
        yield
        bar.update(100)


def _bytes_of(values):
    sizes = {1: 1, 2: 2}
    total = 0
    for value in values:
        size = value.dtype.itemsize if hasattr(value.dtype, "itemsize") else _size(value.dtype)
        total += value.elements * sizes.get(size, 4)
    return total


def _size(dtype):
    import torch  # pylint: disable=import-outside-toplevel

    return torch.empty((), dtype=dtype).element_size()


def predict(graph, model, options, optimiser):
    """Compiles a recorded graph for the simulated IPU. Raises OutOfMemoryError where it does not fit."""
    del model
    begin = time.monotonic()
    expect_supported(graph)
    prediction = Prediction("inference" if optimiser is None else "training")
    prediction.is_pipelined = isinstance(options._execution_strategy, PipelinedExecution)  # pylint: disable=protected-access
    rate = settings.machine_value("host_link_bytes_per_second")
    prediction.input_seconds = _bytes_of(graph.inputs) / rate
    prediction.output_seconds = _bytes_of(graph.outputs) / rate
    if not settings.is_predicting():
        prediction.why = "IPUSIM_PREDICTION is off"
        return prediction
    try:
        if optimiser is None:
            _predict_inference(prediction, graph, options)
        else:
            _predict_training(prediction, graph, options, optimiser)
    except SimulatorError as error:
        prediction.why = str(error)
        logger.warning("No prediction: %s", error)
    _warn_of_uncosted(prediction)
    prediction.compilation_time = datetime.timedelta(seconds=time.monotonic() - begin)
    _report(prediction, options)
    _expect_room(prediction, options)
    return prediction


def _add(prediction, network, options):
    prediction.networks.append(network)
    prediction.runs.append(simulator.answer(network.model, network.config, options.cache_path))


def _predict_inference(prediction, graph, options):
    if len(stages_of(graph)) == 1:
        network = inference_network(graph, options)
        if network is not None:
            _add(prediction, network, options)
        return
    rate = settings.machine_value("host_link_bytes_per_second")
    del rate
    for part in stage_graphs(graph).values():
        if not part.outputs:
            continue
        ipu = part.nodes[0].block[2]
        network = inference_network(part, options, ipu)
        if network is not None:
            _add(prediction, network, options)
        sent = _bytes_of([one for one in part.inputs if one.name.startswith("from_stage")])
        prediction.stage_link_seconds += sent / _LINK_BYTES_PER_SECOND


# Two of the links of an IPU go to its neighbour: 128 Gib/s each way, of which 0.783 are payload.
# Source: graphcore/poplibs lib/poplibs_test/Util.cpp (MIT), and configs/systems/m2000.toml.
_LINK_BYTES_PER_SECOND = 2 * 17_179_869_184 * 0.783


def _predict_training(prediction, graph, options, optimiser):
    batches = options.Training.gradient_accumulation
    stages, replicas = len(stages_of(graph)), options.replication_factor
    if stages == 1 and replicas == 1 and batches == 1:
        _add(prediction, training_network(graph, options, optimiser), options)
        return
    several = stages > 1 or replicas > 1
    parallel = {"micro_batches": batches, "replicas": replicas, "ipus": max(stages, len(ipus_of(graph))) * replicas}
    if stages > 1:
        parallel["stages_of_nodes"] = True
        if not prediction.is_pipelined:
            parallel["execution"] = "sharded"
        else:
            parallel["recomputation"] = True
    location = options.TensorLocations.location_optimizer
    if location.get("useReplicatedTensorSharding") and replicas > 1:
        parallel["replicated_tensor_sharding"] = True
    try:
        _add(prediction, training_network(graph, options, optimiser, parallel), options)
        prediction.is_whole_update = True
    except Error as error:
        prediction.networks.clear()
        if several:
            raise SimulatorError(str(error)) from error
        logger.debug("Accumulated gradients are counted by the passes of one micro-batch: %s", error)
        _add(prediction, training_network(graph, options, optimiser), options)


def _warn_of_uncosted(prediction):
    for network in prediction.networks:
        for node, why in network.uncosted:
            warn_once(("uncosted", node.op), f"{node.op} at {node.source} takes no time in the prediction: {why}")
    for run in prediction.runs:
        for text in run.get("warnings", []):
            if "counted as zero" in text:
                warn_once(("skipped", text.split("(")[-1].split(")")[0]), text)


def _folder(prediction, options):
    """Where the report of a model goes, or None."""
    chosen = options.profile_dir or settings.report_folder()
    if chosen is None:
        return None
    return os.path.join(chosen, options.model_name or prediction.kind)


def _report(prediction, options):
    exported = os.environ.get("POPTORCH_EXPORT_PROTO_FILE")
    if exported and prediction.networks:
        os.makedirs(os.path.dirname(os.path.abspath(exported)), exist_ok=True)
        pathlib.Path(exported).write_bytes(prediction.networks[0].model)
    folder = _folder(prediction, options)
    if folder is None or not prediction.networks:
        return
    for number, network in enumerate(prediction.networks):
        own = folder if len(prediction.networks) == 1 else os.path.join(folder, f"stage{number}")
        prediction.report = simulator.page(network.model, network.config, own)
        logger.info("The report of the model is in %s", prediction.report)


def _expect_room(prediction, options):
    for number, run in enumerate(prediction.runs):
        if run.get("fits", True):
            continue
        oom = run.get("oom") or {}
        path = prediction.report
        if path is None:
            folder = tempfile.mkdtemp(prefix="poptorch-out-of-memory-")
            network = prediction.networks[number]
            path = simulator.page(network.model, network.config, folder)
        tile, over = oom.get("tile"), oom.get("bytes_over")
        text = (f"Memory allocation error : Out of memory on tile {tile}: {over} bytes more than there are, at the step "
                f"{oom.get('step')}. Out of memory, the graph profile is available here: {path}")
        logger.error(text)
        del options
        raise OutOfMemoryError(text, tile, over, str(path))


def tensor_names(graph):
    """Names of the tensors of a graph."""
    names = [value.name for value in graph.inputs + graph.parameters if value.name]
    for node in graph.nodes:
        word = node.op.split("::")[-1].split(".")[0]
        names += [f"{node.scope.replace('.', '/')}/{word}:{place}".lstrip("/") for place in range(len(node.results))]
    return names


def check(prediction):
    """Runs the compiled programs with numbers of their own, and compares them with the graph in doubles: what
    `ipusim check` says, one object for each program."""
    prediction.expect_known()
    return [simulator.check(network.model, network.config) for network in prediction.networks]
