// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/dct_chop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ipusim/ids.h"
#include "tests/compression/codec_case.h"
#include "tests/compression/naive_codecs.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/sources/text/network_text.h"

// The transform against its definition.

namespace ipusim::workloads {
namespace {

constexpr double kRounding = 1e-12;

class DctRules : public testing::TestWithParam<DctChop> {};

TEST_P(DctRules, RemoveWhatTheDefinitionRemoves) {
  const Shape shape{2, 3, 16, 48};
  const TensorValues x = pictures(shape);
  const RoundTrip trip = roundTrip(*dctChopCodec(GetParam()), {shape}, x);
  EXPECT_LT(largestDifference(trip.decoded, choppedPlanes(GetParam(), shape, x)), kRounding);
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
    EXPECT_LT(largestDifference(trip.decoded, choppedPlanes(GetParam(), type.shape, activation)),
              1e-10)
        << node.name;
  }
}

std::vector<DctChop> rules() {
  std::vector<DctChop> rules;
  for (const DctForm form : {DctForm::Dense, DctForm::Blockwise, DctForm::Fused}) {
    for (const DctCorner corner : {DctCorner::Square, DctCorner::Triangle}) {
      for (const std::uint64_t chop : {1U, 2U, 4U, 7U, 8U}) {
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
  EXPECT_LT(largestDifference(trip.decoded, choppedPlanes(rule, shape, x)), kRounding);
  EXPECT_EQ(trip.code_bytes, Bytes(2 * 2 * 2 * 9 * 4));
}

TEST_P(DctForms, KeepSmoothPlanesAlmost) {
  const Shape shape{4, 32, 32};
  const TensorValues x = pictures(shape);
  double before = 1;
  for (const std::uint64_t chop : {1U, 2U, 4U, 6U, 8U}) {
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
