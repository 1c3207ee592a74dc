// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/views.h"

#include <algorithm>
#include <utility>

#include "workloads/ops/conv/dim_map.h"
#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/conv/reshaping.h"

namespace ipusim::workloads {

namespace {

/// `tensor` with `count` dimensions from `first` on made one.
Tensor merged(const Tensor& tensor, std::size_t first, std::size_t count) {
  Shape shape = tensor.shape();
  const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(first);
  std::uint64_t size = 1;
  for (std::size_t d = first; d < first + count; ++d) size *= shape[d];
  shape.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  shape[first] = size;
  return tensor.reshape(shape);
}

/// `tensor` with dimension `dim` made as many as `sizes`.
Tensor split(const Tensor& tensor, std::size_t dim, const Shape& sizes) {
  Shape shape = tensor.shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), sizes.begin(), sizes.end());
  return tensor.reshape(shape);
}

ConvOperands swapped(const ConvOperands& operands) {
  return {exchanged(operands.weights), exchanged(operands.input)};
}

/// `count` elements of dimension `dim`, `step` apart, from `first` on.
Tensor every(const Tensor& tensor, std::size_t dim, std::uint64_t first, std::uint64_t step,
             std::uint64_t count) {
  if (step == 1 || count == 1) return tensor.slice(first, first + count, dim);
  const std::uint64_t last = first + (count - 1) * step;
  const Tensor most = split(tensor.slice(first, last, dim), dim, {count - 1, step});
  return concat({merged(most.slice(0, 1, dim + 1), dim, 2), tensor.slice(last, last + 1, dim)},
                dim);
}

/// Elements of the input at consecutive outputs: zeros, or elements an equal step apart.
struct StridedElements {
  std::optional<std::uint64_t> first;
  std::uint64_t step = 1;
  std::uint64_t count = 1;

  [[nodiscard]] bool takes(const std::optional<std::uint64_t>& next) const {
    if (first.has_value() != next.has_value()) return false;
    if (!first) return true;
    if (count == 1) return *next > *first;
    return *next == *first + count * step;
  }
  void take(const std::optional<std::uint64_t>& next) {
    if (first && count == 1) step = *next - *first;
    ++count;
  }
};

std::vector<StridedElements> runsOf(const ConvDim& dim, std::uint64_t kernel) {
  const DimMap map = mapOf(dim);
  std::vector<StridedElements> runs;
  for (std::uint64_t o = 0; o < dim.outputs(); ++o) {
    const std::optional<std::uint64_t> element = map.inputOf(o, kernel);
    if (!runs.empty() && runs.back().takes(element)) {
      runs.back().take(element);
    } else {
      runs.push_back({element});
    }
  }
  return runs;
}

}  // namespace

ConvViews::ConvViews(const ConvPlan& plan, Tensor zero)
    : plan_(plan), zero_(std::move(zero)), before_flatten_(plan.params) {
  ConvParams& params = before_flatten_;
  for (const std::uint32_t dim : plan.transforms.expand) {
    expanded_.push_back({dim, params.dims[dim]});
    expandDim(params, dim);
  }
  if (plan.transforms.out_chan_flatten.empty()) return;
  params = swappedConv(params);
  for (const std::uint32_t dim : plan.transforms.out_chan_flatten) {
    out_chan_flattened_.push_back({dim, params.dims[dim]});
    expandDim(params, dim);
    params.batch *= params.dims[dim].field;
    params.dims[dim].field = 1;
  }
  params = swappedConv(params);
}

Tensor ConvViews::positionsOf(const Tensor& input, const ConvDim& dim, std::size_t index,
                              std::uint64_t kernel) const {
  std::vector<Tensor> parts;
  for (const StridedElements& run : runsOf(dim, kernel)) {
    if (run.first) {
      parts.push_back(every(input, index, *run.first, run.step, run.count));
      continue;
    }
    Shape shape = input.shape();
    shape[index] = run.count;
    parts.push_back(zerosOf(zero_, shape));
  }
  return concat(parts, index);
}

ConvOperands ConvViews::expanded(const ConvOperands& operands, const ConvDim& dim,
                                 std::size_t index) const {
  const PositionRange kernel = mapOf(dim).kernel;
  std::vector<Tensor> positions;
  for (std::uint64_t k = kernel.begin; k < kernel.end; ++k) {
    positions.push_back(withDim(positionsOf(operands.input, dim, kConvField + index, k), 1));
  }
  const Tensor weights = withDimMoved(
      operands.weights.slice(kernel.begin, kernel.end, kConvField + index), kConvField + index, 2);
  return {merged(concat(positions, 1), 1, 2), withDim(merged(weights, 2, 2), kConvField + index)};
}

ConvOperands ConvViews::withoutCutKernel(ConvOperands operands) const {
  for (std::size_t d = 0; d < plan_.transformed.dims.size(); ++d) {
    const ConvDim& dim = plan_.transformed.dims[d];
    const PositionRange left = mapOf(dim).kernel;
    if (left.size() == dim.kernel) continue;
    std::vector<Tensor> parts;
    const auto add_zeros = [&](std::uint64_t count) {
      Shape shape = operands.weights.shape();
      shape[kConvField + d] = count;
      if (count > 0) parts.push_back(zerosOf(zero_, shape));
    };
    add_zeros(left.begin);
    if (left.size() > 0)
      parts.push_back(operands.weights.slice(left.begin, left.end, kConvField + d));
    add_zeros(dim.kernel - left.end);
    operands.weights = concat(parts, kConvField + d);
  }
  return operands;
}

