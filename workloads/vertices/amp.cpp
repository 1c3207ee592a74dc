// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/amp.h"

#include "base/error.h"
#include "workloads/vertices/conv_numbers.h"

namespace ipusim::workloads {

namespace {

// 4 one-word pointers and 7 16-bit scalars, padded to words.
// Source: poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp, the version with 16-bit worklists.
constexpr std::uint64_t kStateBytes = 32;
constexpr std::uint64_t kPointerBytes = 4;
// 6 workers x 3 entries x 2 bytes, in the same place.
constexpr std::uint64_t kWorklistBytes = 36;
// Estimated: a matmul's vertex code is 1.6 kB a tile in a recorded BERT-large profile
// (graphcore/popliner tests), most of it this vertex.
constexpr std::uint64_t kCodeBytes = 1024;

constexpr std::size_t kIn = 0;
constexpr std::size_t kOut = 2;

ConvBlocks blocksOf(const models::Amp1x1Shape& shape, std::uint64_t in_chans) {
  return {shape.conv_groups, shape.in_groups,           shape.out_groups,
          in_chans,          shape.out_chans_per_group, shape.field};
}

}  // namespace

ConvPartial1x1Out::ConvPartial1x1Out(const models::Amp1x1Shape& shape,
                                     std::uint32_t in_chans_per_group)
    : shape_(shape), in_chans_(in_chans_per_group) {
  check(shape.field > 0 && shape.in_groups > 0 && shape.out_groups > 0 && shape.conv_groups > 0,
        "ConvPartial1x1Out with nothing to do");
  fields_ = convFields(blocksOf(shape, in_chans_), shape.engine.inputs, shape.engine.partials);
  fields_[kOut].memory = FieldMemory::Interleaved;
  fields_[kOut].apart_from = static_cast<int>(kIn);
}

std::string ConvPartial1x1Out::name() const {
  return std::string("poplin::ConvPartial1x1Out<") + nameOf(shape_.engine.inputs) + "," +
         nameOf(shape_.engine.partials) + "," + std::to_string(shape_.engine.conv_units) + ">";
}

Cycles ConvPartial1x1Out::cycles(const models::Machine& machine) const {
  return models::amp1x1Cycles(machine, shape_);
}

Bytes ConvPartial1x1Out::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes ConvPartial1x1Out::fieldDataBytes() const {
  std::uint64_t edges = 0;
  for (const Field& field : fields_) edges += field.edges();
  return Bytes(edges * kPointerBytes + kWorklistBytes);
}

Bytes ConvPartial1x1Out::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops ConvPartial1x1Out::flops() const {
  return Flops(2 * shape_.conv_groups * shape_.field * shape_.in_groups * in_chans_ *
               shape_.out_groups * shape_.out_chans_per_group);
}

void ConvPartial1x1Out::compute(const VertexData& data) const {
  computeConv(blocksOf(shape_, in_chans_), fields_, data);
}

}  // namespace ipusim::workloads
