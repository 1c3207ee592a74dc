// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "models/ipu/system/vertex_kind.h"

// What a tile executes, for the timing engines: the chip (SystemC) and the closed form share this
// header and nothing else.

namespace ipusim::models {

/// `count` equal vertices, one after the other in the order of the compute set.
struct VertexRun {
  VertexKind kind;
  std::uint32_t count;
  Cycles cycles;  ///< Worker: issue slots of one vertex. Supervisor: tile cycles of one vertex.
};

/// A stream of messages on one port of a tile. The port is busy in [start, start + cycles). An
/// Exchange lists the uses of a port in the order of their start.
struct PortUse {
  Cycles start;   ///< after the controller's release of the sync before the exchange
  Cycles cycles;  ///< payload and control words, at least one
};

enum class OpKind : std::uint8_t { Compute, Sync, Exchange, HostTransfer, RepeatBegin, RepeatEnd };

/// One step of a tile's program.
struct TileOp {
  OpKind kind;
  std::uint32_t step;   ///< index into the executable's steps: where the cycles are booked
  std::uint32_t first;  ///< Compute: into `vertices`. Exchange: into `sends`.
  std::uint32_t count;
  std::uint32_t first_receive;  ///< Exchange: into `receives`
  std::uint32_t receive_count;
  std::uint64_t iterations;  ///< RepeatBegin: how often the body runs, at least once
  Cycles transfer = {};      ///< HostTransfer: from the controller's release until the link is done
};

/// A tile's own program. All tiles of a chip have the same Sync, HostTransfer, RepeatBegin and
/// RepeatEnd in the same order; between them each does what it likes, or nothing.
struct TileProgram {
  std::vector<TileOp> ops;
  std::vector<VertexRun> vertices;
  std::vector<PortUse> sends;
  std::vector<PortUse> receives;
};

/// The numbers of a machine that the engines need, and nothing else of it.
struct ChipTiming {
  std::uint32_t workers = 6;
  Cycles vertex_launch;               ///< before a worker vertex starts, on the supervisor
  Cycles supervisor_call;             ///< before a supervisor vertex starts
  Cycles compute_set_entry;           ///< once at the start of a Compute that has vertices
  Cycles sync_base;                   ///< from the last request at the controller to its release
  std::vector<Cycles> sync_distance;  ///< a tile: to the controller, and the same back
};

/// Timing rules, the same for both engines:
///
/// Compute. The supervisor spends `compute_set_entry`, then starts the vertices in order. A worker
/// vertex starts when the supervisor has spent `vertex_launch` on it and a context is free (the
/// supervisor waits for the context before it launches): it holds the context that is free first
/// (the lowest numbered of equals) for cycles * workers. A supervisor vertex starts when all
/// contexts are free and, after that, `supervisor_call` is spent; it holds supervisor and contexts.
/// The Compute ends when supervisor and contexts are free.
/// Sync. A tile asks on arrival; its request reaches the controller `sync_distance` later. The
/// controller releases `sync_base` after the last request; a tile goes on `sync_distance` after
/// the release. An Exchange counts from the controller's release.
/// Exchange. The tile goes on when its last send and its last receive have ended (at once, if that
/// was before it came). Uses of a port that overlap are an InternalError.
/// HostTransfer. The whole chip takes part: a tile goes on `transfer` after the controller's
/// release (at once, if that was before it came). One transfer at most between two Syncs.
/// Repeat. The body runs `iterations` times. The engine may stop simulating when an iteration
/// repeats the
/// one before it, tile by tile, and multiply.
struct ChipPrograms {
  ChipTiming timing;
  std::vector<TileProgram> tiles;
  std::uint32_t steps = 0;  ///< how many steps the executable has
};

/// Where the engines' clock ends: a run that would pass this cycle is a CountError. Half of it
/// bounds every single wait, so that a sum of a few fits 64 bits.
inline constexpr Cycles kLastCycle{std::uint64_t{1} << 62};

/// Throws InternalError, naming the tile and the op, unless `programs` is what the engines take:
/// the same Sync, HostTransfer, RepeatBegin and RepeatEnd on all tiles, Repeats closed and run at
/// least once, indices in range, port uses of at least a cycle and none before the first Sync.
/// Throws CountError for a wait over kLastCycle / 2.
void verify(const ChipPrograms& programs);

/// What an engine measured. `busy[step * tiles + tile]`: cycles the tile spent in the step, over
/// all iterations. For a Sync step that is the wait from arrival to going on.
struct ChipResult {
  std::uint32_t tiles = 0;
  std::vector<Cycles> busy;
  std::vector<Cycles> finish;              ///< a tile: when its program ended
  Cycles end;                              ///< the latest finish
  std::uint64_t iterations_simulated = 0;  ///< of all Repeats, nested ones each time
  std::uint64_t tile_steps = 0;            ///< ops that take time simulated, all tiles

  [[nodiscard]] Cycles busyOf(std::uint32_t step, std::uint32_t tile) const {
    return busy[static_cast<std::size_t>(step) * tiles + tile];
  }
};

}  // namespace ipusim::models
