// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// The steps of networks leave the numbers of evaluate(), forward and after an update.

namespace ipusim::workloads {
namespace {

struct NetworkCase {
  const char* input;
  std::string layers;
  const char* more = "";
  std::uint64_t batch = 3;
};

void PrintTo(const NetworkCase& one, std::ostream* out) {
  *out << one.layers << one.more;
}

executor::CheckResult checkOf(const NetworkCase& one, const std::string& machine,
                              const std::string& train) {
  const run::Experiment experiment = run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"network\"\ninput = {}\nbatch = {}\n"
                  "layers = \"{}\"\n{}{}",
                  machine, one.input, one.batch, one.layers, one.more, train),
      "test"));
  return run::checkNumbers(experiment).found;
}

TEST(LoweredNetworks, AreRightOnFewTiles) {
  for (const char* layers : {"fastfood 8; linear 4", "butterfly 8; linear 4",
                             "circulant 8; linear 4", "pixelfly 8 block 2 rank 1; linear 4",
                             "low_rank 8 6 rank 3; linear 4", "linear 8; layer_norm; linear 4"}) {
    for (const char* machine : {"{base = 'gc200', tiles = 1}", "{base = 'gc200', tiles = 2}",
                                "{base = 'gc200', tiles = 3}"}) {
      const run::Experiment experiment = run::prepare(ConfigReader::fromText(
          fmt::format("machine = {}\n[workload]\nkind = 'network'\ninput = [8]\nbatch = 3\n"
                      "layers = '{}'\ntrain = {{steps = 2}}",
                      machine, layers),
          "test"));
      EXPECT_TRUE(run::checkNumbers(experiment).found.ok) << layers << " on " << machine;
    }
  }
}

TEST(TrainedShl, IsRightOnFewTiles) {
  for (const char* hidden : {"fastfood", "butterfly", "circulant", "low_rank", "pixelfly"}) {
    const std::string_view kind = hidden;
    const char* more = kind == "low_rank" ? "rank = 2\n" : "";
    if (kind == "pixelfly") more = "block = 2\nrank = 1\nbutterfly_size = 4\n";
    for (const int tiles : {1, 2, 3}) {
      const run::Experiment experiment = run::prepare(ConfigReader::fromText(
          fmt::format(
              "machine = {{base = 'gc200', tiles = {}}}\n[workload]\nkind = 'shl_training'\n"
              "hidden = '{}'\nfeatures = 8\nclasses = 2\nbatch = 2\nsteps = 1\nepochs = 1\n"
              "dense = 'no'\n{}",
              tiles, hidden, more),
          "test"));
      EXPECT_TRUE(run::checkNumbers(experiment).found.ok) << hidden << " on " << tiles;
    }
  }
}

/// Gradients are small then, and a velocity changes by less than its terms round.
TEST(LoweredNetworks, AreRightAfterManySteps) {
  const executor::CheckResult found =
      run::checkNumbers(run::prepare(ConfigReader::fromText(
                            "machine = {base = 'gc200', tiles = 8}\n[workload]\nkind = 'network'\n"
                            "input = [16]\nbatch = 2\nlayers = 'linear 8; relu; linear 4'\n"
                            "train = {steps = 800}",
                            "test")))
          .found;
  EXPECT_TRUE(found.ok) << found.output << " after step " << found.round << ", " << found.relative;
}

TEST(LoweredNetworks, GiveAGradientToEachOfEqualMaxima) {
  const executor::CheckResult found =
      checkOf({"[3, 8, 8]", "embedding 10 8; max_pool 3; flatten", "", 2}, "toy", "train = {}\n");
  EXPECT_TRUE(found.ok) << found.output << " " << found.relative;
}

class LoweredNetwork : public testing::TestWithParam<NetworkCase> {};

TEST_P(LoweredNetwork, HasTheNumbersOfItsGraph) {
  for (const char* machine : {"toy", "gc200"}) {
    const executor::CheckResult found = checkOf(GetParam(), machine, "");
    EXPECT_TRUE(found.ok) << machine << ": " << found.output << " " << found.relative;
  }
}

