// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/layout.h"

#include <algorithm>
#include <utility>

#include "ipusim/units.h"

namespace ipusim::workloads {

namespace {

/// The channels of one of `steps` steps: whole groups of `grain`, when there is more than one step.
std::uint64_t stepChannels(std::uint64_t channels, std::uint64_t grain, std::uint32_t steps) {
  return steps == 1 ? channels : ceilDiv<std::uint64_t>(ceilDiv(channels, grain), steps) * grain;
}

ConvSizes stepSizes(const MatmulPlan& plan) {
  ConvSizes step = plan.conv;
  step.in_chans =
      stepChannels(step.in_chans, plan.method.in_chans_per_group, plan.partition.in_chans_serial);
  step.out_chans = stepChannels(step.out_chans, plan.method.partial_chans_per_group,
                                plan.partition.out_chans_serial);
  return step;
}

/// What is left of `channels` for step `index`, when each step has `each`.
GrainRange channelRangeOfStep(std::uint64_t channels, std::uint64_t each, std::uint32_t index) {
  const std::uint64_t first = std::min(channels, index * each);
  return {first, std::min(channels - first, each)};
}

}  // namespace

MatmulLayout::MatmulLayout(const MatmulPlan& plan) : plan_(plan), step_(stepSizes(plan)) {}

std::uint32_t MatmulLayout::stepsOf(OperandRole role) const {
  return role == OperandRole::Input ? plan_.partition.in_chans_serial : plan_.partition.steps();
}

TileId MatmulLayout::tile(const PartIndex& part) const {
  const MatmulPartition& p = plan_.partition;
  return TileId(((part.group * p.in_chans + part.in) * p.field + part.field) * p.out_chans +
                part.out);
}

GrainRange MatmulLayout::inChansOf(std::uint32_t step) const {
  return channelRangeOfStep(plan_.conv.in_chans, step_.in_chans,
                            plan_.partition.in_chans_serial > 1 ? step : 0);
}

GrainRange MatmulLayout::outChansOf(std::uint32_t step) const {
  return channelRangeOfStep(plan_.conv.out_chans, step_.out_chans,
                            plan_.partition.out_chans_serial > 1 ? step : 0);
}

GrainRange MatmulLayout::groups(std::uint32_t part) const {
  return grainsOfPart(step_.groups, plan_.partition.conv_groups, part);
}

GrainRange MatmulLayout::inGroups(std::uint32_t part) const {
  const auto grains = ceilDiv<std::uint64_t>(step_.in_chans, plan_.method.in_chans_per_group);
  return grainsOfPart(grains, plan_.partition.in_chans, part);
}

GrainRange MatmulLayout::outGroups(std::uint32_t part) const {
  const auto grains = ceilDiv<std::uint64_t>(step_.out_chans, plan_.method.partial_chans_per_group);
  return grainsOfPart(grains, plan_.partition.out_chans, part);
}

GrainRange MatmulLayout::field(std::uint32_t part) const {
  const std::uint64_t grain = plan_.partition.field_grain;
  const GrainRange range = grainsOfPart(ceilDiv(step_.field, grain), plan_.partition.field, part);
  const std::uint64_t first = range.first * grain;
  return {first, std::min(step_.field, first + range.count * grain) - first};
}

std::uint32_t MatmulLayout::rowParts(OperandRole role) const {
  return role == OperandRole::Input ? plan_.partition.field : plan_.partition.out_chans;
}

std::size_t MatmulLayout::blockIndex(OperandRole role, const PartIndex& part) const {
  const std::uint32_t row = role == OperandRole::Input ? part.field : part.out;
  return (std::size_t{part.group} * rowParts(role) + row) * plan_.partition.in_chans + part.in;
}

OperandBlock MatmulLayout::blockOf(OperandRole role, const PartIndex& part) const {
  const std::uint64_t units = groups(part.group).count * inGroups(part.in).count;
  OperandBlock block{};
  PartIndex user = part;
  if (role == OperandRole::Input) {
    block.units = units;
    block.rows = field(part.field).count;
    for (; user.out < plan_.partition.out_chans; ++user.out) block.tiles.push_back(tile(user));
  } else {
    block.units = units * outGroups(part.out).count;
    block.rows = plan_.method.partial_chans_per_group;
    for (; user.field < plan_.partition.field; ++user.field) block.tiles.push_back(tile(user));
  }
  return block;
}

std::vector<OperandBlock> MatmulLayout::blocksOf(OperandRole role) const {
  const MatmulPartition& p = plan_.partition;
  std::vector<OperandBlock> blocks;
  std::uint64_t offset = 0;
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    for (std::uint32_t row = 0; row < rowParts(role); ++row) {
      for (std::uint32_t in = 0; in < p.in_chans; ++in) {
        PartIndex part{group, in, 0, 0};
        (role == OperandRole::Input ? part.field : part.out) = row;
        blocks.push_back(blockOf(role, part));
        blocks.back().offset = offset;
        offset += blocks.back().units * blocks.back().rows * plan_.method.in_chans_per_group;
      }
    }
  }
  return blocks;
}

