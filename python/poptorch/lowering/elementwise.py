# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, activations, and operators on two operands."""
import math

import torch

from ..graph import Value
from .builder import NotCosted, handles, kind_of
from .onnx_file import BOOL, FLOAT, HALF, INT64

_UNARY = {"abs": "Abs", "neg": "Neg", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "reciprocal": "Reciprocal",
          "erf": "Erf", "relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "hardswish": "HardSwish",
          "silu": "Swish", "mish": "Mish",
          # Operators of ONNX that count as zero where the simulator has none of them.
          "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh",
          "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "ceil": "Ceil", "floor": "Floor",
          "round": "Round", "sign": "Sign"}
_BINARY = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "maximum": "Max", "minimum": "Min"}
_COMPARISONS = {"eq": "Equal", "gt": "Greater", "lt": "Less", "ge": "GreaterOrEqual", "le": "LessOrEqual"}


def _result_kind(node):
    kind = kind_of(node.results[0].dtype)
    return kind if kind in (FLOAT, HALF) else FLOAT


def _argument(node, place, name, otherwise):
    if len(node.args) > place:
        return node.args[place]
    return node.kwargs.get(name, otherwise)


def _short(node):
    return node.op.split("::")[1].split(".")[0]


@handles(*[f"aten::{name}" for name in _UNARY])
def lower_unary(builder, node):
    """A function of each element."""
    term = builder.real(node.args[0], _result_kind(node))
    builder.set_result(node.results[0], builder.unary(_UNARY[_short(node)], term))


@handles("aten::gelu")
def lower_gelu(builder, node):
    """Without an approximation, the vendor's gelu, which is the tanh form; else the steps of that form."""
    x = builder.real(node.args[0])
    if node.kwargs.get("approximate", "none") == "none" and len(node.args) < 2:
        builder.set_result(node.results[0], builder.unary("Gelu", x, approximate="tanh"))
        return
    cube = builder.binary("Mul", builder.binary("Mul", x, x, part="square"), x, part="cube")
    inner = builder.binary("Add", x, builder.binary("Mul", cube, builder.number(0.044715, x.kind), part="scale"),
                           part="inner")
    inner = builder.binary("Mul", inner, builder.number(math.sqrt(2 / math.pi), x.kind), part="factor")
    half = builder.binary("Mul", x, builder.number(0.5, x.kind), part="half")
    one = builder.binary("Add", builder.unary("Tanh", inner, part="tanh"), builder.number(1, x.kind), part="one")
    builder.set_result(node.results[0], builder.binary("Mul", one, half))


@handles(*[f"aten::{name}" for name in _BINARY], "aten::rsub", "aten::true_divide")
def lower_binary(builder, node):
    """Arithmetic on two operands; `alpha` scales the second one."""
    name = _short(node)
    left, right = node.args[:2]
    kind = _result_kind(node)
    if node.results[0].dtype == torch.bool:
        lower_logic(builder, node, {"add": "Or", "mul": "And"}.get(name, "And"))
        return
    alpha = node.kwargs.get("alpha", node.args[2] if len(node.args) > 2 and name != "div" else 1)
    if isinstance(alpha, (int, float)) and alpha != 1:
        if name == "rsub":
            left = _scaled(builder, left, alpha, kind)
        else:
            right = _scaled(builder, right, alpha, kind)
    left = left if not isinstance(left, (Value, int, float)) else builder.real(left, kind)
    right = right if not isinstance(right, (Value, int, float)) else builder.real(right, kind)
    if name == "rsub":
        left, right, name = right, left, "sub"
    made = builder.binary(_BINARY.get(name, "Div"), left, right)
    if node.kwargs.get("rounding_mode") is not None:
        made = builder.unary("Floor", made, part="floor", )
    builder.set_result(node.results[0], made)


def _scaled(builder, value, alpha, kind):
    return builder.binary("Mul", builder.real(value, kind), builder.number(alpha, kind), part="alpha")


