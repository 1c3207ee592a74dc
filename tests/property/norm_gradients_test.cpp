// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/run/check/check_experiment.h"

// Gradients through norms may be small differences of large numbers, which rounding moves far. A
// check allows as much as that, and finds steps that are missing all the same.

namespace ipusim::run {

namespace {

/// A network that is trained.
struct NormCase {
  const char* input;
  const char* layers;
  const char* type;
  int steps;
};

Experiment experimentOf(const NormCase& one) {
  return prepare(ConfigReader::fromText(
      fmt::format("machine = {{base = \"gc200\", tiles = 7}}\n[workload]\nkind = \"network\"\n"
                  "input = {}\nbatch = 2\nlayers = \"{}\"\ntype = \"{}\"\n"
                  "train = {{steps = {}, loss = \"squared_error\"}}\n",
                  one.input, one.layers, one.type, one.steps),
      "test"));
}

/// Leaves out what all steps with `part` in their names do. Returns how many there are.
std::size_t leaveOut(Experiment& experiment, const std::string& part) {
  std::size_t found = 0;
  for (compiler::Step& step : experiment.executable.lowered.steps) {
    if (step.name.find(part) == std::string::npos || step.families.empty()) continue;
    step.families.clear();
    ++found;
  }
  return found;
}

}  // namespace

TEST(NormGradients, AreRightWhereRoundingMovesThemFar) {
  const NormCase cases[] = {
      {"[4, 6, 6]",
       "conv 4 3 pad 1; save a; softmax; conv 4 1; sigmoid; save a; softmax; from a; batch_norm",
       "float", 2},
      {"[4, 6, 6]",
       "conv 4 3 pad 1; save a; hard_swish; save a; softmax; save a; group_norm 2; group_norm 2; "
       "batch_norm; save a",
       "float", 2},
      {"[8]", "linear 2; layer_norm; linear 3", "half", 3},
      {"[8]", "linear 2; layer_norm; tanh; linear 2; layer_norm; relu; linear 2; layer_norm",
       "half", 20},
      {"[4, 6, 6]", "conv 4 6; batch_norm; relu; flatten; linear 3", "half", 20}};
  for (const NormCase& one : cases) {
    const NumberCheck check = checkNumbers(experimentOf(one));
    EXPECT_TRUE(check.found.ok) << one.layers << ": " << check.found.output << ", "
                                << check.found.relative;
  }
}

TEST(NormGradients, WithoutAStepAreWrong) {
  const NormCase cases[] = {
      {"[8]", "linear 8; layer_norm; linear 4", "float", 2},
      {"[8]", "linear 8; layer_norm; linear 4", "half", 2},
      {"[4, 6, 6]", "conv 4 3 pad 1; batch_norm; relu; flatten; linear 3", "float", 2},
      {"[4, 6, 6]", "conv 4 3 pad 1; group_norm 2; relu; flatten; linear 3", "half", 2}};
  for (const NormCase& one : cases) {
    EXPECT_TRUE(checkNumbers(experimentOf(one)).found.ok) << one.layers;
    for (const char* part : {"/delta/mean/Add", "/delta/variance/Multiply", "/delta/AddTo"}) {
      Experiment experiment = experimentOf(one);
      EXPECT_GT(leaveOut(experiment, part), 0U) << part;
      EXPECT_FALSE(checkNumbers(experiment).found.ok) << one.layers << " without " << part;
    }
  }
}

}  // namespace ipusim::run
