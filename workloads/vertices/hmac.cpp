// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/hmac.h"

#include "base/error.h"
#include "models/ipu/cost/zero.h"
#include "workloads/vertices/conv_numbers.h"

namespace ipusim::workloads {

using models::HmacVariant;

namespace {

// Pointers to the three tables and the worklists, zeroing, strides and 16-bit sizes; the 1x1 form
// has fewer. Source: poplibs lib/poplin/codelets/ConvPartialHorizontalMac.cpp.
constexpr std::uint64_t kStateBytes = 48;
constexpr std::uint64_t kOneByOneStateBytes = 40;
constexpr std::uint64_t kPointerBytes = 4;
// 6 workers x 3 entries x 2 bytes, in the same place.
constexpr std::uint64_t kWorklistBytes = 36;
// Estimated: less than the matrix engine's vertex, which has code for each number of positions.
constexpr std::uint64_t kCodeBytes = 640;

ConvBlocks blocksOf(const models::HmacShape& shape, std::uint64_t field) {
  return {shape.conv_groups,        shape.in_groups,           shape.out_groups,
          shape.in_chans_per_group, shape.out_chans_per_group, field};
}

}  // namespace

ConvPartialHorizontalMac::ConvPartialHorizontalMac(const models::HmacShape& shape,
                                                   std::uint64_t field)
    : shape_(shape), field_(field) {
  check(field > 0 && shape.in_groups > 0 && shape.out_groups > 0 && shape.conv_groups > 0,
        "ConvPartialHorizontalMac with nothing to do");
  fields_ = convFields(blocksOf(shape, field), shape.inputs, shape.partials);
}

std::string ConvPartialHorizontalMac::name() const {
  return std::string("poplin::ConvPartialHorizontalMac") +
         (shape_.variant == HmacVariant::OneByOne ? "1x1<" : "<") + nameOf(shape_.inputs) + "," +
         nameOf(shape_.partials) + ">";
}

Cycles ConvPartialHorizontalMac::cycles(const models::Machine& machine) const {
  // With one in group and one out channel the 1x1 form stores what it has; the estimate charges
  // the walk over the regions all the same.
  const bool stores_once = shape_.variant == HmacVariant::OneByOne && shape_.in_groups == 1 &&
                           shape_.out_chans_per_group == 1;
  const models::ZeroShape zero{shape_.partials,
                               stores_once ? 0 : field_ * shape_.out_chans_per_group,
                               shape_.conv_groups * shape_.out_groups};
  return models::hmacRowCycles(machine, shape_, field_) + models::zeroPartialsCycles(machine, zero);
}

Bytes ConvPartialHorizontalMac::stateBytes() const {
  return Bytes(shape_.variant == HmacVariant::OneByOne ? kOneByOneStateBytes : kStateBytes);
}

Bytes ConvPartialHorizontalMac::fieldDataBytes() const {
  std::uint64_t edges = 0;
  for (const Field& field : fields_) edges += field.edges();
  return Bytes(edges * kPointerBytes + kWorklistBytes);
}

Bytes ConvPartialHorizontalMac::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops ConvPartialHorizontalMac::flops() const {
  const ConvBlocks b = blocksOf(shape_, field_);
  return Flops(2 * b.conv_groups * b.field * b.in_groups * b.in_chans * b.out_groups * b.out_chans);
}

void ConvPartialHorizontalMac::compute(const VertexData& data) const {
  computeConv(blocksOf(shape_, field_), fields_, data);
}

}  // namespace ipusim::workloads
