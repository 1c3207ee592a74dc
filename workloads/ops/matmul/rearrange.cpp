// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/rearrange.h"

#include <algorithm>
#include <optional>

#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/tile_transposes.h"

namespace ipusim::workloads {

namespace {

/// Equal matrices one after the other on one tile, at equal offsets before and after.
struct Matrices {
  TileId tile;
  std::uint64_t offset;
  std::uint64_t count;
  std::uint64_t rows;     ///< before the transpose
  std::uint64_t columns;  ///< before the transpose

  [[nodiscard]] std::uint64_t elements() const { return count * rows * columns; }
};

/// What each tile holds of a block: runs of whole units, or a part of a unit.
std::vector<Matrices> matricesOf(const OperandBlock& block, std::uint64_t channels) {
  std::vector<Matrices> all;
  for (const BlockShare& share : sharesOf(block)) {
    const std::uint64_t row = share.unit * block.rows + share.first_row;
    all.push_back({share.tile, block.offset + row * channels, share.units, channels, share.rows});
  }
  return all;
}

/// The data of an operand as it arrives, with matrices that are not transposed yet.
class TransposedArrival {
 public:
  TransposedArrival(const MatmulSite& site, const std::vector<BlockedOperand>& steps,
                    ComputeSetId compute_set)
      : graph_(site.graph),
        step_elements_(steps.front().storage.elements()),
        arrived_(graph_.addVariable(steps.front().storage.type(), {steps.size() * step_elements_},
                                    steps.front().name + "/arrived")),
        transposes_(site.graph, site.machine, compute_set) {
    const auto count = static_cast<std::uint32_t>(steps.size());
    graph_.setShape(arrived_, site.layout.operandShape(steps.front().role, count));
  }

  /// Maps block `b` of a step's arrived data like the operand, and adds the vertices that transpose
  /// it. Returns the (units, rows, channels) of the arrived data.
  Tensor addBlock(const BlockedOperand& operand, std::size_t step, std::size_t b) {
    const OperandBlock& block = operand.blocks[b];
    const Tensor arrived = arrived_.slice(step * step_elements_, (step + 1) * step_elements_, 0);
    std::vector<Tensor> units;
    std::vector<Tensor> rows;
    for (const Matrices& matrices : matricesOf(block, operand.row_elements)) {
      const Tensor data = slice(arrived, matrices);
      graph_.setTileMapping(data, matrices.tile);
      transposes_.add({matrices.tile, matrices.count, matrices.rows, matrices.columns}, data,
                      slice(operand.storage, matrices));
      const Tensor turned =
          data.reshape({matrices.count, matrices.rows, matrices.columns}).dimShuffle({0, 2, 1});
      if (matrices.columns == block.rows) {
        units.push_back(turned);
        continue;
      }
      rows.push_back(turned);
      const Tensor unit = concat(rows, 1);
      if (unit.shape()[1] != block.rows) continue;
      units.push_back(unit);
      rows.clear();
    }
    return concat(units, 0);
  }

 private:
  static Tensor slice(const Tensor& storage, const Matrices& matrices) {
    return storage.slice(matrices.offset, matrices.offset + matrices.elements(), 0);
  }

