# SPDX-License-Identifier: Apache-2.0
"""Views, slices, joins, and what moves elements."""
import math

import torch

from ..graph import Value
from .builder import NotCosted, handles, kind_of
from .onnx_file import FLOAT, HALF


def _argument(node, place, name, otherwise):
    if len(node.args) > place:
        return node.args[place]
    return node.kwargs.get(name, otherwise)


@handles("aten::view", "aten::_unsafe_view", "aten::reshape", "aten::_reshape_alias", "aten::unsqueeze",
         "aten::squeeze", "aten::flatten", "aten::view_as", "aten::unflatten")
def lower_view(builder, node):
    """The same elements in another shape."""
    builder.set_result(node.results[0], builder.reshape(builder.term(node.args[0]), node.results[0].shape))


@handles("aten::clone", "aten::contiguous", "aten::detach", "aten::alias", "aten::lift_fresh_copy", "aten::positive",
         "poptorch::nop", "poptorch::checkpoint", "poptorch::available_memory", "poptorch::print",
         "poptorch::call_cpu_op", "aten::view_of", "aten::_conj", "aten::resolve_conj")
def lower_same(builder, node):
    """The same tensor."""
    if not node.args or not isinstance(node.args[0], Value):
        raise NotCosted(f"no steps for {node.op}")
    value, result = node.args[0], node.results[0]
    if len(node.results) > 1 or value.elements != result.elements:
        raise NotCosted("a function of the host")
    builder.set_result(result, builder.term(value))


@handles("aten::t", "aten::transpose", "aten::permute", "aten::numpy_T", "aten::swapaxes", "aten::movedim")
def lower_permute(builder, node):
    """Dimensions in another order. The transpose of a matrix that is learnt waits for a product that takes it so."""
    value, result = node.args[0], node.results[0]
    rank = len(value.shape)
    name = node.op.split("::")[1].split(".")[0]
    order = list(range(rank))
    if name in ("t", "numpy_T"):
        order.reverse()
    elif name == "permute":
        order = [one % rank for one in node.args[1]]
    elif name in ("transpose", "swapaxes"):
        first, second = [one % max(rank, 1) for one in node.args[1:3]]
        order[first], order[second] = order[second], order[first]
    else:
        raise NotCosted(f"no steps for {node.op}")
    if rank == 2 and order == [1, 0] and value.kind in ("parameter", "buffer", "constant"):
        builder.set_transposed(result, value)
        return
    if rank == 0:
        builder.set_result(result, builder.term(value))
        return
    builder.set_result(result, builder.permute(builder.term(value), order))


@handles("aten::expand", "aten::broadcast_to", "aten::expand_as")
def lower_expand(builder, node):
    """Repeats dimensions of size 1."""
    shape = node.results[0].shape
    term = builder.term(node.args[0])
    term = builder.reshape(term, [1] * (len(shape) - term.rank) + list(term.shape)) if shape else term
    builder.set_result(node.results[0], builder.expand(term, shape))


@handles("aten::repeat")
def lower_repeat(builder, node):
    """Copies side by side."""
    term, times = builder.term(node.args[0]), list(node.args[1])
    term = builder.reshape(term, [1] * (len(times) - term.rank) + list(term.shape))
    for dimension, count in enumerate(times):
        if count > 1:
            term = builder.concat([term] * count, dimension)
    builder.set_result(node.results[0], term)


@handles("aten::slice", "aten::narrow")
def lower_slice(builder, node):
    """Some elements of a dimension."""
    term = builder.term(node.args[0])
    dimension = _argument(node, 1, "dim", 0) % term.rank
    size = term.shape[dimension]
    start, end = _argument(node, 2, "start", None), _argument(node, 3, "end", None)
    if node.op.startswith("aten::narrow"):
        end = start + end
    start, end, step = slice(start, end, _argument(node, 4, "step", 1)).indices(size)
    builder.set_result(node.results[0], builder.slice(term, dimension, start, end, step))


@handles("aten::select")
def lower_select(builder, node):
    """One element of a dimension."""
    term = builder.term(node.args[0])
    dimension = node.args[1] % term.rank
    place = node.args[2] % term.shape[dimension]
    builder.set_result(node.results[0], builder.slice(term, dimension, place, place + 1))


@handles("aten::split", "aten::split_with_sizes", "aten::unsafe_split", "aten::chunk", "aten::unsafe_chunk",
         "aten::unsafe_split_with_sizes")
def lower_split(builder, node):
    """Parts of a dimension."""
    term = builder.term(node.args[0])
    dimension = _argument(node, 2, "dim", 0) % term.rank
    start = 0
    for result in node.results:
        size = result.shape[dimension]
        builder.set_result(result, builder.slice(term, dimension, start, start + size))
        start += size


