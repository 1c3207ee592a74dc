// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/layout.h"

#include <algorithm>

#include "ipusim/units.h"
#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

namespace {

/// `size` elements in `parts` parts of whole grains.
Range partOf(std::uint64_t size, std::uint64_t grain, std::uint32_t parts, std::uint32_t index) {
  const GrainRange grains = grainsOfPart(ceilDiv(size, grain), parts, index);
  return {std::min(size, grains.first * grain),
          std::min(size, (grains.first + grains.count) * grain)};
}

std::vector<Range> allParts(std::uint64_t size, std::uint64_t grain, std::uint32_t parts) {
  std::vector<Range> ranges;
  for (std::uint32_t p = 0; p < parts; ++p) ranges.push_back(partOf(size, grain, parts, p));
  return ranges;
}

PositionRange positions(const Range& range) {
  return {range.begin, range.end};
}

/// `shape` with dimension `dim` in two levels.
Shape splitShape(Shape shape, std::size_t dim, std::uint64_t inner) {
  shape[dim] /= inner;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim) + 1, inner);
  return shape;
}

/// `tensor` with dimension `dim` in grains of `inner`, the last one with zeros.
Tensor inGrains(const Tensor& tensor, std::size_t dim, std::uint64_t inner, const Tensor& zero) {
  const std::uint64_t size = roundUp(tensor.shape()[dim], inner);
  if (size == tensor.shape()[dim]) return tensor.reshape(splitShape(tensor.shape(), dim, inner));
  const Tensor whole = padded(tensor, dim, size, zero);
  return whole.reshape(splitShape(whole.shape(), dim, inner));
}

}  // namespace

Tensor zerosOf(const Tensor& zero, const Shape& shape) {
  Tensor zeros = zero.reshape(Shape(shape.size(), 1));
  for (std::size_t d = 0; d < shape.size(); ++d) zeros = zeros.broadcast(shape[d], d);
  return zeros;
}

Tensor padded(const Tensor& tensor, std::size_t dim, std::uint64_t size, const Tensor& zero) {
  Shape shape = tensor.shape();
  if (shape[dim] == size) return tensor;
  shape[dim] = size - shape[dim];
  return concat({tensor, zerosOf(zero, shape)}, dim);
}

ConvLayout::ConvLayout(const ConvPlan& plan) : plan_(plan) {
  std::copy(plan.transformed.dims.begin(), plan.transformed.dims.end(), dims_.begin());
  addMaps();
  addGrids();
}

void ConvLayout::addMaps() {
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) {
    maps_.at(d) = mapOf(dims_.at(d));
    used_.at(d) = usedInputs(dims_.at(d)).value_or(PositionRange{0, 1});
    for (std::uint32_t f = 0; f < plan_.partition.field.at(d); ++f) {
      for (std::uint32_t k = 0; k < plan_.partition.kernel.at(d); ++k) {
        needed_.at(d).push_back(
            maps_.at(d)
                .inputsOf(positions(fieldOf(d, f)), positions(kernelOf(d, k)))
                .value_or(PositionRange{used_.at(d).begin, used_.at(d).begin + 1}));
      }
    }
  }
}

void ConvLayout::addGrids() {
  const ConvPartition& p = plan_.partition;
  const ConvVertex& v = plan_.vertex;
  const ConvParams& params = plan_.transformed;
  const auto grains = [](std::uint64_t size, std::uint32_t grain, std::uint32_t parts) {
    return allParts(ceilDiv<std::uint64_t>(size, grain), 1, parts);
  };
  const auto groups = grains(params.groups, v.conv_groups_per_group, p.conv_groups);
  const auto ins = grains(params.in_chans, v.in_chans_per_group, p.in_chans);
  const auto outs = grains(params.out_chans, v.partial_chans_per_group, p.out_chans);
  const auto batch = allParts(params.batch, 1, p.batch);
  GridParts input{groups, ins, batch, {}, {}, {}};
  GridParts weights{groups, outs, ins, {}, {}, {}};
  GridParts result{groups, outs, batch, {}, {}, {}};
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) {
    input.at(3 + d) = inputParts(d);
    weights.at(3 + d) = allParts(dims_.at(d).kernel, 1, p.kernel.at(d));
    for (std::uint32_t f = 0; f < p.field.at(d); ++f) result.at(3 + d).push_back(fieldOf(d, f));
  }
  const std::uint64_t grouped = v.conv_groups_per_group;
  input_ = BlockGrid(std::move(input), {grouped, v.in_chans_per_group});
  Shape inner{v.partial_chans_per_group, v.in_chans_per_group};
  if (hasGroupGrains()) inner.insert(inner.begin(), grouped);
  weights_ = BlockGrid(std::move(weights), std::move(inner));
  result_ = BlockGrid(std::move(result), {grouped, v.partial_chans_per_group});
}

