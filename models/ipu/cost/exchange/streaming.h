// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Bytes of a row that one tile of an IPU sends or receives.
struct TileShare {
  std::uint32_t tile;
  Bytes bytes;
};

/// What one IPU's part of a row asks for.
struct RowLoad {
  Bytes payload;
  Bytes on_memory;  ///< whole packets, headers included
  Cycles ports;     ///< what tiles and exchange contexts take
};

/// The packets in which a tile's share travels.
std::uint64_t packetsOf(const StreamingMemory& memory, Bytes share);

/// The load of a row whose shares, of one IPU, are in the memory of `machine`. A share is cut into
/// packets, of which the last is full too: the memory moves whole packets. Each packet has a
/// header. Tiles and exchange contexts pass one word per cycle, as in a global exchange.
/// Source: osmarks/ipu-stack for packets and contexts.
/// Calibrated: no; nothing is measured. Valid for: rows whose shares are dense in tile memory.
RowLoad rowLoad(const Machine& machine, const std::vector<TileShare>& shares);

/// The external sync that begins a transfer of `ipus` IPUs, as in a global exchange.
Cycles streamingSync(const Machine& machine, std::uint32_t ipus);

/// `bytes_per_second` as bytes in 2^bits cycles of the machine, rounded down.
std::uint64_t streamingRate(const Machine& machine, std::uint64_t bytes_per_second, unsigned bits);

}  // namespace ipusim::models