@handles("aten::unbind")
def lower_unbind(builder, node):
    """The elements of a dimension one by one."""
    term = builder.term(node.args[0])
    dimension = _argument(node, 1, "dim", 0) % term.rank
    for place, result in enumerate(node.results):
        builder.set_result(result, builder.slice(term, dimension, place, place + 1))


@handles("aten::cat", "aten::_cat", "aten::concat")
def lower_cat(builder, node):
    """Tensors one after the other."""
    result = node.results[0]
    values = [one for one in node.args[0] if one.elements > 0 and len(one.shape) == len(result.shape)]
    dimension = _argument(node, 1, "dim", 0) % len(result.shape)
    builder.set_result(result, builder.concat(_alike(builder, values, result), dimension))


def _alike(builder, values, result):
    kind = kind_of(result.dtype)
    if kind in (FLOAT, HALF):
        return [builder.real(one, kind) for one in values]
    terms = [builder.term(one) for one in values]
    if len({one.kind for one in terms}) > 1:
        terms = [builder.cast(one, FLOAT) for one in terms]
    return terms


@handles("aten::stack")
def lower_stack(builder, node):
    """Tensors along a new dimension."""
    result = node.results[0]
    dimension = _argument(node, 1, "dim", 0) % len(result.shape)
    shape = list(result.shape)
    shape[dimension] = 1
    terms = [builder.reshape(one, shape) for one in _alike(builder, node.args[0], result)]
    builder.set_result(result, builder.concat(terms, dimension))


@handles("aten::flip")
def lower_flip(builder, node):
    """Elements in the opposite order."""
    term = builder.term(node.args[0])
    for dimension in node.args[1]:
        dimension %= term.rank
        size = term.shape[dimension]
        parts = [builder.slice(term, dimension, place, place + 1) for place in range(size - 1, -1, -1)]
        if len(parts) > 4096:
            raise NotCosted("a long dimension in the opposite order")
        term = builder.concat(parts, dimension)
    builder.set_result(node.results[0], term)


@handles("aten::roll")
def lower_roll(builder, node):
    """Elements moved in a circle."""
    term = builder.term(node.args[0])
    shifts, dimensions = list(node.args[1]), list(_argument(node, 2, "dims", []))
    if not dimensions:
        term, dimensions = builder.reshape(term, (math.prod(term.shape),)), [0]
    for shift, dimension in zip(shifts, dimensions):
        dimension %= term.rank
        size = term.shape[dimension]
        cut = -shift % size
        if cut:
            term = builder.concat([builder.slice(term, dimension, cut, size), builder.slice(term, dimension, 0, cut)],
                                  dimension)
    builder.set_result(node.results[0], term)


@handles("aten::constant_pad_nd", "aten::reflection_pad1d", "aten::reflection_pad2d", "aten::replication_pad1d",
         "aten::replication_pad2d", "aten::replication_pad3d")
def lower_pad(builder, node):
    """Elements before and behind."""
    term, widths = builder.term(node.args[0]), list(node.args[1])
    if not node.op.startswith("aten::constant"):
        raise NotCosted("a padding by elements of the operand")
    for place in range(0, len(widths), 2):
        dimension = term.rank - 1 - place // 2
        before, behind = widths[place], widths[place + 1]
        size = term.shape[dimension]
        if before < 0 or behind < 0:
            term = builder.slice(term, dimension, max(-before, 0), size - max(-behind, 0))
    before = [max(widths[2 * (term.rank - 1 - d)], 0) if 2 * (term.rank - 1 - d) < len(widths) else 0
              for d in range(term.rank)]
    behind = [max(widths[2 * (term.rank - 1 - d) + 1], 0) if 2 * (term.rank - 1 - d) < len(widths) else 0
              for d in range(term.rank)]
    if any(before) or any(behind):
        term = builder.emit("Pad", [term, builder.whole(before + behind)], {"mode": "constant"},
                            shape=node.results[0].shape)
    builder.set_result(node.results[0], term)


@handles("aten::upsample_nearest1d", "aten::upsample_nearest2d", "aten::upsample_nearest3d")
def lower_upsample(builder, node):
    """Larger pictures by whole factors."""
    term, shape = builder.real(node.args[0]), node.results[0].shape
    if any(large % small for large, small in zip(shape, term.shape)):
        raise NotCosted("a factor that is not whole")
    scales = builder.filled((term.rank,), 1, FLOAT)
    del scales
    builder.set_result(node.results[0], builder.emit(
        "Resize", [term, "", "", builder.whole(shape)], {"mode": "nearest", "nearest_mode": "floor",
                                                         "coordinate_transformation_mode": "asymmetric"},
        shape=shape))