TEST_P(LoweredNetwork, LearnsAsItsGraphDoes) {
  for (const char* machine : {"toy", "gc200"}) {
    const executor::CheckResult found =
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

// Each is the first layer, whose operand needs no gradient, and one behind another layer.
std::vector<NetworkCase> structuredCases() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (const char* layer : {"butterfly 8", "butterfly 8 twiddles untied order decreasing bias no",
                              "low_rank 8 6 rank 3; linear 8", "circulant 8", "fastfood 8 seed 3",
                              "pixelfly 8 block 2 rank 1",
                              "pixelfly 8 block 2 rank 2 butterfly_size 2 block_sum one_gather"}) {
      texts.push_back(fmt::format("{0}; tanh; {0}; linear 3", layer));
    }
    return texts;
  }();
  std::vector<NetworkCase> cases;
  for (const std::string& text : kTexts) {
    cases.push_back({"[8]", text});
    cases.push_back({"[4, 8]", text});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Structured, LoweredNetwork, testing::ValuesIn(structuredCases()));

std::vector<NetworkCase> functionCases() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (const char* function :
         {"gelu", "gelu_tanh", "silu", "sigmoid", "tanh", "exp", "abs", "negate", "erf", "cos",
          "sigmoid; log", "sigmoid; log1p", "sigmoid; sqrt", "sigmoid; reciprocal"}) {
      texts.push_back(fmt::format("linear 7; {}; linear 3", function));
    }
    return texts;
  }();
  std::vector<NetworkCase> cases;
  for (const std::string& text : kTexts) cases.push_back({"[5]", text.c_str()});
  return cases;
}

