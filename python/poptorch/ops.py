# SPDX-License-Identifier: Apache-2.0
"""Operations beside those of PyTorch. Outside a wrapped model each computes what it means on a CPU."""
import sys

import torch

from . import context
from .enums import MatMulSerializationMode, OverlapMode
from .errors import Error, not_here
from .graph import replaced
from .printing import Form


def _tensors(value):
    found = []
    replaced(value, torch.Tensor, lambda one: found.append(one) or one)
    return found


def _marked(name, tensor, **settings):
    """A tensor that is the same on a CPU, and a node of its own in a recording."""
    recorder = context.recorder()
    if recorder is None:
        return tensor
    function = lambda one: one.view_as(one)  # noqa: E731
    result = recorder.as_one(name, function, (tensor,), {})
    recorder.graph.nodes[-1].attributes.update(settings)
    return result


def identity_loss(x, reduction):
    """Reduces `x` by "sum", "mean" or "none", and marks it as what training makes small."""
    numbers = {0: "sum", 1: "mean", 2: "none"}
    reduction = numbers.get(reduction, reduction)
    if reduction not in ("sum", "mean", "none"):
        raise ValueError(f"reduction must be sum, mean or none, found {reduction}")
    loss = x.sum() if reduction == "sum" else x.mean() if reduction == "mean" else x.view_as(x)
    session = context.session()
    if session is not None:
        session.marked = True
        session.add_loss(loss)
    return loss


def nop(tensor):
    """The same tensor."""
    return _marked("nop", tensor)


def recomputationCheckpoint(*tensors):
    """The same tensors. They are kept for the backward pass instead of being computed again."""
    for one in _tensors(tensors):
        _marked("checkpoint", one)
    return tensors[0] if len(tensors) == 1 else tensors


def set_available_memory(tensor, available_memory_proportion):
    """The same tensor. The operation that made it may take this share of a tile for temporary data."""
    return _marked("available_memory", tensor, proportion=float(available_memory_proportion))


def ipu_print_tensor(tensor, title="", print_gradient=True, summarise_threshold=1000, edge_items=3, max_line_width=80,
                     digits=4, float_format="auto", separator=" ", open_bracket="[", close_bracket="]"):
    """The same tensor, which each run prints on standard error."""
    del print_gradient
    session = context.session()
    if session is not None and session.recorder is None:
        form = Form(summarise_threshold, edge_items, max_line_width, digits, float_format, separator, open_bracket,
                    close_bracket)
        print(f"{title or 'print_tensor'}: {form.text(tensor)}", file=sys.stderr)
    return _marked("print", tensor)


def serializedMatMul(lhs, rhs, mode, factor=0, keep_precision=False):
    """torch.matmul, which the device does part by part."""
    if not isinstance(mode, MatMulSerializationMode):
        raise ValueError("mode must be a poptorch.MatMulSerializationMode")
    del keep_precision
    if mode == MatMulSerializationMode.Disabled:
        return torch.matmul(lhs, rhs)
    assert isinstance(factor, int) and factor > 0, "factor must be an integer greater than 0"
    sizes = {MatMulSerializationMode.InputChannels: lhs.shape[-2] if lhs.dim() > 1 else 1,
             MatMulSerializationMode.ReducingDim: lhs.shape[-1],
             MatMulSerializationMode.OutputChannels: rhs.shape[-1]}
    size = sizes[mode]
    if size % factor != 0:
        raise Error(f"Invalid serialization factor {factor}: it must be a factor of the dimension {size} of "
                    f"{mode.value}")
    session = context.session()
    if session is None:
        return torch.matmul(lhs, rhs)
    session.attributes.append({"serialise": (mode.value, factor)})
    try:
        return torch.matmul(lhs, rhs)
    finally:
        session.attributes.pop()


def for_loop(count, body, inputs):
    """`inputs = body(*inputs)`, `count` times. The device has the body once."""
    if not isinstance(inputs, list):
        raise ValueError("poptorch.for_loop expects input tensors (inputs) to be a list of tensors. (Object is not list)")
    for place, one in enumerate(inputs):
        if not isinstance(one, torch.Tensor):
            raise ValueError("poptorch.for_loop expects input tensors (inputs) to be a list of tensors. "
                             f"(Object contained in list at index {place} is not torch.tensor)")
    session, recorder = context.session(), context.recorder()
    if session is not None and getattr(session, "is_training", False):
        raise Error("poptorch.for_loop() is only supported in inference models")
    values = [one.clone() for one in inputs]
    if recorder is None or count < 1:
        for _ in range(count):
            values = _listed(body(*values), len(inputs))
        return values
    session.attributes.append({"repeat": count * _repeats(session)})
    try:
        values = _listed(body(*values), len(inputs))
    finally:
        session.attributes.pop()
    known = [recorder.value_of(one) for one in values]
    with recorder.paused():
        for _ in range(count - 1):
            values = _listed(body(*values), len(inputs))
        values = [one.clone() for one in values]
    for one, value in zip(values, known):
        recorder.storages.add(one, value)
    return values


def _repeats(session):
    """How often the operations repeat that stand here."""
    times = 1
    for marks in session.attributes:
        times = marks.get("repeat", times)
    return times


def _listed(values, count):
    values = list(values) if isinstance(values, (tuple, list)) else [values]
    if len(values) != count:
        raise Error(f"The body of poptorch.for_loop must return as many tensors as it takes: {count}, not "
                    f"{len(values)}")
    return values


