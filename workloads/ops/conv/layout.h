// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/conv/block_grid.h"
#include "workloads/ops/conv/dim_map.h"
#include "workloads/ops/conv/planner/plan.h"

// The places of the parts of a planned convolution. In memory, operands and results have their
// groups and channels in two levels: grains, and those of a grain.
//
//   input    (group grains, in grains, batch, 3 field dimensions; groups, in channels)
//   weights  (group grains, out grains, in grains, 3 kernel dimensions; groups, out channels,
//            in channels)
//   result   (group grains, out grains, batch, 3 field dimensions; groups, out channels)
//
// Weights have no dimension for the groups of a grain where that is one group. No tensor of such a
// convolution has more than eight dimensions, and its pieces need no allocation.
//
// A convolution with two field dimensions has a third of size 1, innermost.

namespace ipusim::workloads {

/// The indices of one part of a plan.
struct ConvPart {
  std::uint32_t group = 0;
  std::uint32_t in = 0;
  PerDim kernel{0, 0, 0};
  std::uint32_t batch = 0;
  PerDim field{0, 0, 0};
  std::uint32_t out = 0;
};

class ConvLayout {
 public:
  explicit ConvLayout(const ConvPlan& plan);

  [[nodiscard]] const ConvPlan& plan() const { return plan_; }
  [[nodiscard]] const BlockGrid& input() const { return input_; }
  [[nodiscard]] const BlockGrid& weights() const { return weights_; }
  [[nodiscard]] const BlockGrid& result() const { return result_; }
  [[nodiscard]] const DimMap& map(std::size_t dim) const { return maps_.at(dim); }

  [[nodiscard]] TileId tile(const ConvPart& part) const;
  /// The tiles that use a block. They hold it together.
  [[nodiscard]] std::vector<TileId> usersOfInput(std::size_t block) const;
  [[nodiscard]] std::vector<TileId> usersOfWeights(std::size_t block) const;

  [[nodiscard]] Range fieldOf(std::size_t dim, std::uint32_t part) const;
  [[nodiscard]] Range kernelOf(std::size_t dim, std::uint32_t part) const;
  /// The inputs of a dimension that any output meets. The input in memory has only these.
  [[nodiscard]] const PositionRange& used(std::size_t dim) const { return used_.at(dim); }
  /// The inputs that a part of the field meets with a part of the kernel. When there are none, one
  /// input that the vertex does not read.
  [[nodiscard]] const PositionRange& needed(std::size_t dim, std::uint32_t field,
                                            std::uint32_t kernel) const;

  /// `tensor`, a (groups, in channels, batch, field...), as the input is in memory. `zero` has one
  /// element.
  [[nodiscard]] Tensor asInput(const Tensor& tensor, const Tensor& zero) const;
  /// The (groups, in channels, batch, field...) of an input in memory, without padding. Only for a
  /// convolution that uses all inputs.
  [[nodiscard]] Tensor fromInput(const Tensor& input) const;
  /// `tensor`, a (groups, out channels, in channels, kernel...), as the weights are in memory.
  /// What the last grain of out channels lacks is the element `out_padding`.
  [[nodiscard]] Tensor asWeights(const Tensor& tensor, const Tensor& zero,
                                 const Tensor& out_padding) const;
  /// The (groups, out channels, in channels, kernel...) of weights in memory, without padding.
  [[nodiscard]] Tensor fromWeights(const Tensor& weights) const;
  /// The (groups, out channels, batch, field...) of a result in memory, without padding.
  [[nodiscard]] Tensor fromResult(const Tensor& result) const;

 private:
  [[nodiscard]] bool hasGroupGrains() const { return plan_.vertex.conv_groups_per_group > 1; }
  void addMaps();
  void addGrids();
  [[nodiscard]] std::vector<Range> inputParts(std::size_t dim) const;
  [[nodiscard]] Tensor withoutThirdDim(const Tensor& tensor) const;

  ConvPlan plan_;
  std::array<ConvDim, kMaxFieldDims> dims_;
  std::array<DimMap, kMaxFieldDims> maps_;
  std::array<PositionRange, kMaxFieldDims> used_;
  std::array<std::vector<PositionRange>, kMaxFieldDims> needed_;  ///< by field and kernel part
  BlockGrid input_;
  BlockGrid weights_;
  BlockGrid result_;
};

/// Zeros of that shape, all of them the element `zero`.
Tensor zerosOf(const Tensor& zero, const Shape& shape);

/// `tensor` with zeros behind it in dimension `dim`, so that it has `size` there.
Tensor padded(const Tensor& tensor, std::size_t dim, std::uint64_t size, const Tensor& zero);

}  // namespace ipusim::workloads
