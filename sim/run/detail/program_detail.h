// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/memory_use.h"
#include "ipusim/units.h"
#include "ipusim/vertex_kind.h"

// What a report page shows beyond a result: which tile does what, when, and where its bytes are.
// Plain data, free of the compiler's types. A run makes it only when somebody asks for it.

namespace ipusim::run {

/// `count` consecutive bands of tiles that all have `value`.
struct BandRun {
  std::uint32_t count;
  std::uint64_t value;
};
/// One value per band, in the order of the tiles.
using BandValues = std::vector<BandRun>;

/// `count` consecutive bands whose tiles are in a step from the cycle `begin` to the cycle `end`.
struct BandSpan {
  std::uint32_t count;
  Cycles begin;  ///< of the first tile of the band to begin
  Cycles end;    ///< of the last one to end; no later than `begin` where no tile takes part
};
using BandSpans = std::vector<BandSpan>;

/// The vertices of one type in a step.
struct VertexGroup {
  std::string type;
  VertexKind kind = VertexKind::Worker;
  std::uint64_t vertices = 0;
  std::uint32_t tiles = 0;  ///< that hold some of them
  Flops flops;              ///< of all of them, in one iteration
  /// What the published estimate says of one vertex: the least and the most. Worker: issue slots.
  /// Supervisor: tile cycles. Both are zero where the cycles depend on data.
  Cycles least;
  Cycles most;
  /// Rows of the product that one load of weights serves on a tile, of the slowest vertex. Zero for
  /// vertices that hold no weights in the matrix engine.
  std::uint64_t rows_per_weights = 0;
};

/// A port of a tile in an exchange.
struct PortUse {
  std::uint32_t tile = 0;
  Cycles cycles;  ///< how long it is held
};

/// The ports of an exchange, in one iteration.
struct PortDetail {
  std::uint64_t transmissions = 0;
  std::uint32_t most_receivers = 0;  ///< of one transmission
  PortUse send;                      ///< the port that sends longest
  PortUse receive;                   ///< the port that receives longest
};

/// What happens in a step, tile by tile. A value of a band is that of its busiest tile.
struct StepDetail {
  std::vector<VertexGroup> vertices;  ///< the most vertices first
  BandValues cycles;                  ///< of all iterations
  BandValues received;                ///< bytes of one iteration; empty where none move
  BandValues sent;                    ///< a message to several tiles counts once
  std::optional<PortDetail> ports;    ///< of a scheduled exchange on an IPU
  /// The first iteration. Empty where nobody heard the engine: on several IPUs.
  BandSpans first_iteration;
};

constexpr std::uint32_t kNoDetailVariable = ~std::uint32_t{0};

/// From the first to the last position at which something lives.
struct Life {
  std::uint32_t first;
  std::uint32_t last;  ///< inclusive
};

/// Consecutive bytes of a tile's memory.
struct PlacedBytes {
  /// Index into the variables. Of a message buffer: the one that most of its bytes come from.
  std::uint32_t variable = kNoDetailVariable;
  MemoryCategory category = MemoryCategory::Variables;
  Bytes address;
  Bytes bytes;
  Bytes alignment;
  bool interleaved = false;  ///< must be in the interleaved part of the memory
  bool always_live = false;
  std::vector<Life> live;  ///< the positions of bytes that do not live always; none of the others
};

/// What is where in a tile's memory. Code, stacks and tables come first.
struct TileLayout {
  Bytes fixed;                      ///< how many bytes that is
  std::vector<PlacedBytes> blocks;  ///< by address
};

/// The steps of a layer or, where a program has no layers, those whose names begin alike. Bytes are
/// those of all tiles.
struct OperationDetail {
  std::string name;
  std::vector<std::uint32_t> steps;   ///< syncs left out
  std::vector<std::uint32_t> inputs;  ///< operations whose results it reads; ascending
  Bytes vertex_code;    ///< operations that use the same code on a tile share it: each counts it
  Bytes vertex_data;    ///< states, their tables, and descriptors of copies
  Bytes exchange_code;  ///< of exchanges on an IPU
  Flops flops;          ///< of all iterations
};

struct ProgramDetail {
  std::uint32_t tiles_per_band = 1;
  std::vector<StepDetail> steps;                ///< one entry per step
  std::vector<OperationDetail> operations;      ///< in the order of their first steps
  std::vector<TileLayout> layouts;              ///< all of them differ
  std::vector<std::uint32_t> layout_of_tile;    ///< index into `layouts`
  std::vector<std::uint64_t> received_of_tile;  ///< bytes of the whole program, all iterations
  std::vector<std::uint64_t> sent_of_tile;
};

}  // namespace ipusim::run
