// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

template <typename Number>
Number combined(const std::string& reduction, Number old, Number update) {
  if (reduction == "none") return update;
  if (reduction == "add") return old + update;
  if (reduction == "mul") return old * update;
  if (reduction == "max") return std::max(old, update);
  if (reduction == "min") return std::min(old, update);
  throw OperandError("the reduction none, add, mul, max or min", inQuotes(reduction));
}

/// Writes one element of `updates` into `data`.
void update(const FoldSite& site, std::size_t from, std::size_t to, OnnxArray& data) {
  const std::string reduction = site.textOf("reduction", "none");
  const OnnxArray& updates = site.operand(2);
  if (data.isReal()) {
    data.real[to] =
        roundedToOnnx(data.type, combined(reduction, data.real[to], updates.real[from]));
  } else {
    data.whole[to] =
        wrappedToOnnx(data.type, combined(reduction, data.whole[to], updates.whole[from]));
  }
}

void expectUpdates(const FoldSite& site, const Shape& shape) {
  if (site.operand(2).shape != shape || site.operand(2).type != site.operand(0).type) {
    throw OperandError(
        "updates " + textOf(shape) + " of the type " + onnxTypeName(site.operand(0).type),
        textOf(site.operand(2).shape) + " of " + onnxTypeName(site.operand(2).type));
  }
}

Folded foldScatterElements(const FoldSite& site) {
  OnnxArray data = site.operand(0);
  const OnnxArray& indices = site.operand(1);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), data.shape.size());
  expectUpdates(site, indices.shape);
  if (indices.shape.size() != data.shape.size()) {
    throw OperandError(fmt::format("indices of {} dimensions", data.shape.size()),
                       textOf(indices.shape));
  }
  for (std::size_t e = 0; e < indices.size(); ++e) {
    std::vector<std::uint64_t> at = coordinatesOf(indices.shape, e);
    at[axis] = foldedIndex(indices.whole[e], data.shape[axis]);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] < data.shape[d]) continue;
      throw OperandError("indices of a shape within " + textOf(data.shape), textOf(indices.shape));
    }
    update(site, e, elementAt(data.shape, at), data);
  }
  return {std::move(data)};
}

Folded foldScatterNd(const FoldSite& site) {
  OnnxArray data = site.operand(0);
  const OnnxArray& indices = site.operand(1);
  if (indices.shape.empty() || indices.shape.back() > data.shape.size()) {
    throw OperandError("indices into " + textOf(data.shape), textOf(indices.shape));
  }
  const std::size_t depth = indices.shape.back();
  const auto first_left = data.shape.begin() + static_cast<std::ptrdiff_t>(depth);
  const Shape slice(first_left, data.shape.end());
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  const std::uint64_t tuples = elementsOf(shape);
  shape.insert(shape.end(), slice.begin(), slice.end());
  expectUpdates(site, shape);
  const std::vector<std::uint64_t> strides = stridesOf(data.shape);
  const std::uint64_t width = elementsOf(slice);
  for (std::uint64_t t = 0; t < tuples; ++t) {
    std::size_t at = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      at += foldedIndex(indices.whole[t * depth + d], data.shape[d]) * strides[d];
    }
    for (std::uint64_t inner = 0; inner < width; ++inner) {
      update(site, t * width + inner, at + inner, data);
    }
  }
  return {std::move(data)};
}

}  // namespace

void addScatteringFolds(FoldTable& table) {
  table.insert({{"Scatter", foldScatterElements},
                {"ScatterElements", foldScatterElements},
                {"ScatterND", foldScatterNd}});
}

}  // namespace ipusim::workloads