@handles("aten::floor_divide", "aten::trunc", "aten::frac", "aten::fmod", "aten::remainder")
def lower_division(builder, node):
    """Divisions that leave whole numbers, or what is left of them."""
    kind = _result_kind(node)
    left = builder.real(node.args[0], kind)
    name = _short(node)
    if name in ("trunc", "frac"):
        whole = builder.cast(builder.cast(left, INT64), kind)
        builder.set_result(node.results[0], whole if name == "trunc" else builder.binary("Sub", left, whole))
        return
    right = builder.real(node.args[1], kind)
    quotient = builder.unary("Floor", builder.binary("Div", left, right, part="quotient"), part="floor")
    if name == "floor_divide":
        builder.set_result(node.results[0], quotient)
        return
    builder.set_result(node.results[0], builder.binary("Sub", left, builder.binary("Mul", quotient, right,
                                                                                   part="whole")))


@handles("aten::pow", "aten::square")
def lower_power(builder, node):
    """A power of a number that the program has, or of a tensor."""
    kind = _result_kind(node)
    base = builder.real(node.args[0], kind)
    exponent = builder.real(node.args[1] if len(node.args) > 1 else 2, kind)
    builder.set_result(node.results[0], builder.binary("Pow", base, exponent))


@handles("aten::rsqrt")
def lower_rsqrt(builder, node):
    """The reciprocal of a root."""
    root = builder.unary("Sqrt", builder.real(node.args[0], _result_kind(node)), part="root")
    builder.set_result(node.results[0], builder.unary("Reciprocal", root))


@handles("aten::expm1", "aten::log1p", "aten::log2", "aten::log10", "aten::erfc", "aten::log_sigmoid_forward")
def lower_shifted(builder, node):
    """Functions that are others with a shift or a factor."""
    x = builder.real(node.args[0], _result_kind(node))
    name = _short(node)
    number = lambda value: builder.number(value, x.kind)  # noqa: E731
    if name == "expm1":
        made = builder.binary("Sub", builder.unary("Exp", x, part="exp"), number(1))
    elif name == "log1p":
        made = builder.unary("Log", builder.binary("Add", x, number(1), part="one"))
    elif name == "erfc":
        made = builder.binary("Sub", number(1), builder.unary("Erf", x, part="erf"))
    elif name == "log_sigmoid_forward":
        made = builder.unary("Log", builder.unary("Sigmoid", x, part="sigmoid"))
    else:
        base = 2 if name == "log2" else 10
        made = builder.binary("Mul", builder.unary("Log", x, part="log"), number(1 / math.log(base)))
    builder.set_result(node.results[0], made)
    for more in node.results[1:]:
        builder.set_result(more, builder.reshape(made, more.shape) if more.elements == made_elements(made) else made)


def made_elements(term):
    """How many elements a term has."""
    return math.prod(term.shape)


@handles(*[f"aten::{name}" for name in _COMPARISONS], "aten::ne")
def lower_comparison(builder, node):
    """Truth values of two operands."""
    left, right = node.args[:2]
    kinds = [kind_of(one.dtype) for one in (left, right) if isinstance(one, Value)]
    kind = HALF if kinds and all(one == HALF for one in kinds) else FLOAT
    left, right = builder.real(left, kind), builder.real(right, kind)
    name = _short(node)
    if name == "ne":
        equal = builder.binary("Equal", left, right, kind=BOOL, part="equal")
        builder.set_result(node.results[0], _not(builder, equal))
        return
    builder.set_result(node.results[0], builder.binary(_COMPARISONS[name], left, right, kind=BOOL))


def _not(builder, term):
    return builder.emit("Equal", [builder.cast(term, FLOAT), builder.number(0, FLOAT)], shape=term.shape, kind=BOOL,
                        part="not")


def lower_logic(builder, node, op):
    """A logical operator."""
    left, right = [builder.cast(builder.real(one), BOOL) if isinstance(one, Value) and one.dtype != torch.bool
                   else builder.term(one) if isinstance(one, Value) else builder.number(int(one), BOOL)
                   for one in node.args[:2]]
    builder.set_result(node.results[0], builder.binary(op, left, right, kind=BOOL))


@handles("aten::logical_and", "aten::bitwise_and", "aten::__and__")
def lower_and(builder, node):
    """Both."""
    _expect_bool(node)
    lower_logic(builder, node, "And")


