// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/exchange_streams.h"

namespace ipusim::compiler {

/// Ports with time in equal slots: finds the first slots in which several ports are free at once,
/// gaps included.
class SlotPacker {
 public:
  SlotPacker(std::size_t ports, std::uint32_t slots);

  /// Slots in a row that a stream wants: how many, more than 0, and from which one on.
  struct Wanted {
    std::uint32_t length;
    std::uint32_t from;
  };

  /// Takes the first such slots that all `count` ports have free, and says the first of them;
  /// slots() if there are none, and takes none.
  std::uint32_t place(const PortId* ports, std::uint32_t count, Wanted wanted);

  [[nodiscard]] std::uint32_t slots() const;

 private:
  [[nodiscard]] std::uint64_t freeWord(const PortId* ports, std::uint32_t count,
                                       std::uint32_t word) const;
  [[nodiscard]] std::uint32_t find(const PortId* ports, std::uint32_t count, Wanted wanted) const;
  void take(PortId port, std::uint32_t first, std::uint32_t length);

  std::uint32_t words_;
  std::vector<std::uint64_t> busy_;  // port, bits of slots
  std::vector<std::uint32_t> open_;  // a port: its first word with a free slot
};

}  // namespace ipusim::compiler
