// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Computes convolutions through tile memories, and compares them with plain loops over doubles.

namespace ipusim::run {

namespace {

/// A network whose text is `layers`.
struct Network {
  std::string machine;
  std::string input;
  std::string layers;
  std::string more = {};  ///< further keys
};

constexpr const char* kTrain =
    "[workload.train]\nloss = \"squared_error\"\noptimiser = \"sgd\"\nlearning_rate = 0.1\n";

Experiment prepared(const Network& network) {
  return prepare(
      ConfigReader::fromText(
          fmt::format("machine = \"{}\"\n[workload]\nkind = \"network\"\nbatch = 2\ninput = {}\n"
                      "layers = \"{}\"\n{}",
                      network.machine, network.input, network.layers, network.more),
          "test"),
      {});
}

void expectRight(const Network& network) {
  const NumberCheck check = checkNumbers(prepared(network));
  EXPECT_TRUE(check.found.ok) << network.layers << " on " << network.machine << ": off by "
                              << check.found.relative;
}

/// Forward, and with the gradients of input and weights: the first layer makes the second one's
/// gradient of the input come into its own weights.
void expectRightInAllDirections(const std::string& input, const std::string& layers) {
  expectRight({"toy", input, layers});
  expectRight({"toy", input, layers, kTrain});
}

}  // namespace

TEST(ConvolutionNumbers, AreThoseOfPlainLoops) {
  expectRightInAllDirections("[8, 6, 6]", "conv 8 1 bias no; conv 8 3 bias no");
}

TEST(ConvolutionNumbers, AreThoseOfPlainLoopsWithPaddingAndStride) {
  expectRightInAllDirections("[3, 9, 8]",
                             "conv 8 3 pad 1 bias no; conv 5 3 stride 2 pad 1 bias no");
}

TEST(ConvolutionNumbers, AreThoseOfPlainLoopsWithDilationAndGroups) {
  expectRightInAllDirections("[4, 9, 9]",
                             "conv 8 1 bias no; conv 8 3 dilation 2 pad 2 groups 4 bias no");
}

TEST(ConvolutionNumbers, AreThoseOfPlainLoopsInOneAndThreeDimensions) {
  expectRightInAllDirections("[4, 11]", "conv 8 3 bias no; conv 4 3 stride 2 bias no");
  expectRightInAllDirections("[2, 4, 5, 4]", "conv 4 2 bias no; conv 4 3 pad 1 bias no");
}

TEST(ConvolutionNumbers, AreThoseOfPlainLoopsOnAWholeChip) {
  expectRight({"gc200", "[16, 14, 14]", "conv 32 3 pad 1 bias no; conv 16 1 stride 2 bias no"});
}

}  // namespace ipusim::run
