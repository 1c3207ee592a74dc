// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/schedule/exchange_streams.h"

namespace ipusim::compiler {

/// Divides the time of ports into equal slots, and finds the first slots in which several ports are
/// free at once. It also finds gaps between slots that are taken.
class SlotPacker {
 public:
  SlotPacker(std::size_t ports, std::uint32_t slots);

  /// The slots in a row that a stream wants: how many, which is more than 0, and from which slot
  /// on.
  struct SlotRequest {
    std::uint32_t length;
    std::uint32_t from;
  };

  /// Takes the first such slots that are free on all `count` ports, and returns the number of the
  /// first one. If there are none, takes nothing and returns slots().
  std::uint32_t place(const PortId* ports, std::uint32_t count, SlotRequest wanted);

  [[nodiscard]] std::uint32_t slots() const;

 private:
  [[nodiscard]] std::uint64_t freeWord(const PortId* ports, std::uint32_t count,
                                       std::uint32_t word) const;
  [[nodiscard]] std::uint32_t find(const PortId* ports, std::uint32_t count,
                                   SlotRequest wanted) const;
  void take(PortId port, std::uint32_t first, std::uint32_t length);

  std::uint32_t words_;
  std::vector<std::uint64_t> busy_;  // per port, one bit per slot
  std::vector<std::uint32_t> open_;  // one entry per port: its first word with a free slot
};

}  // namespace ipusim::compiler
