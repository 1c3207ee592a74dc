# SPDX-License-Identifier: Apache-2.0
"""Reductions, norms of vectors, softmax."""
import math

import torch

from .builder import NotCosted, handles, kind_of
from .onnx_file import BOOL, FLOAT, HALF


def _dimensions(node, rank, place=1):
    given = node.args[place] if len(node.args) > place else node.kwargs.get("dim")
    if given is None or given == []:
        return list(range(rank))
    given = [given] if isinstance(given, int) else list(given)
    return sorted(one % rank for one in given)


def _kind(node):
    kind = kind_of(node.results[0].dtype)
    return kind if kind in (FLOAT, HALF) else FLOAT


def _finish(builder, node, term):
    builder.set_result(node.results[0], term)


@handles("aten::sum", "aten::mean", "aten::amax", "aten::amin", "aten::nansum")
def lower_reduction(builder, node):
    """Over some dimensions, or all of them."""
    name = node.op.split("::")[1].split(".")[0]
    op = {"sum": "ReduceSum", "nansum": "ReduceSum", "mean": "ReduceMean", "amax": "ReduceMax",
          "amin": "ReduceMin"}[name]
    x = builder.real(node.args[0], _kind(node))
    dimensions = _dimensions(node, x.rank)
    _finish(builder, node, builder.reduce(op, x, dimensions))


@handles("aten::max", "aten::min", "aten::median", "aten::mode")
def lower_extreme(builder, node):
    """The largest of all, of two operands, or of a dimension with its place."""
    name = node.op.split("::")[1].split(".")[0]
    if name in ("median", "mode"):
        raise NotCosted("no sort")
    x = builder.real(node.args[0])
    op = "ReduceMax" if name == "max" else "ReduceMin"
    if node.op.endswith(".other"):
        _finish(builder, node, builder.binary("Max" if name == "max" else "Min", x, builder.real(node.args[1], x.kind)))
        return
    dimensions = _dimensions(node, x.rank)
    _finish(builder, node, builder.reduce(op, x, dimensions))
    if len(node.results) > 1:
        place = builder.emit("ArgMax" if name == "max" else "ArgMin", [x], {"axis": dimensions[0], "keepdims": 1},
                             shape=[1 if d == dimensions[0] else size for d, size in enumerate(x.shape)],
                             kind=kind_of(torch.int64), part="place")
        builder.declare(place)
        builder.set_result(node.results[1], place)


@handles("aten::argmax", "aten::argmin")
def lower_place(builder, node):
    """The place of the largest element."""
    x = builder.real(node.args[0])
    dimension = node.args[1] if len(node.args) > 1 else node.kwargs.get("dim")
    if dimension is None:
        x, dimension = builder.reshape(x, (math.prod(x.shape),)), 0
    dimension %= x.rank
    op = "ArgMax" if "argmax" in node.op else "ArgMin"
    place = builder.emit(op, [x], {"axis": dimension, "keepdims": 1},
                         shape=[1 if d == dimension else size for d, size in enumerate(x.shape)],
                         kind=kind_of(torch.int64))
    builder.declare(place)
    _finish(builder, node, place)


@handles("aten::any", "aten::all")
def lower_truth(builder, node):
    """Whether some or all are true."""
    x = builder.cast(builder.term(node.args[0]), FLOAT)
    op = "ReduceMax" if "any" in node.op else "ReduceMin"
    made = builder.reduce(op, builder.unary("Abs", x, part="abs"), _dimensions(node, x.rank))
    _finish(builder, node, builder.cast(made, BOOL))


@handles("aten::count_nonzero")
def lower_count(builder, node):
    """How many are not zero."""
    x = builder.real(node.args[0])
    zero = builder.emit("Equal", [x, builder.number(0, x.kind)], kind=BOOL, part="zero")
    made = builder.reduce("ReduceSum", builder.cast(zero, FLOAT), _dimensions(node, x.rank))
    _finish(builder, node, made)


@handles("aten::logsumexp")
def lower_logsumexp(builder, node):
    """The logarithm of a sum of exponentials, less and plus the largest."""
    x = builder.real(node.args[0])
    dimensions = _dimensions(node, x.rank)
    top = builder.reduce("ReduceMax", x, dimensions, part="max")
    powers = builder.unary("Exp", builder.binary("Sub", x, top, part="shift"), part="exp")
    total = builder.unary("Log", builder.reduce("ReduceSum", powers, dimensions, part="sum"), part="log")
    _finish(builder, node, builder.binary("Add", total, top))


