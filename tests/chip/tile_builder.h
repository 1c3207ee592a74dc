// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// Writes a tile's program op by op.
class TileBuilder {
 public:
  TileBuilder& compute(std::uint32_t step, const std::vector<VertexRun>& runs);
  TileBuilder& sync(std::uint32_t step);
  /// Takes part in the exchange of the chip with that number.
  TileBuilder& exchange(std::uint32_t step, std::uint32_t exchange = 0);
  TileBuilder& exchangeBound(std::uint32_t step, Cycles ports_free);
  /// A Compute or an Exchange that takes `cycles`, which were measured.
  TileBuilder& computeMeasured(std::uint32_t step, Cycles cycles);
  TileBuilder& exchangeMeasured(std::uint32_t step, Cycles cycles);
  TileBuilder& hostTransfer(std::uint32_t step, Cycles transfer);
  TileBuilder& repeat(std::uint64_t iterations);
  TileBuilder& end();
  /// Adds an op that all tiles have.
  TileBuilder& meet(const TileOp& op);

  [[nodiscard]] const TileProgram& program() const { return program_; }
  /// The transfers that `first` of a HostTransfer of the program counts in.
  [[nodiscard]] const std::vector<HostTransfer>& hostTransfers() const { return host_transfers_; }

 private:
  TileBuilder& wait(OpKind kind, std::uint32_t step, Cycles cycles);

  TileProgram program_;
  std::vector<HostTransfer> host_transfers_;
};

/// One transmission of an exchange.
struct Message {
  std::uint32_t from;
  std::vector<std::uint32_t> to;
  Cycles start;
  Cycles length;
  Cycles control = {};
  std::vector<std::uint32_t> lenders = {};
};
using Messages = std::vector<Message>;

/// Adds an exchange to the chip, and returns its number.
std::uint32_t addExchange(ChipPrograms& chip, const Messages& messages);

inline VertexRun workers(std::uint32_t count, std::uint64_t issue_slots) {
  return {VertexKind::Worker, count, Cycles(issue_slots)};
}

inline VertexRun supervisors(std::uint32_t count, std::uint64_t cycles) {
  return {VertexKind::Supervisor, count, Cycles(cycles)};
}

/// Six workers, no overheads, all tiles at the controller.
ChipTiming plainTiming(std::size_t tiles);

/// A chip with these tiles and as many steps as they use.
ChipPrograms chipOf(const ChipTiming& timing, const std::vector<TileBuilder>& tiles,
                    const std::vector<Messages>& exchanges = {});

}  // namespace ipusim::models
