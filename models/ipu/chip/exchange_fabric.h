// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/ipu/chip/fault.h"
#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// The uses of one port in one Exchange: a view into a tile's program.
struct PortSchedule {
  const PortUse* first;
  std::uint32_t count;

  [[nodiscard]] const PortUse* begin() const { return first; }
  [[nodiscard]] const PortUse* end() const { return first + count; }
};

/// What a tile sees of the exchange fabric.
class ExchangeIf : public virtual sc_core::sc_interface {
 public:
  /// Moves the messages of `tile` on its two ports, counted from `release`. Returns when the last
  /// has ended; `release` when there is none.
  virtual Cycles play(std::uint32_t tile, PortSchedule sends, PortSchedule receives,
                      Cycles release) = 0;
  /// The ports of `tile` have gone on for `cycles` as they did before, unwatched.
  virtual void skip(std::uint32_t tile, Cycles cycles) = 0;
};

/// Executes the static schedule. Nothing arbitrates on the machine: two messages that meet on a
/// port are a fault of the schedule, and never a wait.
class ExchangeFabric : public sc_core::sc_module, public ExchangeIf {
 public:
  ExchangeFabric(const sc_core::sc_module_name& name, std::size_t tiles, Fault& fault);

  Cycles play(std::uint32_t tile, PortSchedule sends, PortSchedule receives,
              Cycles release) override;
  void skip(std::uint32_t tile, Cycles cycles) override;

 private:
  /// When the two ports of a tile are free again.
  struct Ports {
    Cycles send_free;
    Cycles receive_free;
  };

  /// False if two uses overlap.
  static bool playPort(Cycles& port_free, PortSchedule uses, Cycles release);

  std::vector<Ports> ports_;
  Fault& fault_;
};

}  // namespace ipusim::models