ConvOperands ConvViews::combined(const ConvOperands& operands) const {
  const std::uint64_t count = plan_.transforms.combined_groups;
  const std::uint64_t groups = plan_.transformed.groups;
  const Tensor input = split(padded(operands.input, 0, groups * count, zero_), 0, {groups, count});
  const Tensor weights =
      split(padded(operands.weights, 0, groups * count, zero_), 0, {groups, count});
  std::vector<Tensor> rows;
  for (std::uint64_t own = 0; own < count; ++own) {
    const Tensor block = withoutDim(weights.slice(own, own + 1, 1), 1);
    const Tensor zeros = zerosOf(zero_, block.shape());
    std::vector<Tensor> columns(count, zeros);
    columns[own] = block;
    rows.push_back(concat(columns, 2));
  }
  return {merged(input, 1, 2), concat(rows, 1)};
}

Tensor ConvViews::flattened(const Tensor& input) const {
  const DimList& dims = plan_.transforms.flatten;
  Tensor flat = input;
  // Dimensions that were moved before leave their place, and those behind them move up.
  for (std::size_t i = 0; i < dims.size(); ++i) {
    flat = withDimMoved(flat, kConvField + dims[i], kConvField + i);
  }
  flat = merged(flat, 2, 1 + dims.size());
  Shape shape = flat.shape();
  shape.insert(shape.begin() + 2, 1);
  // The others are in order behind the row.
  shape.insert(shape.begin() + kConvField + 1, dims.size() - 1, 1);
  flat = flat.reshape(shape);
  std::vector<std::size_t> order{0, 1, 2};
  std::size_t ones = kConvField + 1;
  std::size_t others = kConvField + dims.size();
  for (std::uint32_t d = 0; d < before_flatten_.dims.size(); ++d) {
    const bool is_flat = std::find(dims.begin(), dims.end(), d) != dims.end();
    if (d == dims.back()) {
      order.push_back(kConvField);
    } else {
      order.push_back(is_flat ? ones++ : others++);
    }
  }
  return flat.dimShuffle(order);
}

Tensor ConvViews::unflattened(const Tensor& result) const {
  const DimList& dims = plan_.transforms.flatten;
  Shape sizes{before_flatten_.batch};
  for (const std::uint32_t dim : dims) sizes.push_back(before_flatten_.dims[dim].field);
  Tensor tensor = withoutDim(withDimMoved(result, kConvField + dims.back(), kConvField), 2);
  // Now (groups, channels, row, others...), where others have size 1 for dimensions in the row.
  tensor = split(tensor, 2, sizes);
  std::vector<std::size_t> order{0, 1, 2};
  std::size_t next_flat = kConvField;
  std::size_t next_other = kConvField + dims.size();
  std::vector<std::size_t> ones;
  for (std::uint32_t d = 0; d < before_flatten_.dims.size(); ++d) {
    const bool is_flat = std::find(dims.begin(), dims.end(), d) != dims.end();
    if (is_flat && d != dims.back()) ones.push_back(next_other);
    if (d == dims.back()) {
      order.push_back(next_flat++);
    } else if (is_flat) {
      order.push_back(next_flat++);
      ++next_other;
    } else {
      order.push_back(next_other++);
    }
  }
  order.insert(order.end(), ones.begin(), ones.end());
  tensor = tensor.dimShuffle(order);
  Shape shape = tensor.shape();
  shape.resize(kConvField + before_flatten_.dims.size());
  return tensor.reshape(shape);
}

ConvOperands ConvViews::transformed(ConvOperands operands) const {
  const ConvTransforms& transforms = plan_.transforms;
  for (const Moved& moved : expanded_) operands = expanded(operands, moved.before, moved.dim);
  if (!out_chan_flattened_.empty()) {
    operands = swapped(operands);
    for (const Moved& moved : out_chan_flattened_) {
      operands = expanded(operands, moved.before, moved.dim);
      operands.input =
          withDim(merged(withDimMoved(operands.input, kConvField + moved.dim, 2), 2, 2),
                  kConvField + moved.dim);
    }
    operands = swapped(operands);
  }
  if (!transforms.flatten.empty()) operands.input = flattened(operands.input);
  if (transforms.combined_groups > 1) operands = combined(operands);
  return withoutCutKernel(std::move(operands));
}

Tensor ConvViews::asInput(const Tensor& input) const {
  return plan_.transforms.flatten.empty() ? input : flattened(input);
}

Tensor ConvViews::fromInput(const Tensor& input) const {
  return plan_.transforms.flatten.empty() ? input : unflattened(input);
}

Tensor ConvViews::restored(Tensor result) const {
  const ConvTransforms& transforms = plan_.transforms;
  if (const std::uint64_t count = transforms.combined_groups; count > 1) {
    result = merged(split(result, 1, {count, result.shape()[1] / count}), 0, 2)
                 .slice(0, before_flatten_.groups, 0);
  }
  if (!transforms.flatten.empty()) result = unflattened(result);
  if (!out_chan_flattened_.empty()) {
    result = exchanged(result);
    for (auto moved = out_chan_flattened_.rbegin(); moved != out_chan_flattened_.rend(); ++moved) {
      const std::uint64_t outputs = moved->before.outputs();
      result = withoutDim(result, kConvField + moved->dim);
      result = withDimMoved(split(result, 2, {outputs, result.shape()[2] / outputs}), 2,
                            kConvField + moved->dim);
    }
    result = exchanged(result);
  }
  return result;
}

}  // namespace ipusim::workloads
