// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// Writes a tile's program op by op.
class TileBuilder {
 public:
  TileBuilder& compute(std::uint32_t step, const std::vector<VertexRun>& runs);
  TileBuilder& sync(std::uint32_t step);
  TileBuilder& exchange(std::uint32_t step, const std::vector<PortUse>& sends,
                        const std::vector<PortUse>& receives = {});
  TileBuilder& hostTransfer(std::uint32_t step, Cycles transfer);
  TileBuilder& repeat(std::uint64_t iterations);
  TileBuilder& end();
  /// A Sync, RepeatBegin or RepeatEnd as it stands.
  TileBuilder& meet(const TileOp& op);

  [[nodiscard]] const TileProgram& program() const { return program_; }

 private:
  TileProgram program_;
};

inline VertexRun workers(std::uint32_t count, std::uint64_t issue_slots) {
  return {VertexKind::Worker, count, Cycles(issue_slots)};
}

inline VertexRun supervisors(std::uint32_t count, std::uint64_t cycles) {
  return {VertexKind::Supervisor, count, Cycles(cycles)};
}

/// Six workers, no overheads, all tiles at the controller.
ChipTiming plainTiming(std::size_t tiles);

/// As many steps as the tiles use.
ChipPrograms chipOf(const ChipTiming& timing, const std::vector<TileBuilder>& tiles);

}  // namespace ipusim::models
