# SPDX-License-Identifier: Apache-2.0
"""Matrix products and convolutions."""
from .builder import NotCosted, handles, kind_of


def _operand(builder, value, kind):
    """A matrix, and whether it is read as its transpose."""
    of = builder.transposed(value)
    if of is not None:
        return builder.real(of, kind), 1
    return builder.real(value, kind), 0


def _product(builder, left, right, bias, kind, scales=(1.0, 1.0)):
    """left right alpha + bias beta of matrices."""
    a, is_left_turned = _operand(builder, left, kind)
    b, is_right_turned = _operand(builder, right, kind)
    shape = (left.shape[0], right.shape[1])
    attributes = {}
    if is_left_turned:
        attributes["transA"] = 1
    if is_right_turned:
        attributes["transB"] = 1
    if not attributes and bias is None:
        return builder.emit("MatMul", [a, b], shape=shape, kind=kind)
    operands = [a, b]
    if bias is not None:
        operands.append(builder.real(bias, kind))
    beta, alpha = scales
    if alpha != 1:
        attributes["alpha"] = float(alpha)
    if beta != 1 and bias is not None:
        attributes["beta"] = float(beta)
    return builder.emit("Gemm", operands, attributes, shape=shape, kind=kind)


@handles("aten::mm")
def lower_mm(builder, node):
    """Two matrices."""
    kind = kind_of(node.results[0].dtype)
    builder.set_result(node.results[0], _product(builder, *node.args[:2], None, kind))


@handles("aten::addmm")
def lower_addmm(builder, node):
    """Two matrices and a bias."""
    bias, left, right = node.args[:3]
    scales = node.kwargs.get("beta", 1), node.kwargs.get("alpha", 1)
    kind = kind_of(node.results[0].dtype)
    builder.set_result(node.results[0], _product(builder, left, right, bias, kind, scales))


@handles("aten::bmm", "aten::baddbmm")
def lower_bmm(builder, node):
    """Groups of matrices."""
    kind = kind_of(node.results[0].dtype)
    has_sum = node.op.startswith("aten::baddbmm")
    left, right = node.args[1:3] if has_sum else node.args[:2]
    left, right = builder.real(left, kind), builder.real(right, kind)
    made = builder.emit("MatMul", [left, right], shape=(left.shape[0], left.shape[1], right.shape[2]), kind=kind)
    if has_sum:
        alpha, beta = node.kwargs.get("alpha", 1), node.kwargs.get("beta", 1)
        if alpha != 1:
            made = builder.binary("Mul", made, builder.number(alpha, kind), part="alpha")
        if beta != 0:
            more = builder.real(node.args[0], kind)
            if beta != 1:
                more = builder.binary("Mul", more, builder.number(beta, kind), part="beta")
            made = builder.binary("Add", made, more, part="sum")
    builder.set_result(node.results[0], made)


@handles("aten::mv", "aten::dot", "aten::addmv", "aten::vdot")
def lower_mv(builder, node):
    """A matrix or a row, and a column."""
    kind = kind_of(node.results[0].dtype)
    args = node.args[1:3] if node.op.startswith("aten::addmv") else node.args[:2]
    left, right = builder.real(args[0], kind), builder.real(args[1], kind)
    rows = left.shape[0] if left.rank == 2 else 1
    left = builder.reshape(left, (rows, right.shape[0]))
    made = builder.emit("MatMul", [left, builder.reshape(right, (right.shape[0], 1))], shape=(rows, 1), kind=kind)
    made = builder.reshape(made, (rows,))
    if node.op.startswith("aten::addmv"):
        made = builder.binary("Add", made, builder.real(node.args[0], kind), part="sum")
    builder.set_result(node.results[0], made)


@handles("aten::convolution", "aten::_convolution", "aten::convolution_overrideable", "aten::mkldnn_convolution",
         "aten::thnn_conv2d", "aten::_slow_conv2d_forward", "aten::slow_conv3d_forward", "aten::conv_depthwise3d",
         "aten::_conv_depthwise2d")
def lower_convolution(builder, node):
    """A convolution, or one the other way round."""
    if not node.op.startswith(("aten::convolution", "aten::_convolution")):
        raise NotCosted(f"no steps for the form {node.op} of a convolution")
    x, weight, bias, stride, padding, dilation, is_transposed, output_padding, groups = node.args[:9]
    kind = kind_of(node.results[0].dtype)
    field = len(weight.shape) - 2
    spread = lambda sizes: list(sizes) * (field if len(sizes) == 1 else 1)  # noqa: E731
    attributes = {"kernel_shape": list(weight.shape[2:]), "strides": spread(stride), "dilations": spread(dilation),
                  "pads": spread(padding) * 2, "group": int(groups)}
    operands = [builder.real(x, kind), builder.real(weight, kind)]
    if bias is not None:
        operands.append(builder.real(bias, kind))
    if is_transposed:
        attributes["output_padding"] = spread(output_padding)
    builder.set_result(node.results[0], builder.emit("ConvTranspose" if is_transposed else "Conv", operands,
                                                     attributes, shape=node.results[0].shape, kind=kind))


@handles("aten::bilinear", "aten::_trilinear")
def lower_bilinear(_builder, node):
    """Products of three operands are broken up by PyTorch where it can."""
    raise NotCosted(f"no steps for {node.op}")
