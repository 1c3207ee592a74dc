// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase.h"

#include <algorithm>
#include <array>

namespace ipusim::parallel {

namespace {

/// How the rows of all micro-batches of a phase move, in seconds.
struct RowOverlap {
  double hidden = 0;  ///< transfers beside the computing
  double free = 0;    ///< computing beside which no row moves
};

/// While a micro-batch is computed, the next row is loaded and the row before is stored.
RowOverlap overlapOf(double batches, double compute, double load, double store) {
  if (batches == 1) return {0, compute};
  const double moved = (batches - 1) * (load + store);  // all but the first load and last store
  const double taken = std::max(compute, load) + (batches - 2) * std::max(compute, load + store) +
                       std::max(compute, store);
  return {batches * compute + moved - taken, taken - moved};
}

class Costs {
 public:
  Costs(const std::vector<Phase>& phases, const PhaseIo& io)
      : phases_(phases), io_(io), batches_(static_cast<double>(io.micro_batches)) {}

  [[nodiscard]] PhaseCost of(std::size_t p) const {
    const Phase& phase = phases_[p];
    PhaseCost cost;
    cost.compute = batches_ * secondsOf(phase.batch.length, io_.clock_hz);
    cost.update = secondsOf(phase.update.length, io_.clock_hz);
    cost.rows = batches_ * phase.row_link.seconds;
    cost.collectives = phase.gather.seconds + phase.gradients.seconds;
    cost.hand_over = handOver(phase);
    const RowOverlap rows = addRows(phase, cost);
    cost.hidden = rows.hidden;
    const bool is_on_demand = io_.schedule == IoSchedule::OnDemand;
    if (is_on_demand || p == 0) {
      addLoad(phase.weights, cost);
      addLoad(phase.state, cost);
    }
    if (is_on_demand || p + 1 == phases_.size()) addStore(phase.updated, cost);
    // The other IPU is free in all of the time so far. I/O tiles are free where no row moves.
    const double free = io_.ipus == 2 ? cost.total() : rows.free + cost.update;
    cost.hidden += std::min(free, addBeside(p, cost));
    return cost;
  }

 private:
  void addLoad(Bytes bytes, PhaseCost& cost) const {
    cost.load += io_.rate.seconds(bytes);
    cost.moved.load += bytes;
  }
  void addStore(Bytes bytes, PhaseCost& cost) const {
    cost.store += io_.rate.seconds(bytes);
    cost.moved.store += bytes;
  }

  /// Adds the rows of all micro-batches to the transfers.
  RowOverlap addRows(const Phase& phase, PhaseCost& cost) const {
    const double load = io_.rate.seconds(phase.rows.load);
    const double store = io_.rate.seconds(phase.rows.store);
    cost.load += batches_ * load;
    cost.store += batches_ * store;
    cost.moved.load += io_.micro_batches * phase.rows.load;
    cost.moved.store += io_.micro_batches * phase.rows.store;
    if (io_.schedule == IoSchedule::OnDemand || io_.io_tile_bytes_per_second == 0) return {};
    return overlapOf(batches_, secondsOf(phase.batch.length, io_.clock_hz), load, store);
  }

  /// Adds what moves beside phase p for other phases, and for the IPU that gets its rows. Gives its
  /// time.
  double addBeside(std::size_t p, PhaseCost& cost) const {
    const double before = cost.load + cost.store;
    if (io_.schedule == IoSchedule::Preload) {
      if (p > 0) addStore(phases_[p - 1].updated, cost);
      if (p + 1 < phases_.size()) addLoad(phases_[p + 1].weights + phases_[p + 1].state, cost);
    }
    cost.store += batches_ * io_.rate.seconds(phases_[p].sent);
    cost.moved.store += io_.micro_batches * phases_[p].sent;
    return cost.load + cost.store - before;
  }

  [[nodiscard]] double handOver(const Phase& phase) const {
    if (io_.io_tile_bytes_per_second == 0) return 0;
    const Bytes bytes = io_.micro_batches * (phase.rows.load + phase.rows.store) + phase.weights +
                        phase.state + phase.updated;
    return static_cast<double>(bytes.value()) / io_.io_tile_bytes_per_second;
  }

  const std::vector<Phase>& phases_;
  const PhaseIo& io_;
  double batches_;
};

}  // namespace

const char* keyOf(PhaseKind kind) {
  constexpr std::array<const char*, 3> kKeys = {"forward", "turn", "backward"};
  return kKeys.at(static_cast<std::size_t>(kind));
}

std::vector<PhaseCost> phaseCosts(const std::vector<Phase>& phases, const PhaseIo& io) {
  std::vector<PhaseCost> costs;
  costs.reserve(phases.size());
  const Costs all(phases, io);
  for (std::size_t p = 0; p < phases.size(); ++p) costs.push_back(all.of(p));
  return costs;
}

}  // namespace ipusim::parallel
