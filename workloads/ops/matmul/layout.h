// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/matmul/plan.h"

// The places of the parts of a planned product. The product is a convolution of an input (F
// positions of IC channels) with weights (OC x IC). Every part of the plan is a block of
// consecutive elements.

namespace ipusim::workloads {

/// The indices of one part of the plan.
struct PartIndex {
  std::uint32_t group = 0;
  std::uint32_t in = 0;
  std::uint32_t field = 0;
  std::uint32_t out = 0;
};

/// The role of an operand in the convolution.
enum class OperandRole : std::uint8_t { Input, Weights };

/// One block of an operand: units x rows x in channels of a group, consecutive, shared by `tiles`.
/// For the input, a unit is a (conv group, in group), and the rows are positions. For the weights,
/// a unit is a (conv group, out group, in group), and the rows are the out channels of a group.
struct OperandBlock {
  std::uint64_t offset;
  std::uint64_t units;
  std::uint64_t rows;
  std::vector<TileId> tiles;
};

/// Rows [first_row, first_row + rows) of each of `units` units from `unit` on, on one tile. They
/// are consecutive elements of a block. There is more than one unit only when the rows are all of
/// them.
struct BlockShare {
  TileId tile;
  std::uint64_t unit;
  std::uint64_t units;
  std::uint64_t first_row;
  std::uint64_t rows;
};

/// The variable to make for an operand.
struct OperandVariable {
  OperandRole role;
  ElementType type;
  std::string name;
  Lifetime lifetime;
};

/// An operand of one serial step in blocks.
struct BlockedOperand {
  std::string name;  ///< prefix of the names of the steps that fill it
  OperandRole role = OperandRole::Input;
  std::vector<OperandBlock> blocks;
  std::uint64_t row_elements = 0;  ///< number of in channels of a group
  Tensor storage;                  ///< one dimension
};

/// What a block holds of an operand: groups, rows and channels, each from the first one on.
struct BlockRange {
  std::uint64_t first_group;
  std::uint64_t groups;
  std::uint64_t first_row;
  std::uint64_t rows;
  std::uint64_t first_channel;
  std::uint64_t channels;
};

/// The sizes and places of the parts of one serial step of a plan. All steps are laid out alike.
/// The last step ends in padding when the steps have more groups of channels than there are.
class MatmulLayout {
 public:
  explicit MatmulLayout(const MatmulPlan& plan);

  [[nodiscard]] const MatmulPlan& plan() const { return plan_; }
  /// The channels that step `step` reads and computes, without padding.
  [[nodiscard]] GrainRange inChansOf(std::uint32_t step) const;
  [[nodiscard]] GrainRange outChansOf(std::uint32_t step) const;
  /// The number of serial steps that read different elements of an operand.
  [[nodiscard]] std::uint32_t stepsOf(OperandRole role) const;
  [[nodiscard]] TileId tile(const PartIndex& part) const;
  [[nodiscard]] GrainRange groups(std::uint32_t part) const;
  [[nodiscard]] GrainRange inGroups(std::uint32_t part) const;   ///< in groups of channels
  [[nodiscard]] GrainRange outGroups(std::uint32_t part) const;  ///< in groups of channels
  [[nodiscard]] GrainRange field(std::uint32_t part) const;      ///< in positions

  /// Adds a variable for `steps` steps of an operand, laid out and mapped as the plan wants it:
  /// each block is spread in whole rows over the tiles that use it. Returns one operand per step;
  /// all of them view the variable. A tile's shares of the steps follow each other.
  std::vector<BlockedOperand> addOperand(Graph& graph, const OperandVariable& variable,
                                         std::uint32_t steps) const;

  /// The matrices that `steps` steps of an operand stand for, as the product has them: one step or
  /// all of them. A single group has no dimension.
  [[nodiscard]] Shape operandShape(OperandRole role, std::uint32_t steps) const;
  /// The matrices that the result of `steps` steps stands for: one step or all of them.
  [[nodiscard]] Shape resultShape(std::uint32_t steps) const;

  /// What block `index` of an operand holds, padding included.
  [[nodiscard]] BlockRange rangeOf(OperandRole role, std::size_t index) const;
  /// A block's (units, rows, channels of a group) as (groups, row groups, rows of a group, in
  /// groups, channels of a group). These are the rows and channels of `rangeOf`, each in two
  /// levels.
  [[nodiscard]] Tensor split(OperandRole role, std::size_t index, const Tensor& block) const;
  /// The whole of an operand as (groups, rows, channels): all steps, without padding. It has as
  /// many pieces as the operand has units. It is meant for reading and writing values, not for
  /// building graphs.
  [[nodiscard]] Tensor logical(const std::vector<BlockedOperand>& steps) const;
  /// What step `index` reads of `operand`, which is (groups, rows, channels) of all steps.
  [[nodiscard]] Tensor stepSource(OperandRole role, const Tensor& operand,
                                  std::uint32_t index) const;

  /// The index of a part's block in an operand.
  [[nodiscard]] std::size_t blockIndex(OperandRole role, const PartIndex& part) const;

  /// The number of elements of the result that a part computes: groups x out groups x positions x
  /// channels.
  [[nodiscard]] std::uint64_t resultElements(const PartIndex& part) const;
  /// The number of elements of all blocks of the result together.
  [[nodiscard]] std::uint64_t resultElements() const;
  /// The parts that compute the blocks of the result, which are those of the first in channels.
  [[nodiscard]] std::vector<PartIndex> resultBlocks() const;
  /// The (groups, positions, out channels) of step `index`. Its blocks follow each other in
  /// `storage`.
  [[nodiscard]] Tensor resultTensor(const Tensor& storage, std::uint32_t index) const;

 private:
  [[nodiscard]] Tensor logicalStep(const BlockedOperand& operand, std::uint32_t index) const;
  [[nodiscard]] Tensor resultBlock(const Tensor& block, const PartIndex& part) const;
  [[nodiscard]] std::uint32_t rowParts(OperandRole role) const;
  [[nodiscard]] OperandBlock blockOf(OperandRole role, const PartIndex& part) const;
  [[nodiscard]] std::vector<OperandBlock> blocksOf(OperandRole role) const;

  MatmulPlan plan_;
  ConvSizes step_;  ///< with padding to whole groups when there are several steps
};

/// The rows that each tile holds of a block, tile by tile: whole units when there are many.
std::vector<BlockShare> sharesOf(const OperandBlock& block);

/// The data of block `index` as (units, rows, channels of a group).
Tensor blockTensor(const BlockedOperand& operand, std::size_t index);

}  // namespace ipusim::workloads
