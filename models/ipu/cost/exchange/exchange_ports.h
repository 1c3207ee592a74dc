// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Bytes that pass the tiles of some IPUs and their exchange contexts on the way off the chip, in
/// one direction. Every tile reaches two contexts, one on each side of the chip, and shares them
/// with other tiles. A tile and a context pass one word per cycle.
/// Source: osmarks/ipu-stack for the contexts of a tile.
class ExchangePorts {
 public:
  /// `ipu` must outlive this.
  ExchangePorts(const Machine& ipu, std::uint32_t ipus, std::uint32_t contexts);

  /// Adds bytes of a tile. Tile t of IPU i has the number i * Machine::tiles + t.
  void add(std::uint32_t tile, Bytes bytes);

  /// How long the fullest tile or pair of contexts takes.
  [[nodiscard]] double seconds() const;

 private:
  const Machine& ipu_;
  std::uint32_t contexts_;  // of an IPU
  std::uint32_t pairs_;     // of contexts, on an IPU
  std::vector<Bytes> of_tile_;
  std::vector<Bytes> of_contexts_;
};

/// Whole cycles in a time. A part-used cycle counts.
Cycles cyclesIn(double seconds, double clock_hz);

}  // namespace ipusim::models
