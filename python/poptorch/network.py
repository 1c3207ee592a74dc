# SPDX-License-Identifier: Apache-2.0
"""From a recorded graph to what the simulator runs: an ONNX file and its config."""
import dataclasses

import torch

from . import settings
from .errors import Error
from .graph import Graph, Value, needed, replaced
from .lowering import Builder, loss_form

# What no program of the device can hold.
_REFUSED = ("aten::_fft", "aten::fft", "aten::view_as_real", "aten::view_as_complex", "aten::linalg_svd",
            "aten::_linalg_svd", "aten::linalg_eig", "aten::_linalg_eigh", "aten::linalg_cholesky", "aten::linalg_qr",
            "aten::linalg_inv", "aten::linalg_lu", "aten::_linalg_det", "aten::_linalg_solve", "aten::stft",
            "aten::_sparse", "aten::quantize", "aten::complex", "aten::polar")


@dataclasses.dataclass
class Network:
    """A file with its config; {name of a layer: recorded node}; what takes no time in it, with reasons."""
    model: bytes
    config: str
    origin: dict
    uncosted: list


def expect_supported(graph):
    """Raises for operations that the device has none of, with their lines."""
    found = {}
    for node in graph.nodes:
        is_complex = any(result.dtype.is_complex for result in node.results)
        if is_complex or node.op.startswith(_REFUSED):
            found.setdefault(node.op, node.source)
    if found:
        lines = "\n".join(f"  {op} at {source}" for op, source in sorted(found.items()))
        raise Error("Unsupported ops found in compiled model: "
                    f"[{', '.join(sorted(found))}]. Not all operations are supported by the device.\n{lines}")


def _toml(value):
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def _table(name, values):
    return "\n".join([f"[{name}]", *[f"{key} = {_toml(value)}" for key, value in values.items()], ""])


def _workload(options, uncosted, ipu):
    values = {"kind": "onnx", "file": "@FILE@", "front_end": "poptorch",
              "on_unknown": "skip" if uncosted is not None else "error"}
    partials = options.Precision.partials_type or \
        {"half": torch.half, "float": torch.float}.get(options._Popart.options.get("partialsTypeMatMuls"))  # pylint: disable=protected-access
    values["partials_type"] = "half" if partials == torch.half else "float"
    proportion = options.available_memory_proportion.get(ipu)
    if proportion is not None:
        values["available_memory_proportion"] = float(proportion)
    return values


def optimiser_keys(optimiser):
    """The keys of workload.train for an optimiser."""
    group = optimiser.param_groups[0]
    decay = float(group.get("weight_decay") or 0)
    kind = type(optimiser).__name__
    if isinstance(optimiser, torch.optim.SGD):
        has_momentum = any(float(one.get("momentum") or 0) > 0 for one in optimiser.param_groups)
        keys = {"optimiser": "momentum" if has_momentum else "sgd"}
    elif "LAMB" in [one.__name__ for one in type(optimiser).__mro__]:
        keys = {"optimiser": "lamb"}
    elif isinstance(optimiser, (torch.optim.Adam, torch.optim.AdamW)):
        keys = {"optimiser": "adam"}
    elif isinstance(optimiser, torch.optim.RMSprop):
        # One mean of squares instead of two moments: Adam's steps are the nearest that the simulator has.
        keys = {"optimiser": "adam"}
    else:
        raise Error(f"No rule is known for the optimizer {kind}")
    if decay:
        keys["weight_decay"] = min(decay, 1.0)
    return keys


def inference_network(graph, options, ipu=0):
    """The forward pass of a graph."""
    builder = Builder(graph, False)
    builder.build(graph.outputs + graph.updates)
    outputs = _computed(builder, graph, graph.outputs + graph.updates)
    if not outputs:
        return None
    config = f'machine = "{settings.machine()}"\n' + _table("workload", _workload(options, builder.uncosted, ipu))
    return Network(builder.encoded(outputs), config, builder.origin, builder.uncosted)


def _computed(builder, graph, values):
    """Those that nodes compute."""
    made = {one for node in builder.nodes for one in node.outputs}
    del graph
    return [value for value in values if builder.term(value).name in made]


def training_network(graph, options, optimiser, parallel=None):
    """A training step. `parallel` has the keys of [parallel], beside the number of IPUs under "ipus"."""
    builder = Builder(graph, True)
    form = loss_form(graph)
    wanted = form.operand if form else graph.loss
    builder.build([wanted])
    train = {"loss": form.word if form else "result", **optimiser_keys(optimiser)}
    is_several = parallel is not None
    place = settings.system(parallel.pop("ipus")) if is_several else settings.machine()
    config = f'machine = "{place}"\n'
    config += _table("workload", _workload(options, None if is_several else builder.uncosted, 0))
    config += _table("workload.train", train)
    if is_several:
        if builder.uncosted:
            raise Error("several IPUs take no operation without steps: " +
                        ", ".join(sorted({node.op for node, _ in builder.uncosted})))
        config += _parallel_table(parallel, builder)
    return Network(builder.encoded([wanted]), config, builder.origin, builder.uncosted)


def _parallel_table(parallel, builder):
    cuts = parallel.pop("stages_of_nodes", None)
    if cuts is not None:
        first = {}
        for name, node in builder.origin.items():
            first.setdefault(node.block[1], name)
        stages = sorted(first)
        parallel["stages"] = len(stages)
        names = ", ".join(f'"{first[stage]}"' for stage in stages[1:])
        if names:
            return _table("parallel", parallel) + f"cuts = [{names}]\n"
    return _table("parallel", parallel)


def stage_graphs(graph):
    """{stage: a graph of its own}: values of other stages are inputs. Weights stand where they are read."""
    wanted = graph.outputs + graph.updates
    nodes = needed(graph, wanted)
    stage_of = {id(result): node.block[1] for node in nodes for result in node.results}
    graphs = {}
    sent = {}
    for stage in sorted({node.block[1] for node in nodes}):
        part = Graph()
        inputs = {}

        def local(value, stage=stage, part=part, inputs=inputs):
            if value.kind != "result" or stage_of.get(id(value), stage) == stage:
                return value
            if id(value) not in inputs:
                inputs[id(value)] = Value(value.shape, value.dtype, "input", f"from_stage_{stage_of[id(value)]}")
                part.inputs.append(inputs[id(value)])
                sent.setdefault(stage_of[id(value)], {})[id(value)] = value
            return inputs[id(value)]

        for node in nodes:
            if node.block[1] == stage:
                part.nodes.append(dataclasses.replace(node, args=replaced(node.args, Value, local),
                                                      kwargs=replaced(node.kwargs, Value, local)))
        part.parameters = graph.parameters
        part.outputs = [value for value in wanted if stage_of.get(id(value)) == stage]
        graphs[stage] = part
    for stage, values in sent.items():
        graphs[stage].outputs += [one for one in values.values() if one not in graphs[stage].outputs]
    return graphs
