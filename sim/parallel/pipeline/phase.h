// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/parallel/pipeline/stage_cost.h"
#include "sim/parallel/pipeline/streaming_rate.h"

// The time of phases that take turns. A phase executes a section of the network for all
// micro-batches, so that its parameters come to the chip once.
// Source: graphcore/popart willow/include/popart/sessionoptions.hpp, docs/popart/overlap_io.rst
// (MIT).

namespace ipusim::parallel {

enum class PhaseKind : std::uint8_t {
  Forward,
  Turn,  ///< forward and backward pass of the last section, one micro-batch after the other
  Backward,
};
const char* keyOf(PhaseKind kind);

/// Time on the links.
struct LinkTime {
  double seconds = 0;  ///< external syncs included
  double sync = 0;
};

/// Bytes from streaming memory, and bytes to it.
struct Transfers {
  Bytes load;
  Bytes store;
};

/// What a phase computes and what it moves, whenever that is.
struct Phase {
  std::size_t section = 0;
  PhaseKind kind = PhaseKind::Forward;
  PassTime batch;      ///< of a micro-batch
  PassTime update;     ///< on the chip
  Transfers rows;      ///< of a micro-batch: activations and their gradients
  Bytes sent;          ///< of a micro-batch: the row that the other IPU gets, and stores
  LinkTime row_link;   ///< of a micro-batch: its way to the other IPU
  Bytes weights;       ///< loaded
  Bytes state;         ///< optimiser state, loaded for the update
  Bytes updated;       ///< stored after the update
  LinkTime gather;     ///< of weights that the replicas share out
  LinkTime gradients;  ///< the sum over the replicas
};

/// How phases transfer.
struct PhaseIo {
  std::uint64_t micro_batches = 1;
  double clock_hz = 0;
  StreamingRate rate;
  IoSchedule schedule = IoSchedule::OnDemand;
  std::uint32_t ipus = 1;  ///< 2: phases alternate between two
  /// Rate between I/O tiles and the tiles that compute. 0: there are no I/O tiles.
  double io_tile_bytes_per_second = 0;
};

/// How long a phase takes, in seconds, and what it moves in that time.
struct PhaseCost {
  double compute = 0;    ///< passes of all micro-batches, on the chip
  double update = 0;     ///< on the chip
  double load = 0;       ///< from streaming memory, hidden or not
  double store = 0;      ///< to streaming memory, hidden or not
  double hand_over = 0;  ///< between I/O tiles and the others
  double rows = 0;       ///< links to the other IPU
  double collectives = 0;
  double hidden = 0;  ///< of `load` and `store`: beside the computing
  Transfers moved;    ///< in that time

  [[nodiscard]] double exposed() const { return load + store - hidden; }
  [[nodiscard]] double total() const {
    return compute + update + exposed() + hand_over + rows + collectives;
  }
};

/// The costs of the phases of a step, in order. With OnDemand:
///
///   G (load + compute + store of a row) + load of weights and state + store of the update
///
/// With Preload and I/O tiles, a micro-batch takes max(compute, load of the next row + store of the
/// row before), but that the first load and the last store stand alone. Parameters of the phases
/// before and after move in what rows leave of that time and in the update. With Preload and two
/// IPUs, parameters move to and from the IPU that does not compute. The first load of parameters in
/// a step and its last store stand alone. On any schedule, an IPU stores the rows that the other
/// one sends while that one computes.
std::vector<PhaseCost> phaseCosts(const std::vector<Phase>& phases, const PhaseIo& io);

}  // namespace ipusim::parallel
