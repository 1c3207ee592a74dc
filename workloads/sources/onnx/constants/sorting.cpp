// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

bool isBelow(const OnnxArray& x, std::size_t a, std::size_t b) {
  if (x.isReal()) return x.real[a] < x.real[b];
  if (x.type == onnx::TensorProto::UINT64) {
    return static_cast<std::uint64_t>(x.whole[a]) < static_cast<std::uint64_t>(x.whole[b]);
  }
  return x.whole[a] < x.whole[b];
}

/// The positions along an axis, the largest or smallest element first; equal ones in their order.
std::vector<std::uint64_t> sortedAlong(const OnnxArray& x, const AxisView& view,
                                       std::uint64_t outer, std::uint64_t inner, bool is_largest) {
  std::vector<std::uint64_t> order(view.size);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    const std::size_t left = view.at(outer, a, inner);
    const std::size_t right = view.at(outer, b, inner);
    return is_largest ? isBelow(x, right, left) : isBelow(x, left, right);
  });
  return order;
}

Folded foldTopK(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const std::size_t axis = onnxAxis(site.integer("axis", -1), x.shape.size());
  const std::uint64_t count =
      sizeOfDimension(site.isGiven(1) ? site.operand(1).wholeAt(0) : site.integer("k", 0));
  const AxisView view = viewAround(x.shape, axis);
  if (count > view.size) {
    throw OperandError(fmt::format("at most {} elements", view.size), fmt::format("{}", count));
  }
  Shape shape = x.shape;
  shape[axis] = count;
  const AxisView found = viewAround(shape, axis);
  std::vector<std::size_t> positions(elementsOf(shape));
  OnnxArray indices = OnnxArray::zeros(onnx::TensorProto::INT64, shape);
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
      const auto order = sortedAlong(x, view, outer, inner, site.isSet("largest", true));
      for (std::uint64_t k = 0; k < count; ++k) {
        positions[found.at(outer, k, inner)] = view.at(outer, order[k], inner);
        indices.whole[found.at(outer, k, inner)] = static_cast<std::int64_t>(order[k]);
      }
    }
  }
  return {elementsAt(x, shape, positions), std::move(indices)};
}

Folded foldArgExtreme(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), x.shape.size());
  const AxisView view = viewAround(x.shape, axis);
  if (view.size == 0) throw OperandError("at least one element", textOf(x.shape));
  const bool is_largest = site.operatorName() == "ArgMax";
  const bool takes_last = site.isSet("select_last_index");
  Shape shape = x.shape;
  shape[axis] = 1;
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::INT64, shape);
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
      std::uint64_t best = 0;
      for (std::uint64_t s = 1; s < view.size; ++s) {
        const std::size_t at = view.at(outer, s, inner);
        const std::size_t old = view.at(outer, best, inner);
        const bool is_better = is_largest ? isBelow(x, old, at) : isBelow(x, at, old);
        const bool is_equal = !isBelow(x, old, at) && !isBelow(x, at, old);
        if (is_better || (takes_last && is_equal)) best = s;
      }
      result.whole[outer * view.inner + inner] = static_cast<std::int64_t>(best);
    }
  }
  if (!site.isSet("keepdims", true)) {
    result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return {std::move(result)};
}

/// The different slices along an axis, or without one the different elements.
Folded foldUnique(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const bool is_flat = site.find("axis") == nullptr;
  const Shape from = is_flat ? Shape{x.size()} : x.shape;
  const std::size_t axis = is_flat ? 0 : onnxAxis(site.integer("axis", 0), from.size());
  const AxisView view = viewAround(from, axis);
  const auto order_of = [&](std::uint64_t a, std::uint64_t b) {
    for (std::uint64_t i = 0; i < view.outer * view.inner; ++i) {
      const std::size_t left = view.at(i / view.inner, a, i % view.inner);
      const std::size_t right = view.at(i / view.inner, b, i % view.inner);
      if (isBelow(x, left, right)) return -1;
      if (isBelow(x, right, left)) return 1;
    }
    return 0;
  };
  std::vector<std::uint64_t> sorted(view.size);
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return order_of(a, b) < 0; });
  std::vector<std::vector<std::uint64_t>> groups;  // of equal slices, by their first one
  for (const std::uint64_t slice : sorted) {
    if (groups.empty() || order_of(groups.back().front(), slice) != 0) groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!site.isSet("sorted", true)) std::sort(groups.begin(), groups.end());
  std::vector<std::int64_t> firsts;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> inverse(view.size);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    firsts.push_back(static_cast<std::int64_t>(groups[g].front()));
    counts.push_back(static_cast<std::int64_t>(groups[g].size()));
    for (const std::uint64_t slice : groups[g]) inverse[slice] = static_cast<std::int64_t>(g);
  }
  Shape shape = from;
  shape[axis] = groups.size();
  std::vector<std::size_t> positions;
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    for (const auto& group : groups) {
      for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
        positions.push_back(view.at(outer, group.front(), inner));
      }
    }
  }
  return {elementsAt(x, shape, positions), OnnxArray::integers(std::move(firsts)),
          OnnxArray::integers(std::move(inverse)), OnnxArray::integers(std::move(counts))};
}

}  // namespace

void addSortingFolds(FoldTable& table) {
  table.insert({{"ArgMax", foldArgExtreme},
                {"ArgMin", foldArgExtreme},
                {"TopK", foldTopK},
                {"Unique", foldUnique}});
}

}  // namespace ipusim::workloads
