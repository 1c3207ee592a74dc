// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/units.h"

// What the memory of tiles is used for, and when. A position is a place in program order; the body
// of a Repeat counts once.

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

/// A tile holds `bytes` of variables that do not live always, from `position` until the next
/// change.
struct LivenessChange {
  std::uint32_t position;
  Bytes bytes;

  friend bool operator==(const LivenessChange& a, const LivenessChange& b) {
    return a.position == b.position && a.bytes == b.bytes;
  }
};

/// The changes in the order of their positions. Nothing lives before the first one.
using LivenessCurve = std::vector<LivenessChange>;

/// One curve per tile. Equal tiles share one.
struct LivenessCurves {
  std::vector<LivenessCurve> curves;         ///< all of them differ
  std::vector<std::uint32_t> curve_of_tile;  ///< one entry per tile: index into `curves`

  /// What `tile` holds at each position, for a program of `positions` positions.
  [[nodiscard]] std::vector<Bytes> bytesOf(std::uint32_t tile, std::size_t positions) const;
  /// What all tiles hold together at each position.
  [[nodiscard]] std::vector<Bytes> total(std::size_t positions) const;
};

}  // namespace ipusim