// Cubes of normalised numbers lie in all pieces of the functions. In halves they learn too fast.
std::vector<NetworkCase> pieceCases() {
  std::vector<NetworkCase> cases;
  for (const char* function :
       {"relu6", "leaky_relu", "hard_sigmoid", "hard_swish", "softsign", "sin", "cos"}) {
    const std::string end = fmt::format("{}; flatten; linear 3", function);
    cases.push_back({"[3, 5, 5]", "batch_norm; save x; multiply x; multiply x; " + end});
    cases.push_back({"[3, 5, 5]", "batch_norm; " + end, "type = \"half\"\n"});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Pieces, LoweredNetwork, testing::ValuesIn(pieceCases()));

INSTANTIATE_TEST_SUITE_P(Functions, LoweredNetwork, testing::ValuesIn(functionCases()));

INSTANTIATE_TEST_SUITE_P(
    Norms, LoweredNetwork,
    testing::Values(NetworkCase{"[4, 6]", "layer_norm; linear 3"},
                    NetworkCase{"[96]", "layer_norm; linear 3"},
                    NetworkCase{"[6, 4, 4]", "group_norm 2; tanh; group_norm 3; flatten; linear 3"},
                    NetworkCase{"[4, 8, 8]", "group_norm 1; flatten; linear 3"},
                    NetworkCase{"[5, 3, 3]", "batch_norm; tanh; batch_norm; flatten; linear 3"},
                    NetworkCase{"[2, 8, 8]", "batch_norm"},
                    NetworkCase{"[8, 6, 6]",
                                "conv 16 3 pad 1; batch_norm; tanh; save x; conv 24 1 bias no; "
                                "batch_norm; flatten; linear 3"},
                    NetworkCase{"[4, 6, 6]",
                                "conv 8 3 bias no; save x; batch_norm; add x; flatten; linear 3"},
                    NetworkCase{"[4, 6]", "layer_norm; linear 8", "type = \"half\"\n"}));

INSTANTIATE_TEST_SUITE_P(
    Indices, LoweredNetwork,
    testing::Values(NetworkCase{"[4]", "embedding 9 6; linear 3"},
                    NetworkCase{"[4]",
                                "embedding 9 6; add_positions 7; add_embedding kinds 2; linear 3"},
                    NetworkCase{"[40]", "linear 20; dropout 0.5; linear 3"}));

INSTANTIATE_TEST_SUITE_P(
    Pooling, LoweredNetwork,
    testing::Values(
        NetworkCase{"[2, 6, 6]", "max_pool 2; flatten; linear 3"},
        NetworkCase{"[12, 9, 7]", "batch_norm; max_pool 3 stride 2 pad 1; flatten; linear 3"},
        NetworkCase{"[2, 6, 6]", "batch_norm; average_pool 2; flatten; linear 3"},
        NetworkCase{"[3, 7, 9]",
                    "batch_norm; average_pool 3x2 stride 2x1 pad 1x0; flatten; linear 3"},
        NetworkCase{"[3, 9]", "batch_norm; max_pool 3 stride 1 dilation 2; flatten; linear 3"},
        NetworkCase{"[4, 6]", "layer_norm; max_pool 2; linear 8", "type = \"half\"\n"}));

// The norm works where the convolution leaves its result: a tile receives no more than its part of
// a vector of one float per channel.
TEST(BatchNorm, ReceivesNoActivationsOfAConvolution) {
  constexpr Bytes kVector(std::uint64_t{32} * 4);
  const run::Experiment experiment = run::prepare(ConfigReader::fromText(
      "machine = \"gc200\"\n[workload]\nkind = \"network\"\ninput = [16, 40, 40]\nbatch = 3\n"
      "layers = \"conv 32 3 pad 1 bias no; batch_norm; relu\"\npasses.fold_batch_norm = \"no\"\n",
      "test"));
  std::size_t exchanges = 0;
  for (std::size_t s = 0; s < experiment.executable.lowered.steps.size(); ++s) {
    if (experiment.executable.lowered.steps[s].name.rfind("batch_norm1", 0) != 0) continue;
    exchanges += experiment.executable.traffic.volumes[s].messages > 0 ? 1 : 0;
    EXPECT_LE(experiment.executable.traffic.volumes[s].max_tile_bytes, kVector);
  }
  EXPECT_GT(exchanges, 0U);
}

// Two layers of the shape of BERT, and two of that of ViT.
constexpr const char* kBert =
    "embedding 30 64; add_positions 9; add_embedding kinds 2; layer_norm; repeat 2 { save in; "
    "attention 4; add in; layer_norm; save in; linear 128; gelu; linear 64; add in; layer_norm }; "
    "first_token; linear 64 64; tanh; linear 5";
constexpr const char* kVit =
    "to_tokens; class_token; add_positions 10; repeat 2 { save in; layer_norm; attention 4; add "
    "in; "
    "save in; layer_norm; linear 128; gelu; linear 64; add in }; layer_norm; first_token; "
    "linear 64 5";

INSTANTIATE_TEST_SUITE_P(Transformers, LoweredNetwork,
                         testing::Values(NetworkCase{"[8]", kBert},
                                         NetworkCase{"[64, 3, 3]", kVit}));

/// An experiment of a network, and what its outputs should hold.
struct Wanted {
  run::Experiment experiment;
  Expected expected;
};

Wanted wantedOf(const std::string& network) {
  run::Experiment experiment = run::prepare(ConfigReader::fromText(
      "machine = \"gc200\"\n[workload]\nkind = \"network\"\n" + network, "test"));
  std::vector<TensorValues> inputs;
  for (const HostTensor& input : experiment.workload.host().inputs) {
    TensorValues made_up = executor::randomValues(ElementType::Float, input.tensor.elements(),
                                                  inputs.size(), input.below);
    inputs.push_back(input.values.empty() ? std::move(made_up) : input.values);
  }
  Expected expected = experiment.workload.reference->compute(inputs);
  return {std::move(experiment), std::move(expected)};
}

constexpr const char* kWellConditioned =
    "input = [64]\nbatch = 16\nlayers = \"linear 64; batch_norm; relu; linear 10\"\n"
    "train = {loss = \"squared_error\"}\n";

// Gradients through batch norms over three elements are what rounding leaves of larger numbers. No
// check can tell whether they are right, and this one says so.
TEST(IllConditioned, ACheckSaysThatRoundingMovesNumbersFartherThanItsTolerance) {
  const Wanted wanted = wantedOf(
      "input = [16]\nbatch = 3\nlayers = \"repeat 4 { linear 32 bias no; batch_norm; relu6 }; "
      "linear 10\"\ntrain = {loss = \"squared_error\"}\n");
  const run::NumberCheck check = run::checkNumbers(wanted.experiment);
  EXPECT_GT(check.found.max_slack, check.tolerance * check.found.max_reference);
}

TEST(WellConditioned, NumbersAreHeldToTheTolerance) {
  const Expected expected = wantedOf(kWellConditioned).expected;
  ASSERT_EQ(expected.slack.size(), expected.values.size());
  for (std::size_t o = 0; o < expected.slack.size(); ++o) {
    const TensorValues& slack = expected.slack[o];
    EXPECT_LT(*std::max_element(slack.begin(), slack.end()), 1e-5) << "output " << o;
  }
}

TEST(WellConditioned, AnElementThatIsOffByAThousandthIsFound) {
  const Wanted wanted = wantedOf(kWellConditioned);
  std::vector<std::string> names;
  for (const HostTensor& output : wanted.experiment.workload.host().outputs) {
    names.push_back(output.name);
  }
  const double tolerance = wanted.experiment.workload.reference->tolerance;
  const std::vector<TensorValues>& values = wanted.expected.values;
  ASSERT_TRUE(executor::compareOutputs(names, tolerance, wanted.expected, values).ok);
  for (std::size_t o = 0; o < values.size(); ++o) {
    const auto largest =
        std::max_element(values[o].begin(), values[o].end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::vector<TensorValues> found = values;
    found[o][static_cast<std::size_t>(largest - values[o].begin())] *= 1.001;
    EXPECT_FALSE(executor::compareOutputs(names, tolerance, wanted.expected, found).ok) << names[o];
  }
}

TEST(Unchecked, ResultsThatDoNotLiveUntilTheEndAreNamed) {
  const run::NumberCheck check = run::checkNumbers(run::prepare(ConfigReader::fromText(
      "machine = \"toy\"\n[workload]\nkind = \"network\"\ninput = [8]\nbatch = 4\n"
      "layers = \"linear 8; relu; linear 4\"\ncompile = \"separate\"\n"
      "train = {loss = \"cross_entropy\"}\n",
      "test")));
  EXPECT_TRUE(check.found.ok);
  EXPECT_FALSE(check.unchecked.empty());
}

TEST(Unchecked, ACheckOfNothingIsRefused) {
  Wanted wanted = wantedOf(kWellConditioned);
  wanted.experiment.workload.host = [] { return HostTensors{}; };
  wanted.experiment.workload.unchecked = {"loss"};
  try {
    static_cast<void>(run::checkNumbers(wanted.experiment));
    FAIL() << "checked nothing";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "check: wanted results that live until the program ends, found none (not loss)");
  }
}

class Optimisers : public testing::TestWithParam<const char*> {};

TEST_P(Optimisers, HaveTheirStepsOnTiles) {
  for (const char* decay : {"0", "0.25"}) {
    for (const char* machine : {"toy", "gc200"}) {
      const char* trust = GetParam() == std::string("lars") ? ", trust = 0.5" : "";
      const executor::CheckResult found =
          checkOf({"[5]", "linear 7; tanh; linear 3"}, machine,
                  fmt::format("train = {{loss = \"squared_error\", optimiser = \"{}\", steps = 3, "
                              "learning_rate = 0.125, weight_decay = {}{}}}\n",
                              GetParam(), decay, trust));
      EXPECT_TRUE(found.ok) << machine << " " << decay << ": " << found.output << " "
                            << found.relative;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Optimisers,
                         testing::Values("sgd", "momentum", "lars", "adam", "lamb"));

INSTANTIATE_TEST_SUITE_P(Attention, LoweredNetwork,
                         testing::Values(NetworkCase{"[4, 6]", "attention 2"},
                                         NetworkCase{"[4, 6]",
                                                     "linear 8; attention 2 causal yes"}));

}  // namespace
}  // namespace ipusim::workloads
