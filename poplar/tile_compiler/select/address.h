// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/select/selection.h"

namespace ipusim::tile_compiler {

/// Which forms an instruction's address may have. Aux: loads, and stores of aux registers: base +
/// delta + immediate, or base + delta + index. MainStore: an index excludes the delta. Source: [B],
/// [T] *-memory.ll.
enum class AddressForm : std::uint8_t { Full, MainStore };

/// The address of an access, taken apart: registers, bytes from them, and for the order of
/// accesses what is known of the place.
struct Address {
  std::vector<RegisterPart> registers;
  std::int64_t offset = 0;
  MemoryAccess place;
};

/// Takes the arithmetic of a pointer into the instruction as far as the form allows; what is left
/// is asked for in registers. `unit` is the size of the access in bytes.
Address addressOf(Selection& to, const Operand& pointer, unsigned unit, AddressForm form);

/// The address in one register, for a routine.
RegisterPart addressInRegister(Selection& to, const Operand& pointer);

/// What an address counts from, and how far it lies from there, as far as constants say.
MemoryAccess placeOf(const Selection& to, const Operand& pointer, unsigned bytes);

}  // namespace ipusim::tile_compiler
