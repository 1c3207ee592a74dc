# SPDX-License-Identifier: Apache-2.0
"""Half-precision numbers on a CPU: operations that PyTorch has no half kernel for compute in float and round."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .graph import replaced

# What PyTorch says where it has no kernel, or where operands are of different types.
_MESSAGES = ("not implemented for 'Half'", "not implemented for 'BFloat16'", "expected scalar type", "same dtype",
             "expected m1 and m2", "should be the same", "must match", "Found dtype", "to have the same dtype",
             "same type", "unsupported data type", "not implemented for dtype")
_SHORT = (torch.half, torch.bfloat16)

# Operations that cast what they learnt to the type of their first operand.
_LIKE_FIRST = ("convolution", "native_batch_norm", "native_layer_norm", "native_group_norm", "_convolution")


def _is_short(value):
    return isinstance(value, torch.Tensor) and value.dtype in _SHORT


def is_about_types(error):
    """Whether an error says that types are the reason."""
    return any(text in str(error) for text in _MESSAGES)


# Operations that have been found to have no half kernel.
_known = set()


def compute(function, args, kwargs):
    """`function(*args, **kwargs)`, in float where it has no half kernel."""
    found = []
    if function not in _known:
        try:
            return function(*args, **kwargs)
        except (RuntimeError, NotImplementedError) as error:
            replaced((args, kwargs), torch.Tensor, lambda one: found.append(one) or one)
            if not any(map(_is_short, found)) or not is_about_types(error):
                raise
            _known.add(function)
    found = found or _tensors(args, kwargs)
    if not any(map(_is_short, found)):
        return function(*args, **kwargs)
    return _in_float(function, args, kwargs, found)


def _tensors(args, kwargs):
    found = []
    replaced((args, kwargs), torch.Tensor, lambda one: found.append(one) or one)
    return found


def _in_float(function, args, kwargs, tensors):
    schema = function._schema  # pylint: disable=protected-access
    name = schema.name.split("::")[1]
    floats = [one.dtype for one in tensors if one.is_floating_point()]
    is_mixed = torch.float32 in floats and name not in _LIKE_FIRST
    short = next(dtype for dtype in floats if dtype in _SHORT)
    to_float = lambda one: one.float() if _is_short(one) else one  # noqa: E731
    kwargs = {key: torch.float32 if value in _SHORT else value for key, value in kwargs.items()}
    results = function(*replaced(args, torch.Tensor, to_float), **replaced(kwargs, torch.Tensor, to_float))
    written = [args[place] for place, argument in enumerate(schema.arguments)
               if place < len(args) and argument.alias_info is not None and argument.alias_info.is_write]
    if written and len(written) == 1 and isinstance(written[0], torch.Tensor) and isinstance(results, torch.Tensor):
        written[0].copy_(results)
        return written[0]
    if is_mixed:
        return results
    back = lambda one: one.to(short) if one.dtype == torch.float32 else one  # noqa: E731
    return replaced(results, torch.Tensor, back)


class HalfNumbers(TorchDispatchMode):
    """Runs each operation by compute()."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return compute(func, args, kwargs or {})
