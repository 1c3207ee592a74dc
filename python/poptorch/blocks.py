# SPDX-License-Identifier: Apache-2.0
"""Parts of a model that go to an IPU. Outside a wrapped model blocks do nothing."""
import functools

import torch

from . import context
from .errors import Error

_HOOK = "_poptorch_block_hook"


class Block:
    """A part of a model, as a context, or from start() on."""
    _auto_id = None

    def __init__(self, user_id=None, ipu_id=None):
        self._user_id = user_id
        self._ipu_id = ipu_id
        self._outer = None

    @staticmethod
    def useAutoId():
        """Blocks without a name get the numbers 0, 1, ..."""
        session = context.session()
        if session is not None:
            session.next_block = 0

    @staticmethod
    def start(user_id=None, ipu_id=None):
        """All operations from here on are a block."""
        session = context.session()
        if session is not None:
            session.begin_block(user_id, ipu_id)

    def __enter__(self):
        session = context.session()
        if session is not None:
            if session.open_block:
                raise Error("Nested blocks are not supported")
            session.begin_block(self._user_id, self._ipu_id)
            session.open_block = True
        return self

    def __exit__(self, *_):
        session = context.session()
        if session is not None:
            session.open_block = False
            session.end_block()


def BlockFunction(user_id=None, ipu_id=None):
    """Makes a block of each call of a function."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            with Block(user_id, ipu_id):
                return function(*args, **kwargs)

        return call

    return decorate


class _BeginHere:
    """A hook that begins a block before a module runs."""

    def __init__(self, user_id, ipu_id):
        self._user_id = user_id
        self._ipu_id = ipu_id

    def __call__(self, _module, _inputs):
        session = context.session()
        if session is not None and not session.open_block:
            session.begin_block(self._user_id, self._ipu_id)

    def __repr__(self):
        return f"BeginBlock(user_id={self._user_id}, ipu_id={self._ipu_id})"


class _BlockOfFunction:
    """A function that begins a block when it is called."""

    def __init__(self, function, user_id, ipu_id):
        functools.update_wrapper(self, function)
        self._function = function
        self._user_id = user_id
        self._ipu_id = ipu_id

    def __call__(self, *args, **kwargs):
        Block.start(self._user_id, self._ipu_id)
        return self._function(*args, **kwargs)


def BeginBlock(layer_to_call, user_id=None, ipu_id=None):
    """From this layer on, operations are a block. Returns the layer."""
    if not isinstance(layer_to_call, torch.nn.Module):
        if not callable(layer_to_call):
            raise Error("module must be an instance of torch.nn.Module or a function")
        return _BlockOfFunction(layer_to_call, user_id, ipu_id)
    if hasattr(layer_to_call, _HOOK):
        raise Error("module has already been assigned to a block. Call poptorch.removeBlocks first")
    setattr(layer_to_call, _HOOK, layer_to_call.register_forward_pre_hook(_BeginHere(user_id, ipu_id)))
    return layer_to_call


def removeBlocks(module):
    """Takes the blocks of a model away that BeginBlock made."""
    assert isinstance(module, torch.nn.Module), "wanted a torch.nn.Module"
    for one in module.modules():
        for key, hook in list(one._forward_pre_hooks.items()):  # pylint: disable=protected-access
            if isinstance(hook, _BeginHere):
                del one._forward_pre_hooks[key]  # pylint: disable=protected-access
        if hasattr(one, _HOOK):
            delattr(one, _HOOK)


def module_repr(module):
    """The text of a module with the blocks that begin in it."""
    lines = []
    for hook in module._forward_pre_hooks.values():  # pylint: disable=protected-access
        if isinstance(hook, _BeginHere):
            lines.append(repr(hook))
    children = [f"  ({name}): " + module_repr(child).replace("\n", "\n  ")
                for name, child in module.named_children()]
    if not children:
        return " ".join([*lines, repr(module)])
    head = " ".join([*lines, f"{module._get_name()}("])  # pylint: disable=protected-access
    return "\n".join([head, *children, ")"])


class NameScope:
    """A prefix of the names of layers."""

    def __init__(self, name):
        assert isinstance(name, str), "wanted a text"
        self._name = name

    def __enter__(self):
        session = context.session()
        if session is not None:
            session.scopes.append(self._name)

    def __exit__(self, *_):
        session = context.session()
        if session is not None:
            session.scopes.pop()


class Attribute:
    """Marks of operations: Attribute(__outline={"layer": "x"})."""

    def __init__(self, **attributes):
        self._attributes = attributes

    def __enter__(self):
        session = context.session()
        if session is not None:
            session.attributes.append(self._attributes)

    def __exit__(self, *_):
        session = context.session()
        if session is not None:
            session.attributes.pop()
