// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/indexing.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/sources/onnx/constants/fold.h"

// Elements at indices that are numbers too.

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

Folded foldGather(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const OnnxArray& indices = site.operand(1);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), x.shape.size());
  const AxisView view = viewAround(x.shape, axis);
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
  expectFoldable(shape);
  std::vector<std::size_t> positions;
  positions.reserve(elementsOf(shape));
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    for (const std::int64_t index : indices.whole) {
      const std::size_t at = foldedIndex(index, view.size);
      for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
        positions.push_back(view.at(outer, at, inner));
      }
    }
  }
  return {elementsAt(x, shape, positions)};
}

/// The position in `shape` of an element of `indices`, with the index in place of its coordinate.
std::size_t positionAlong(const Shape& shape, const Shape& indices, std::size_t axis,
                          std::size_t element, std::int64_t index) {
  std::vector<std::uint64_t> at = coordinatesOf(indices, element);
  at[axis] = foldedIndex(index, shape[axis]);
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] >= shape[d]) {
      throw OperandError("indices of a shape within " + textOf(shape), textOf(indices));
    }
  }
  return elementAt(shape, at);
}

Folded foldGatherElements(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const OnnxArray& indices = site.operand(1);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), x.shape.size());
  if (indices.shape.size() != x.shape.size()) {
    throw OperandError(fmt::format("indices of {} dimensions", x.shape.size()),
                       textOf(indices.shape));
  }
  std::vector<std::size_t> positions;
  for (std::size_t e = 0; e < indices.size(); ++e) {
    positions.push_back(positionAlong(x.shape, indices.shape, axis, e, indices.whole[e]));
  }
  return {elementsAt(x, indices.shape, positions)};
}

Folded foldGatherNd(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const OnnxArray& indices = site.operand(1);
  const auto batch = static_cast<std::size_t>(site.integer("batch_dims", 0));
  if (indices.shape.empty() || batch + indices.shape.back() > x.shape.size() ||
      batch >= indices.shape.size()) {
    throw OperandError("indices into " + textOf(x.shape), textOf(indices.shape));
  }
  const std::size_t depth = indices.shape.back();
  const std::vector<std::uint64_t> strides = stridesOf(x.shape);
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  const auto first_left = x.shape.begin() + static_cast<std::ptrdiff_t>(batch + depth);
  shape.insert(shape.end(), first_left, x.shape.end());
  expectFoldable(shape);
  const std::uint64_t width = elementsOf(Shape(first_left, x.shape.end()));
  const std::uint64_t batches =
      elementsOf(Shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(batch)));
  const std::size_t tuples =
      depth == 0 ? elementsOf(shape) / std::max<std::uint64_t>(width, 1) : indices.size() / depth;
  std::vector<std::size_t> positions;
  for (std::size_t t = 0; t < tuples; ++t) {
    const std::uint64_t of_batch = t / std::max<std::size_t>(tuples / batches, 1);
    std::size_t at = of_batch * (x.size() / batches);
    for (std::size_t d = 0; d < depth; ++d) {
      at += foldedIndex(indices.whole[t * depth + d], x.shape[batch + d]) * strides[batch + d];
    }
    for (std::uint64_t inner = 0; inner < width; ++inner) positions.push_back(at + inner);
  }
  return {elementsAt(x, shape, positions)};
}

/// The coordinates of all elements that are not 0, one row per dimension.
Folded foldNonZero(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  std::vector<std::vector<std::uint64_t>> found;
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (x.realAt(e) != 0) found.push_back(coordinatesOf(x.shape, e));
  }
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::INT64, {x.shape.size(), found.size()});
  for (std::size_t d = 0; d < x.shape.size(); ++d) {
    for (std::size_t f = 0; f < found.size(); ++f) {
      result.whole[d * found.size() + f] = static_cast<std::int64_t>(found[f][d]);
    }
  }
  return {std::move(result)};
}

Folded foldOneHot(const FoldSite& site) {
  const OnnxArray& indices = site.operand(0);
  const std::uint64_t depth = sizeOfDimension(site.operand(1).wholeAt(0));
  const OnnxArray& values = site.operand(2);
  if (values.size() != 2) throw OperandError("two values", textOf(values.shape));
  const std::size_t axis = onnxAxis(site.integer("axis", -1), indices.shape.size() + 1);
  Shape shape = indices.shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  const AxisView view = viewAround(expectFoldable(shape), axis);
  std::vector<std::size_t> which(elementsOf(shape), 0);
  for (std::size_t e = 0; e < indices.size(); ++e) {
    const std::int64_t index = indices.wholeAt(e);
    const std::int64_t counted = index < 0 ? index + static_cast<std::int64_t>(depth) : index;
    if (counted < 0 || counted >= static_cast<std::int64_t>(depth)) continue;
    which[view.at(e / view.inner, static_cast<std::uint64_t>(counted), e % view.inner)] = 1;
  }
  return {elementsAt(values, shape, which)};
}

/// The slices, or without an axis the elements, where the condition holds.
Folded foldCompress(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const OnnxArray& condition = site.operand(1);
  const bool is_flat = site.find("axis") == nullptr;
  const Shape from = is_flat ? Shape{x.size()} : x.shape;
  const std::size_t axis = is_flat ? 0 : onnxAxis(site.integer("axis", 0), from.size());
  const AxisView view = viewAround(from, axis);
  std::vector<std::size_t> positions;
  std::uint64_t kept = 0;
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    kept = 0;
    for (std::uint64_t s = 0; s < std::min<std::uint64_t>(view.size, condition.size()); ++s) {
      if (condition.whole[s] == 0) continue;
      ++kept;
      for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
        positions.push_back(view.at(outer, s, inner));
      }
    }
  }
  Shape shape = from;
  shape[axis] = kept;
  return {elementsAt(x, shape, positions)};
}

/// The first elements of each sequence the other way round.
Folded foldReverseSequence(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const OnnxArray& lengths = site.operand(1);
  const std::size_t time = onnxAxis(site.integer("time_axis", 0), x.shape.size());
  const std::size_t batch = onnxAxis(site.integer("batch_axis", 1), x.shape.size());
  std::vector<std::size_t> positions;
  for (std::size_t e = 0; e < x.size(); ++e) {
    std::vector<std::uint64_t> at = coordinatesOf(x.shape, e);
    const auto length = static_cast<std::uint64_t>(lengths.whole.at(at[batch]));
    if (at[time] < length) at[time] = length - 1 - at[time];
    positions.push_back(elementAt(x.shape, at));
  }
  return {elementsAt(x, x.shape, positions)};
}

}  // namespace

void addIndexingFolds(FoldTable& table) {
  table.insert({{"Compress", foldCompress},
                {"Gather", foldGather},
                {"GatherElements", foldGatherElements},
                {"GatherND", foldGatherNd},
                {"NonZero", foldNonZero},
                {"OneHot", foldOneHot},
                {"ReverseSequence", foldReverseSequence}});
}

}  // namespace ipusim::workloads
