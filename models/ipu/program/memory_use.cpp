// SPDX-License-Identifier: Apache-2.0
#include "ipusim/memory_use.h"

namespace ipusim {

namespace {

/// Adds `tiles` times the bytes of `curve` to the bytes of each position.
void add(const LivenessCurve& curve, std::uint64_t tiles, std::vector<Bytes>& bytes) {
  for (std::size_t c = 0; c < curve.size(); ++c) {
    const std::size_t end = c + 1 < curve.size() ? curve[c + 1].position : bytes.size();
    const Bytes held = tiles * curve[c].bytes;
    for (std::size_t p = curve[c].position; p < end; ++p) bytes[p] += held;
  }
}

}  // namespace

std::vector<Bytes> LivenessCurves::bytesOf(std::uint32_t tile, std::size_t positions) const {
  std::vector<Bytes> bytes(positions);
  add(curves.at(curve_of_tile.at(tile)), 1, bytes);
  return bytes;
}

std::vector<Bytes> LivenessCurves::total(std::size_t positions) const {
  std::vector<std::uint64_t> tiles(curves.size(), 0);
  for (const std::uint32_t curve : curve_of_tile) ++tiles[curve];
  std::vector<Bytes> bytes(positions);
  for (std::size_t c = 0; c < curves.size(); ++c) add(curves[c], tiles[c], bytes);
  return bytes;
}

const char* keyOf(MemoryCategory category) {
  static constexpr std::array<const char*, kCategories> kKeys = {"variables",
                                                                 "constants",
                                                                 "message_buffers",
                                                                 "vertex_code",
                                                                 "vertex_state",
                                                                 "vertex_field_data",
                                                                 "copy_descriptors",
                                                                 "internal_exchange_code",
                                                                 "control_code",
                                                                 "host_exchange_code",
                                                                 "host_exchange_headers",
                                                                 "global_exchange_code",
                                                                 "global_exchange_headers",
                                                                 "stack"};
  return kKeys.at(static_cast<std::size_t>(category));
}

bool isBetweenIpus(MemoryCategory category) {
  return category == MemoryCategory::GlobalExchangeCode ||
         category == MemoryCategory::GlobalExchangeHeaders;
}

bool isCode(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::VertexCode:
    case MemoryCategory::ExchangeCode:
    case MemoryCategory::ControlCode:
    case MemoryCategory::HostExchangeCode:
    case MemoryCategory::GlobalExchangeCode:
    case MemoryCategory::Stack:
      return true;
    default:
      return false;
  }
}

}  // namespace ipusim
