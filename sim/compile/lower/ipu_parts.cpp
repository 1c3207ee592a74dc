// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/ipu_parts.h"

#include <cmath>

namespace ipusim::compiler {

IpuParts::IpuParts(const Lowered& lowered, const TileSpace& space)
    : lowered_(lowered), space_(space) {
  if (space.ipus == 1) return;
  part_.control = lowered.control;
  part_.positions = lowered.positions;
  part_.blocks = lowered.blocks;
  for (Block& block : part_.blocks) block.tile = onIpu(block.tile);
}

const Lowered& IpuParts::of(std::uint32_t ipu) {
  if (space_.ipus == 1) return lowered_;
  part_.steps.clear();
  for (const Step& step : lowered_.steps) part_.steps.push_back(partOf(step, ipu));
  return part_;
}

Step IpuParts::partOf(const Step& step, std::uint32_t ipu) const {
  Step part{step.name, step.kind, {}, {}};
  for (const BoundFamily& family : step.families) {
    if (space_.ipuOf(family.tile) != ipu) continue;
    part.families.push_back(
        {family.type, onIpu(family.tile), family.count, family.round_robin, {}});
  }
  for (const auto& [tile, cycles] : step.measured) {
    if (space_.ipuOf(tile) == ipu) part.measured.emplace(onIpu(tile), cycles);
  }
  if (step.kind == StepKind::Exchange) part.messages = messagesOf(step.messages, ipu);
  part.host = step.host;
  if (step.kind == StepKind::HostCopy) part.host.bytes = hostBytesOf(step.host, ipu);
  if (step.kind == StepKind::RemoteBegin) part.remote = rowCopyOf(step.remote, ipu);
  return part;
}

RowCopy IpuParts::rowCopyOf(const RowCopy& row, std::uint32_t ipu) const {
  RowCopy part = row;
  part.parts.clear();
  for (const RowPart& one : row.parts) {
    if (space_.ipuOf(lowered_.blocks[indexOf(one.block)].tile) == ipu) part.parts.push_back(one);
  }
  return part;
}

Messages IpuParts::messagesOf(const Messages& messages, std::uint32_t ipu) const {
  Messages part = messages;
  for (const MessageRun& run : part.takeAll()) {
    run.forEach([&](const Message& message) {
      const TileId sender = lowered_.blocks[indexOf(message.from)].tile;
      if (space_.ipuOf(sender) == ipu) part.add(message);
    });
  }
  return part;
}

/// The IPU's share of a host copy, by its share of the variables. Every IPU has a link to the
/// host.
Bytes IpuParts::hostBytesOf(const HostCopy& copy, std::uint32_t ipu) const {
  std::uint64_t here = 0;
  std::uint64_t all = 0;
  for (const VariableId variable : copy.variables) {
    for (const BlockId id : lowered_.share_of[indexOf(variable)]) {
      if (id == kNoBlock) continue;
      const Block& block = lowered_.blocks[indexOf(id)];
      all += block.bytes.value();
      if (space_.ipuOf(block.tile) == ipu) here += block.bytes.value();
    }
  }
  if (all == 0) return Bytes(0);
  const double share = static_cast<double>(here) / static_cast<double>(all);
  return Bytes(
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(copy.bytes.value()))));
}

}  // namespace ipusim::compiler