std::vector<Range> ConvLayout::inputParts(std::size_t dim) const {
  const std::uint64_t size = used_.at(dim).size();
  const std::uint64_t parts = std::min<std::uint64_t>(size, plan_.partition.field.at(dim));
  // One input for each output is cut where the outputs are.
  const std::uint64_t grain = size == dims_.at(dim).outputs() ? plan_.field_grain.at(dim) : 1;
  return allParts(size, grain, static_cast<std::uint32_t>(parts));
}

Range ConvLayout::fieldOf(std::size_t dim, std::uint32_t part) const {
  return partOf(dims_.at(dim).outputs(), plan_.field_grain.at(dim), plan_.partition.field.at(dim),
                part);
}

Range ConvLayout::kernelOf(std::size_t dim, std::uint32_t part) const {
  return partOf(dims_.at(dim).kernel, 1, plan_.partition.kernel.at(dim), part);
}

const PositionRange& ConvLayout::needed(std::size_t dim, std::uint32_t field,
                                        std::uint32_t kernel) const {
  return needed_.at(dim)[std::size_t{field} * plan_.partition.kernel.at(dim) + kernel];
}

TileId ConvLayout::tile(const ConvPart& part) const {
  const ConvPartition& p = plan_.partition;
  std::uint32_t index = part.group * p.in_chans + part.in;
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) {
    index = index * p.kernel.at(d) + part.kernel.at(d);
  }
  index = index * p.batch + part.batch;
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) index = index * p.field.at(d) + part.field.at(d);
  return TileId(index * p.out_chans + part.out);
}

namespace {

/// Calls `visit` with each index below `counts` in all dimensions.
template <typename Visit>
void forEachIndex(const PerDim& counts, const Visit& visit) {
  for (std::uint32_t a = 0; a < counts[0]; ++a) {
    for (std::uint32_t b = 0; b < counts[1]; ++b) {
      for (std::uint32_t c = 0; c < counts[2]; ++c) visit(PerDim{a, b, c});
    }
  }
}

}  // namespace

std::vector<TileId> ConvLayout::usersOfInput(std::size_t block) const {
  const GridIndex index = input_.indexOf(block);
  PerDim first{};
  PerDim count{};
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) {
    const std::uint32_t all = plan_.partition.field.at(d);
    const auto parts = static_cast<std::uint32_t>(input_.parts().at(3 + d).size());
    std::uint32_t own = index.at(3 + d);
    // The first outputs of a dimension that runs backward meet the last inputs.
    if (maps_.at(d).out_step < 0) own = parts - 1 - own;
    first.at(d) = own * all / parts;
    count.at(d) = (own + 1) * all / parts - first.at(d);
  }
  std::vector<TileId> tiles;
  forEachIndex(plan_.partition.kernel, [&](const PerDim& kernel) {
    forEachIndex(count, [&](const PerDim& field) {
      ConvPart part{index[0], index[1], kernel, index[2], first, 0};
      for (std::size_t d = 0; d < kMaxFieldDims; ++d) part.field.at(d) += field.at(d);
      for (; part.out < plan_.partition.out_chans; ++part.out) tiles.push_back(tile(part));
    });
  });
  return tiles;
}