namespace {

// From this number of units per tile on, shares of whole units differ little enough.
constexpr std::uint64_t kUnitsToShareWhole = 8;

}  // namespace

std::vector<BlockShare> sharesOf(const OperandBlock& block) {
  const std::uint64_t tiles = block.tiles.size();
  const bool whole = block.units >= kUnitsToShareWhole * tiles;
  const std::uint64_t grain = whole ? block.rows : 1;
  const std::uint64_t grains = block.units * block.rows / grain;
  std::vector<BlockShare> shares;
  for (std::uint64_t t = 0; t < tiles; ++t) {
    const std::uint64_t end = grains * (t + 1) / tiles * grain;
    for (std::uint64_t row = grains * t / tiles * grain; row < end;) {
      const std::uint64_t first = row % block.rows;
      const std::uint64_t units = first == 0 ? (end - row) / block.rows : 0;
      const std::uint64_t rows = units > 0 ? block.rows : std::min(end - row, block.rows - first);
      shares.push_back(
          {block.tiles[t], row / block.rows, std::max<std::uint64_t>(1, units), first, rows});
      row += shares.back().units * rows;
    }
  }
  return shares;
}

Tensor blockTensor(const BlockedOperand& operand, std::size_t index) {
  const OperandBlock& block = operand.blocks[index];
  const std::uint64_t size = block.units * block.rows * operand.row_elements;
  return operand.storage.slice(block.offset, block.offset + size, 0)
      .reshape({block.units, block.rows, operand.row_elements});
}

std::vector<BlockedOperand> MatmulLayout::addOperand(Graph& graph, const OperandVariable& variable,
                                                     std::uint32_t steps) const {
  const std::uint64_t channels = plan_.method.in_chans_per_group;
  const std::vector<OperandBlock> blocks = blocksOf(variable.role);
  const OperandBlock& last = blocks.back();
  const std::uint64_t elements = last.offset + last.units * last.rows * channels;
  const Tensor storage =
      graph.addVariable(variable.type, {steps * elements}, variable.name, variable.lifetime);
  graph.setShape(storage, operandShape(variable.role, steps));
  std::vector<BlockedOperand> operands;
  for (std::uint32_t step = 0; step < steps; ++step) {
    const Tensor own = storage.slice(step * elements, (step + 1) * elements, 0);
    for (const OperandBlock& block : blocks) {
      for (const BlockShare& share : sharesOf(block)) {
        const std::uint64_t row = share.unit * block.rows + share.first_row;
        const std::uint64_t begin = block.offset + row * channels;
        const std::uint64_t end = begin + share.units * share.rows * channels;
        graph.setTileMapping(own.slice(begin, end, 0), share.tile);
      }
    }
    operands.push_back({variable.name, variable.role, blocks, channels, own});
  }
  return operands;
}

namespace {

/// The shape of matrices that are stored `turned` or as they are.
Shape matrices(std::uint64_t groups, std::uint64_t rows, std::uint64_t columns, bool turned) {
  if (turned) std::swap(rows, columns);
  return groups == 1 ? Shape{rows, columns} : Shape{groups, rows, columns};
}

}  // namespace

Shape MatmulLayout::operandShape(OperandRole role, std::uint32_t steps) const {
  const ConvSizes& sizes = steps == 1 ? step_ : plan_.conv;
  const bool is_left = (role == OperandRole::Weights) == (plan_.order == OperandOrder::Swapped);
  const std::uint64_t rows = role == OperandRole::Input ? sizes.field : sizes.out_chans;
  return matrices(sizes.groups, rows, sizes.in_chans, !is_left);
}

Shape MatmulLayout::resultShape(std::uint32_t steps) const {
  const ConvSizes& sizes = steps == 1 ? step_ : plan_.conv;
  return matrices(sizes.groups, sizes.field, sizes.out_chans, plan_.order == OperandOrder::Swapped);
}

BlockRange MatmulLayout::rangeOf(OperandRole role, std::size_t index) const {
  const MatmulPartition& p = plan_.partition;
  const std::uint64_t channels = plan_.method.in_chans_per_group;
  const std::uint64_t row_grain =
      role == OperandRole::Input ? 1 : plan_.method.partial_chans_per_group;
  const auto in = static_cast<std::uint32_t>(index % p.in_chans);
  const auto row = static_cast<std::uint32_t>(index / p.in_chans % rowParts(role));
  const auto group = static_cast<std::uint32_t>(index / p.in_chans / rowParts(role));
  const GrainRange rows = role == OperandRole::Input ? field(row) : outGroups(row);
  return {groups(group).first,    groups(group).count,           rows.first * row_grain,
          rows.count * row_grain, inGroups(in).first * channels, inGroups(in).count * channels};
}

