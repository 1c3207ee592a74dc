// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/ipu/chip/exchange_fabric.h"
#include "models/ipu/chip/fault.h"
#include "models/ipu/chip/host_link.h"
#include "models/ipu/chip/loop_control.h"
#include "models/ipu/chip/simulate_chip.h"
#include "models/ipu/chip/sync_network.h"
#include "models/ipu/chip/tile.h"

namespace ipusim::models {

namespace {

/// All tiles of one IPU and what joins them. `programs` must outlive it.
class Chip : public sc_core::sc_module {
 public:
  Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs, Observer* observer);
  Chip(const Chip&) = delete;
  Chip& operator=(const Chip&) = delete;
  ~Chip() override;

  /// What the tiles measured, once the simulation has ended. Throws InternalError if it ended
  /// early, and CountError where it would not have in the cycles of the clock.
  [[nodiscard]] ChipResult takeResult();

 private:
  Fault fault_;
  SyncNetwork sync_;
  ExchangeFabric exchange_;
  HostLink host_;
  LoopControl loops_;
  ChipResult measured_;
  std::vector<std::unique_ptr<Tile>> tiles_;
};

Chip::Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs, Observer* observer)
    : sc_module(name),
      sync_("sync", programs.timing),
      exchange_("exchange", programs, fault_, observer),
      host_("host", fault_),
      loops_("loops", programs.tiles.size(), fault_) {
  measured_.tiles = static_cast<std::uint32_t>(programs.tiles.size());
  measured_.busy.resize(std::size_t{programs.steps} * measured_.tiles);
  measured_.finish.resize(measured_.tiles);
  tiles_.reserve(measured_.tiles);
  for (std::uint32_t index = 0; index < measured_.tiles; ++index) {
    const std::string tile_name = "tile_" + std::to_string(index);
    tiles_.push_back(
        std::make_unique<Tile>(tile_name.c_str(), index, programs, measured_, fault_, observer));
    tiles_.back()->sync(sync_);
    tiles_.back()->exchange(exchange_);
    tiles_.back()->host(host_);
    tiles_.back()->loops(loops_);
  }
}

// The kernel looks for a port that goes among all that are left, from the last one on.
Chip::~Chip() {
  while (!tiles_.empty()) tiles_.pop_back();
}

ChipResult Chip::takeResult() {
  fault_.rethrow();
  ChipResult result = std::move(measured_);
  for (const auto& tile : tiles_) {
    check(tile->finished(), "the simulation ended and a tile did not");
    result.tile_steps += tile->opsSimulated();
  }
  result.iterations_simulated = tiles_.front()->iterationsSimulated();
  result.end = *std::max_element(result.finish.begin(), result.finish.end());
  return result;
}

/// SystemC elaborates once a kernel. This gives the next simulation of the process a new one, also
/// after an exception. Must outlive all modules. `reset` is not in IEEE 1666, but in its reference
/// implementation.
class KernelLease {
 public:
  KernelLease() = default;
  KernelLease(const KernelLease&) = delete;
  KernelLease& operator=(const KernelLease&) = delete;
  ~KernelLease() { sc_core::sc_get_curr_simcontext()->reset(); }
};

}  // namespace

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer) {
  verify(programs);
  const KernelLease lease;
  Chip chip("chip", programs, observer);
  sc_core::sc_start();
  return chip.takeResult();
}

}  // namespace ipusim::models
