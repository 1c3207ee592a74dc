// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/layout.h"

#include <algorithm>

#include "sim/base/units.h"

namespace ipusim::workloads {

std::uint32_t MatmulLayout::tile(const PartIndex& part) const {
  const MatmulPartition& p = plan_.partition;
  return ((part.group * p.in_chans + part.in) * p.field + part.field) * p.out_chans + part.out;
}

GrainRange MatmulLayout::groups(std::uint32_t part) const {
  return grainsOfPart(plan_.conv.groups, plan_.partition.conv_groups, part);
}

GrainRange MatmulLayout::inGroups(std::uint32_t part) const {
  const std::uint64_t grains =
      ceilDiv<std::uint64_t>(plan_.conv.in_chans, plan_.method.in_chans_per_group);
  return grainsOfPart(grains, plan_.partition.in_chans, part);
}

GrainRange MatmulLayout::outGroups(std::uint32_t part) const {
  const std::uint64_t grains =
      ceilDiv<std::uint64_t>(plan_.conv.out_chans, plan_.method.partial_chans_per_group);
  return grainsOfPart(grains, plan_.partition.out_chans, part);
}

GrainRange MatmulLayout::field(std::uint32_t part) const {
  const std::uint64_t grain = plan_.partition.field_grain;
  const GrainRange range =
      grainsOfPart(ceilDiv(plan_.conv.field, grain), plan_.partition.field, part);
  const std::uint64_t first = range.first * grain;
  return {first, std::min(plan_.conv.field, first + range.count * grain) - first};
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

std::vector<BlockShare> sharesOf(const OperandBlock& block) {
  std::vector<BlockShare> shares;
  const std::uint64_t rows = block.units * block.rows;
  const std::uint64_t tiles = block.tiles.size();
  for (std::uint64_t t = 0; t < tiles; ++t) {
    const std::uint64_t end = rows * (t + 1) / tiles;
    for (std::uint64_t row = rows * t / tiles; row < end;) {
      const std::uint64_t unit = row / block.rows;
      const std::uint64_t stop = std::min(end, (unit + 1) * block.rows);
      shares.push_back({block.tiles[t], unit, row - unit * block.rows, stop - row});
      row = stop;
    }
  }
  return shares;
}

BlockedOperand MatmulLayout::addOperand(Graph& graph, OperandRole role, models::ElementType type,
                                        const std::string& name, Lifetime lifetime) const {
  BlockedOperand operand{role, {}, 0, {}, {}};
  operand.blocks = blocksOf(role);
  operand.row_elements = plan_.method.in_chans_per_group;
  const OperandBlock& last = operand.blocks.back();
  const std::uint64_t elements = last.offset + last.units * last.rows * operand.row_elements;
  operand.storage = graph.addVariable(type, {elements}, name, lifetime);
  for (const OperandBlock& block : operand.blocks) {
    for (const BlockShare& share : sharesOf(block)) {
      const std::uint64_t row = share.unit * block.rows + share.first_row;
      const std::uint64_t begin = block.offset + row * operand.row_elements;
      const std::uint64_t end = begin + share.rows * operand.row_elements;
      graph.setTileMapping(operand.storage.slice(begin, end, 0), share.tile);
    }
  }
  std::vector<Tensor> blocks;
  for (const OperandBlock& block : operand.blocks) {
    const std::uint64_t size = block.units * block.rows * operand.row_elements;
    blocks.push_back(operand.storage.slice(block.offset, block.offset + size, 0)
                         .reshape({block.units, block.rows, operand.row_elements}));
  }
  operand.logical = assemble(role, blocks);
  return operand;
}

Tensor MatmulLayout::assemble(OperandRole role, const std::vector<Tensor>& blocks) const {
  const MatmulPartition& p = plan_.partition;
  std::vector<Tensor> by_group;
  auto block = blocks.begin();
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    const std::uint64_t conv_groups = groups(group).count;
    std::vector<Tensor> by_row;
    for (std::uint32_t row = 0; row < rowParts(role); ++row) {
      std::vector<Tensor> by_in;
      for (std::uint32_t in = 0; in < p.in_chans; ++in, ++block) {
        const Shape& shape = block->shape();
        const std::uint64_t ins = inGroups(in).count;
        const std::uint64_t outer = shape[0] / conv_groups / ins;
        by_in.push_back(block->reshape({conv_groups, outer, ins, shape[1], shape[2]})
                            .dimShuffle({0, 1, 3, 2, 4})
                            .reshape({conv_groups, outer * shape[1], ins * shape[2]}));
      }
      by_row.push_back(concat(by_in, 2));
    }
    by_group.push_back(concat(by_row, 1));
  }
  return concat(by_group, 0);
}

std::uint64_t MatmulLayout::resultElements(const PartIndex& part) const {
  return groups(part.group).count * outGroups(part.out).count * field(part.field).count *
         plan_.method.partial_chans_per_group;
}

Tensor MatmulLayout::resultTensor(const Tensor& block, const PartIndex& part) const {
  const std::uint64_t g = groups(part.group).count;
  const std::uint64_t o = outGroups(part.out).count;
  const std::uint64_t f = field(part.field).count;
  const std::uint64_t pc = plan_.method.partial_chans_per_group;
  return block.reshape({g, o, f, pc}).dimShuffle({0, 2, 1, 3}).reshape({g, f, o * pc});
}

}  // namespace ipusim::workloads
