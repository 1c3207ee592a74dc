# SPDX-License-Identifier: Apache-2.0
"""From a recorded graph to a network for the simulator: each operation of ATen becomes operators of ONNX, as the
vendor's front end makes operators of PopART of it."""
import dataclasses

import torch

from ..graph import Value, needed
from .onnx_file import BOOL, FLOAT, HALF, INT64, OnnxNode, OnnxTensor, encode

_KINDS = {torch.half: HALF, torch.bfloat16: HALF, torch.float: FLOAT, torch.double: FLOAT, torch.bool: BOOL}
_handlers = {}

# Operators that may count as zero: their results are declared.
_MAY_BE_UNKNOWN = frozenset("""Mish Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Ceil Floor Round Sign""".split())


def handles(*names):
    """Registers how operations are lowered."""

    def decorate(function):
        for name in names:
            assert name not in _handlers, name
            _handlers[name] = function
        return function

    return decorate


def handled():
    """The names of operations that are lowered, sorted."""
    return sorted(_handlers)


def kind_of(dtype):
    """The element type on tiles: whole numbers are those of an index."""
    return _KINDS.get(dtype, INT64)


@dataclasses.dataclass
class Term:
    """A tensor of the file while it is made."""
    name: str
    shape: tuple
    kind: int

    @property
    def rank(self):
        """Its dimensions."""
        return len(self.shape)


class NotCosted(Exception):
    """An operation that the simulator has no steps for; the text says what is missing."""


