// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/dct_chop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ipusim/ids.h"
#include "tests/compression/codec_case.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/sources/text/network_text.h"

// The transform against its definition, as sums over each block.

namespace ipusim::workloads {
namespace {

constexpr double kRounding = 1e-12;

double wave(std::uint64_t frequency, std::uint64_t place) {
  const double size = frequency == 0 ? std::sqrt(1.0 / 8) : std::sqrt(2.0 / 8);
  return size * std::cos((2.0 * static_cast<double>(place) + 1) * static_cast<double>(frequency) *
                         std::acos(-1.0) / 16);
}

bool isKept(const DctChop& rule, std::uint64_t u, std::uint64_t v) {
  if (rule.corner == DctCorner::Triangle) return u + v < rule.chop;
  return u < rule.chop && v < rule.chop;
}

/// One plane, whose element at (y, x) is plane[y * width + x], with its high frequencies removed.
class PlaneReference {
 public:
  PlaneReference(const DctChop& rule, double* plane, std::uint64_t height, std::uint64_t width)
      : rule_(rule), plane_(plane), height_(height), width_(width) {}

  void chop() {
    for (std::uint64_t y = 0; y < height_; y += 8) {
      for (std::uint64_t x = 0; x < width_; x += 8) chopBlock(y, x);
    }
  }

 private:
  [[nodiscard]] double at(std::uint64_t y, std::uint64_t x) const {
    return y < height_ && x < width_ ? plane_[y * width_ + x] : 0;
  }

  void chopBlock(std::uint64_t top, std::uint64_t left) {
    std::vector<double> block(64, 0);
    for (std::uint64_t u = 0; u < 8; ++u) {
      for (std::uint64_t v = 0; v < 8; ++v) {
        if (!isKept(rule_, u, v)) continue;
        double sum = 0;
        for (std::uint64_t e = 0; e < 64; ++e) {
          sum += wave(u, e / 8) * wave(v, e % 8) * at(top + e / 8, left + e % 8);
        }
        for (std::uint64_t e = 0; e < 64; ++e) block[e] += sum * wave(u, e / 8) * wave(v, e % 8);
      }
    }
    for (std::uint64_t e = 0; e < 64; ++e) {
      const std::uint64_t y = top + e / 8;
      const std::uint64_t x = left + e % 8;
      if (y < height_ && x < width_) plane_[y * width_ + x] = block[e];
    }
  }

  const DctChop& rule_;
  double* plane_;
  std::uint64_t height_;
  std::uint64_t width_;
};

TensorValues chopped(const DctChop& rule, const Shape& shape, TensorValues values) {
  const std::uint64_t height = shape[shape.size() - 2] / rule.split;
  const std::uint64_t width = shape.back() / rule.split;
  for (std::uint64_t e = 0; e < values.size(); e += height * width) {
    PlaneReference(rule, &values[e], height, width).chop();
  }
  return values;
}

class DctRules : public testing::TestWithParam<DctChop> {};

TEST_P(DctRules, RemoveWhatTheDefinitionRemoves) {
  const Shape shape{2, 3, 16, 48};
  const TensorValues x = pictures(shape);
  const RoundTrip trip = roundTrip(*dctChopCodec(GetParam()), {shape}, x);
  EXPECT_LT(largestDifference(trip.decoded, chopped(GetParam(), shape, x)), kRounding);
}

TEST_P(DctRules, AreProjections) {
  const Shape shape{3, 16, 32};
  const RoundTrip trip = roundTrip(*dctChopCodec(GetParam()), {shape}, pictures(shape));
  EXPECT_LT(largestDifference(trip.code, trip.code_again), kRounding);
}

TEST_P(DctRules, KeepTheirShareOfTheBytes) {
  const Shape shape{3, 16, 32};
  for (const ElementType type : {ElementType::Float, ElementType::Half}) {
    const RoundTrip trip = roundTrip(*dctChopCodec(GetParam()), {shape, type}, pictures(shape));
    const Bytes before = elementsOf(shape) * sizeOf(type);
    const std::uint64_t chop = GetParam().chop;
    const std::uint64_t kept =
        GetParam().corner == DctCorner::Square ? chop * chop : chop * (chop + 1) / 2;
    EXPECT_EQ(trip.code_bytes.value() * 64, before.value() * kept);
    EXPECT_EQ(trip.scale_bytes, Bytes(0));
  }
}

TEST_P(DctRules, KeepRealActivations) {
  const NetworkTextOptions options{2, {1, 16, 16}};
  const TextNetwork network = readNetworkText("conv 4 3 pad 1; relu; conv 3 3 pad 1", options);
  std::unordered_map<std::size_t, TensorValues> sources;
  for (const TensorRole role : {TensorRole::Input, TensorRole::Parameter}) {
    for (const NetworkTensorId source : network.graph.tensorsOf(role)) {
      sources[indexOf(source)] = pictures({1, elementsOf(network.graph.shapeOf(source))});
    }
  }
  const std::vector<TensorValues> all = evaluate(network.graph, sources);
  for (const NetworkNode& node : network.graph.nodes()) {
    const TensorType& type = network.graph[node.results.front()].type;
    const TensorValues& activation = all[indexOf(node.results.front())];
    const RoundTrip trip = roundTrip(*dctChopCodec(GetParam()), type, activation);
    EXPECT_LT(largestDifference(trip.decoded, chopped(GetParam(), type.shape, activation)), 1e-10)
        << node.name;
  }
}

std::vector<DctChop> rules() {
  std::vector<DctChop> rules;
  for (const DctForm form : {DctForm::Dense, DctForm::Blockwise, DctForm::Fused}) {
    for (const DctCorner corner : {DctCorner::Square, DctCorner::Triangle}) {
      for (const std::uint64_t chop : {1, 2, 4, 7, 8}) {
        rules.push_back({chop, corner, form, 1});
      }
    }
    rules.push_back({4, DctCorner::Square, form, 2});
  }
  return rules;
}

INSTANTIATE_TEST_SUITE_P(All, DctRules, testing::ValuesIn(rules()), [](const auto& one) {
  const DctChop& rule = one.param;
  return fmt::format("{}_{}_{}_{}", wordOf(rule.form, kDctForms), wordOf(rule.corner, kDctCorners),
                     rule.chop, rule.split);
});

class DctForms : public testing::TestWithParam<DctForm> {};

TEST_P(DctForms, PutZerosBehindPlanes) {
  const DctChop rule{3, DctCorner::Square, GetParam(), 1};
  const Shape shape{2, 11, 13};
  const TensorValues x = pictures(shape);
  const RoundTrip trip = roundTrip(*dctChopCodec(rule), {shape}, x);
  EXPECT_LT(largestDifference(trip.decoded, chopped(rule, shape, x)), kRounding);
  EXPECT_EQ(trip.code_bytes, Bytes(2 * 2 * 2 * 9 * 4));
}

TEST_P(DctForms, KeepSmoothPlanesAlmost) {
  const Shape shape{4, 32, 32};
  const TensorValues x = pictures(shape);
  double before = 1;
  for (const std::uint64_t chop : {1, 2, 4, 6, 8}) {
    const RoundTrip trip =
        roundTrip(*dctChopCodec({chop, DctCorner::Square, GetParam(), 1}), {shape}, x);
    const double error = relativeError(x, trip.decoded);
    EXPECT_LT(error, before);
    before = error;
  }
  EXPECT_LT(before, kRounding);
}

INSTANTIATE_TEST_SUITE_P(All, DctForms,
                         testing::Values(DctForm::Dense, DctForm::Blockwise, DctForm::Fused));

}  // namespace
}  // namespace ipusim::workloads
