// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/toy_machine.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/text/network_workload.h"

// The table `train` beside what it does not fit.

namespace ipusim::workloads {
namespace {

/// The message of the error of a call. Empty without one.
template <typename Call>
std::string errorOf(const Call& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string errorOfTraining(const std::string& train) {
  const ConfigReader config = ConfigReader::fromText("train = {" + train + "}\n", "test");
  return errorOf([&] { readNetworkTraining(config); });
}

TEST(TrainingKeys, ThatTheOptimiserDoesNotUseAreTold) {
  EXPECT_EQ(errorOfTraining("optimiser = 'sgd', momentum = 0.5"),
            "test:1: train.momentum: wanted no momentum beside the optimiser sgd, which does not "
            "use it, found 0.5");
}

struct OptimiserKeys {
  std::string rule;
  std::set<std::string> used;
};

class TrainingKeysOf : public testing::TestWithParam<OptimiserKeys> {};

TEST_P(TrainingKeysOf, TheOptimiserAreThoseOfItsRule) {
  for (const std::string key :
       {"momentum", "square_momentum", "epsilon", "trust", "weight_decay", "learning_rate"}) {
    const std::string error =
        errorOfTraining(fmt::format("optimiser = '{}', {} = 0.5", GetParam().rule, key));
    EXPECT_EQ(error.empty(), GetParam().used.count(key) > 0) << key << ": " << error;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, TrainingKeysOf,
    testing::Values(
        OptimiserKeys{"sgd", {"learning_rate", "weight_decay"}},
        OptimiserKeys{"momentum", {"learning_rate", "weight_decay", "momentum"}},
        OptimiserKeys{"lars", {"learning_rate", "weight_decay", "momentum", "trust"}},
        OptimiserKeys{"adam",
                      {"learning_rate", "weight_decay", "momentum", "square_momentum", "epsilon"}},
        OptimiserKeys{"lamb",
                      {"learning_rate", "weight_decay", "momentum", "square_momentum", "epsilon"}}),
    [](const auto& one) { return one.param.rule; });

/// The loss cross_entropy has a softmax of its own.
TEST(Training, SaysThatASoftmaxIsTakenTwice) {
  const auto warnings = [](const std::string& layers, const std::string& train) {
    const ConfigReader config = ConfigReader::fromText(
        fmt::format("input = [3]\nbatch = 2\nlayers = '{}'\ntrain = {{{}}}\n", layers, train),
        "test");
    return buildNetwork(config, models::toyMachine()).warnings;
  };
  EXPECT_THAT(warnings("linear 4; softmax", ""),
              testing::ElementsAre(testing::HasSubstr("the program takes both")));
  EXPECT_THAT(warnings("linear 4; softmax", "loss = 'squared_error'"), testing::IsEmpty());
  EXPECT_THAT(warnings("linear 4; softmax; linear 4", ""), testing::IsEmpty());
}

TEST(Training, WantsParameters) {
  const ConfigReader config =
      ConfigReader::fromText("input = [3]\nbatch = 2\nlayers = 'relu; tanh'\ntrain = {}\n", "test");
  EXPECT_THAT(errorOf([&] { buildNetwork(config, {}); }),
              testing::StartsWith("test:4: train: wanted no train beside a network that has no "
                                  "parameters to learn, found "));
}

}  // namespace
}  // namespace ipusim::workloads