  Graph& graph_;
  std::uint64_t step_elements_;
  Tensor arrived_;
  TileTransposes transposes_;
};

/// True when the channels of the source are consecutive in memory.
bool channelsAreConsecutive(const Tensor& source) {
  return std::all_of(source.pieces().begin(), source.pieces().end(),
                     [](const Tensor::Piece& p) { return p.extent[2] == 1 || p.stride[2] == 1; });
}

/// A part of a padded range in groups of `size`: `count` groups from `first` on. Of each group the
/// first `used` elements are used.
struct UsedGroups {
  std::uint64_t first;
  std::uint64_t count;
  std::uint64_t used;
};

/// The groups that `valid` leading elements fill: whole groups, then a partly filled one.
std::vector<UsedGroups> usedGroups(std::uint64_t valid, std::uint64_t size) {
  std::vector<UsedGroups> groups;
  if (valid / size != 0) groups.push_back({0, valid / size, size});
  if (valid % size != 0) groups.push_back({valid / size, 1, valid % size});
  return groups;
}

/// How many of the `count` elements from `first` on are below `size`.
std::uint64_t limited(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  return first >= size ? 0 : std::min(count, size - first);
}

/// The part of `range` that a source of this shape has.
BlockRange clipped(BlockRange range, const Shape& source) {
  range.rows = limited(range.first_row, range.rows, source[1]);
  range.channels = limited(range.first_channel, range.channels, source[2]);
  return range;
}

/// Adds what a block has beyond its first `valid` channels: the rest of a group, then whole groups.
/// The block is in two levels, as MatmulLayout::split gives it.
void addPadding(const Tensor& block, std::uint64_t valid, std::vector<Tensor>& padding) {
  const std::uint64_t groups = block.shape()[3];
  const std::uint64_t size = block.shape()[4];
  const std::uint64_t first = valid / size;
  const std::uint64_t used = valid % size;
  if (used != 0) padding.push_back(block.slice(first, first + 1, 3).slice(used, size, 4));
  const std::uint64_t whole = ceilDiv(valid, size);
  if (whole < groups) padding.push_back(block.slice(whole, groups, 3));
}

/// Adds the pairs that copy from `source` into one block. The block is in two levels, as
/// MatmulLayout::split gives it.
void addBlockCopies(const Tensor& source, const BlockRange& range, const Tensor& block,
                    std::vector<CopyPair>& pairs) {
  const std::uint64_t row_size = block.shape()[2];
  const std::uint64_t channel_size = block.shape()[4];
  const Tensor groups = source.slice(range.first_group, range.first_group + range.groups, 0);
  for (const UsedGroups& rows : usedGroups(range.rows, row_size)) {
    const std::uint64_t row = range.first_row + rows.first * row_size;
    const Tensor from_rows = groups.slice(row, row + rows.count * rows.used, 1);
    const Tensor to_rows =
        block.slice(rows.first, rows.first + rows.count, 1).slice(0, rows.used, 2);
    for (const UsedGroups& channels : usedGroups(range.channels, channel_size)) {
      const std::uint64_t channel = range.first_channel + channels.first * channel_size;
      pairs.push_back(
          {from_rows.slice(channel, channel + channels.count * channels.used, 2)
               .reshape({range.groups, rows.count, rows.used, channels.count, channels.used}),
           to_rows.slice(channels.first, channels.first + channels.count, 3)
               .slice(0, channels.used, 4)});
    }
  }
}

/// Adds the copies into one operand. With `transposing` its matrices arrive as they are.
void addArrival(const MatmulSite& site, const OperandArrival& arrival,
                TransposedArrival* transposing, std::vector<CopyPair>& pairs) {
  for (std::uint32_t step = 0; step < arrival.steps.size(); ++step) {
    const BlockedOperand& operand = arrival.steps[step];
    const Tensor source = site.layout.stepSource(operand.role, arrival.source, step);
    for (std::size_t b = 0; b < operand.blocks.size(); ++b) {
      const Tensor block = transposing != nullptr ? transposing->addBlock(operand, step, b)
                                                  : blockTensor(operand, b);
      addBlockCopies(source, clipped(site.layout.rangeOf(operand.role, b), source.shape()),
                     site.layout.split(operand.role, b, block), pairs);
    }
  }
}

}  // namespace

void rearrangeOperands(const MatmulSite& site, const std::vector<OperandArrival>& arrivals,
                       Program& program) {
  std::vector<CopyPair> pairs;
  std::vector<const std::vector<BlockedOperand>*> operands;
  std::optional<ComputeSetId> transposes;
  for (const OperandArrival& arrival : arrivals) {
    operands.push_back(&arrival.steps);
    std::optional<TransposedArrival> transposing;
    if (!channelsAreConsecutive(arrival.source)) {
      if (!transposes) transposes = site.graph.addComputeSet(site.name + "/Transpose");
      transposing.emplace(site, arrival.steps, *transposes);
    }
    addArrival(site, arrival, transposing ? &*transposing : nullptr, pairs);
  }
  program.add(site.graph.copy(pairs, site.name + "/PreArrange"));
  if (transposes) program.add(execute(*transposes));
  clearPadding(site, operands, program);
}

void clearPadding(const MatmulSite& site,
                  const std::vector<const std::vector<BlockedOperand>*>& operands,
                  Program& program) {
  std::vector<Tensor> padding;
  for (const std::vector<BlockedOperand>* steps : operands) {
    for (std::uint32_t step = 0; step < steps->size(); ++step) {
      const BlockedOperand& operand = (*steps)[step];
      const std::uint64_t channels = site.layout.inChansOf(step).count;
      for (std::size_t b = 0; b < operand.blocks.size(); ++b) {
        const BlockRange range = site.layout.rangeOf(operand.role, b);
        const std::uint64_t valid = limited(range.first_channel, range.channels, channels);
        if (valid == range.channels) continue;
        addPadding(site.layout.split(operand.role, b, blockTensor(operand, b)), valid, padding);
      }
    }
  }
  if (!padding.empty()) addZero(site.graph, site.machine, padding, site.name + "/Padding", program);
}

}  // namespace ipusim::workloads
