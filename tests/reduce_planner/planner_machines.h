// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/toy_machine.h"

namespace ipusim::workloads {

constexpr ElementType kHalf = ElementType::Half;
constexpr ElementType kFloat = ElementType::Float;

/// The toy machine with another number of tiles.
inline Machine withTiles(std::uint32_t tiles) {
  Machine machine = models::toyMachine();
  machine.tiles = tiles;
  return machine;
}

}  // namespace ipusim::workloads
