// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/fill.h"

#include <cstring>

#include "models/ipu/cost/fill.h"

namespace ipusim::workloads {

namespace {

// Pointer, length, value. Source: poplibs lib/popops/codelets/Fill.cpp.
constexpr std::uint64_t kStateBytes = 12;
// A pointer and a length for each region of the 2D form, in the same place.
constexpr std::uint64_t kRegionBytes = 8;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 160;

}  // namespace

Zero::Zero(models::ElementType type, std::uint64_t regions, std::uint64_t elements)
    : type_(type), regions_(regions), elements_(elements) {
  fields_ = {{"out", FieldDirection::Output, type, {{regions, elements}}}};
}

std::string Zero::name() const {
  return std::string(regions_ == 1 ? "popops::Fill<" : "popops::Fill2d<") + nameOf(type_) + ">";
}

Cycles Zero::cycles(const models::Machine& machine) const {
  if (regions_ == 1) return models::fillCycles(machine, {sizeOf(type_), elements_});
  return models::fill2dCycles(machine,
                              {sizeOf(type_), std::vector<std::uint64_t>(regions_, elements_)});
}

Bytes Zero::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes Zero::fieldDataBytes() const {
  return Bytes(regions_ == 1 ? 0 : regions_ * kRegionBytes);
}

Bytes Zero::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Zero::compute(const VertexData& data) const {
  const std::size_t bytes = (sizeOf(type_) * elements_).value();
  for (std::uint64_t r = 0; r < regions_; ++r) std::memset(data.edge(0, r), 0, bytes);
}

}  // namespace ipusim::workloads
