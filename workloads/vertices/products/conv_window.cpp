// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/products/conv_window.h"

#include <type_traits>

#include "workloads/vertices/convert.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kConvWindowIn = 0;
constexpr std::size_t kConvWindowWeights = 1;
constexpr std::size_t kConvWindowOut = 2;

/// A position of the output, and the position of the input that it meets.
struct PositionPair {
  std::uint64_t output;
  std::uint64_t input;
};
using PositionPairs = std::vector<PositionPair>;

/// What kernel element `k` of a dimension makes meet.
PositionPairs pairsOf(const ConvWindow& dim, std::uint64_t k) {
  PositionPairs pairs;
  const auto dilation = static_cast<std::int64_t>(dim.dilation);
  for (std::uint64_t o = dim.first_computed; o < dim.end_computed; ++o) {
    const std::int64_t position = dim.out_step * static_cast<std::int64_t>(o) +
                                  dim.kernel_step * static_cast<std::int64_t>(k) + dim.offset;
    if (position < 0 || position % dilation != 0) continue;
    const auto input = static_cast<std::uint64_t>(position / dilation);
    if (input < dim.inputs) pairs.push_back({o, input});
  }
  return pairs;
}

/// The pairs of each position of the whole kernel, over all dimensions and the batch.
std::vector<PositionPairs> pairsOf(const ConvWindows& windows) {
  PositionPairs batch;
  for (std::uint64_t b = 0; b < windows.batch; ++b) batch.push_back({b, b});
  std::vector<PositionPairs> all{batch};
  for (const ConvWindow& dim : windows.dims) {
    std::vector<PositionPairs> next;
    for (const PositionPairs& outer : all) {
      for (std::uint64_t k = 0; k < dim.kernel; ++k) {
        const PositionPairs own = pairsOf(dim, k);
        PositionPairs& joined = next.emplace_back();
        joined.reserve(outer.size() * own.size());
        for (const PositionPair& a : outer) {
          for (const PositionPair& b : own) {
            joined.push_back({a.output * dim.outputs + b.output, a.input * dim.inputs + b.input});
          }
        }
      }
    }
    all = std::move(next);
  }
  return all;
}

/// `value` as a partial holds it.
template <typename Partial>
float stored(float value) {
  if constexpr (std::is_same_v<Partial, float>) return value;
  return static_cast<float>(static_cast<Partial>(value));
}

/// Adds the products of one kernel position and in group, for all out channels of a group.
template <typename Partial>
void addProducts(const ConvWindows& windows, const PositionPairs& pairs, const float* in,
                 const float* weights, float* out) {
  const std::uint64_t ins = windows.in_chans;
  const std::uint64_t outs = windows.out_chans;
  for (const PositionPair& pair : pairs) {
    for (std::uint64_t c = 0; c < windows.grouped; ++c) {
      const float* from = in + (pair.input * windows.grouped + c) * ins;
      float* to = out + (pair.output * windows.grouped + c) * outs;
      const float* by = weights + c * outs * ins;
      for (std::uint64_t p = 0; p < outs; ++p, by += ins) {
        float sum = to[p];
        for (std::uint64_t i = 0; i < ins; ++i) sum += from[i] * by[i];
        to[p] = stored<Partial>(sum);
      }
    }
  }
}

template <typename Input, typename Partial>
void multiply(const ConvWindows& windows, const VertexData& data) {
  const std::vector<PositionPairs> pairs = pairsOf(windows);
  const std::uint64_t in_elements = windows.inputs() * windows.grouped * windows.in_chans;
  const std::uint64_t out_elements = windows.outputs() * windows.grouped * windows.out_chans;
  const std::uint64_t step = windows.grouped * windows.out_chans * windows.in_chans;
  std::vector<float> in_scratch;
  std::vector<float> weight_scratch;
  for (std::uint64_t edge = 0; edge < windows.conv_groups * windows.out_groups; ++edge) {
    const std::uint64_t group = edge / windows.out_groups;
    std::vector<float> sums(out_elements, 0);
    for (std::uint64_t i = 0; i < windows.in_groups; ++i) {
      const float* in = floatsOf(data.as<Input>(kConvWindowIn, group * windows.in_groups + i),
                                 in_elements, in_scratch);
      const float* weights =
          floatsOf(data.as<Input>(kConvWindowWeights, edge * windows.in_groups + i),
                   pairs.size() * step, weight_scratch);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        addProducts<Partial>(windows, pairs[k], in, weights + k * step, sums.data());
      }
    }
    fromFloats(sums.data(), sums.size(), data.as<Partial>(kConvWindowOut, edge));
  }
}

}  // namespace

std::uint64_t ConvWindows::inputs() const {
  std::uint64_t count = batch;
  for (const ConvWindow& dim : dims) count *= dim.inputs;
  return count;
}

std::uint64_t ConvWindows::outputs() const {
  std::uint64_t count = batch;
  for (const ConvWindow& dim : dims) count *= dim.outputs;
  return count;
}

std::uint64_t ConvWindows::kernel() const {
  std::uint64_t count = 1;
  for (const ConvWindow& dim : dims) count *= dim.kernel;
  return count;
}

std::vector<Field> windowFields(const ConvWindows& windows, ElementType inputs,
                                ElementType partials) {
  const std::uint64_t in = windows.conv_groups * windows.in_groups;
  const std::uint64_t out = windows.conv_groups * windows.out_groups;
  const std::uint64_t in_chans = windows.grouped * windows.in_chans;
  const std::uint64_t out_chans = windows.grouped * windows.out_chans;
  return {
      {"in", FieldDirection::Input, inputs, {{in, windows.inputs() * in_chans}}},
      {"weights",
       FieldDirection::Input,
       inputs,
       {{out * windows.in_groups, windows.kernel() * out_chans * windows.in_chans}}},
      {"out", FieldDirection::Output, partials, {{out, windows.outputs() * out_chans}}},
  };
}

Flops windowFlops(const ConvWindows& windows) {
  std::uint64_t products = windows.batch;
  for (const ConvWindow& dim : windows.dims) {
    std::uint64_t pairs = 0;
    for (std::uint64_t k = 0; k < dim.kernel; ++k) pairs += pairsOf(dim, k).size();
    products *= pairs;
  }
  return Flops(2 * products * windows.conv_groups * windows.grouped * windows.in_groups *
               windows.in_chans * windows.out_groups * windows.out_chans);
}

void computeWindows(const ConvWindows& windows, ElementType inputs, ElementType partials,
                    const VertexData& data) {
  withNumber(inputs, [&](auto input) {
    withNumber(partials,
               [&](auto partial) { multiply<decltype(input), decltype(partial)>(windows, data); });
  });
}

}  // namespace ipusim::workloads