class Builder:
    """Makes the network. `uncosted` has (node, why) of operations that take no time in it."""

    def __init__(self, graph, is_training):
        self.graph = graph
        self.is_training = is_training
        self.nodes, self.inputs, self.initialisers, self.values = [], [], [], []
        self.uncosted = []
        self.origin = {}  # of a node's name: the recorded node
        self._terms = {}
        self._views = {}  # of a value: the parameter that it is the transpose of
        self._names = {}
        self._count = 0
        self._node = None

    # Names.

    def _unique(self, name):
        uses = self._names[name] = self._names.get(name, 0) + 1
        return name if uses == 1 else f"{name}_{uses}"

    def _layer_name(self, part):
        scope = self._node.scope.replace("/", ".")
        word = self._node.op.split("::")[-1].split(".")[0].strip("_")
        name = ".".join(one for one in (scope, word, part) if one)
        return self._unique(name)

    def _tensor_name(self):
        self._count += 1
        return f"t{self._count}"

    # Terms.

    def term(self, value):
        """The tensor of a value, of which sources are made when they are first read."""
        if id(value) in self._terms:
            return self._terms[id(value)]
        if id(value) in self._views:
            made = self.emit("Transpose", [self.term(self._views[id(value)])], {"perm": [1, 0]})
        else:
            made = self._source(value)
        self._terms[id(value)] = made
        return made

    def _source(self, value):
        shape = tuple(value.shape) or (1,)
        name = self._unique(value.name or value.kind)
        kind = kind_of(value.dtype)
        if value.kind == "input":
            self.inputs.append(OnnxTensor(name, shape, kind))
        elif kind in (FLOAT, HALF) and (value.kind in ("parameter", "buffer") or value.elements > 1):
            self.initialisers.append(OnnxTensor(name, shape, kind))
        elif kind in (FLOAT, HALF):
            number = float(value.tensor.reshape(-1)[0]) if value.tensor is not None else 0.0
            self.initialisers.append(OnnxTensor(name, shape, kind, [number]))
        else:
            numbers = [int(one) for one in value.tensor.reshape(-1).tolist()] if value.tensor is not None else \
                [0] * value.elements
            self.initialisers.append(OnnxTensor(name, shape, kind, numbers))
        return Term(name, shape, kind)

    def transposed(self, value):
        """The parameter that a value is the transpose of, or None."""
        return self._views.get(id(value))

    def set_transposed(self, value, of):
        """A value is the transpose of a matrix, and made only where that is not enough."""
        self._views[id(value)] = of

    def emit(self, op, inputs, attributes=None, shape=None, kind=None, part="", results=1):
        """Adds a node. Its result has the shape and type of its first operand unless told otherwise."""
        first = next(one for one in inputs if isinstance(one, Term)) if inputs else None
        shape = tuple(shape) if shape is not None else first.shape
        kind = kind if kind is not None else first.kind
        names = [one.name if isinstance(one, Term) else one or "" for one in inputs]
        outputs = [self._tensor_name() for _ in range(results)]
        name = self._layer_name(part)
        self.nodes.append(OnnxNode(op, name, names, outputs, attributes or {}))
        self.origin[name] = self._node
        terms = [Term(one, shape or (1,), kind) for one in outputs]
        if op in _MAY_BE_UNKNOWN:
            self.declare(terms[0])
        return terms[0] if results == 1 else terms

    def declare(self, term):
        """Writes the shape of a result into the file, for an operator that a simulator may not have."""
        self.values.append(OnnxTensor(term.name, term.shape, term.kind))

    def whole(self, numbers):
        """Whole numbers that the file has, such as a shape."""
        name = self._unique("whole")
        self.initialisers.append(OnnxTensor(name, (len(numbers),), INT64, [int(one) for one in numbers]))
        return Term(name, (len(numbers),), INT64)

    def number(self, value, kind):
        """A number that the file has."""
        name = self._unique("number")
        numbers = [float(value)] if kind in (FLOAT, HALF) else [int(value)]
        self.initialisers.append(OnnxTensor(name, (1,), kind, numbers))
        return Term(name, (1,), kind)

    def filled(self, shape, value, kind):
        """A tensor of one number."""
        shape = tuple(shape) or (1,)
        if value == 0 or len(shape) == 1 and shape[0] == 1:
            one = self.number(value, kind)
            return one if shape == (1,) else self.expand(one, shape)
        return self.expand(self.number(value, kind), shape)

    def weights(self, shape, kind, name="constant"):
        """A tensor of numbers that nobody reads."""
        name = self._unique(name)
        self.initialisers.append(OnnxTensor(name, tuple(shape), kind))
        return Term(name, tuple(shape), kind)

    # Common steps.

    def cast(self, term, kind):
        """The same numbers in another type."""
        if term.kind == kind:
            return term
        return self.emit("Cast", [term], {"to": kind}, kind=kind, part="cast")

    def reshape(self, term, shape):
        """The same elements in another shape."""
        shape = tuple(shape) or (1,)
        if term.shape == shape:
            return term
        return self.emit("Reshape", [term, self.whole(shape)], shape=shape, part="view")

    def permute(self, term, order):
        """Dimensions in another order."""
        order = [one % term.rank for one in order] if term.rank else []
        if order == list(range(len(order))):
            return term
        return self.emit("Transpose", [term], {"perm": order}, shape=[term.shape[one] for one in order],
                         part="permute")

    def expand(self, term, shape):
        """Repeats dimensions of size 1."""
        shape = tuple(shape) or (1,)
        if term.shape == shape:
            return term
        return self.emit("Expand", [term, self.whole(shape)], shape=shape, part="expand")

    def slice(self, term, dimension, start, stop, step=1):
        """Elements start, start + step, ... below stop of a dimension."""
        size = len(range(start, stop, step))
        shape = list(term.shape)
        if size == shape[dimension]:
            return term
        shape[dimension] = size
        return self.emit("Slice", [term, self.whole([start]), self.whole([stop]), self.whole([dimension]),
                                   self.whole([step])], shape=shape, part="slice")

    def concat(self, terms, dimension):
        """Joins tensors."""
        terms = [one for one in terms if 0 not in one.shape]
        if len(terms) == 1:
            return terms[0]
        shape = list(terms[0].shape)
        shape[dimension] = sum(one.shape[dimension] for one in terms)
        return self.emit("Concat", terms, {"axis": dimension}, shape=shape, part="concat")

    def binary(self, op, left, right, kind=None, part=""):
        """An operator on two operands that are repeated to one shape."""
        shape = torch.broadcast_shapes(left.shape, right.shape)
        return self.emit(op, [left, right], shape=shape, kind=kind, part=part)

    def unary(self, op, term, part="", **attributes):
        """A function of each element."""
        return self.emit(op, [term], attributes, part=part)

    def reduce(self, op, term, dimensions, keeps=True, part=""):
        """Reduces some dimensions."""
        dimensions = sorted(one % term.rank for one in dimensions)
        shape = [1 if d in dimensions else size for d, size in enumerate(term.shape)]
        if op == "ReduceSum":
            made = self.emit(op, [term, self.whole(dimensions)], {"keepdims": 1}, shape=shape, part=part)
        else:
            made = self.emit(op, [term], {"axes": dimensions, "keepdims": 1}, shape=shape, part=part)
        if keeps:
            return made
        return self.reshape(made, [size for d, size in enumerate(term.shape) if d not in dimensions])

    def real(self, value, like=None):
        """An operand of arithmetic: a value as floats or halves, or a number."""
        if isinstance(value, Value):
            term = self.term(value)
            if like is not None and term.kind != like:
                return self.cast(term, like)
            return term if term.kind in (FLOAT, HALF) else self.cast(term, FLOAT)
        return self.number(value, like or FLOAT)

    def index(self, value):
        """An operand of whole numbers."""
        return self.cast(self.term(value), INT64)

    # The network.

    def set_result(self, value, term):
        """A value has been lowered."""
        shape = tuple(value.shape) or (1,)
        if term.shape != shape:
            term = self.reshape(term, shape)
        self._terms[id(value)] = term

    def build(self, wanted):
        """Lowers the nodes that the wanted values depend on."""
        for node in needed(self.graph, wanted):
            self._node = node
            self._lower(node)

    def _lower(self, node):
        handler = _handlers.get(node.op) or _handlers.get(node.op.split(".")[0])
        marks = len(self.nodes), len(self.initialisers)
        try:
            if handler is None:
                raise NotCosted(f"no steps for {node.op}")
            handler(self, node)
        except NotCosted as why:
            del self.nodes[marks[0]:]
            self._leave_out(node, str(why))

    def _leave_out(self, node, why):
        """Results of a node that takes no time."""
        self.uncosted.append((node, why))
        operands, outputs = [], []
        for operand in node.operands():
            operands.append(self.term(operand).name)
        for result in node.results:
            shape = tuple(result.shape) or (1,)
            term = Term(self._tensor_name(), shape, kind_of(result.dtype))
            self.values.append(OnnxTensor(term.name, shape, term.kind))
            self._terms[id(result)] = term
            outputs.append(term.name)
        if not outputs:
            return
        name = self._layer_name("")
        self.origin[name] = node
        self.nodes.append(OnnxNode(node.op.split("::")[-1], name, operands, outputs, {}, "poptorch"))

    def encoded(self, outputs, name="poptorch"):
        """The file, with some values as outputs."""
        terms = []
        for value in outputs:
            term = self.term(value)
            if term not in terms:
                terms.append(term)
        return encode(self.nodes, self.inputs, [OnnxTensor(one.name, one.shape, one.kind) for one in terms],
                      self.initialisers, self.values, name)