std::vector<TileId> ConvLayout::usersOfWeights(std::size_t block) const {
  const GridIndex index = weights_.indexOf(block);
  std::vector<TileId> tiles;
  for (std::uint32_t batch = 0; batch < plan_.partition.batch; ++batch) {
    forEachIndex(plan_.partition.field, [&](const PerDim& field) {
      tiles.push_back(
          tile({index[0], index[2], {index[3], index[4], index[5]}, batch, field, index[1]}));
    });
  }
  return tiles;
}

Tensor ConvLayout::asInput(const Tensor& tensor, const Tensor& zero) const {
  Shape shape = tensor.shape();
  shape.resize(3 + kMaxFieldDims, 1);
  Tensor input = tensor.reshape(shape);
  for (std::size_t d = 0; d < kMaxFieldDims; ++d) {
    const PositionRange& used = used_.at(d);
    if (used.size() < shape[3 + d]) input = input.slice(used.begin, used.end, 3 + d);
  }
  input = inGrains(input, 1, plan_.vertex.in_chans_per_group, zero);
  input = inGrains(input, 0, plan_.vertex.conv_groups_per_group, zero);
  return input.dimShuffle({0, 2, 4, 5, 6, 7, 1, 3});
}

Tensor ConvLayout::asWeights(const Tensor& tensor, const Tensor& zero,
                             const Tensor& out_padding) const {
  Shape shape = tensor.shape();
  shape.resize(3 + kMaxFieldDims, 1);
  Tensor weights = tensor.reshape(shape);
  weights = inGrains(weights, 2, plan_.vertex.in_chans_per_group, zero);
  weights = inGrains(weights, 1, plan_.vertex.partial_chans_per_group, out_padding);
  if (!hasGroupGrains()) return weights.dimShuffle({0, 1, 3, 5, 6, 7, 2, 4});
  weights = inGrains(weights, 0, plan_.vertex.conv_groups_per_group, zero);
  return weights.dimShuffle({0, 2, 4, 6, 7, 8, 1, 3, 5});
}

Tensor ConvLayout::withoutThirdDim(const Tensor& tensor) const {
  Shape shape = tensor.shape();
  shape.resize(3 + plan_.transformed.dims.size());
  return tensor.reshape(shape);
}

Tensor ConvLayout::fromInput(const Tensor& input) const {
  const ConvParams& params = plan_.transformed;
  const Tensor shuffled = input.dimShuffle({0, 6, 1, 7, 2, 3, 4, 5});
  const Shape& s = shuffled.shape();
  return withoutThirdDim(shuffled.reshape({s[0] * s[1], s[2] * s[3], s[4], s[5], s[6], s[7]})
                             .slice(0, params.groups, 0)
                             .slice(0, params.in_chans, 1));
}

Tensor ConvLayout::fromWeights(const Tensor& weights) const {
  const ConvParams& params = plan_.transformed;
  const Tensor shuffled = hasGroupGrains() ? weights.dimShuffle({0, 6, 1, 7, 2, 8, 3, 4, 5})
                                           : weights.dimShuffle({0, 1, 6, 2, 7, 3, 4, 5});
  Shape s = shuffled.shape();
  if (!hasGroupGrains()) s.insert(s.begin() + 1, 1);
  return withoutThirdDim(shuffled.reshape({s[0] * s[1], s[2] * s[3], s[4] * s[5], s[6], s[7], s[8]})
                             .slice(0, params.groups, 0)
                             .slice(0, params.out_chans, 1)
                             .slice(0, params.in_chans, 2));
}

Tensor ConvLayout::fromResult(const Tensor& result) const {
  const ConvParams& params = plan_.transformed;
  const Tensor shuffled = result.dimShuffle({0, 6, 1, 7, 2, 3, 4, 5});
  const Shape& s = shuffled.shape();
  return withoutThirdDim(shuffled.reshape({s[0] * s[1], s[2] * s[3], s[4], s[5], s[6], s[7]})
                             .slice(0, params.groups, 0)
                             .slice(0, params.out_chans, 1));
}

}  // namespace ipusim::workloads
