// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/amp.h"

#include "sim/base/error.h"
#include "workloads/codelets/number.h"

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
constexpr std::size_t kWeights = 1;
constexpr std::size_t kOut = 2;

/// One in group's contribution to one out group: out[f][p] (+)= in[f] . weights[p]. The engine
/// keeps its sums in float and stores a partial after each in group.
template <typename Input, typename Partial>
struct Block {
  std::uint64_t field;
  std::uint64_t in_chans;
  std::uint64_t out_chans;

  void accumulate(const Input* in, const Input* weights, Partial* out, bool first) const {
    for (std::uint64_t f = 0; f < field; ++f) {
      for (std::uint64_t p = 0; p < out_chans; ++p) {
        float sum = first ? 0.0F : static_cast<float>(out[f * out_chans + p]);
        for (std::uint64_t c = 0; c < in_chans; ++c) {
          sum += static_cast<float>(in[f * in_chans + c]) *
                 static_cast<float>(weights[p * in_chans + c]);
        }
        out[f * out_chans + p] = static_cast<Partial>(sum);
      }
    }
  }
};

template <typename Input, typename Partial>
void multiply(const models::Amp1x1Shape& shape, std::uint64_t in_chans, const VertexData& data) {
  const Block<Input, Partial> block{shape.field, in_chans, shape.out_chans_per_group};
  for (std::uint64_t g = 0; g < shape.conv_groups; ++g) {
    for (std::uint64_t o = 0; o < shape.out_groups; ++o) {
      auto* out = data.as<Partial>(kOut, g * shape.out_groups + o);
      for (std::uint64_t i = 0; i < shape.in_groups; ++i) {
        const auto* in = data.as<Input>(kIn, g * shape.in_groups + i);
        const auto* weights =
            data.as<Input>(kWeights, (g * shape.out_groups + o) * shape.in_groups + i);
        block.accumulate(in, weights, out, i == 0);
      }
    }
  }
}

}  // namespace

ConvPartial1x1Out::ConvPartial1x1Out(const models::Amp1x1Shape& shape,
                                     std::uint32_t in_chans_per_group)
    : shape_(shape), in_chans_(in_chans_per_group) {
  check(shape.field > 0 && shape.in_groups > 0 && shape.out_groups > 0 && shape.conv_groups > 0,
        "ConvPartial1x1Out with nothing to do");
  const std::uint64_t g = shape.conv_groups;
  const std::uint64_t pc = shape.out_chans_per_group;
  fields_ = {
      {"in",
       FieldDirection::Input,
       shape.engine.inputs,
       {{g * shape.in_groups, shape.field * in_chans_}}},
      {"weights",
       FieldDirection::Input,
       shape.engine.inputs,
       {{g * shape.out_groups * shape.in_groups, pc * in_chans_}}},
      {"out",
       FieldDirection::Output,
       shape.engine.partials,
       {{g * shape.out_groups, shape.field * pc}},
       FieldMemory::Interleaved,
       static_cast<int>(kIn)},
  };
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
  withNumber(shape_.engine.inputs, [&](auto input) {
    withNumber(shape_.engine.partials, [&](auto partial) {
      multiply<decltype(input), decltype(partial)>(shape_, in_chans_, data);
    });
  });
}

}  // namespace ipusim::workloads
