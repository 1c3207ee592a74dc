// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "poplar/codelets/codelets.h"

// Addresses of a tile as pointers of this computer, and back.

namespace ipusim::codelets {

/// An address that a codelet holds. It comes in a register of 8 bytes, the upper 4 undefined.
using Address = std::uint32_t;

template <typename Type = void>
Type* at(Address address) {
  return static_cast<Type*>(static_cast<void*>(byteAt(address)));
}

template <typename Function>
std::uint64_t addressOfFunction(Function* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

}  // namespace ipusim::codelets
