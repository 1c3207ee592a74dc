// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/conv_numbers.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kIn = 0;
constexpr std::size_t kWeights = 1;
constexpr std::size_t kOut = 2;

constexpr std::uint64_t kPointerBytes = 4;
// 6 workers x 3 entries x 2 bytes.
// Source: poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp and ConvPartialHorizontalMac.cpp, the
// versions with 16-bit worklists.
constexpr std::uint64_t kWorklistBytes = 36;

/// The contribution of one in group to one out group: out[f][p] (+)= in[f] . weights[p].
template <typename Input, typename Partial>
struct Block {
  const ConvBlocks& sizes;

  void accumulate(const Input* in, const Input* weights, Partial* out, bool first) const {
    for (std::uint64_t f = 0; f < sizes.field; ++f) {
      for (std::uint64_t p = 0; p < sizes.out_chans; ++p) {
        float sum = first ? 0.0F : static_cast<float>(out[f * sizes.out_chans + p]);
        for (std::uint64_t c = 0; c < sizes.in_chans; ++c) {
          sum += static_cast<float>(in[f * sizes.in_chans + c]) *
                 static_cast<float>(weights[p * sizes.in_chans + c]);
        }
        out[f * sizes.out_chans + p] = static_cast<Partial>(sum);
      }
    }
  }
};

template <typename Input, typename Partial>
void multiply(const ConvBlocks& sizes, const VertexData& data) {
  const Block<Input, Partial> block{sizes};
  for (std::uint64_t g = 0; g < sizes.conv_groups; ++g) {
    for (std::uint64_t o = 0; o < sizes.out_groups; ++o) {
      auto* out = data.as<Partial>(kOut, g * sizes.out_groups + o);
      for (std::uint64_t i = 0; i < sizes.in_groups; ++i) {
        const auto* in = data.as<Input>(kIn, g * sizes.in_groups + i);
        const auto* weights =
            data.as<Input>(kWeights, (g * sizes.out_groups + o) * sizes.in_groups + i);
        block.accumulate(in, weights, out, i == 0);
      }
    }
  }
}

}  // namespace

std::vector<Field> convFields(const ConvBlocks& blocks, ElementType inputs, ElementType partials) {
  const std::uint64_t in = blocks.conv_groups * blocks.in_groups;
  const std::uint64_t out = blocks.conv_groups * blocks.out_groups;
  return {
      {"in", FieldDirection::Input, inputs, {{in, blocks.field * blocks.in_chans}}},
      {"weights",
       FieldDirection::Input,
       inputs,
       {{out * blocks.in_groups, blocks.out_chans * blocks.in_chans}}},
      {"out", FieldDirection::Output, partials, {{out, blocks.field * blocks.out_chans}}},
  };
}

Flops convFlops(const ConvBlocks& blocks) {
  return Flops(2 * blocks.conv_groups * blocks.field * blocks.in_groups * blocks.in_chans *
               blocks.out_groups * blocks.out_chans);
}

Bytes convTableBytes(const std::vector<Field>& fields) {
  std::uint64_t edges = 0;
  for (const Field& field : fields) edges += field.edges();
  return Bytes(edges * kPointerBytes + kWorklistBytes);
}

void computeConv(const ConvBlocks& blocks, ElementType inputs, ElementType partials,
                 const VertexData& data) {
  withNumber(inputs, [&](auto input) {
    withNumber(partials,
               [&](auto partial) { multiply<decltype(input), decltype(partial)>(blocks, data); });
  });
}

}  // namespace ipusim::workloads
