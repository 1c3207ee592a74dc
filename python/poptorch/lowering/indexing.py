# SPDX-License-Identifier: Apache-2.0
"""Look-ups and scatters. All become look-ups of rows, and sums of rows of equal indices, as in the library."""
import math

from ..graph import Value
from .builder import NotCosted, handles
from .onnx_file import FLOAT, INT64


def _rows(builder, table, index):
    """Rows of a matrix by indices of any shape: (indices..., width)."""
    shape = (*index.shape, *table.shape[1:])
    return builder.emit("Gather", [table, index], {"axis": 0}, shape=shape)


@handles("aten::embedding")
def lower_embedding(builder, node):
    """Rows of a table."""
    table, index = builder.term(node.args[0]), builder.index(node.args[1])
    builder.set_result(node.results[0], _rows(builder, table, index))


@handles("aten::index_select")
def lower_index_select(builder, node):
    """Elements of a dimension by their places."""
    term, index = builder.real(node.args[0]), builder.index(node.args[2])
    dimension = node.args[1] % term.rank
    order = [dimension] + [d for d in range(term.rank) if d != dimension]
    rows = builder.permute(term, order)
    found = _rows(builder, rows, index)
    builder.set_result(node.results[0], builder.permute(found, [order.index(d) for d in range(term.rank)]))


def _flat_places(builder, index, shape, dimension):
    """Places in a flattened tensor, of indices into one dimension: whole numbers plus the places of their rows."""
    del shape, dimension
    numbers = builder.cast(index, FLOAT)
    offsets = builder.weights(index.shape, FLOAT, "offsets")
    return builder.cast(builder.binary("Add", numbers, offsets, part="places"), INT64)


@handles("aten::gather")
def lower_gather(builder, node):
    """Elements by places of their own."""
    term, index = builder.real(node.args[0]), builder.index(node.args[2])
    dimension = node.args[1] % term.rank
    places = _flat_places(builder, index, term.shape, dimension)
    flat = builder.reshape(term, (math.prod(term.shape), 1))
    found = _rows(builder, flat, builder.reshape(places, (math.prod(places.shape),)))
    builder.set_result(node.results[0], builder.reshape(found, index.shape))


@handles("aten::index")
def lower_index(builder, node):
    """Rows by tensors of indices of the first dimensions."""
    value, indices = node.args[0], list(node.args[1])
    if any(isinstance(one, Value) and one.dtype.is_floating_point is False and str(one.dtype) == "torch.bool"
           for one in indices):
        raise NotCosted("masks of truth values as indices")
    places = [place for place, one in enumerate(indices) if one is not None]
    if places != list(range(places[0], places[0] + len(places))):
        raise NotCosted("indices with gaps between them")
    term = builder.real(value)
    order = [*places, *[d for d in range(term.rank) if d not in places]]
    rows = builder.permute(term, order)
    count = math.prod(rows.shape[:len(places)])
    rows = builder.reshape(rows, (count, *rows.shape[len(places):]))
    index = _combined(builder, [builder.index(indices[place]) for place in places])
    found = _rows(builder, rows, index)
    if places[0] > 0:
        rank = index.rank
        lead = list(range(rank, rank + places[0]))
        found = builder.permute(found, [*lead, *range(rank), *range(rank + places[0], found.rank)])
    builder.set_result(node.results[0], found)


def _combined(builder, indices):
    """One index of several, by strides."""
    if len(indices) == 1:
        return indices[0]
    total = builder.cast(indices[0], FLOAT)
    for one in indices[1:]:
        scaled = builder.binary("Mul", total, builder.number(1.5, FLOAT), part="stride")
        total = builder.binary("Add", scaled, builder.cast(one, FLOAT), part="place")
    return builder.cast(total, INT64)