@handles("aten::as_strided")
def lower_strided(builder, node):
    """A view by strides, where it is one of whole dimensions."""
    value, shape = node.args[0], node.args[1]
    if math.prod(shape) != value.elements:
        raise NotCosted("a view by strides")
    builder.set_result(node.results[0], builder.reshape(builder.term(value), shape))


@handles("poptorch::assign")
def lower_assign(builder, node):
    """A tensor of which a part was written: a slice of one dimension, or everything."""
    base, part = node.args
    offset, shape, stride = node.kwargs["part"]
    base_offset, base_shape, base_stride = node.kwargs["base"]
    if part.elements == base.elements:
        builder.set_result(node.results[0], builder.reshape(builder.term(part), base.shape))
        return
    found = _slice_of((offset - base_offset, shape, stride), (base_shape, base_stride))
    if found is None:
        raise NotCosted("a write to a part that is no slice")
    dimension, start, count = found
    whole = builder.term(base)
    sizes = list(base_shape)
    sizes[dimension] = count
    written = builder.reshape(builder.cast(builder.term(part), whole.kind), sizes)
    pieces = [written]
    if start > 0:
        pieces.insert(0, builder.slice(whole, dimension, 0, start))
    if start + count < base_shape[dimension]:
        pieces.append(builder.slice(whole, dimension, start + count, base_shape[dimension]))
    builder.set_result(node.results[0], builder.concat(pieces, dimension))


def _slice_of(part, base):
    """(dimension, start, size) of a part that differs from its base in one dimension."""
    offset, shape, _stride = part
    base_shape, base_stride = base
    elements = math.prod(shape)
    for dimension, size in enumerate(base_shape):
        others = math.prod(base_shape) // size
        if elements % others or base_stride[dimension] == 0:
            continue
        count = elements // others
        start = offset // base_stride[dimension]
        if offset % base_stride[dimension] or start < 0 or start + count > size:
            continue
        rest = [one for place, one in enumerate(base_shape) if place != dimension and one != 1]
        kept = [one for one in shape if one != 1]
        if kept in (rest, [*rest[:dimension], count, *rest[dimension:]]) or sorted(kept) == sorted(
                rest + ([count] if count != 1 else [])):
            return dimension, start, count
    return None


@handles("aten::zeros", "aten::ones", "aten::full", "aten::zeros_like", "aten::ones_like", "aten::full_like",
         "aten::new_zeros", "aten::new_ones", "aten::new_full", "aten::arange", "aten::linspace", "aten::eye",
         "aten::scalar_tensor", "aten::fill", "aten::zero", "aten::logspace", "aten::tril", "aten::triu",
         "aten::tril_indices", "aten::triu_indices", "aten::randperm", "aten::range", "aten::hann_window")
def lower_made(builder, node):
    """Tensors whose numbers the program has."""
    result = node.results[0]
    if node.op.startswith(("aten::tril", "aten::triu")) and node.args and isinstance(node.args[0], Value):
        if node.args[0].kind == "result":
            mask = builder.weights(node.args[0].shape, builder.real(node.args[0]).kind)
            builder.set_result(result, builder.binary("Mul", builder.real(node.args[0]), mask))
            return
    builder.set_result(result, builder.term(Value(tuple(result.shape), result.dtype, "constant", "made",
                                                  _zeros(result))))


def _zeros(result):
    return torch.zeros(tuple(result.shape) or (1,), dtype=torch.float if result.dtype.is_floating_point
                       else torch.int64)


@handles("aten::copy")
def lower_copy(builder, node):
    """Another tensor, in the shape and type of the first one."""
    result = node.results[0]
    term = builder.term(node.args[1])
    kind = kind_of(result.dtype)
    if kind in (FLOAT, HALF):
        term = builder.cast(term, kind)
    if result.shape:
        term = builder.reshape(term, [1] * (len(result.shape) - term.rank) + list(term.shape)) \
            if term.rank < len(result.shape) else term
        term = builder.expand(term, result.shape)
    builder.set_result(result, term)


@handles("aten::uniform", "aten::normal", "aten::rand", "aten::randn", "aten::randint", "aten::bernoulli",
         "aten::exponential", "aten::random", "aten::rand_like", "aten::randn_like", "aten::normal_functional")
def lower_random(builder, node):
    """Random numbers: the vendor's generator has no steps here."""
    del builder
    raise NotCosted(f"no random numbers ({node.op})")
