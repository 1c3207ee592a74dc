// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/matmul/plan.h"

// Where the parts of a planned product lie. The product is a convolution of an input (F positions
// of IC channels) with weights (OC x IC); every part of the plan is a block of consecutive
// elements.

namespace ipusim::workloads {

/// Indices of one part of the plan.
struct PartIndex {
  std::uint32_t group = 0;
  std::uint32_t in = 0;
  std::uint32_t field = 0;
  std::uint32_t out = 0;
};

/// What an operand is in the convolution.
enum class OperandRole : std::uint8_t { Input, Weights };

/// One block of an operand: units x rows x in channels of a group, consecutive, shared by `tiles`.
/// Input: the units are (conv group, in group), the rows positions. Weights: the units are (conv
/// group, out group, in group), the rows the out channels of a group.
struct OperandBlock {
  std::uint64_t offset;
  std::uint64_t units;
  std::uint64_t rows;
  std::vector<TileId> tiles;
};

/// Rows [first_row, first_row + rows) of each of `units` units from `unit` on: consecutive elements
/// of a block on one tile. More than one unit only where the rows are all of them.
struct BlockShare {
  TileId tile;
  std::uint64_t unit;
  std::uint64_t units;
  std::uint64_t first_row;
  std::uint64_t rows;
};

/// What a variable for an operand is to be.
struct OperandVariable {
  OperandRole role;
  ElementType type;
  std::string name;
  Lifetime lifetime;
};

/// An operand of one serial step in blocks.
struct BlockedOperand {
  std::string name;  ///< heads the names of the steps that fill it
  OperandRole role = OperandRole::Input;
  std::vector<OperandBlock> blocks;
  std::uint64_t row_elements = 0;  ///< in channels of a group
  Tensor storage;                  ///< one dimension
};

/// What a block holds of an operand: groups, rows and channels from the first ones on.
struct BlockRange {
  std::uint64_t first_group;
  std::uint64_t groups;
  std::uint64_t first_row;
  std::uint64_t rows;
  std::uint64_t first_channel;
  std::uint64_t channels;
};

/// The sizes and places of the parts of one serial step of a plan. All steps are laid out alike:
/// the last one ends in padding where the steps' groups of channels are more than there are.
class MatmulLayout {
 public:
  explicit MatmulLayout(const MatmulPlan& plan);

  [[nodiscard]] const MatmulPlan& plan() const { return plan_; }
  /// Channels that step `step` reads and computes, without padding.
  [[nodiscard]] GrainRange inChansOf(std::uint32_t step) const;
  [[nodiscard]] GrainRange outChansOf(std::uint32_t step) const;
  /// Serial steps that read other elements of an operand.
  [[nodiscard]] std::uint32_t stepsOf(OperandRole role) const;
  [[nodiscard]] TileId tile(const PartIndex& part) const;
  [[nodiscard]] GrainRange groups(std::uint32_t part) const;
  [[nodiscard]] GrainRange inGroups(std::uint32_t part) const;   ///< in groups of channels
  [[nodiscard]] GrainRange outGroups(std::uint32_t part) const;  ///< in groups of channels
  [[nodiscard]] GrainRange field(std::uint32_t part) const;      ///< in positions

  /// A variable for `steps` steps of an operand, laid out and mapped as the plan wants it: each
  /// block is spread in whole rows over the tiles that use it. One operand a step, all views of the
  /// variable; a tile's shares of the steps follow one another.
  std::vector<BlockedOperand> addOperand(Graph& graph, const OperandVariable& variable,
                                         std::uint32_t steps) const;

  /// What block `index` of an operand holds, padding included.
  [[nodiscard]] BlockRange rangeOf(OperandRole role, std::size_t index) const;
  /// A block's (units, rows, channels of a group) as (groups, row groups, rows of a group, in
  /// groups, channels of a group): rows and channels of `rangeOf`, each in two levels.
  [[nodiscard]] Tensor split(OperandRole role, std::size_t index, const Tensor& block) const;
  /// The whole of an operand as (groups, rows, channels), all steps, without padding. Its pieces
  /// are as many as the operand has units: for reading and writing values, not for building graphs.
  [[nodiscard]] Tensor logical(const std::vector<BlockedOperand>& steps) const;
  /// What step `index` reads of `operand`, (groups, rows, channels) of all steps.
  [[nodiscard]] Tensor stepSource(OperandRole role, const Tensor& operand,
                                  std::uint32_t index) const;

  /// Index of a part's block in an operand.
  [[nodiscard]] std::size_t blockIndex(OperandRole role, const PartIndex& part) const;

  /// Elements of the result that part computes: groups x out groups x positions x channels.
  [[nodiscard]] std::uint64_t resultElements(const PartIndex& part) const;
  /// The same, the parts of all blocks of the result together.
  [[nodiscard]] std::uint64_t resultElements() const;
  /// The parts that compute the blocks of the result: those of the first in channels.
  [[nodiscard]] std::vector<PartIndex> resultBlocks() const;
  /// The (groups, positions, out channels) of step `index`, whose blocks follow one another in
  /// `storage`.
  [[nodiscard]] Tensor resultTensor(const Tensor& storage, std::uint32_t index) const;

 private:
  [[nodiscard]] Tensor logicalStep(const BlockedOperand& operand, std::uint32_t index) const;
  [[nodiscard]] Tensor resultBlock(const Tensor& block, const PartIndex& part) const;
  [[nodiscard]] std::uint32_t rowParts(OperandRole role) const;
  [[nodiscard]] OperandBlock blockOf(OperandRole role, const PartIndex& part) const;
  [[nodiscard]] std::vector<OperandBlock> blocksOf(OperandRole role) const;

  MatmulPlan plan_;
  ConvSizes step_;  ///< with padding to whole groups where there are several steps
};

/// The rows each tile holds of a block, tile by tile: whole units where they are many.
std::vector<BlockShare> sharesOf(const OperandBlock& block);

/// The data of block `index` as (units, rows, channels of a group).
Tensor blockTensor(const BlockedOperand& operand, std::size_t index);

}  // namespace ipusim::workloads
