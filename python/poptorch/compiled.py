# SPDX-License-Identifier: Apache-2.0
"""What a compilation leaves: the recorded graph, and the prediction of its program."""
import dataclasses
import typing

import torch

from . import session as sessions
from .arguments import Signature, mapped, tensors_in
from .errors import Error
from .graph import Graph
from .recorder import Recorder


@dataclasses.dataclass
class Compiled:
    """`loss_place`: which output is the loss, None where none is. `is_watched`: whether a run needs to see functions
    of PyTorch, as where tensors are made on the device "ipu"."""
    signature: Signature
    graph: Graph
    uses_half: bool
    is_watched: bool
    loss_place: typing.Optional[int]
    inputs: int
    outputs: int
    prediction: typing.Any = None


class _Kept:
    """Keeps what a recording changes: buffers, other tensors of modules, and random numbers."""

    def __init__(self, model, arguments):
        self._state = torch.random.get_rng_state()
        self._copies = []
        # Norms write their statistics without a mark of it: buffers are always put back.
        self._buffers = [(one, one.detach().clone()) for one in model.buffers()]
        tensors = list(model.parameters()) + tensors_in((arguments.args, arguments.kwargs))
        for module in model.modules():
            tensors += [one for one in vars(module).values() if isinstance(one, torch.Tensor)]
        for tensor in tensors:
            self._copies.append((tensor, tensor.detach().clone(), tensor._version))  # pylint: disable=protected-access
        self._attributes = [(module, dict(vars(module)), dict(module._buffers)) for module in model.modules()]  # pylint: disable=protected-access

    def restore(self):
        """Puts everything back that changed."""
        torch.random.set_rng_state(self._state)
        with torch.no_grad():
            for tensor, copied in self._buffers:
                tensor.copy_(copied)
            for tensor, copied, version in self._copies:
                if tensor._version != version:  # pylint: disable=protected-access
                    tensor.copy_(copied)
        for module, values, buffers in self._attributes:
            module._buffers.clear()  # pylint: disable=protected-access
            module._buffers.update(buffers)  # pylint: disable=protected-access
            for name, value in values.items():
                if isinstance(value, (torch.Tensor, int, float, bool, str)) and module.__dict__.get(name) is not value:
                    module.__dict__[name] = value
            for name in [name for name in module.__dict__ if name not in values]:
                del module.__dict__[name]


def record(model, arguments, batching, options, is_training):
    """Runs a model once with the first micro-batch, and records what it does."""
    for name, tensor in zip(arguments.names(), tensors_in((arguments.args, arguments.kwargs))):
        if 0 in tensor.shape:
            raise Error(f"Zero-sized tensors are unsupported (Got shape {list(tensor.shape)})")
        if tensor.is_complex():
            raise Error(f"Complex numbers are not supported: input {name} is {tensor.dtype}")
    recorder = Recorder(options.source_location_excludes)
    session = sessions.Session(options._execution_strategy, recorder)  # pylint: disable=protected-access
    session.is_training = is_training
    kept = _Kept(model, arguments)
    args, kwargs = batching.cut(arguments, (0, 0, 0))
    args, kwargs = mapped((args, kwargs), lambda one: one.detach().clone())
    names = iter(arguments.names())
    mapped((args, kwargs), lambda one: recorder.add_source(one, "input", next(names)) and one)
    for name, parameter in model.named_parameters():
        recorder.add_source(parameter, "parameter", name)
    buffers = dict(model.named_buffers())
    for name, buffer in buffers.items():
        recorder.add_source(buffer, "buffer", name)
    try:
        with torch.enable_grad(), sessions.run(session), recorder, recorder.named_modules(model):
            outputs = model(*args, **kwargs)
        return _finished(model, recorder, session, outputs, buffers, is_training)
    finally:
        kept.restore()


def _finished(model, recorder, session, outputs, buffers, is_training):
    for name, buffer in model.named_buffers():
        if buffers.get(name) is not buffer:
            raise Error(f"Buffer {name} is reassigned within the model when calling the forward method. This is not "
                        f"supported. Consider using self.{name}.copy_(src) to copy data from a source tensor, where "
                        "src is the name of the source tensor.")
    now = dict(model.named_buffers())
    for name in buffers:
        if name not in now:
            raise Error(f"Buffer {name} is removed from the model when calling the forward method.")
    graph = recorder.graph
    found = tensors_in(outputs)
    for one in session.overlapped_outputs:
        times = sum(one is output for output in found)
        if times == 0:
            raise Error("poptorch.set_overlap_for_output applied on a node which is not a tensor output to the model.")
        if times > 1:
            raise Error("poptorch.set_overlap_for_output cannot be used with a tensor that is returned twice. Please "
                        "check all returned tensors including those nested in tuples/lists.")
    graph.outputs = [recorder.value_of(one) for one in found]
    graph.updates = [recorder.value_of(one) for one in buffers.values()]
    loss_place = None
    if is_training:
        loss = session.final_loss()
        graph.loss = recorder.value_of(loss)
        places = [place for place, one in enumerate(found) if one is loss]
        loss_place = places[0] if places else None
    return graph, recorder.uses_half, loss_place, len(found), session.saw_ipu


def compile_model(model, arguments, batching, options, is_training):
    """Records a model. The prediction is made by the caller."""
    graph, uses_half, loss_place, outputs, saw_ipu = record(model, arguments, batching, options, is_training)
    inputs = len(tensors_in((arguments.args, arguments.kwargs)))
    return Compiled(Signature(arguments), graph, uses_half, saw_ipu, loss_place, inputs, outputs)
