// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/shared_list.h"
#include "ipusim/transmission.h"
#include "ipusim/units.h"
#include "ipusim/vertex_kind.h"

// What a tile executes, for the timing engines: the chip (SystemC) and the closed form share this
// header and nothing else.

namespace ipusim {

/// `count` equal vertices, one after the other in the order of the compute set.
struct VertexRun {
  VertexKind kind;
  std::uint32_t count;
  Cycles cycles;  ///< Worker: issue slots of one vertex. Supervisor: tile cycles of one vertex.
};

/// A transfer between the chip and its host.
struct HostTransfer {
  Cycles cycles;  ///< from the controller's release until the link is done
  Bytes bytes;
  bool to_chip;
};

/// ExchangeBound is the closed form's alone: no chip could play it.
enum class OpKind : std::uint8_t {
  Compute,
  Sync,
  Exchange,
  ExchangeBound,
  HostTransfer,
  RepeatBegin,
  RepeatEnd
};

/// One step of a tile's program.
struct TileOp {
  OpKind kind;
  StepId step = {};  ///< of the executable: where the cycles are booked
  /// Where its data is. Compute: the first of the tile's `vertices`. ExchangeBound: in the tile's
  /// `bounds`. Exchange and HostTransfer: in the chip's `exchanges` and `host_transfers`.
  std::uint32_t first = 0;
  std::uint32_t count = 0;       ///< Compute: of the vertices
  std::uint64_t iterations = 0;  ///< RepeatBegin: how often the body runs, at least once
};

/// Whether two ops are equal in all their fields.
bool operator==(const TileOp& a, const TileOp& b);

/// A tile's own program. All tiles of a chip have the same Sync, HostTransfer, RepeatBegin and
/// RepeatEnd in the same order; between them each does what it likes, or nothing.
struct TileProgram {
  SharedList<TileOp> ops;
  std::vector<VertexRun> vertices;
  std::vector<Cycles> bounds;  ///< of its ExchangeBounds
};

/// Lets tiles whose ops are equal share one list. A chip of many tiles then needs a small part of
/// the memory, and a simulation finds the ops in the cache.
void shareEqualOps(std::vector<TileProgram>& tiles);

/// The numbers of a machine that the engines need, and nothing else of it.
struct ChipTiming {
  double clock_hz = 1e9;  ///< what a cycle is in seconds; no count of cycles depends on it
  std::uint32_t workers = 6;
  Cycles vertex_launch;               ///< before a worker vertex starts, on the supervisor
  Cycles supervisor_call;             ///< before a supervisor vertex starts
  Cycles compute_set_entry;           ///< once at the start of a Compute that has vertices
  Cycles sync_base;                   ///< from the last request at the controller to its release
  std::vector<Cycles> sync_distance;  ///< one per tile: to the controller, and as long back
};

/// Some of ChipPrograms::transmission_tiles.
struct TileRange {
  const TileId* first;
  const TileId* last;

  [[nodiscard]] const TileId* begin() const { return first; }
  [[nodiscard]] const TileId* end() const { return last; }
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
/// the release.
/// Exchange. The times of a transmission count from when the release reaches each tile. The
/// transmission holds the send ports of the sender and of the lenders in [start, start + length),
/// and the receive ports of the receivers in [start, start + length + control). A tile goes on when
/// the last transmission on its own ports has ended (at once, if that was before the tile came).
/// Every tile with a port that is held has this Exchange in its program, between the same two
/// Syncs. Two transmissions that hold one port at one cycle are an InternalError.
/// ExchangeBound. The tile goes on `bounds[first]` after the controller's release (at once, if that
/// was before it came). It has times of ports and no transmissions.
/// HostTransfer. The whole chip takes part, right after a Sync: a tile goes on `cycles` after the
/// controller's release (at once, if that was before it came).
/// Repeat. The body runs `iterations` times. The engine may stop simulating when an iteration
/// repeats the one before it, tile by tile, and multiply.
struct ChipPrograms {
  ChipTiming timing;
  std::vector<TileProgram> tiles;
  std::uint32_t steps = 0;  ///< how many steps the executable has
  std::vector<Exchange> exchanges;
  std::vector<Transmission> transmissions;
  std::vector<TileId> transmission_tiles;  ///< the lenders and receivers of each
  std::vector<HostTransfer> host_transfers;

  [[nodiscard]] TileRange lendersOf(const Transmission& transmission) const {
    const TileId* tiles_of = transmission_tiles.data() + transmission.first_tile;
    return {tiles_of, tiles_of + transmission.lenders};
  }
  [[nodiscard]] TileRange receiversOf(const Transmission& transmission) const {
    const TileId* receivers = lendersOf(transmission).last;
    return {receivers, receivers + transmission.receivers};
  }
};

/// Where the engines' clock ends: a run that would pass this cycle is a CountError. Half of it
/// bounds every single wait, so that a sum of a few fits 64 bits.
inline constexpr Cycles kLastCycle{std::uint64_t{1} << 62};

/// Throws InternalError, naming the tile and the op, unless `programs` is what the engines take:
/// the same Sync, HostTransfer, RepeatBegin and RepeatEnd on all tiles, Repeats closed and run at
/// least once, indices in range, transmissions of at least a cycle, none before the first Sync, and
/// both ends of each at the same point of their programs.
/// Throws CountError for a wait over kLastCycle / 2.
void verify(const ChipPrograms& programs);

/// When a step ran: from the first tile's coming to it until the last tile is done with it. Inside
/// a Repeat that is from its first iteration to its last.
struct StepSpan {
  Cycles start = kLastCycle;  ///< after `end` where no tile takes part in the step
  Cycles end;
};

/// What an engine measured. `busy[step * tiles + tile]`: cycles the tile spent in the step, over
/// all iterations. For a Sync step that is the wait from arrival to going on.
struct ChipResult {
  std::uint32_t tiles = 0;
  std::vector<Cycles> busy;
  std::vector<StepSpan> spans;             ///< one entry per step
  std::vector<Cycles> finish;              ///< a tile: when its program ended
  Cycles end;                              ///< the latest finish
  std::uint64_t iterations_simulated = 0;  ///< of all Repeats, nested ones each time
  std::uint64_t tile_steps = 0;            ///< ops that take time simulated, all tiles

  [[nodiscard]] Cycles busyOf(std::uint32_t step, std::uint32_t tile) const {
    return busy[static_cast<std::size_t>(step) * tiles + tile];
  }
};

}  // namespace ipusim
