// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <systemc>

#include "models/ipu/engines/chip/sync_network.h"
#include "models/ipu/engines/chip/transfer_if.h"

namespace ipusim::models {

/// A way off the chip. It plays announced transfers one after the other. Most transfers start when
/// the controller releases the Sync before them.
class TransferLink : public sc_core::sc_module, public TransferIf {
 public:
  sc_core::sc_port<SyncIf> sync;

  void expect(const ExpectedTransfer& transfer) override;
  [[nodiscard]] std::uint64_t known() const override { return known_; }
  [[nodiscard]] const sc_core::sc_event& oneMoreKnown() const override { return one_more_known_; }
  [[nodiscard]] Cycles lastEnd() const override { return last_end_; }

 protected:
  SC_HAS_PROCESS(TransferLink);
  /// A program without transfers needs no thread, which is expensive.
  TransferLink(const sc_core::sc_module_name& name, std::size_t transfers);
  /// Waits until the announced transfer may start, and returns the cycle.
  [[nodiscard]] virtual Cycles waitForStart();

 private:
  void run();
  /// Plays a transfer that starts in cycle `start`, and returns when it ends. May wait.
  [[nodiscard]] virtual Cycles play(const ExpectedTransfer& transfer, Cycles start) = 0;

  std::optional<ExpectedTransfer> expected_;
  std::uint64_t release_ = 0;  // the number of the release that the expected transfer follows
  sc_core::sc_event is_expected_;
  std::uint64_t known_ = 0;
  sc_core::sc_event one_more_known_;
  Cycles last_end_;
};

}  // namespace ipusim::models
