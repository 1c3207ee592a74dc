# SPDX-License-Identifier: Apache-2.0
"""Norms and poolings."""
import math

from .builder import NotCosted, Term, handles, kind_of
from .onnx_file import FLOAT, HALF


def _learnt(builder, value, shape, kind, otherwise):
    if value is None:
        return builder.filled(shape, otherwise, kind) if math.prod(shape) == 1 else builder.weights(shape, kind)
    return builder.reshape(builder.real(value, kind), shape)


@handles("aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::batch_norm")
def lower_batch_norm(builder, node):
    """Over batch and field, with statistics of the batch where the layer trains."""
    x, weight, bias, mean, variance, trains, _momentum, epsilon = node.args[:8]
    term = builder.real(x)
    channels = (term.shape[1],)
    is_flat = term.rank == 2
    scale, shift = (_learnt(builder, weight, channels, term.kind, 1), _learnt(builder, bias, channels, term.kind, 0))
    if trains and not builder.is_training or mean is None:
        # Without given statistics each channel is a group of its own.
        if term.shape[0] == 1 and term.rank > 2:
            made = builder.emit("InstanceNormalization", [term, scale, shift], {"epsilon": float(epsilon)})
        else:
            turned = builder.permute(term, [1, 0, *range(2, term.rank)])
            rows = builder.reshape(turned, (1, channels[0], math.prod(turned.shape) // channels[0]))
            rows = builder.emit("InstanceNormalization", [rows, scale, shift], {"epsilon": float(epsilon)})
            made = builder.permute(builder.reshape(rows, turned.shape), [1, 0, *range(2, term.rank)])
    else:
        statistics = [builder.real(one, term.kind) for one in (mean, variance)]
        if is_flat:
            term = builder.reshape(term, (*term.shape, 1))
        made = builder.emit("BatchNormalization", [term, scale, shift, *statistics], {"epsilon": float(epsilon)})
    builder.set_result(node.results[0], made)
    _fill_rest(builder, node, made)


def _fill_rest(builder, node, made):
    """Statistics that a node returns and hardly anybody reads."""
    for more in node.results[1:]:
        builder.set_result(more, Term(made.name, tuple(more.shape) or (1,), made.kind)
                           if more.elements == math.prod(made.shape)
                           else builder.weights(tuple(more.shape) or (1,), FLOAT, "statistic"))


@handles("aten::native_layer_norm", "aten::layer_norm")
def lower_layer_norm(builder, node):
    """Over the last dimensions."""
    x, shape, weight, bias, epsilon = node.args[:5]
    term = builder.real(x)
    size = math.prod(shape)
    rows = builder.reshape(term, (math.prod(term.shape) // size, size))
    operands = [rows, _learnt(builder, weight, (size,), term.kind, 1), _learnt(builder, bias, (size,), term.kind, 0)]
    made = builder.emit("LayerNormalization", operands, {"axis": -1, "epsilon": float(epsilon)})
    builder.set_result(node.results[0], builder.reshape(made, x.shape))
    _fill_rest(builder, node, made)


@handles("aten::native_group_norm", "aten::group_norm")
def lower_group_norm(builder, node):
    """Over groups of channels."""
    x, weight, bias = node.args[:3]
    groups, epsilon = (node.args[6], node.args[7]) if "native" in node.op else (node.args[1], node.args[4])
    term = builder.real(x)
    channels = (term.shape[1],)
    operands = [term, _learnt(builder, weight, channels, term.kind, 1),
                _learnt(builder, bias, channels, term.kind, 0)]
    made = builder.emit("GroupNormalization", operands, {"num_groups": int(groups), "epsilon": float(epsilon)})
    builder.set_result(node.results[0], made)
    _fill_rest(builder, node, made)


def _spread(sizes, field):
    sizes = list(sizes) if isinstance(sizes, (list, tuple)) else [sizes]
    return sizes * field if len(sizes) == 1 else sizes


def _with_channels(builder, term, field):
    """(batch, channels, field...), and the rank before."""
    if term.rank == field + 1:
        return builder.reshape(term, (1, *term.shape))
    return term


@handles("aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d", "aten::max_pool2d_with_indices",
         "aten::max_pool3d_with_indices", "aten::max_pool1d_with_indices")
def lower_max_pool(builder, node):
    """The largest element of each window."""
    field = int(node.op.split("pool")[1][0])
    args = list(node.args) + [None] * 6
    kernel = _spread(args[1], field)
    stride = _spread(args[2] or kernel, field)
    padding, dilation = _spread(args[3] or 0, field), _spread(args[4] or 1, field)
    term = _with_channels(builder, builder.real(node.args[0]), field)
    pads = padding + _upper(term.shape[2:], kernel, stride, padding, dilation, node.results[0].shape[-field:])
    attributes = {"kernel_shape": kernel, "strides": stride, "pads": pads, "dilations": dilation}
    shape = (*term.shape[:2], *node.results[0].shape[-field:])
    made = builder.emit("MaxPool", [term], attributes, shape=shape)
    builder.set_result(node.results[0], made)
    for more in node.results[1:]:
        builder.set_result(more, made)


def _upper(field, kernel, stride, padding, dilation, result):
    """The padding behind a field, for which a result that was rounded up may need more."""
    upper = []
    for size, window, step, before, spread, count in zip(field, kernel, stride, padding, dilation, result):
        needed = (count - 1) * step + (window - 1) * spread + 1 - size - before
        upper.append(max(needed, 0) if needed > before else before)
    return upper


@handles("aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d")
def lower_average_pool(builder, node):
    """The mean of each window."""
    field = int(node.op.split("pool")[1][0])
    args = list(node.args) + [None] * 6
    kernel = _spread(args[1], field)
    stride = _spread(args[2] or kernel, field)
    padding = _spread(args[3] or 0, field)
    counts = True if args[5] is None else bool(args[5])
    _average(builder, node, field, (kernel, stride, padding, counts))


def _average(builder, node, field, window):
    kernel, stride, padding, counts = window
    term = _with_channels(builder, builder.real(node.args[0]), field)
    pads = padding + _upper(term.shape[2:], kernel, stride, padding, [1] * field, node.results[0].shape[-field:])
    attributes = {"kernel_shape": kernel, "strides": stride, "pads": pads, "count_include_pad": int(counts)}
    made = builder.emit("AveragePool", [term], attributes, shape=(*term.shape[:2], *node.results[0].shape[-field:]))
    builder.set_result(node.results[0], made)


@handles("aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d", "aten::adaptive_avg_pool1d",
         "aten::adaptive_avg_pool2d", "aten::adaptive_max_pool2d")
def lower_adaptive_pool(builder, node):
    """Windows that make a result of a given size, which must divide the field."""
    if "max" in node.op:
        raise NotCosted(f"no steps for {node.op}")
    field = int(node.op.split("pool")[1][0])
    sizes = list(node.args[0].shape[-field:])
    wanted = list(node.results[0].shape[-field:])
    if any(size % count for size, count in zip(sizes, wanted)):
        raise NotCosted("windows of different sizes")
    kernel = [size // count for size, count in zip(sizes, wanted)]
    _average(builder, node, field, (kernel, kernel, [0] * field, True))


@handles("aten::renorm", "aten::_weight_norm", "aten::_weight_norm_interface")
def lower_weight_norm(builder, node):
    """A direction times a length."""
    kind = kind_of(node.results[0].dtype)
    kind = kind if kind in (FLOAT, HALF) else FLOAT
    direction, length = builder.real(node.args[0], kind), builder.real(node.args[1], kind)
    dimension = node.args[2] if len(node.args) > 2 else 0
    others = [d for d in range(direction.rank) if d != dimension]
    total = builder.reduce("ReduceSum", builder.binary("Mul", direction, direction, part="square"), others, part="sum")
    scale = builder.binary("Div", length, builder.unary("Sqrt", total, part="root"), part="scale")
    builder.set_result(node.results[0], builder.binary("Mul", direction, scale))
    _fill_rest(builder, node, scale)