@handles("aten::scatter_add", "aten::index_add")
def lower_scatter_add(builder, node):
    """Sums of what has equal indices. Where an index is repeated along rows, whole rows are summed."""
    base, index, source = builder.real(node.args[0]), node.args[2], builder.real(node.args[3])
    dimension = node.args[1] % max(base.rank, 1)
    narrow = _one_index_a_row(builder, node, index, dimension)
    if dimension == 0 and narrow is not None:
        rows = builder.reshape(source, (source.shape[0], math.prod(source.shape[1:])))
        table = builder.reshape(base, (base.shape[0], math.prod(base.shape[1:])))
        made = _add_rows(builder, table, narrow, rows)
        builder.set_result(node.results[0], builder.reshape(made, base.shape))
        return
    places = _flat_places(builder, builder.index(index), base.shape, dimension)
    flat = builder.reshape(base, (math.prod(base.shape), 1))
    made = _add_rows(builder, flat, builder.reshape(places, (math.prod(places.shape),)),
                     builder.reshape(source, (math.prod(source.shape), 1)))
    builder.set_result(node.results[0], builder.reshape(made, base.shape))


def _add_rows(builder, table, index, rows):
    index = builder.reshape(index, (math.prod(index.shape), 1))
    return builder.emit("ScatterND", [table, index, rows], {"reduction": "add"}, shape=table.shape)


def _one_index_a_row(builder, node, index, dimension):
    """The indices of rows, where an index was expanded to the shape of its source."""
    if node.op.startswith("aten::index_add") or len(index.shape) == 1:
        return builder.index(index)
    value = index
    for other in builder.graph.nodes:
        if any(result is value for result in other.results) and other.op.startswith(("aten::expand", "aten::view",
                                                                                     "aten::unsqueeze")):
            source = other.args[0]
            if math.prod(source.shape) == index.shape[dimension]:
                return builder.index(source)
    return None


@handles("aten::scatter", "aten::index_put", "aten::_index_put_impl", "aten::index_copy", "aten::index_fill",
         "aten::masked_scatter", "aten::put", "aten::scatter_reduce", "aten::index_reduce")
def lower_scatter(builder, node):
    """Writes by indices: look-ups with a write back, counted as sums of rows."""
    name = node.op.split("::")[1].split(".")[0]
    base = builder.real(node.args[0])
    if name in ("index_put", "_index_put_impl"):
        indices = [one for one in node.args[1] if one is not None]
        if len(indices) == 1 and str(indices[0].dtype) == "torch.bool":
            _put_by_mask(builder, node, base, indices[0])
            return
        if list(node.args[1])[0] is None:
            raise NotCosted("writes by indices of later dimensions")
        index = _combined(builder, [builder.index(one) for one in indices])
        width = math.prod(base.shape[len(indices):])
        table = builder.reshape(base, (math.prod(base.shape) // width, width))
        rows = builder.real(node.args[2], base.kind)
        rows = builder.expand(rows if rows.rank else rows, (*index.shape, *base.shape[len(indices):]))
        rows = builder.reshape(rows, (math.prod(index.shape), width))
        builder.set_result(node.results[0], builder.reshape(_add_rows(builder, table, index, rows), base.shape))
        return
    if name not in ("scatter", "scatter_reduce", "index_copy", "index_reduce") or not isinstance(node.args[3], Value):
        raise NotCosted(f"no steps for {node.op}")
    lower_scatter_add(builder, node)


def _put_by_mask(builder, node, base, mask):
    values = node.args[2]
    if isinstance(values, Value) and values.elements != 1:
        raise NotCosted("several numbers by a mask")
    condition = builder.term(mask)
    condition = builder.reshape(condition, list(condition.shape) + [1] * (base.rank - condition.rank))
    other = builder.expand(builder.real(values, base.kind), base.shape)
    builder.set_result(node.results[0], builder.emit(
        "Where", [builder.expand(condition, base.shape), other, base], shape=base.shape, kind=base.kind))


@handles("aten::one_hot", "poptorch::one_hot")
def lower_one_hot(builder, node):
    """Ones at the places of indices."""
    result = node.results[0]
    index = builder.reshape(builder.index(node.args[0]), (*node.args[0].shape, 1))
    numbers = builder.weights((*[1] * len(node.args[0].shape), result.shape[-1]), FLOAT, "classes")
    hot = builder.binary("Equal", builder.cast(index, FLOAT), numbers, kind=9)
    builder.set_result(result, builder.cast(hot, FLOAT))
