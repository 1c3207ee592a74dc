// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/strict_vertex.h"

#include <algorithm>
#include <array>

#include "sim/execute/poison.h"

namespace ipusim::executor {

namespace {

// Three values for unwritten bytes: a large number, its negative, and poison, which is no number. A
// sum, product, largest or smallest that depends on such bytes differs from one value to another.
// Poison comes last and stays in the bytes.
constexpr std::array<std::byte, 3> kFillers{std::byte{0x7B}, std::byte{0xFB}, kPoison};

}  // namespace

void StrictVertex::add(std::size_t field, const EdgeBytes& edge) {
  const Field& in = type_.fields[field];
  if (in.direction != FieldDirection::Input) outputs_.push_back(edge);
  if (in.direction == FieldDirection::Output) return;
  owners_.expectNoOther(edge.place, type_.name + "." + in.name);
  for (std::uint64_t b = 0; b < edge.place.count.value(); ++b) {
    if (!owners_.isWritten(edge.place, b)) unwritten_.push_back(edge.first + b);
  }
}

void StrictVertex::compute(const VertexData& data) {
  if (unwritten_.empty()) {
    type_.compute(data);
    for (const EdgeBytes& edge : outputs_) owners_.write(edge.place);
    return;
  }
  before_ = outputBytes();
  std::vector<std::vector<std::byte>> results;
  for (const std::byte filler : kFillers) {
    computeWith(filler, data);
    results.push_back(outputBytes());
  }
  markOutputs(results);
}

void StrictVertex::computeWith(std::byte filler, const VertexData& data) {
  auto from = before_.begin();
  for (const EdgeBytes& edge : outputs_) {
    std::copy_n(from, edge.place.count.value(), edge.first);
    from += static_cast<std::ptrdiff_t>(edge.place.count.value());
  }
  for (std::byte* byte : unwritten_) *byte = filler;
  type_.compute(data);
}

std::vector<std::byte> StrictVertex::outputBytes() const {
  std::vector<std::byte> bytes;
  for (const EdgeBytes& edge : outputs_) {
    bytes.insert(bytes.end(), edge.first, edge.first + edge.place.count.value());
  }
  return bytes;
}

void StrictVertex::markOutputs(const std::vector<std::vector<std::byte>>& results) {
  std::size_t at = 0;
  for (const EdgeBytes& edge : outputs_) {
    for (std::uint64_t b = 0; b < edge.place.count.value(); ++b, ++at) {
      const bool is_same = std::all_of(results.begin(), results.end(), [&](const auto& result) {
        return result[at] == results.front()[at];
      });
      const BlockBytes byte{edge.place.block, edge.place.offset + Bytes(b), Bytes(1)};
      is_same ? owners_.write(byte) : owners_.forget(byte);
    }
  }
}

}  // namespace ipusim::executor
