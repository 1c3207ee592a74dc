// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ipusim/units.h"

namespace ipusim {

/// What the bytes of a tile are used for, by the names of the vendor's profiler.
enum class MemoryCategory : std::uint8_t {
  Variables,
  Constants,
  MessageBuffers,
  VertexCode,
  VertexState,
  VertexFieldData,
  CopyDescriptors,
  ExchangeCode,
  ControlCode,
  HostExchangeCode,
  HostExchangeHeaders,
  GlobalExchangeCode,     ///< for exchanges between IPUs
  GlobalExchangeHeaders,  ///< of the packets that go to other IPUs
  Stack,
};
constexpr std::size_t kCategories = 14;

/// The key of a category in results, such as "variables" or "message_buffers".
const char* keyOf(MemoryCategory category);

/// True for code and for what the compiler generates; false for the program's data.
bool isCode(MemoryCategory category);

/// True for what exchanges between IPUs need: a program on one IPU has none of it.
bool isBetweenIpus(MemoryCategory category);

/// One entry per category.
using CategoryBytes = std::array<Bytes, kCategories>;

}  // namespace ipusim
