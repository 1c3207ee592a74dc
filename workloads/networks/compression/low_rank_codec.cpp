// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "workloads/networks/compression/codec.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/vertices/elementwise/uniform.h"

namespace ipusim::workloads {

namespace {

/// `count` orthonormal vectors of `size` numbers, one after the other: random numbers, each vector
/// without its parts along the ones before it. A second pass removes what rounding left of them.
std::vector<double> orthonormal(std::uint64_t count, std::uint64_t size, std::uint64_t seed) {
  const UniformRule random{seed};
  std::vector<double> vectors(count * size);
  for (std::uint64_t v = 0; v < count; ++v) {
    double* own = &vectors[v * size];
    for (std::uint64_t e = 0; e < size; ++e) own[e] = random.number(v * size + e) - 0.5;
    for (std::uint64_t other = 0; other < 2 * v; ++other) {
      const double* before = &vectors[other % v * size];
      double along = 0;
      for (std::uint64_t e = 0; e < size; ++e) along += own[e] * before[e];
      for (std::uint64_t e = 0; e < size; ++e) own[e] -= along * before[e];
    }
    double square = 0;
    for (std::uint64_t e = 0; e < size; ++e) square += own[e] * own[e];
    for (std::uint64_t e = 0; e < size; ++e) own[e] /= std::sqrt(square);
  }
  return vectors;
}

class LowRankCodec final : public Codec {
 public:
  explicit LowRankCodec(const LowRankSketch& sketch) : sketch_(sketch) {}

  [[nodiscard]] std::optional<std::string> wantedInsteadOf(const TensorType& type) const override {
    if (type.shape.size() >= 2 && type.shape.back() > sketch_.rank) return std::nullopt;
    return fmt::format("at least two dimensions, the last one of more than {} elements",
                       sketch_.rank);
  }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    const TensorType type = site.graph[x].type;
    const Shape rows = rowsOf(type.shape);
    const NetworkTensorId sketch =
        site.add("sketch", matmul(),
                 {site.reshaped("rows", rows, x), directions(site, type, CodecDirection::Encode)});
    return {sketch, std::nullopt};
  }
  [[nodiscard]] bool isCompact() const override { return false; }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    const NetworkTensorId rows =
        site.add("rows", matmul(), {code.values, directions(site, type, CodecDirection::Decode)});
    return site.reshaped("decoded", type.shape, rows);
  }

 private:
  enum class CodecDirection : std::uint8_t { Encode, Decode };

  static Shape rowsOf(const Shape& shape) {
    return {elementsOf(shape) / shape.back(), shape.back()};
  }

  [[nodiscard]] NetworkTensorId directions(const CodecSite& site, const TensorType& type,
                                           CodecDirection way) const {
    const std::uint64_t size = type.shape.back();
    const std::uint64_t rank = sketch_.rank;
    const std::vector<double> vectors = orthonormal(rank, size, sketch_.seed);
    const std::string name = fmt::format("directions_{}_{}", size, rank);
    if (way == CodecDirection::Decode)
      return site.constant(name, {{rank, size}, type.type}, vectors);
    TensorValues columns(vectors.size());
    for (std::uint64_t v = 0; v < rank; ++v) {
      for (std::uint64_t e = 0; e < size; ++e) columns[e * rank + v] = vectors[v * size + e];
    }
    return site.constant(name + "_transposed", {{size, rank}, type.type}, columns);
  }

  LowRankSketch sketch_;
};

}  // namespace

CodecPointer lowRankCodec(const LowRankSketch& sketch) {
  return std::make_shared<LowRankCodec>(sketch);
}

}  // namespace ipusim::workloads
