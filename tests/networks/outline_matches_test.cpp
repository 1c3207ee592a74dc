// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>

#include "tests/networks/outline_schedule.h"
#include "workloads/networks/outline/match_search.h"

// The matches that the tests of graphcore/popart (MIT) expect of its own search, in
// tests/integration/subgraph_tests.

namespace ipusim::workloads {
namespace {

std::string textOf(const std::vector<OutlineMatch>& matches) {
  std::ostringstream text;
  for (const OutlineMatch& match : matches) {
    text << '{';
    for (const std::size_t start : match.starts) {
      text << (start == match.starts.front() ? "" : ",") << start;
    }
    text << "}x" << match.length << ' ';
  }
  return text.str();
}

/// The matches of a text in any order: those of equal value differ by the rounding of sums.
std::multiset<std::string> inAnyOrder(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::string matchesOf(const OutlineSchedule& schedule, double threshold) {
  return textOf(aboveThreshold(findMatches(schedule), schedule.size(), threshold));
}

// getmatches_0_subgraph_test.cpp: the longest repeat crosses shorter ones.
TEST(OutlineMatches, OfASaturatedSequence) {
  const OutlineSchedule schedule = scheduleOf({0, 1, 1, 0, 1, 1, 0, 1, 1, 0}, {{0, 10}, {1, 11}});
  EXPECT_EQ(matchesOf(schedule, -1), "{0,6}x4 {1,4,7}x2 {1,2,4,5,7,8}x1 {0,3,6,9}x1 ");
  EXPECT_EQ(matchesOf(schedule, 5), "{1,2,4,5,7,8}x1 {0,3,6,9}x1 ");
}

// getmatches_0_subgraph_test.cpp: equal kinds whose edges differ.
TEST(OutlineMatches, StandForOneAnother) {
  const OutlineSchedule schedule = scheduleOf({6, 1, 2, 5, 1, 2, 6, 6, 1, 2, 7, 1, 2, 8, 1, 2},
                                              {{1, 11}, {2, 10}, {5, 1}, {6, 1}, {7, 1}, {8, 1}},
                                              {{0, 1, 0, 0},
                                               {0, 2, 0, 0},
                                               {0, 2, 0, 1},
                                               {0, 8, 0, 0},
                                               {0, 9, 0, 0},
                                               {8, 9, 0, 1},
                                               {0, 4, 0, 0},
                                               {0, 5, 0, 1},
                                               {4, 5, 0, 0},
                                               {0, 11, 0, 0},
                                               {0, 12, 0, 1},
                                               {11, 12, 0, 0},
                                               {0, 14, 0, 0},
                                               {0, 15, 0, 1},
                                               {14, 15, 0, 0}});
  EXPECT_EQ(matchesOf(schedule, -1), "{4,11,14}x2 {4,8,11,14}x1 {5,9,12,15}x1 {6,7}x1 ");
  EXPECT_EQ(matchesOf(schedule, 0), "{4,8,11,14}x1 {5,9,12,15}x1 {6,7}x1 ");
  EXPECT_EQ(matchesOf(schedule, 9), "{4,8,11,14}x1 {5,9,12,15}x1 ");
  EXPECT_EQ(matchesOf(schedule, 100), "");
}

// final_0_subgraph_test.cpp.
TEST(OutlineMatches, OfRepeatsInRepeats) {
  EXPECT_EQ(matchesOf(scheduleOf({0, 1, 2, 0, 1, 2}), 0), "{0,3}x3 ");
  EXPECT_EQ(matchesOf(scheduleOf({0, 1, 1, 2, 0, 1, 1, 2}), 0), "{0,4}x4 {1,2,5,6}x1 ");
  EXPECT_EQ(matchesOf(scheduleOf({0, 1, 2, 0, 0, 1, 2, 0}), 0), "{0,4}x4 {0,3,4,7}x1 ");
}

// final_0_subgraph_test.cpp.
TEST(OutlineMatches, ThatCrossAreNotBothTaken) {
  const OutlineSchedule schedule =
      scheduleOf({0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0}, {{0, 10}, {1, 11}, {2, 12}});
  const std::string single = "{0,3,4,7,10,11,12,13,14,15}x1 ";
  EXPECT_EQ(matchesOf(schedule, -1), "{0,7}x5 {1,5,8}x2 {3,10,12,14}x2 " + single);
  EXPECT_EQ(matchesOf(schedule, 0), "{1,5,8}x2 " + single);
  EXPECT_EQ(matchesOf(schedule, 15), "{1,5,8}x2 {3,10,12,14}x2 ");
}

// prune_matches_0_subgraph_test.cpp, what there is before anything is cut.
TEST(OutlineMatches, OfThreeEqualSequences) {
  const OutlineSchedule schedule = scheduleOf(
      {0, 0, 0, 1, 2, 3, 1, 2, 3}, {}, {{3, 5, 0, 0}, {6, 8, 0, 0}, {3, 4, 1, 2}, {6, 7, 1, 2}});
  EXPECT_EQ(matchesOf(schedule, -1), "{3,6}x3 {0,1,2}x1 ");
  EXPECT_EQ(matchesOf(scheduleOf({0, 1, 2, 0, 1, 2, 5, 5, 5, 5, 5, 5}), -1),
            "{6,9}x3 {0,3}x3 {6,7,8,9,10,11}x1 ");
}

/// Numbers of tensors: what a layer makes, its weights, and their gradients.
std::size_t productOf(std::size_t layer) {
  return 10 + layer;
}
std::size_t reluOf(std::size_t layer) {
  return 20 + layer;
}
std::size_t weightOf(std::size_t layer) {
  return 30 + layer;
}
std::size_t slopeOf(std::size_t layer) {
  return 40 + layer;
}
std::size_t weightSlopeOf(std::size_t layer) {
  return 50 + layer;
}
std::size_t inputSlopeOf(std::size_t layer) {
  return 60 + layer;
}

enum Kind : std::uint32_t { kMul, kRelu, kSum, kLossGradient, kReluGradient, kUpdate };

constexpr double kLittle = 0.1;
constexpr std::size_t kInput = 1;
constexpr std::size_t kLayers = 4;

std::size_t inputOf(std::size_t layer) {
  return layer == 0 ? kInput : reluOf(layer - 1);
}

/// The forward pass of products and relus, and their sum.
std::vector<TensorNode> forwardOfFour() {
  std::vector<TensorNode> nodes;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    nodes.push_back({kMul, kLittle, {inputOf(layer), weightOf(layer)}, productOf(layer)});
    nodes.push_back({kRelu, kLittle, {productOf(layer)}, reluOf(layer)});
  }
  nodes.push_back({kSum, kLittle, {reluOf(kLayers - 1)}, 2});
  return nodes;
}

/// Forward and backward pass. The two products of a layer's gradients take turns in coming first.
std::vector<TensorNode> trainingOfFour() {
  std::vector<TensorNode> nodes = forwardOfFour();
  nodes.push_back({kLossGradient, kLittle, {2}, inputSlopeOf(kLayers)});
  for (std::size_t layer = kLayers; layer-- > 0;) {
    nodes.push_back(
        {kReluGradient, kLittle, {inputSlopeOf(layer + 1), reluOf(layer)}, slopeOf(layer)});
    const TensorNode of_input{
        kMul, kLittle, {slopeOf(layer), weightOf(layer)}, inputSlopeOf(layer)};
    const TensorNode of_weight{
        kMul, kLittle, {slopeOf(layer), inputOf(layer)}, weightSlopeOf(layer)};
    const bool input_first = layer % 2 == 0;
    if (layer > 0 && input_first) nodes.push_back(of_input);
    nodes.push_back(of_weight);
    if (layer > 0 && !input_first) nodes.push_back(of_input);
    nodes.push_back({kUpdate, kLittle, {weightOf(layer), weightSlopeOf(layer)}, 70 + layer});
  }
  return nodes;
}

// op_0_subgraph_test.cpp: four products and relus, in inference.
TEST(OutlineMatches, OfEqualLayers) {
  EXPECT_EQ(matchesOf(scheduleOf(forwardOfFour()), 0.01), "{0,2,4,6}x2 ");
}

// op_0_subgraph_test.cpp: the same in training, 25 nodes.
TEST(OutlineMatches, OfForwardAndBackwardPass) {
  const OutlineSchedule schedule = scheduleOf(trainingOfFour());
  ASSERT_EQ(schedule.size(), 25U);
  const std::string singles = "{0,2,4,6,11,12,15,16,19,20,23}x1 {13,17,21,24}x1 {10,14,18,22}x1 ";
  EXPECT_EQ(inAnyOrder(matchesOf(schedule, 0.01)), inAnyOrder("{0,2,4,6}x2 " + singles));
  EXPECT_EQ(inAnyOrder(matchesOf(schedule, -1)),
            inAnyOrder("{10,18}x5 {0,4}x4 {0,2,4,6}x2 {11,15,19}x2 " + singles));
}

/// A chain of products and relus with weights of 4 sizes in turn, in inference. Nodes of different
/// contexts are no equals.
OutlineSchedule chainOfSizes(const std::vector<std::uint32_t>& contexts) {
  constexpr std::uint32_t kSizes = 4;
  constexpr double kProduct = 1000;
  std::vector<TensorNode> nodes;
  for (std::size_t layer = 0; layer < contexts.size(); ++layer) {
    const auto kind = static_cast<std::uint32_t>(layer % kSizes) + 2 * kSizes * contexts[layer];
    nodes.push_back({kind, kProduct, {inputOf(layer), weightOf(layer)}, productOf(layer)});
    nodes.push_back({kind + kSizes, kLittle, {productOf(layer)}, reluOf(layer)});
  }
  return scheduleOf(nodes);
}

// outlining_ir_test.cpp: the products are of four sizes, and eight of them repeat these once.
TEST(OutlineMatches, KeepContextsApart) {
  EXPECT_EQ(matchesOf(chainOfSizes({0, 0, 0, 0, 0, 0, 0, 0}), 1), "{0,8}x8 ");
  EXPECT_EQ(matchesOf(chainOfSizes({0, 1, 2, 3, 4, 5, 6, 7}), 1), "");
  EXPECT_EQ(matchesOf(chainOfSizes({0, 1, 0, 1, 0, 1, 0, 1}), 1), "{0,8}x8 ");
  EXPECT_EQ(matchesOf(chainOfSizes({0, 0, 1, 1, 0, 0, 1, 1}), 1), "{0,8}x8 ");
}

/// Six convolutions of inputs, and the gradients by the input: weights are turned, and multiplied
/// with the gradient by a convolution like those of the forward pass. The user reads the third
/// result and its gradient.
OutlineSchedule sixConvolutions() {
  constexpr std::size_t kConvolutions = 6;
  constexpr std::size_t kRead = 2;
  constexpr double kConvolution = 1000;
  std::vector<TensorNode> nodes;
  for (std::size_t n = 0; n < kConvolutions; ++n) {
    nodes.push_back({kMul, kConvolution, {inputOf(n), weightOf(n)}, reluOf(n)});
  }
  nodes.push_back(
      {kLossGradient, kLittle, {reluOf(kConvolutions - 1)}, inputSlopeOf(kConvolutions)});
  for (std::size_t n = kConvolutions; n-- > 0;) {
    nodes.push_back({kSum, kLittle, {weightOf(n)}, slopeOf(n)});
    nodes.push_back({kMul, kConvolution, {inputSlopeOf(n + 1), slopeOf(n)}, inputSlopeOf(n)});
  }
  OutlineSchedule schedule = scheduleOf(nodes);
  schedule[kRead].outputs.front().is_read_outside = true;
  return schedule;
}

// op_0_subgraph_test.cpp: results that the user reads.
TEST(OutlineMatches, OfConvolutionsAndTheirGradients) {
  EXPECT_EQ(inAnyOrder(matchesOf(sixConvolutions(), -1)),
            inAnyOrder("{7,13}x6 {0,3}x3 {7,9,11,13,15,17}x2 "
                       "{0,1,2,3,4,5,8,10,12,14,16,18}x1 "));
}

/// chainOfSizes(), with a boundary where the context changes. A boundary is like nothing else.
OutlineSchedule chainWithBoundaries(std::size_t layers_of_a_context) {
  constexpr std::uint32_t kBoundaries = 100;
  const OutlineSchedule chain = chainOfSizes(std::vector<std::uint32_t>(8, 0));
  OutlineSchedule schedule;
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < chain.size(); ++n) {
    if (n > 0 && n % (2 * layers_of_a_context) == 0) {
      schedule.push_back({kBoundaries + static_cast<std::uint32_t>(n), 0, {}, {}});
    }
    places.push_back(schedule.size());
    schedule.push_back(chain[n]);
  }
  for (OutlineNode& node : schedule) {
    for (OutlineInput& input : node.inputs) {
      if (input.producer != OutlineInput::kNoProducer) input.producer = places[input.producer];
    }
    for (OutlineOutput& output : node.outputs) output.last_reader = places[output.last_reader];
  }
  return schedule;
}

// outlining_ir_test.cpp: execution contexts split the schedule.
TEST(OutlineMatches, DoNotCrossBoundaries) {
  EXPECT_EQ(matchesOf(chainWithBoundaries(4), 1), "{0,9}x8 ");
  EXPECT_EQ(matchesOf(chainWithBoundaries(2), 1), "{5,15}x4 {0,10}x4 ");
}

}  // namespace
}  // namespace ipusim::workloads