def cond(condition, then_body, then_inps, else_body, else_inps):
    """`then_body(*then_inps)` or `else_body(*else_inps)`. The device has both; the recording has the one that ran."""
    chosen = then_body(*then_inps) if bool(condition) else else_body(*else_inps)
    return list(chosen) if isinstance(chosen, (tuple, list)) else [chosen]


def dynamic_slice(tensor, dim, start, size, step):
    """`size` elements of a dimension from `start` on, every `step`-th."""
    if size <= 0:
        raise Error("The start and end of a slice must be different." if size == 0 else
                    "Taking a slice of a tensor with the end less than the start is not supported.")
    if tensor.shape[dim] % size != 0:
        raise Error(f"The size of the slice ({size}) must be a factor of the slicing dimension "
                    f"({tensor.shape[dim]}).")
    index = torch.arange(0, size, step) + _within(start, size, tensor.shape[dim])
    return torch.index_select(tensor, dim, index)


def _within(start, size, length):
    """The first element of a slice. Out of the tensor, the device takes the last slice that it has."""
    return start.long().clamp(0, length - size) if isinstance(start, torch.Tensor) else min(int(start), length - size)


def dynamic_update(input, src, dim, start, size):  # pylint: disable=redefined-builtin
    """`input` with `src` in `size` elements of a dimension from `start` on."""
    if input.dtype != src.dtype:
        kinds = [torch.int32 if one.dtype == torch.int64 else one.dtype for one in (input, src)]
        raise Error(f"input and src tensor must have same dtype. ({kinds[0]} vs {kinds[1]})")
    if input.dim() != src.dim():
        raise Error(f"input and src tensors must have same dimensionality. ({input.dim()}) vs ({src.dim()})")
    if size <= 0:
        raise Error("The start and end of a slice must be different." if size == 0 else
                    "Taking a slice of a tensor with the end less than the start is not supported.")
    index = torch.arange(0, size) + _within(start, size, input.shape[dim])
    return torch.index_copy(input, dim, index, src)


def custom_op(inputs, name, domain, domain_version, example_outputs, attributes=None):
    """An operation that a library of the user adds. Numbers of its results are zeros; a recording has it by name,
    and the prediction counts it only if it knows the name."""
    del domain_version
    _check_attributes(attributes or {})
    shape_of = lambda one: torch.zeros_like(one)  # noqa: E731
    recorder = context.recorder()
    outputs = [shape_of(one) for one in example_outputs]
    if recorder is None:
        return outputs
    with recorder.paused():
        make = lambda *_: outputs  # noqa: E731
    return recorder.as_one(f"{domain}::{name}", make, tuple(inputs), {}, op=f"custom::{domain}.{name}")


def _check_attributes(attributes):
    for name, value in attributes.items():
        for text in (name, value):
            if isinstance(text, str) and not text.isascii():
                raise ValueError(f"{text} contains non-ASCII characters.")
        for one in value if isinstance(value, (tuple, list)) else [value]:
            if isinstance(one, float) and abs(one) > torch.finfo(torch.float32).max and one not in (
                    float("inf"), float("-inf")):
                side = "low" if one < 0 else "high"
                raise ValueError(f"{one:g} is too {side} for a Popart float attribute.")


def ctc_beam_search_decoder(probs, lengths, blank=0, beam_width=100, top_paths=1):
    """The most likely label sequences of a CTC network: (log probabilities, lengths, labels)."""
    from .beam_search import decode  # pylint: disable=import-outside-toplevel

    recorder = context.recorder()
    args = (probs, lengths, blank, beam_width, top_paths)
    if recorder is None:
        return decode(*args)
    return recorder.as_one("ctc_beam_search_decoder", decode, args, {})


def set_overlap_for_input(input_tensors, mode):
    """The same tensors. Transfers of inputs overlap with computing."""
    recorder = context.recorder()
    if recorder is not None and mode != OverlapMode.NoOverlap:
        for one in _tensors(input_tensors):
            if recorder.value_of(one).kind != "input":
                raise Error("poptorch.set_overlap_for_input applied on a node which is not a tensor input to the model.")
    return input_tensors


def set_overlap_for_output(output_tensors, mode):
    """The same tensors. Transfers of outputs overlap with computing."""
    session = context.session()
    if session is not None and mode != OverlapMode.NoOverlap:
        session.overlapped_outputs += _tensors(output_tensors)
    return output_tensors


def fps(*_args, **_kwargs):
    """Farthest point sampling is not there."""
    raise not_here("fps")


def nearest(*_args, **_kwargs):
    """The nearest of a set of points is not there."""
    raise not_here("nearest")


class CPU:
    """A function that runs on the host in the middle of a model."""

    def __init__(self, layer_to_call, ID):
        self._layer_to_call = layer_to_call
        self._name = ID

    def __call__(self, *args, **kwargs):
        recorder = context.recorder()
        if recorder is None:
            return self._layer_to_call(*args, **kwargs)
        return recorder.as_one("call_cpu_op", lambda *a, **k: _copied(self._layer_to_call(*a, **k)), args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__") or "_layer_to_call" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self._layer_to_call, name)


def _copied(value):
    return replaced(value, torch.Tensor, lambda one: one.clone())
