# SPDX-License-Identifier: Apache-2.0
"""Losses. The one that a model learns from, where it is the mean cross entropy of classes or the mean square of a
difference, is a step of its own in the simulator: loss_form()."""
import dataclasses
import math

from .builder import FLOAT, NotCosted, handles, kind_of
from .onnx_file import HALF, INT64

# The reductions of ATen.
_NONE, _MEAN, _SUM = 0, 1, 2


def _reduced(builder, node, term, reduction):
    if reduction != _NONE:
        term = builder.reduce("ReduceMean" if reduction == _MEAN else "ReduceSum", term, range(term.rank),
                              part="reduce")
    builder.set_result(node.results[0], term)


def _reduction(node, place):
    return node.args[place] if len(node.args) > place else node.kwargs.get("reduction", _MEAN)


@handles("aten::mse_loss", "aten::l1_loss", "aten::smooth_l1_loss", "aten::huber_loss", "aten::soft_margin_loss")
def lower_difference(builder, node):
    """Losses of a difference, and of a product."""
    left, right = builder.real(node.args[0]), builder.real(node.args[1])
    right = builder.cast(right, left.kind)
    name = node.op.split("::")[1].split(".")[0]
    number = lambda value: builder.number(value, left.kind)  # noqa: E731
    if name == "soft_margin_loss":
        product = builder.unary("Neg", builder.binary("Mul", left, right, part="product"), part="negate")
        made = builder.unary("Log", builder.binary("Add", builder.unary("Exp", product, part="exp"), number(1),
                                                   part="one"), part="log")
    else:
        difference = builder.binary("Sub", left, right, part="difference")
        if name == "mse_loss":
            made = builder.binary("Mul", difference, difference, part="square")
        else:
            made = builder.unary("Abs", difference, part="abs")
        if name in ("smooth_l1_loss", "huber_loss"):
            beta = float(node.args[3]) if len(node.args) > 3 else 1.0
            square = builder.binary("Mul", builder.binary("Mul", difference, difference, part="square"),
                                    number(0.5 / beta if beta else 0.5), part="half")
            linear = builder.binary("Sub", made, number(0.5 * beta), part="linear")
            test = builder.binary("Less", made, number(beta), kind=9, part="test")
            made = builder.emit("Where", [test, square, linear], shape=square.shape, kind=square.kind, part="choose")
    _reduced(builder, node, made, _reduction(node, 2))


@handles("aten::nll_loss_forward", "aten::nll_loss2d_forward", "aten::nll_loss_nd", "aten::nll_loss")
def lower_nll(builder, node):
    """The numbers of the right classes: a table of ones and zeros times all numbers, summed, as in the library."""
    logs, target = builder.real(node.args[0]), node.args[1]
    if len(node.args[0].shape) == 1:
        logs = builder.reshape(logs, (1, *logs.shape))
    if logs.rank > 2:
        order = [0, *range(2, logs.rank), 1]
        logs = builder.permute(logs, order)
        logs = builder.reshape(logs, (math.prod(logs.shape[:-1]), logs.shape[-1]))
    rows, classes = logs.shape
    labels = builder.reshape(builder.index(target), (rows, 1))
    numbers = builder.weights((1, classes), FLOAT, "classes")
    hot = builder.binary("Equal", builder.cast(labels, FLOAT), numbers, kind=9, part="one_hot")
    chosen = builder.binary("Mul", logs, builder.cast(hot, logs.kind), part="choose")
    made = builder.unary("Neg", builder.reduce("ReduceSum", chosen, [1], keeps=False, part="sum"), part="negate")
    reduction = _reduction(node, 3)
    if reduction == _NONE and len(node.results[0].shape) > 1:
        made = builder.reshape(made, node.results[0].shape)
    _reduced(builder, node, made, reduction)
    for more in node.results[1:]:
        builder.set_result(more, builder.number(1, FLOAT))


@handles("aten::binary_cross_entropy", "aten::binary_cross_entropy_with_logits", "aten::kl_div")
def lower_probabilities(builder, node):
    """Losses of probabilities."""
    left = builder.real(node.args[0])
    right = builder.cast(builder.real(node.args[1]), left.kind)
    number = lambda value: builder.number(value, left.kind)  # noqa: E731
    name = node.op.split("::")[1].split(".")[0]
    if name == "binary_cross_entropy":
        first = builder.binary("Mul", right, builder.unary("Log", left, part="log"), part="true")
        rest = builder.unary("Log", builder.binary("Sub", number(1), left, part="rest"), part="log")
        second = builder.binary("Mul", builder.binary("Sub", number(1), right, part="other"), rest, part="false")
        made = builder.unary("Neg", builder.binary("Add", first, second, part="both"), part="negate")
    elif name == "kl_div":
        made = builder.binary("Mul", right, builder.binary("Sub", builder.unary("Log", right, part="log"), left,
                                                           part="difference"), part="product")
    else:
        top = builder.unary("Relu", builder.unary("Neg", left, part="negate"), part="top")
        rest = builder.binary("Mul", builder.binary("Sub", number(1), right, part="other"), left, part="rest")
        powers = builder.binary("Add", builder.unary("Exp", builder.unary("Neg", top, part="shift"), part="exp"),
                                builder.unary("Exp", builder.unary("Neg", builder.binary("Add", left, top, part="in"),
                                                                   part="shifted"), part="exp2"), part="sum")
        made = builder.binary("Add", builder.binary("Add", rest, top, part="linear"),
                              builder.unary("Log", powers, part="log"), part="loss")
    place = 4 if name == "binary_cross_entropy_with_logits" else 3 if name == "binary_cross_entropy" else 2
    _reduced(builder, node, made, _reduction(node, place))


@handles("aten::_ctc_loss", "aten::ctc_loss", "aten::multi_margin_loss", "aten::multilabel_margin_loss_forward")
def lower_other_losses(_builder, node):
    """Losses without steps."""
    raise NotCosted(f"no steps for {node.op}")


@dataclasses.dataclass
class LossForm:
    """A loss that the simulator has: its word, what it reads, and the labels that it makes itself."""
    word: str
    operand: object
    target: object


def loss_form(graph):
    """The form of the final loss, or None where it is made of other steps."""
    producers = {id(result): node for node in graph.nodes for result in node.results}
    node = producers.get(id(graph.loss))
    while node is not None and node.op.startswith(("aten::view_as", "aten::view", "aten::alias", "aten::detach")):
        node = producers.get(id(node.args[0]))
    if node is None:
        return None
    if node.op.startswith("aten::mse_loss") and _reduction(node, 2) == _MEAN and \
            tuple(node.args[0].shape) == tuple(node.args[1].shape) and node.args[1].kind == "input" and \
            kind_of(node.args[1].dtype) in (FLOAT, HALF):
        return LossForm("squared_error", node.args[0], node.args[1])
    if node.op.startswith("aten::nll_loss_forward") and _reduction(node, 3) == _MEAN and node.args[2] is None:
        softmax = producers.get(id(node.args[0]))
        is_last = softmax is not None and softmax.op.startswith("aten::_log_softmax") and \
            len(softmax.args[0].shape) == 2 and softmax.args[1] in (1, -1)
        if is_last and node.args[1].kind == "input" and kind_of(node.args[1].dtype) == INT64:
            return LossForm("cross_entropy", softmax.args[0], node.args[1])
    return None