@handles("aten::logical_or", "aten::bitwise_or", "aten::__or__")
def lower_or(builder, node):
    """Either."""
    _expect_bool(node)
    lower_logic(builder, node, "Or")


@handles("aten::logical_not", "aten::bitwise_not")
def lower_not(builder, node):
    """The opposite."""
    _expect_bool(node)
    value = node.args[0]
    term = builder.term(value) if value.dtype == torch.bool else builder.cast(builder.real(value), BOOL)
    builder.set_result(node.results[0], _not(builder, term))


def _expect_bool(node):
    if node.results[0].dtype != torch.bool:
        raise NotCosted("bits of whole numbers")


@handles("aten::where", "aten::masked_fill")
def lower_where(builder, node):
    """Chooses between two operands."""
    kind = _result_kind(node)
    if _short(node) == "where":
        condition, left, right = node.args[:3]
        left, right = builder.real(left, kind), builder.real(right, kind)
    else:
        right, condition, left = node.args[:3]
        left, right = builder.real(left, kind), builder.real(right, kind)
    shape = tuple(node.results[0].shape) or (1,)
    condition = builder.expand(builder.cast(builder.term(condition), BOOL), shape)
    made = builder.emit("Where", [condition, builder.expand(left, shape), builder.expand(right, shape)],
                        shape=shape, kind=kind)
    builder.set_result(node.results[0], made)


@handles("aten::clamp", "aten::clamp_min", "aten::clamp_max", "aten::hardtanh", "aten::relu6")
def lower_clamp(builder, node):
    """Bounds below and above."""
    kind = _result_kind(node)
    x = builder.real(node.args[0], kind)
    name = _short(node)
    low, high = _argument(node, 1, "min", None), _argument(node, 2, "max", None)
    if name == "clamp_max":
        low, high = None, low if low is not None else node.kwargs.get("max")
    if name == "hardtanh":
        low, high = _argument(node, 1, "min_val", -1.0), _argument(node, 2, "max_val", 1.0)
    if isinstance(low, Value) or isinstance(high, Value):
        if low is not None:
            x = builder.binary("Max", x, builder.real(low, kind), part="low")
        if high is not None:
            x = builder.binary("Min", x, builder.real(high, kind), part="high")
        builder.set_result(node.results[0], x)
        return
    bounds = [builder.number(one, kind) if one is not None else "" for one in (low, high)]
    builder.set_result(node.results[0], builder.emit("Clip", [x, *bounds]))


@handles("aten::leaky_relu", "aten::elu", "aten::hardsigmoid", "aten::softplus", "aten::celu", "aten::prelu",
         "aten::hardshrink", "aten::softshrink", "aten::threshold", "aten::rrelu_with_noise")
def lower_activation(builder, node):
    """Activations that are made of others."""
    kind = _result_kind(node)
    x = builder.real(node.args[0], kind)
    name = _short(node)
    number = lambda value: builder.number(value, kind)  # noqa: E731
    if name == "hardsigmoid":
        made = builder.unary("HardSigmoid", x, alpha=1 / 6, beta=0.5)
    elif name == "leaky_relu" and abs(_argument(node, 1, "negative_slope", 0.01) - 0.01) < 1e-9:
        made = builder.unary("LeakyRelu", x, alpha=0.01)
    elif name in ("leaky_relu", "prelu", "rrelu_with_noise"):
        slope = builder.real(node.args[1], kind) if name == "prelu" else number(
            _argument(node, 1, "negative_slope", 0.01) if name == "leaky_relu" else 0.23)
        if name == "prelu" and x.rank > 1:
            slope = builder.reshape(slope, [1, slope.shape[0]] + [1] * (x.rank - 2))
        below = builder.binary("Mul", builder.binary("Min", x, number(0), part="negative"), slope, part="slope")
        made = builder.binary("Add", builder.unary("Relu", x, part="positive"), below)
    elif name in ("elu", "celu"):
        alpha = _argument(node, 1, "alpha", 1.0)
        scale = _argument(node, 2, "scale", 1.0) if name == "elu" else 1.0
        below = builder.unary("Exp", builder.binary("Min", x, number(0), part="negative"), part="exp")
        below = builder.binary("Mul", builder.binary("Sub", below, number(1), part="one"), number(alpha * scale),
                               part="alpha")
        above = builder.unary("Relu", x, part="positive")
        if scale != 1.0:
            above = builder.binary("Mul", above, number(scale), part="scale")
        made = builder.binary("Add", above, below)
    elif name == "softplus":
        exponent = builder.binary("Add", builder.unary("Exp", x, part="exp"), number(1), part="one")
        made = builder.unary("Log", exponent)
    else:
        made = _shrunk(builder, node, x, name)
    builder.set_result(node.results[0], made)
    for more in node.results[1:]:
        builder.set_result(more, made)