@handles("aten::var", "aten::std", "aten::var_mean", "aten::std_mean")
def lower_variance(builder, node):
    """The mean square of what differs from the mean."""
    x = builder.real(node.args[0], _kind(node))
    dimensions = _dimensions(node, x.rank)
    if node.op in ("aten::var", "aten::std", "aten::var_mean", "aten::std_mean"):
        dimensions = list(range(x.rank))
    mean = builder.reduce("ReduceMean", x, dimensions, part="mean")
    shift = builder.binary("Sub", x, mean, part="shift")
    made = builder.reduce("ReduceMean", builder.binary("Mul", shift, shift, part="square"), dimensions, part="squares")
    count = math.prod(x.shape[d] for d in dimensions)
    correction = node.kwargs.get("correction", 1)
    if correction and count > correction:
        made = builder.binary("Mul", made, builder.number(count / (count - correction), x.kind), part="correction")
    if "std" in node.op:
        made = builder.unary("Sqrt", made, part="root")
    _finish(builder, node, made)
    if len(node.results) > 1:
        builder.set_result(node.results[1], mean)


@handles("aten::norm", "aten::linalg_vector_norm", "aten::frobenius_norm")
def lower_norm(builder, node):
    """Roots of sums of powers."""
    x = builder.real(node.args[0], _kind(node))
    power = node.args[1] if len(node.args) > 1 and not isinstance(node.args[1], (list, tuple)) else 2
    power = 2 if power is None else power
    place = 1 if "frobenius" in node.op else 2
    dimensions = _dimensions(node, x.rank, place)
    if power in (math.inf, -math.inf):
        op = "ReduceMax" if power > 0 else "ReduceMin"
        _finish(builder, node, builder.reduce(op, builder.unary("Abs", x, part="abs"), dimensions))
        return
    if power == 2:
        total = builder.reduce("ReduceSum", builder.binary("Mul", x, x, part="square"), dimensions, part="sum")
        _finish(builder, node, builder.unary("Sqrt", total))
        return
    powers = builder.unary("Abs", x, part="abs")
    if power != 1:
        powers = builder.binary("Pow", powers, builder.number(power, x.kind), part="power")
    total = builder.reduce("ReduceSum", powers, dimensions, part="sum")
    if power not in (0, 1):
        total = builder.binary("Pow", total, builder.number(1 / power, x.kind), part="root")
    _finish(builder, node, total)


@handles("aten::prod")
def lower_product(builder, node):
    """A product of all elements counts as their sum: poplibs reduces both alike."""
    x = builder.real(node.args[0], _kind(node))
    _finish(builder, node, builder.reduce("ReduceSum", x, _dimensions(node, x.rank)))


@handles("aten::_softmax", "aten::softmax", "aten::_log_softmax", "aten::log_softmax")
def lower_softmax(builder, node):
    """Along the last dimension, or with transposes along another one."""
    x = builder.real(node.args[0], _kind(node))
    dimension = node.args[1] % x.rank
    order = [d for d in range(x.rank) if d != dimension] + [dimension]
    op = "LogSoftmax" if "log" in node.op else "Softmax"
    rows = builder.permute(x, order)
    made = builder.emit(op, [rows], {"axis": rows.rank - 1})
    back = [order.index(d) for d in range(x.rank)]
    _finish(builder, node, builder.permute(made, back))


@handles("aten::topk", "aten::sort", "aten::argsort", "aten::kthvalue")
def lower_sort(builder, node):
    """The largest elements, or all of them in order."""
    name = node.op.split("::")[1].split(".")[0]
    if name == "kthvalue":
        raise NotCosted("no sort")
    x = builder.real(node.args[0])
    has_count = name == "topk"
    place = 2 if has_count else 1
    integers = [one for one in node.args[1:] if isinstance(one, int) and not isinstance(one, bool)]
    dimension = integers[-1] if len(integers) > (1 if has_count else 0) else node.kwargs.get("dim", -1)
    del place
    dimension = (dimension if isinstance(dimension, int) else -1) % x.rank
    count = node.results[0].shape[dimension] if node.results[0].shape else 1
    shape = list(x.shape)
    shape[dimension] = count
    values, places = builder.emit("TopK", [x, builder.whole([count])], {"axis": dimension}, shape=shape, results=2)
    places.kind = kind_of(torch.int64)
    builder.declare(values)
    builder.declare(places)
    if name == "argsort":
        builder.set_result(node.results[0], places)
        return
    builder.set_result(node.results[0], values)
    builder.set_result(node.results[1], places)


@handles("aten::cumsum")
def lower_cumsum(builder, node):
    """Sums of all elements up to each, as a product with a triangle of ones."""
    x = builder.real(node.args[0], _kind(node))
    dimension = node.args[1] % x.rank
    order = [d for d in range(x.rank) if d != dimension] + [dimension]
    rows = builder.permute(x, order)
    size = rows.shape[-1]
    matrix = builder.reshape(rows, (math.prod(rows.shape) // size, size))
    triangle = builder.weights((size, size), x.kind, "triangle")
    made = builder.emit("MatMul", [matrix, triangle], shape=matrix.shape)
    made = builder.permute(builder.reshape(made, rows.shape), [order.index(d) for d in range(x.rank)])
    _finish(builder, node, made)