Tensor MatmulLayout::split(OperandRole role, std::size_t index, const Tensor& block) const {
  const BlockRange range = rangeOf(role, index);
  const Shape& shape = block.shape();
  return block
      .reshape({range.groups, range.rows / shape[1], range.channels / shape[2], shape[1], shape[2]})
      .dimShuffle({0, 1, 3, 2, 4});
}

Tensor MatmulLayout::logicalStep(const BlockedOperand& operand, std::uint32_t index) const {
  const MatmulPartition& p = plan_.partition;
  std::vector<Tensor> by_group;
  std::size_t b = 0;
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    std::vector<Tensor> by_row;
    for (std::uint32_t row = 0; row < rowParts(operand.role); ++row) {
      std::vector<Tensor> by_in;
      for (std::uint32_t in = 0; in < p.in_chans; ++in, ++b) {
        const BlockRange range = rangeOf(operand.role, b);
        by_in.push_back(split(operand.role, b, blockTensor(operand, b))
                            .reshape({range.groups, range.rows, range.channels}));
      }
      by_row.push_back(concat(by_in, 2));
    }
    by_group.push_back(concat(by_row, 1));
  }
  const std::uint64_t rows =
      operand.role == OperandRole::Input ? step_.field : outChansOf(index).count;
  return concat(by_group, 0).slice(0, rows, 1).slice(0, inChansOf(index).count, 2);
}

Tensor MatmulLayout::logical(const std::vector<BlockedOperand>& steps) const {
  std::vector<Tensor> parts;
  parts.reserve(steps.size());
  for (const BlockedOperand& step : steps) {
    parts.push_back(logicalStep(step, static_cast<std::uint32_t>(parts.size())));
  }
  return concat(parts, plan_.partition.in_chans_serial > 1 ? 2 : 1);
}

Tensor MatmulLayout::stepSource(OperandRole role, const Tensor& operand,
                                std::uint32_t index) const {
  const GrainRange in = inChansOf(index);
  Tensor channels = operand.slice(in.first, in.first + in.count, 2);
  if (role == OperandRole::Input) return channels;
  const GrainRange out = outChansOf(index);
  return channels.slice(out.first, out.first + out.count, 1);
}

std::uint64_t MatmulLayout::resultElements(const PartIndex& part) const {
  return groups(part.group).count * outGroups(part.out).count * field(part.field).count *
         plan_.method.partial_chans_per_group;
}

std::uint64_t MatmulLayout::resultElements() const {
  std::uint64_t elements = 0;
  for (const PartIndex& block : resultBlocks()) elements += resultElements(block);
  return elements;
}

std::vector<PartIndex> MatmulLayout::resultBlocks() const {
  const MatmulPartition& p = plan_.partition;
  std::vector<PartIndex> blocks;
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    for (std::uint32_t field = 0; field < p.field; ++field) {
      for (std::uint32_t out = 0; out < p.out_chans; ++out)
        blocks.push_back({group, 0, field, out});
    }
  }
  return blocks;
}

Tensor MatmulLayout::resultBlock(const Tensor& block, const PartIndex& part) const {
  const std::uint64_t g = groups(part.group).count;
  const std::uint64_t o = outGroups(part.out).count;
  const std::uint64_t f = field(part.field).count;
  const std::uint64_t pc = plan_.method.partial_chans_per_group;
  return block.reshape({g, o, f, pc}).dimShuffle({0, 2, 1, 3}).reshape({g, f, o * pc});
}

Tensor MatmulLayout::resultTensor(const Tensor& storage, std::uint32_t index) const {
  const MatmulPartition& p = plan_.partition;
  std::vector<Tensor> by_group;
  std::vector<Tensor> by_field;
  std::vector<Tensor> by_out;
  std::uint64_t next = 0;
  for (const PartIndex& part : resultBlocks()) {
    const std::uint64_t end = next + resultElements(part);
    by_out.push_back(resultBlock(storage.slice(next, end, 0), part));
    next = end;
    if (by_out.size() < p.out_chans) continue;
    by_field.push_back(concat(by_out, 2));
    by_out.clear();
    if (by_field.size() < p.field) continue;
    by_group.push_back(concat(by_field, 1));
    by_field.clear();
  }
  return concat(by_group, 0).slice(0, outChansOf(index).count, 2);
}

}  // namespace ipusim::workloads
