# SPDX-License-Identifier: Apache-2.0
"""Records what a model does as a graph. Operations run with numbers while they are recorded, so that control flow
that depends on numbers is the one of the run; writes in place become values of their own."""
import contextlib
import os
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import context, half_numbers
from .graph import Graph, Node, Value, replaced
from .storages import Storages

_TORCH = os.path.dirname(torch.__file__)
_HERE = os.path.dirname(os.path.abspath(__file__))

# What leaves no trace on a device.
_SILENT = frozenset(["aten::detach", "aten::lift_fresh", "aten::alias", "aten::_local_scalar_dense", "aten::equal",
                     "aten::is_same_size", "aten::set_", "aten::allclose"])
# What makes tensors whose elements nobody reads before they are written.
_EMPTY = frozenset(["aten::empty", "aten::empty_like", "aten::new_empty", "aten::empty_strided",
                    "aten::new_empty_strided"])


class Recorder(TorchDispatchMode):
    """A mode in which operations are recorded."""

    def __init__(self, excludes=()):
        super().__init__()
        self.graph = Graph()
        self.storages = Storages(self)
        self.uses_half = False
        self._excludes = tuple(excludes)
        self._paused = 0
        self._modules = []

    # Names of modules.

    @contextlib.contextmanager
    def named_modules(self, model):
        """While it lasts, operations are named by the module that they stand in."""
        names = {id(module): name for name, module in model.named_modules()}

        def enter(module, _inputs):
            self._modules.append(names.get(id(module), type(module).__name__))

        def leave(_module, _inputs, _outputs):
            if self._modules:
                self._modules.pop()

        before = torch.nn.modules.module.register_module_forward_pre_hook(enter)
        behind = torch.nn.modules.module.register_module_forward_hook(leave)
        try:
            yield self
        finally:
            before.remove()
            behind.remove()

    def scope(self):
        """The module and the name scopes that an operation stands in."""
        session = context.session()
        names = list(session.scopes) if session else []
        module = self._modules[-1] if self._modules else ""
        return ".".join([*names, module] if module else names)

    def source(self):
        """The line of the user's program."""
        frame = sys._getframe(1)  # pylint: disable=protected-access
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith((_TORCH, _HERE)) and not any(text in file for text in self._excludes):
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return ""

    # Values.

    def add_source(self, tensor, kind, name):
        """An input, a parameter or a buffer."""
        value = Value(tuple(tensor.shape), tensor.dtype, kind, name)
        self.storages.add(tensor, value)
        (self.graph.inputs if kind == "input" else self.graph.parameters).append(value)
        return value

    def value_of(self, tensor):
        """The value that a tensor holds now; a tensor that comes from nowhere is a constant."""
        value = self.storages.find(tensor)
        if value is None:
            value = Value(tuple(tensor.shape), tensor.dtype, "constant", f"constant_{len(self.graph.parameters)}",
                          tensor)
            self.graph.parameters.append(value)
            self.storages.add(tensor, value)
        return value

    def add_node(self, op, args, kwargs, results):
        """An operation on values."""
        session = context.session()
        attributes = {}
        for more in session.attributes if session else ():
            attributes.update(more)
        node = Node(op, args, kwargs, results, self.scope(), self.source(),
                    session.current_block() if session else (None, 0, 0), attributes)
        self.graph.nodes.append(node)
        return node

    @contextlib.contextmanager
    def paused(self):
        """While it lasts, nothing is recorded."""
        self._paused += 1
        try:
            yield
        finally:
            self._paused -= 1

    def as_one(self, name, function, args, kwargs, op=None):
        """Runs a function that is recorded as one operation."""
        if self._paused:
            return function(*args, **kwargs)
        operands = replaced((args, kwargs), torch.Tensor, self.value_of)
        with self.paused():
            result = function(*args, **kwargs)
        made = []

        def add(tensor):
            value = Value(tuple(tensor.shape), tensor.dtype)
            self.storages.write(tensor, value)
            made.append(value)
            return tensor

        replaced(result, torch.Tensor, add)
        self.add_node(op or f"poptorch::{name}", operands[0], operands[1], made)
        return result

    # Operations.

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = half_numbers.compute(func, args, kwargs)
        self._note_half(result)
        name = func._schema.name  # pylint: disable=protected-access
        if self._paused or name in _SILENT:
            if name in _SILENT and isinstance(result, torch.Tensor) and not self._paused:
                self._add_alias(args[0], result)
            return result
        if name in _EMPTY:
            value = Value(tuple(result.shape), result.dtype, "constant", "empty", None)
            self.storages.add(result, value)
            return result
        self._record(func, name, args, kwargs, result)
        return result

    def _note_half(self, result):
        def note(tensor):
            if tensor.dtype in (torch.half, torch.bfloat16):
                self.uses_half = True
            return tensor

        replaced(result, torch.Tensor, note)

    def _add_alias(self, of, alias):
        if isinstance(of, torch.Tensor):
            self.storages.add(alias, self.value_of(of))

    def _record(self, func, name, args, kwargs, result):
        schema = func._schema  # pylint: disable=protected-access
        written = []
        for place, argument in enumerate(schema.arguments):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            one = args[place] if place < len(args) else kwargs.get(argument.name)
            written += [one] if isinstance(one, torch.Tensor) else list(one or ())
        operands, named = replaced((args, kwargs), torch.Tensor, self.value_of)
        made, seen = [], set()

        def add(tensor):
            if id(tensor) in seen:
                return tensor
            seen.add(id(tensor))
            value = Value(tuple(tensor.shape), tensor.dtype)
            made.append(value)
            if any(tensor is one for one in written):
                self.storages.write(tensor, value)
            else:
                self.storages.add(tensor, value)
            return tensor

        for tensor in written:
            add(tensor)
        replaced(result, torch.Tensor, add)
        # An operation in place computes what the one of its name without the underscore does.
        base = name[:-1] if name.endswith("_") and not name.endswith("__") else name
        overload = func._overloadname  # pylint: disable=protected-access
        self.add_node(base if overload in ("default", "") else f"{base}.{overload}", operands, named, made)
