// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/units.h"
#include "ipusim/vertex_kind.h"

// What a tile executes. The two timing engines, the chip (SystemC) and the closed form, share this
// header and nothing else.

namespace ipusim {

/// A list that copies share until one of them is edited. Threads may read copies at once; while one
/// copy is edited, assigned or destroyed, no other thread may use any of them.
template <typename T>
class SharedList {
 public:
  SharedList() = default;
  // The conversion is implicit, so that a list may be written in braces or given as a vector.
  SharedList(std::vector<T> items)  // NOLINT(google-explicit-constructor)
      : items_(std::make_shared<std::vector<T>>(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  /// Valid until this list is edited, assigned or destroyed.
  [[nodiscard]] const std::vector<T>& items() const {
    static const std::vector<T> kNone;
    return items_ ? *items_ : kNone;
  }
  /// The list for a change. A shared list is copied first. The reference must not be used after the
  /// list has been copied: it would change the copy too.
  [[nodiscard]] std::vector<T>& edit() {
    if (!items_) {
      items_ = std::make_shared<std::vector<T>>();
    } else if (items_.use_count() > 1) {
      items_ = std::make_shared<std::vector<T>>(*items_);
    }
    return *items_;
  }

  [[nodiscard]] const T* data() const { return items().data(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return items().empty(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return items()[index]; }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }

 private:
  std::shared_ptr<std::vector<T>> items_;
};

/// Words that one tile sends to one or more others at once. The times count on each tile's own
/// clock, which starts when the release of the Sync before the exchange reaches the tile. A word is
/// received at the cycle at which it is sent, each on the clock of its own tile.
struct Transmission {
  TileId from;
  /// Index into ChipPrograms::transmission_tiles: lenders, then receivers.
  std::uint32_t first_tile;
  std::uint32_t lenders;    ///< tiles whose send ports it holds besides the sender's own
  std::uint32_t receivers;  ///< at least one
  Cycles start;
  Cycles length;   ///< how long it holds the send ports, for the payload: at least one cycle
  Cycles control;  ///< how much longer it holds the receive ports, for control instructions
  Bytes bytes;     ///< payload that each receiver gets
};

/// The transmissions of one exchange: [first, first + count) of ChipPrograms::transmissions. On
/// every port they are in the order of their starts.
struct Exchange {
  std::uint32_t first;
  std::uint32_t count;
};

/// `count` equal vertices that run one after the other, in the order of the compute set.
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

/// A transfer between the chip and the streaming memory of its machine: its part of one row.
struct RemoteTransfer {
  Bytes payload;
  Bytes on_memory;  ///< whole packets, headers included
  Cycles ports;     ///< what the chip's tiles and exchange contexts take
  /// Where the row begins in the chip's part of the memory. A row that is chosen during the run
  /// counts as row 0.
  std::uint64_t address;
  bool to_chip;

  friend bool operator==(const RemoteTransfer& a, const RemoteTransfer& b);
};

/// The streaming memory that the IPUs of a machine share.
struct StreamingTiming {
  static constexpr unsigned kRateBits = 20;

  std::uint32_t ipus = 1;  ///< of a machine: IPU i is on machine i / ipus
  /// Bytes in 2^kRateBits cycles, of all IPUs of the machine and of one IPU.
  std::uint64_t rate = 1;
  std::uint64_t ipu_rate = 1;
  Cycles sync;   ///< the external sync
  Cycles fixed;  ///< what a transfer costs besides its sync and its bytes

  friend bool operator==(const StreamingTiming& a, const StreamingTiming& b);
};

/// The closed form alone plays ExchangeBound: no chip could.
enum class OpKind : std::uint8_t {
  Compute,
  ComputeMeasured,
  Sync,
  Exchange,
  ExchangeMeasured,
  ExchangeBound,
  HostTransfer,
  GlobalExchange,
  RemoteBegin,
  RemoteEnd,
  RepeatBegin,
  RepeatEnd
};

/// One step of a tile's program.
struct TileOp {
  OpKind kind;
  StepId step = {};  ///< step of the executable that the cycles count for
  /// Index of the op's data. Compute: the first of the tile's `vertices`. ComputeMeasured,
  /// ExchangeMeasured and ExchangeBound: into the tile's `waits`. Exchange and HostTransfer: into
  /// the chip's `exchanges` and `host_transfers`. RemoteBegin and RemoteEnd: into its
  /// `remote_transfers`. GlobalExchange: into the exchanges of the pod that the chip belongs to.
  std::uint32_t first = 0;
  std::uint32_t count = 0;       ///< Compute: number of vertices
  std::uint64_t iterations = 0;  ///< RepeatBegin: how often the body runs, at least once
};

/// Whether all tiles of a chip have ops of that kind in the same order.
bool isBarrier(OpKind kind);

/// Whether two ops are equal in all their fields.
bool operator==(const TileOp& a, const TileOp& b);

/// The program of one tile. All tiles of a chip have the same Sync, HostTransfer, GlobalExchange,
/// RemoteBegin, RemoteEnd, RepeatBegin and RepeatEnd ops in the same order. Between those, each
/// tile has ops of its own, or none.
struct TileProgram {
  SharedList<TileOp> ops;
  std::vector<VertexRun> vertices;
  std::vector<Cycles>
      waits;  ///< one entry per ComputeMeasured, ExchangeMeasured or ExchangeBound op
};

/// Lets tiles whose ops are equal share one list. A chip of many tiles then needs a small part of
/// the memory, and a simulation finds the ops in the cache.
void shareEqualOps(std::vector<TileProgram>& tiles);

/// The numbers of a machine that the engines need.
struct ChipTiming {
  double clock_hz = 1e9;  ///< turns cycles into seconds; no cycle count depends on it
  std::uint32_t workers = 6;
  Cycles vertex_launch;      ///< spent on the supervisor before a worker vertex starts
  Cycles supervisor_call;    ///< spent before a supervisor vertex starts
  Cycles compute_set_entry;  ///< spent once at the start of a Compute that has vertices
  Cycles sync_base;          ///< from the last request at the controller to its release
  /// One entry per tile: the way to the controller, and as long back.
  std::vector<Cycles> sync_distance;
  StreamingTiming streaming;
};

/// A range of ChipPrograms::transmission_tiles.
struct TileRange {
  const TileId* first;
  const TileId* last;

  [[nodiscard]] const TileId* begin() const { return first; }
  [[nodiscard]] const TileId* end() const { return last; }
};

/// The timing rules of both engines:
///
/// * Compute. The supervisor spends `compute_set_entry`, then starts the vertices in order. A
///   worker vertex starts when a context is free and the supervisor has then spent `vertex_launch`
///   on it. It holds the context that is free first (the lowest numbered of equals) for cycles *
///   workers. A supervisor vertex starts when all contexts are free and `supervisor_call` has then
///   passed. It holds the supervisor and all contexts. The Compute ends when the supervisor and the
///   contexts are free.
/// * Sync. A tile asks when it arrives; its request reaches the controller `sync_distance` later.
///   The controller releases `sync_base` after the last request. A tile goes on `sync_distance`
///   after the release.
/// * Exchange. The times of a transmission count from when the release reaches each tile. The
///   transmission holds the send ports of the sender and of the lenders in [start, start + length),
///   and the receive ports of the receivers in [start, start + length + control). A tile goes on
///   when the last transmission on its own ports has ended, or at once if that was before the tile
///   came. Every tile with a port that is held has this Exchange in its program, between the same
///   two Syncs. Two transmissions that hold one port at one cycle are an InternalError.
/// * ComputeMeasured, ExchangeMeasured. A tile takes `waits[first]`, which was measured. No vertex
///   runs, and no transmission holds a port.
/// * ExchangeBound. A tile goes on `waits[first]` after the controller's release, or at once if
///   that was before the tile came. The op has times of ports and no transmissions.
/// * HostTransfer. The whole chip takes part, right after a Sync. A tile goes on `cycles` after the
///   controller's release, or at once if that was before the tile came.
/// * GlobalExchange. The whole chip takes part, right after a Sync. The chip comes to it at the
///   controller's release. The pod releases all its chips in one cycle. A tile goes on
///   `sync_distance` after that.
/// * RemoteBegin, RemoteEnd. The whole chip takes part. A RemoteBegin comes right after a Sync. The
///   chip comes to it at the controller's release. The transfer begins `streaming.sync` after the
///   last IPU of the pod has come, or after the chip itself where it is alone. In a pod, the
///   RemoteBegin holds all chips until then: a tile goes on `sync_distance` after the transfer has
///   begun. On a chip that is alone, the RemoteBegin takes no time. The transfer lasts
///   `streaming.fixed`, and then as long as the slowest of all IPUs takes. An IPU takes the longer
///   of its `ports` and its bytes on the memory. The IPUs of a machine that have bytes left share
///   its rate equally, each up to `ipu_rate`: of k such IPUs, each has rate / k, rounded down. An
///   IPU is done at the end of the cycle in which its last byte passes, and the others then share
///   its part. At its RemoteEnd, which comes in the same Repeat and before any other RemoteBegin, a
///   tile goes on when the transfer has ended, or at once if that was before the tile came. A
///   RemoteBegin has a StepSpan even where it takes no time: the span then begins and ends when the
///   tiles come.
/// * Repeat. The body runs `iterations` times. An engine may stop simulating when an iteration
///   repeats the one before it, tile by tile, and multiply.
struct ChipPrograms {
  ChipTiming timing;
  std::vector<TileProgram> tiles;
  std::uint32_t steps = 0;  ///< number of steps of the executable
  std::vector<Exchange> exchanges;
  std::vector<Transmission> transmissions;
  std::vector<TileId> transmission_tiles;  ///< lenders and receivers of all transmissions
  std::vector<HostTransfer> host_transfers;
  std::vector<RemoteTransfer> remote_transfers;
  bool in_pod = false;                 ///< the chip meets others at each of its podBarriers()
  std::uint32_t global_exchanges = 0;  ///< how many the pod has

  /// At how many transfers the chip waits for the other chips of its pod.
  [[nodiscard]] std::size_t podBarriers() const {
    return in_pod ? global_exchanges + remote_transfers.size() : 0;
  }

  [[nodiscard]] TileRange lendersOf(const Transmission& transmission) const {
    const TileId* tiles_of = transmission_tiles.data() + transmission.first_tile;
    return {tiles_of, tiles_of + transmission.lenders};
  }
  [[nodiscard]] TileRange receiversOf(const Transmission& transmission) const {
    const TileId* receivers = lendersOf(transmission).last;
    return {receivers, receivers + transmission.receivers};
  }
};

/// The text of the InternalError when two transmissions meet on a port after a release. It names
/// the tile, the cycle and both transmissions. `second` comes after `first` on the port, and starts
/// before the end of `first`.
std::string collisionOnPort(const ChipPrograms& programs, Port port, Cycles release,
                            std::uint32_t first, std::uint32_t second);

/// Where the engines' clock ends: a run that would pass this cycle is a CountError. Every single
/// wait is at most half of it, so that a sum of a few fits 64 bits.
inline constexpr Cycles kLastCycle{std::uint64_t{1} << 62};

/// Throws InternalError, which names the tile and the op, unless the engines can play `programs`:
/// all tiles have the same Sync, HostTransfer, GlobalExchange, RemoteBegin, RemoteEnd, RepeatBegin
/// and RepeatEnd ops; every RemoteBegin has its RemoteEnd; Repeats are closed and run at least
/// once; indices are in range; transmissions take at least one cycle; no transmission comes before
/// the first Sync; both ends of a transmission are at the same point of their programs. Throws
/// CountError for a wait over kLastCycle / 2.
void verify(const ChipPrograms& programs);

/// When a step ran: from when the first tile comes to it until the last tile is done with it. A
/// step inside a Repeat lasts from its first iteration to its last.
struct StepSpan {
  Cycles start = kLastCycle;  ///< after `end` when no tile takes part in the step
  Cycles end;
};

/// What an engine measured. `busy[step * tiles + tile]` holds the cycles that a tile spent in a
/// step, over all iterations. The cycles of a Sync step last from the arrival of the tile until it
/// goes on.
struct ChipResult {
  std::uint32_t tiles = 0;
  std::vector<Cycles> busy;
  std::vector<StepSpan> spans;  ///< one entry per step
  std::vector<Cycles> finish;   ///< one entry per tile: when its program ended
  Cycles end;                   ///< the latest finish
  /// Over all Repeats; a nested Repeat counts each time it runs.
  std::uint64_t iterations_simulated = 0;
  std::uint64_t tile_steps = 0;  ///< simulated ops that take time, over all tiles

  [[nodiscard]] Cycles busyOf(std::uint32_t step, std::uint32_t tile) const {
    return busy[static_cast<std::size_t>(step) * tiles + tile];
  }
};

}  // namespace ipusim