def _shrunk(builder, node, x, name):
    bound = float(_argument(node, 1, "lambd", 0.5))
    number = lambda value: builder.number(value, x.kind)  # noqa: E731
    if name == "threshold":
        test, other = builder.binary("Greater", x, number(bound), kind=BOOL, part="test"), float(node.args[2])
        return builder.emit("Where", [test, x, builder.expand(number(other), x.shape)], shape=x.shape, kind=x.kind)
    test = builder.binary("Greater", builder.unary("Abs", x, part="abs"), number(bound), kind=BOOL, part="test")
    kept = x
    if name == "softshrink":
        inner = builder.emit("Clip", [x, number(-bound), number(bound)], part="clip")
        kept = builder.binary("Sub", x, inner, part="rest")
    return builder.emit("Where", [test, kept, builder.expand(number(0), x.shape)], shape=x.shape, kind=x.kind)


@handles("aten::addcmul", "aten::addcdiv", "aten::lerp")
def lower_three(builder, node):
    """An operand and a product or a quotient of two others."""
    kind = _result_kind(node)
    first, second, third = [builder.real(one, kind) for one in node.args[:3]]
    if _short(node) == "lerp":
        step = builder.binary("Mul", builder.binary("Sub", second, first, part="difference"), third, part="weight")
        builder.set_result(node.results[0], builder.binary("Add", first, step))
        return
    made = builder.binary("Mul" if _short(node) == "addcmul" else "Div", second, third, part="both")
    factor = node.kwargs.get("value", 1)
    if factor != 1:
        made = builder.binary("Mul", made, builder.number(factor, kind), part="factor")
    builder.set_result(node.results[0], builder.binary("Add", first, made))


@handles("aten::_to_copy", "aten::to", "aten::type_as")
def lower_cast(builder, node):
    """Another element type."""
    value, result = node.args[0], node.results[0]
    term, kind = builder.term(value), kind_of(result.dtype)
    if kind == INT64 and value.dtype not in (torch.bool,) and term.kind in (FLOAT, HALF):
        builder.set_result(result, builder.cast(term, INT64))
    else:
        builder.set_result(result, builder.cast(term, kind))


@handles("aten::isnan", "aten::isinf", "aten::isfinite")
def lower_is(builder, node):
    """A number that differs from itself is none."""
    x = builder.real(node.args[0])
    builder.set_result(node.results[0], builder.binary("Equal", x, x, kind=BOOL))


@handles("aten::glu")
def lower_glu(builder, node):
    """One half times the sigmoid of the other."""
    x = builder.real(node.args[0])
    dimension = (node.args[1] if len(node.args) > 1 else node.kwargs.get("dim", -1)) % x.rank
    half = x.shape[dimension] // 2
    left, right = builder.slice(x, dimension, 0, half), builder.slice(x, dimension, half, 2 * half)
    builder.set_result(node.results[0], builder.binary("Mul", left, builder.unary("Sigmoid", right, part="gate")))


@handles("poptorch::dropout", "poptorch::dropout1d", "poptorch::dropout2d", "poptorch::dropout3d",
         "poptorch::feature_dropout", "poptorch::alpha_dropout", "aten::native_dropout")
def lower_dropout(builder, node):
    """Drops elements where a model trains."""
    x = builder.real(node.args[0])
    rate = _argument(node, 1, "p", 0.5)
    trains = _argument(node, 2, "training", node.kwargs.get("train", True))
    if not trains or not rate or not builder.is_training:
        builder.set_result(node.results[0], x)
        return
    builder.set_result(node.results[0], builder.emit("Dropout", [x, builder.number(min(rate, 0.999), FLOAT)]))
