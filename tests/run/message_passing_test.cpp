// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Loops over operations of message passing: their numbers, and that both engines agree.

namespace ipusim {
namespace {

struct Sizes {
  std::string op;
  std::uint64_t inputs;
  std::uint64_t features;
  std::uint64_t outputs;
};

ConfigReader loopOf(const Sizes& sizes, const std::string& machine, std::uint64_t repetitions) {
  return ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\nkind = 'message_passing'\nop = '{}'\ninputs = {}\n"
                  "features = {}\noutputs = {}\nrepetitions = {}\n",
                  machine, sizes.op, sizes.inputs, sizes.features, sizes.outputs, repetitions),
      "test");
}

std::vector<Sizes> randomSizes() {
  std::mt19937 random(7);
  std::vector<Sizes> all;
  for (const char* op : {"gather", "scatter_add", "interaction_block"}) {
    for (int n = 0; n < 4; ++n) {
      all.push_back({op, 1 + random() % 40, 2 + random() % 12, 1 + random() % 40});
    }
  }
  return all;
}

class MessagePassingLoop : public testing::TestWithParam<Sizes> {};

TEST_P(MessagePassingLoop, LeavesTheNumbersOfItsOperation) {
  for (const char* machine : {"'toy'", "{base = 'gc200', tiles = 64}"}) {
    const executor::CheckResult found =
        run::checkNumbers(run::prepare(loopOf(GetParam(), machine, 2))).found;
    EXPECT_TRUE(found.ok) << machine << ": " << found.output << ", " << found.relative;
  }
}

TEST_P(MessagePassingLoop, TakesAsLongOnTheChipAsInClosedForm) {
  const ConfigReader config = loopOf(GetParam(), "{base = 'gc200', tiles = 64}", 3);
  EXPECT_EQ(run::simulate(config, Engine::SystemC).time.cycles,
            run::simulate(config, Engine::ClosedForm).time.cycles);
}

INSTANTIATE_TEST_SUITE_P(Sizes, MessagePassingLoop, testing::ValuesIn(randomSizes()),
                         [](const auto& test) {
                           const Sizes& sizes = test.param;
                           return fmt::format("{}_{}_{}_{}", sizes.op, sizes.inputs, sizes.features,
                                              sizes.outputs);
                         });

TEST(MessagePassing, ARepetitionMoreTakesAsLongAsTheOneBefore) {
  const auto cycles = [](std::uint64_t repetitions) {
    return run::simulate(loopOf({"gather", 16, 16, 64}, "'gc200'", repetitions), Engine::ClosedForm)
        .time.cycles.value();
  };
  const std::uint64_t ten = cycles(10);
  EXPECT_EQ(cycles(30) - cycles(20), cycles(20) - ten);
}

}  // namespace
}  // namespace ipusim
