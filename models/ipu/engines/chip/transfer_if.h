// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "ipusim/tile_program.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// A transfer that follows a Sync, as the tile that announces it knows it.
struct ExpectedTransfer {
  OpKind kind;
  std::uint32_t index;   ///< into the list of transfers of its kind
  std::uint64_t weight;  ///< how many iterations of the program it stands for
};

/// What a tile sees of a way off the chip: the link to the host, or the links to other IPUs.
class TransferIf : public virtual sc_core::sc_interface {
 public:
  /// Announces that the transfer follows the next Sync.
  virtual void expect(const ExpectedTransfer& transfer) = 0;
  /// How many transfers have a known end.
  [[nodiscard]] virtual std::uint64_t known() const = 0;
  /// Notified when the end of one more transfer is known.
  [[nodiscard]] virtual const sc_core::sc_event& oneMoreKnown() const = 0;
  /// When the last transfer with a known end ends.
  [[nodiscard]] virtual Cycles lastEnd() const = 0;
};

}  // namespace ipusim::models
