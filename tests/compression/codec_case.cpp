// SPDX-License-Identifier: Apache-2.0
#include "tests/compression/codec_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ipusim/ids.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/evaluate.h"

namespace ipusim::workloads {

RoundTrip roundTrip(const Codec& codec, const TensorType& type, const TensorValues& values) {
  NetworkGraph graph;
  CodecConstants constants;
  const NetworkTensorId x = graph.addSource("x", type, TensorRole::Input);
  const Code code = codec.encode({graph, constants, "first"}, x);
  const NetworkTensorId decoded = codec.decode({graph, constants, "back"}, code, type);
  const Code again = codec.encode({graph, constants, "again"}, decoded);
  const std::vector<TensorValues> all = evaluate(graph, {{indexOf(x), values}});
  EXPECT_EQ(graph[decoded].type.shape, type.shape);
  EXPECT_EQ(graph[decoded].type.type, type.type);
  RoundTrip trip{all[indexOf(code.values)],   {},
                 all[indexOf(decoded)],       all[indexOf(again.values)],
                 bytesOf(graph[code.values]), Bytes(0)};
  if (code.scales) {
    trip.scales = all[indexOf(*code.scales)];
    trip.scale_bytes = bytesOf(graph[*code.scales]);
  }
  return trip;
}

TensorValues pictures(const Shape& shape) {
  const std::uint64_t width = shape.back();
  const std::uint64_t height = shape[shape.size() - 2];
  TensorValues values(elementsOf(shape));
  for (std::uint64_t e = 0; e < values.size(); ++e) {
    const std::uint64_t plane = e / (width * height);
    const auto x = static_cast<double>(e % width) / static_cast<double>(width);
    const auto y = static_cast<double>(e / width % height) / static_cast<double>(height);
    const auto turn = static_cast<double>(plane % 5);
    const bool is_bright = x > 0.3 && x < 0.7 && y > 0.2 + 0.05 * turn && y < 0.6;
    values[e] =
        std::sin(3 * x + turn) + 0.5 * std::cos(4 * y * x + 2 * turn) + (is_bright ? 1.5 : 0);
  }
  return values;
}

namespace {

/// Adds a wave of random phase for each frequency of a plane of n x n. The waves of (u, v) and of
/// (-u, -v) are one.
void addWaves(std::mt19937& random, std::uint64_t n, double* plane) {
  const auto half = static_cast<std::int64_t>(n / 2);
  const double turn = 2 * std::acos(-1.0) / static_cast<double>(n);
  for (std::int64_t u = 0; u < half; ++u) {
    for (std::int64_t v = 1 - half; v < half; ++v) {
      if (u == 0 && v <= 0) continue;
      const double amplitude = 1 / std::hypot(u, v);
      const double phase = turn * static_cast<double>(n) * (static_cast<double>(random()) / 0x1p32);
      for (std::uint64_t e = 0; e < n * n; ++e) {
        const auto x = static_cast<std::int64_t>(e % n);
        const auto y = static_cast<std::int64_t>(e / n);
        plane[e] += amplitude * std::cos(turn * static_cast<double>(u * x + v * y) + phase);
      }
    }
  }
}

}  // namespace

TensorValues naturalPlanes(const Shape& shape, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint64_t n = shape.back();
  EXPECT_EQ(shape[shape.size() - 2], n);
  TensorValues values(elementsOf(shape), 0);
  for (std::uint64_t first = 0; first < values.size(); first += n * n) {
    addWaves(random, n, &values[first]);
  }
  double square = 0;
  for (const double value : values) square += value * value / static_cast<double>(values.size());
  for (double& value : values) value /= std::sqrt(square);
  return values;
}

double largestDifference(const TensorValues& a, const TensorValues& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
  return largest;
}

double relativeError(const TensorValues& a, const TensorValues& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t e = 0; e < a.size(); ++e) {
    difference += (a[e] - b[e]) * (a[e] - b[e]);
    size += a[e] * a[e];
  }
  return std::sqrt(difference / size);
}

}  // namespace ipusim::workloads
