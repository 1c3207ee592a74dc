// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ipusim/units.h"
#include "poplar/tile_compiler/instruction.h"
#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::tile_compiler {

/// Gives arguments and results their places: integers from m0, floats from a0, pairs of floats at
/// even registers; the rest goes to the stack.
class ArgumentPlaces {
 public:
  /// The first register of the next value; nothing where it goes to the stack.
  std::optional<PhysicalId> next(Type type) {
    const bool is_aux = isFloat(type);
    unsigned& free = is_aux ? aux_ : main_;
    const unsigned words = wordsOf(type);
    if (is_aux && words == 2) free = roundUp(free, 2U);
    if (free + words > (is_aux ? kAuxArguments : kMainArguments)) return std::nullopt;
    const unsigned place = free;
    free += words;
    return static_cast<PhysicalId>(is_aux ? kFirstAux + place : place);
  }

 private:
  unsigned main_ = 0;
  unsigned aux_ = 0;
};

}  // namespace ipusim::tile_compiler
