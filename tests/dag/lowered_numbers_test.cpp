// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"

// The steps of networks leave the numbers of evaluate(), forward and after an update.

namespace ipusim::workloads {
namespace {

struct NetworkCase {
  const char* input;
  std::string layers;
  const char* more = "";
};

void PrintTo(const NetworkCase& one, std::ostream* out) {
  *out << one.layers << one.more;
}

checker::CheckResult checkOf(const NetworkCase& one, const std::string& machine,
                             const std::string& train) {
  const run::Experiment experiment = run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"network\"\ninput = {}\nbatch = 3\n"
                  "layers = \"{}\"\n{}{}",
                  machine, one.input, one.layers, one.more, train),
      "test"));
  return run::checkNumbers(experiment).found;
}

class LoweredNetwork : public testing::TestWithParam<NetworkCase> {};

TEST_P(LoweredNetwork, HasTheNumbersOfItsGraph) {
  for (const char* machine : {"toy", "gc200"}) {
    const checker::CheckResult found = checkOf(GetParam(), machine, "");
    EXPECT_TRUE(found.ok) << machine << ": " << found.output << " " << found.relative;
  }
}

TEST_P(LoweredNetwork, LearnsAsItsGraphDoes) {
  for (const char* machine : {"toy", "gc200"}) {
    const checker::CheckResult found =
        checkOf(GetParam(), machine,
                "train = {loss = \"squared_error\", learning_rate = 0.1, steps = 2}\n");
    EXPECT_TRUE(found.ok) << machine << ": " << found.output << " after step " << found.round
                          << ", " << found.relative;
  }
}

INSTANTIATE_TEST_SUITE_P(Softmax, LoweredNetwork,
                         testing::Values(NetworkCase{"[5]", "linear 7; softmax; linear 3"},
                                         NetworkCase{"[5]", "linear 7; log_softmax; linear 3"},
                                         NetworkCase{"[5]", "linear 96; softmax; linear 3"},
                                         NetworkCase{"[5]", "linear 96; log_softmax"},
                                         NetworkCase{"[5]", "linear 9; softmax",
                                                     "type = \"half\"\n"}));

std::vector<NetworkCase> functionCases() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (const char* function :
         {"gelu", "gelu_tanh", "silu", "sigmoid", "tanh", "exp", "abs", "negate", "sigmoid; log",
          "sigmoid; sqrt", "sigmoid; reciprocal"}) {
      texts.push_back(fmt::format("linear 7; {}; linear 3", function));
    }
    return texts;
  }();
  std::vector<NetworkCase> cases;
  for (const std::string& text : kTexts) cases.push_back({"[5]", text.c_str()});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Functions, LoweredNetwork, testing::ValuesIn(functionCases()));

INSTANTIATE_TEST_SUITE_P(
    Norms, LoweredNetwork,
    testing::Values(NetworkCase{"[4, 6]", "layer_norm; linear 3"},
                    NetworkCase{"[96]", "layer_norm; linear 3"},
                    NetworkCase{"[6, 4, 4]", "group_norm 2; tanh; group_norm 3; flatten; linear 3"},
                    NetworkCase{"[4, 8, 8]", "group_norm 1; flatten; linear 3"},
                    NetworkCase{"[5, 3, 3]", "batch_norm; tanh; batch_norm; flatten; linear 3"},
                    NetworkCase{"[2, 8, 8]", "batch_norm"},
                    NetworkCase{"[4, 6]", "layer_norm; linear 8", "type = \"half\"\n"}));

INSTANTIATE_TEST_SUITE_P(Attention, LoweredNetwork,
                         testing::Values(NetworkCase{"[4, 6]", "attention 2"},
                                         NetworkCase{"[4, 6]",
                                                     "linear 8; attention 2 causal yes"}));

}  // namespace
}  // namespace ipusim::workloads
