# SPDX-License-Identifier: Apache-2.0
"""The graph that a model leaves when it is recorded: operations of ATen on values, without any side effect."""
import dataclasses
import typing

import torch


@dataclasses.dataclass(eq=False)
class Value:
    """A tensor. `kind`: input, parameter, buffer, constant or result. `tensor` holds numbers of a constant."""
    shape: tuple
    dtype: torch.dtype
    kind: str = "result"
    name: str = ""
    tensor: typing.Optional[torch.Tensor] = None

    @property
    def elements(self):
        """How many elements it has."""
        count = 1
        for size in self.shape:
            count *= size
        return count


@dataclasses.dataclass(eq=False)
class Node:
    """An operation. Tensors among its arguments are values. `scope` names the module, `source` the line."""
    op: str
    args: tuple
    kwargs: dict
    results: list
    scope: str = ""
    source: str = ""
    block: tuple = (None, 0, 0)  # user's name, stage, IPU
    attributes: dict = dataclasses.field(default_factory=dict)

    def operands(self):
        """The values among its arguments."""
        return list(values_in((self.args, self.kwargs)))


@dataclasses.dataclass
class Graph:
    """What a model does with one micro-batch."""
    nodes: list = dataclasses.field(default_factory=list)
    inputs: list = dataclasses.field(default_factory=list)
    parameters: list = dataclasses.field(default_factory=list)
    outputs: list = dataclasses.field(default_factory=list)
    loss: typing.Optional[Value] = None
    updates: list = dataclasses.field(default_factory=list)  # (what a buffer or an input becomes)


def values_in(arguments):
    """The values in nested tuples, lists and dicts."""
    if isinstance(arguments, Value):
        yield arguments
    elif isinstance(arguments, (tuple, list)):
        for one in arguments:
            yield from values_in(one)
    elif isinstance(arguments, dict):
        for one in arguments.values():
            yield from values_in(one)


def replaced(arguments, kind, use):
    """`arguments` with `use(x)` for each x of a kind in nested tuples, lists and dicts."""
    if isinstance(arguments, kind):
        return use(arguments)
    if isinstance(arguments, (tuple, list)):
        made = [replaced(one, kind, use) for one in arguments]
        if hasattr(arguments, "_fields"):
            return type(arguments)(*made)
        return type(arguments)(made) if type(arguments) in (tuple, list, torch.Size) else made
    if isinstance(arguments, dict):
        return {key: replaced(one, kind, use) for key, one in arguments.items()}
    return arguments


def needed(graph, wanted):
    """The nodes that `wanted` values depend on, in their order."""
    live = set(map(id, wanted))
    kept = []
    for node in reversed(graph.nodes):
        if any(id(result) in live for result in node.results):
            kept.append(node)
            live.update(map(id, node.operands()))
    return kept[::-1]
