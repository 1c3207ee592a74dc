# SPDX-License-Identifier: Apache-2.0
"""Arguments of a model: found tensors in them, and whether a call is like the one that was compiled."""
import inspect

import torch

from ._logging import logger
from .errors import Error

_parsers = {}


class ICustomArgParser:
    """How tensors are found in, and put back into, arguments of a class of the user."""

    def yieldTensors(self, struct):
        """Yields the tensors of an argument."""
        raise NotImplementedError(f"{type(self).__name__}.yieldTensors")

    def reconstruct(self, original_structure, tensor_iterator):
        """An argument like `original_structure` with other tensors."""
        raise NotImplementedError(f"{type(self).__name__}.reconstruct")

    def sortTensors(self):
        """Not used: tensors keep their order."""


def registerCustomArgParser(arg_type, parser):
    """Sets the parser of a class, or takes it away with None."""
    if parser is None:
        _parsers.pop(arg_type, None)
        return
    if not isinstance(parser, ICustomArgParser):
        raise Error("wanted a poptorch.ICustomArgParser")
    _parsers[arg_type] = parser


def parser_of(value):
    """The parser of a class of the user, or None."""
    for kind in type(value).__mro__:
        if kind in _parsers:
            return _parsers[kind]
    return None


def mapped(value, use):
    """`value` with `use(tensor)` for each tensor in it, in their order."""
    if isinstance(value, torch.Tensor):
        return use(value)
    parser = parser_of(value)
    if parser is not None:
        tensors = [use(one) for one in parser.yieldTensors(value)]
        return parser.reconstruct(value, iter(tensors))
    if isinstance(value, (tuple, list)):
        made = [mapped(one, use) for one in value]
        if isinstance(value, list):
            return made if type(value) is list else _as(value, made)
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, dict):
        made = {key: mapped(one, use) for key, one in value.items()}
        if type(value) is dict:
            return made
        try:
            return type(value)(made)
        except TypeError:
            return type(value)(**made)
    return value


def _as(value, made):
    try:
        return type(value)(made)
    except TypeError:
        return made


def tensors_in(value):
    """The tensors in an argument, in their order."""
    found = []
    mapped(value, lambda one: found.append(one) or one)
    return found


class Arguments:
    """The arguments of a call, bound to the names of `forward`."""

    def __init__(self, model, args, kwargs):
        self.args, self.kwargs = args, dict(kwargs)
        self.signature = inspect.signature(model.forward)
        self.named = self._bind()

    def _bind(self):
        try:
            bound = self.signature.bind(*self.args, **self.kwargs)
        except TypeError as error:
            given = set(self.kwargs)
            for place, (name, parameter) in enumerate(self.signature.parameters.items()):
                is_plain = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD,
                                              parameter.KEYWORD_ONLY)
                if is_plain and parameter.default is parameter.empty and name not in given and place >= len(self.args):
                    raise Error(f"Mandatory parameter {name} missing") from None
            raise Error(str(error)) from None
        bound.apply_defaults()
        return dict(bound.arguments)

    def map(self, use):
        """The same call with `use(tensor)` for each tensor: args and kwargs. A tensor that is there twice is used
        once for each."""
        return mapped(self.args, use), mapped(self.kwargs, use)

    def positional(self):
        """How many arguments were given by place or may be."""
        count = 0
        for name, parameter in self.signature.parameters.items():
            if parameter.kind == parameter.VAR_POSITIONAL:
                count += len(self.named[name])
            elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                count += 1
        return count

    def leaves(self):
        """Tensors and other values by path, keyword arguments of ** by their own names."""
        found = {}
        for name, parameter in self.signature.parameters.items():
            if parameter.kind == parameter.VAR_KEYWORD:
                for key, value in self.named[name].items():
                    _add_leaves(key, value, found)
            else:
                _add_leaves(name, self.named[name], found)
        return found

    def names(self):
        """The names of tensors, in the order of map()."""
        by_id = {}
        for path, value in self.leaves().items():
            if isinstance(value, torch.Tensor):
                by_id.setdefault(id(value), path)
        return [by_id.get(id(one), "input") for one in tensors_in((self.args, self.kwargs))]


def _add_leaves(path, value, found):
    parser = parser_of(value)
    if parser is not None:
        for place, one in enumerate(parser.yieldTensors(value)):
            found[f"{path}[{place}]"] = one
    elif isinstance(value, (tuple, list)):
        found[f"{path}#"] = len(value)
        for place, one in enumerate(value):
            _add_leaves(f"{path}[{place}]", one, found)
    elif isinstance(value, dict):
        for key, one in value.items():
            _add_leaves(str(key), one, found)
    else:
        found[path] = value


class Signature:
    """What a compiled call was given: shapes and types of tensors, and other values."""
    HINT = (" The model was compiled for other arguments: create a new wrapper or call destroy() on it before you "
            "use these.")

    def __init__(self, arguments):
        self._positional = arguments.positional()
        self._leaves = {path: self._mark(value) for path, value in arguments.leaves().items()}

    @staticmethod
    def _mark(value):
        if isinstance(value, torch.Tensor):
            return torch.Tensor, tuple(value.shape), value.dtype
        return value

    def expect(self, arguments):
        """Raises poptorch.Error for a call that differs."""
        found = arguments.leaves()
        if arguments.positional() != self._positional:
            raise Error(f"Number of positional arguments mismatch: expected {self._positional} arguments but got "
                        f"{arguments.positional()}." + self.HINT)
        missing = [path for path in self._leaves if path not in found]
        if missing:
            raise Error(f"Missing arguments: {', '.join(missing)}." + self.HINT)
        unexpected = [path for path in found if path not in self._leaves]
        if unexpected:
            raise Error(f"Unexpected arguments: {', '.join(unexpected)}." + self.HINT)
        for path, value in found.items():
            self._expect_one(path, self._leaves[path], value)

    def _expect_one(self, path, wanted, value):
        if not (isinstance(wanted, tuple) and wanted and wanted[0] is torch.Tensor):
            if isinstance(value, torch.Tensor) or type(value) is not type(wanted):
                raise Error(f"Type mismatch for {path}: expected {type(wanted)} but got {type(value)}." + self.HINT)
            if value is not wanted and value != wanted:
                raise Error(f"Value mismatch for {path}: expected {wanted} but got {value}." + self.HINT)
            return
        if not isinstance(value, torch.Tensor):
            raise Error(f"Type mismatch for {path}: expected {torch.Tensor} but got {value!r}." + self.HINT)
        if tuple(value.shape) != wanted[1]:
            raise Error(f"Shape mismatch for {path}: expected {torch.Size(wanted[1])} but got {value.shape}."
                        + self.HINT)
        if value.dtype != wanted[2]:
            raise Error(f"Type mismatch for {path}: expected {wanted[2]} but got {value.dtype}." + self.HINT)


def warn_of_strides(arguments):
    """Logs that tensors are made contiguous. Returns whether some were not."""
    for name, one in zip(arguments.names(), tensors_in((arguments.args, arguments.kwargs))):
        if not one.is_contiguous():
            logger.warning("At least one input tensor is not contiguous: %s; it is made contiguous on the host", name)
            return True
    return False
