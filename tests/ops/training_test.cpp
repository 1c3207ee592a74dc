// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "ipusim/error.h"
#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"
#include "workloads/sources/named/parts/shl_network.h"
#include "workloads/sources/named/parts/structured_layers.h"

namespace ipusim::workloads {
namespace {

run::Experiment training(const std::string& machine, const std::string& keys) {
  return run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"shl_training\"\n{}", machine, keys),
      "test"));
}

/// Compares gradients, and the update made of them, with differences of the loss.
TEST(Training, HasTheNumbersOfDifferencesOfItsLoss) {
  const std::string small = "features = 8\nclasses = 3\nbatch = 5\n";
  for (const char* hidden :
       {"hidden = \"linear\"", "hidden = \"butterfly\"\nwrapper_bias = \"yes\"",
        "hidden = \"low_rank\"\nrank = 2", "hidden = \"fastfood\"", "hidden = \"circulant\"",
        "hidden = \"pixelfly\"\nbutterfly_size = 4\nblock = 2\nrank = 2"}) {
    EXPECT_TRUE(run::checkNumbers(training("toy", small + hidden)).found.ok) << hidden;
  }
  EXPECT_TRUE(run::checkNumbers(training("gc200", small + "hidden = \"linear\"\nsteps = 3\n"
                                                          "momentum = 0.5\nlearning_rate = 0.1"))
                  .found.ok);
}

run::Experiment perceptron(const std::string& keys) {
  return run::prepare(ConfigReader::fromText(
      "machine = \"toy\"\n[workload]\nkind = \"mlp_training\"\n" + keys, "test"));
}

/// The reference is the chain rule in doubles.
TEST(Training, OfAPerceptronHasTheNumbersOfTheChainRule) {
  for (const char* dims : {"[7, 3]", "[6, 5, 4]", "[6, 9, 8, 5, 3]"}) {
    EXPECT_TRUE(run::checkNumbers(perceptron(fmt::format("dims = {}\nbatch = 4\nsteps = 3\n"
                                                         "learning_rate = 0.1\nmomentum = 0.5\n",
                                                         dims)))
                    .found.ok)
        << dims;
  }
}

/// The program learns at another rate than its reference.
TEST(Training, OfAPerceptronAtAWrongRateShows) {
  run::Experiment experiment = perceptron("dims = [6, 5, 4]\nbatch = 4\nlearning_rate = 0.1\n");
  experiment.workload.reference =
      perceptron("dims = [6, 5, 4]\nbatch = 4\nlearning_rate = 0.2\n").workload.reference;
  EXPECT_FALSE(run::checkNumbers(experiment).found.ok);
}

constexpr std::array kHiddenLayers = {
    "\"linear\"",   "\"butterfly\"", "\"circulant\"",
    "\"fastfood\"", "\"low_rank\"",  "\"pixelfly\"\nbutterfly_size = 4\nblock = 4\nrank = 2"};

/// A right program stays right however long it runs. Rounding grows from step to step, and may
/// change the sign of a unit; neither is an error of the program.
TEST(Training, StaysRightOverManySteps) {
  for (const char* hidden : kHiddenLayers) {
    const run::Experiment many = training(
        "toy",
        fmt::format("hidden = {}\nfeatures = 16\nbatch = 16\nclasses = 2\nepochs = 400\n", hidden));
    const checker::CheckResult found = run::checkNumbers(many).found;
    EXPECT_TRUE(found.ok) << hidden << ": " << found.output << " after step " << found.round << ", "
                          << found.relative;
  }
}

/// Learns far from a loss of zero, and near it, where slopes are differences of almost equal
/// numbers.
TEST(Training, StaysRightWhereItLearnsFast) {
  for (const char* hidden : kHiddenLayers) {
    const run::Experiment fast = training(
        "toy", fmt::format("hidden = {}\nfeatures = 8\nbatch = 4\nclasses = 3\nsteps = 300\n"
                           "learning_rate = 0.2\n",
                           hidden));
    const checker::CheckResult found = run::checkNumbers(fast).found;
    EXPECT_TRUE(found.ok) << hidden << ": " << found.output << " after step " << found.round << ", "
                          << found.relative;
  }
}

class PlantedInTraining : public testing::TestWithParam<const char*> {
 protected:
  /// A training of a few steps, with further keys.
  static run::Experiment trainingWith(const std::string& keys) {
    return training("toy", fmt::format("hidden = {}\nfeatures = 16\nbatch = 8\nclasses = 3\n"
                                       "steps = 4\n{}",
                                       GetParam(), keys));
  }
  /// The result of a check when the program is compiled with the keys of `program`, and the
  /// reference without them.
  static checker::CheckResult checkOf(const std::string& program) {
    run::Experiment usual = trainingWith("");
    run::Experiment planted = trainingWith(program);
    usual.executable = std::move(planted.executable);
    usual.workload.graph = std::move(planted.workload.graph);  // this graph has the constants
    return run::checkNumbers(usual).found;
  }
};

TEST_P(PlantedInTraining, AnotherLearningRateShows) {
  EXPECT_TRUE(checkOf("learning_rate = 0.001").ok);
  EXPECT_FALSE(checkOf("learning_rate = 0.00102").ok);
  EXPECT_FALSE(checkOf("learning_rate = 0").ok);
}

TEST_P(PlantedInTraining, AnotherMomentumShows) {
  EXPECT_TRUE(checkOf("momentum = 0.9").ok);
  EXPECT_FALSE(checkOf("momentum = 0.901").ok);
}

TEST_P(PlantedInTraining, AStepLessOrMoreShows) {
  for (const char* steps : {"epochs = 2", "epochs = 3"}) {
    const checker::CheckResult found = checkOf(steps);
    EXPECT_FALSE(found.ok);
    EXPECT_EQ(found.output, "rounds of the loop");
  }
  run::Experiment short_of_one = trainingWith("");
  --std::get<compiler::Loop>(short_of_one.executable.control.front()).iterations;
  EXPECT_FALSE(run::checkNumbers(short_of_one).found.ok);
}

/// Leaves out the last message of each exchange, one after the other.
TEST_P(PlantedInTraining, AMissingMessageShows) {
  run::Experiment experiment = trainingWith("");
  int planted = 0;
  for (compiler::Step& step : experiment.executable.steps) {
    if (step.messages.empty()) continue;
    ++planted;
    const compiler::Message last = step.messages.takeLast();
    EXPECT_FALSE(run::checkNumbers(experiment).found.ok) << step.name;
    step.messages.add(last);
  }
  EXPECT_GT(planted, 3);
  EXPECT_TRUE(run::checkNumbers(experiment).found.ok);
}

/// Leaves out the compute sets of the backward pass and of the update, one after the other.
TEST_P(PlantedInTraining, AMissingComputeSetShows) {
  run::Experiment experiment = trainingWith("");
  int planted = 0;
  for (compiler::Step& step : experiment.executable.steps) {
    const bool learns = step.name.find("radient") != std::string::npos ||
                        step.name.find("/sgd") != std::string::npos;
    if (step.kind != StepKind::Compute || !learns) continue;
    ++planted;
    std::vector<compiler::BoundFamily> families;
    families.swap(step.families);
    EXPECT_FALSE(run::checkNumbers(experiment).found.ok) << step.name;
    families.swap(step.families);
  }
  EXPECT_GT(planted, 3);
}

INSTANTIATE_TEST_SUITE_P(Layers, PlantedInTraining, testing::ValuesIn(kHiddenLayers),
                         [](const auto& test) {
                           const std::string kind = test.param;
                           return kind.substr(1, kind.find('"', 1) - 1);
                         });

/// A difference over any step is a slope when the middle of two outputs is the output of the
/// middle.
TEST(Training, LayersAreAffineInEachParameter) {
  const ConfigReader config =
      ConfigReader::fromText("features = 8\nrank = 2\nbutterfly_size = 4\nblock = 2\n", "test");
  for (const std::string& kind : structuredLayers()) {
    Graph graph;
    const auto layer =
        readStructuredLayer(config, kind).make({graph, models::toyMachine(), kind, 3});
    const Values x = checker::randomValues(ElementType::Float, 24, 1);
    std::vector<Values> parameters;
    for (const Parameter& parameter : layer->parameters()) {
      parameters.push_back(checker::randomValues(ElementType::Float, parameter.tensor.elements(),
                                                 parameters.size()));
    }
    for (Values& values : parameters) {
      for (double& value : values) {
        const Values middle = layer->reference(parameters, x);
        value += 1;
        const Values above = layer->reference(parameters, x);
        value -= 2;
        const Values below = layer->reference(parameters, x);
        value += 1;
        for (std::size_t i = 0; i < middle.size(); ++i) {
          ASSERT_NEAR(above[i] + below[i], 2 * middle[i], 1e-12) << kind;
        }
      }
    }
  }
}

/// The program goes up the slope, and its reference goes down.
TEST(Training, AGradientOfTheWrongSignShows) {
  const Machine& machine = models::toyMachine();
  const ConfigReader config = ConfigReader::fromText("features = 16\nrank = 2\n", "test");
  const SgdRates down{0.01, 0.5};
  for (const double rate : {0.01, -0.01}) {
    Graph graph;
    ShlNetwork network(graph, machine, {16, 3, 8, false},
                       shlModules({16, 3, 8, false}, {rate, 0.5}, "low_rank",
                                  readStructuredLayer(config, "low_rank").make));
    Program step;
    network.addStep(step);
    graph.program().add(repeat(3, {std::move(step)}));
    const Reference reference{
        [&](const std::vector<Values>& inputs) { return network.reference().step(inputs, down); },
        2e-4, 3};
    const auto found = checker::checkNumbers(graph, compiler::compile(graph, machine),
                                             {network.inputs(), network.outputs()}, reference);
    EXPECT_EQ(found.ok, rate > 0) << rate;
  }
}

/// A slack as large as the slopes would forgive any gradient.
TEST(Training, SlackStaysBelowTheSlopesOfWhatIsLearnt) {
  const ConfigReader config = ConfigReader::fromText("features = 8\nrank = 4\n", "test");
  Graph graph;
  const ShlNetwork network(graph, models::toyMachine(), {8, 3, 4, false},
                           shlModules({8, 3, 4, false}, {0.2, 0}, "low_rank",
                                      readStructuredLayer(config, "low_rank").make));
  std::vector<Values> values;
  for (const HostTensor& input : network.inputs()) {
    const std::uint64_t elements = input.tensor.elements();
    values.push_back(checker::randomValues(ElementType::Float, elements, elements));
  }
  values[1] = {0, 1, 2, 0};
  Expected expected = network.reference().step(values, {0.2, 0});
  for (int i = 0; i < 300; ++i) {
    std::move(expected.values.begin() + 1, expected.values.end(), values.begin() + 2);
    expected = network.reference().step(values, {0.2, 0});
  }
  EXPECT_LT(expected.values[0][0], 0.01);
  const std::size_t parameters = network.parameters().size();
  for (std::size_t v = 1 + parameters; v < expected.values.size(); ++v) {
    const Values& slack = expected.slack[v];
    EXPECT_LT(*std::max_element(slack.begin(), slack.end()), 0.3 * expected.scales[v]) << v;
  }
}

/// In so little memory all three passes of a layer go through their channels in steps, and the
/// steps do not divide the channels.
TEST(Training, HasThemInStepsThatDoNotDivide) {
  for (const char* batch : {"33", "51"}) {
    const run::Experiment uneven = run::prepare(ConfigReader::fromText(
        fmt::format("[machine]\nbase = \"toy\"\nsram_per_tile_bytes = 10922\n"
                    "code_region_bytes = 4096\n[workload]\nkind = \"shl_training\"\n"
                    "hidden = \"linear\"\nfeatures = 97\nclasses = 3\nbatch = {}\n",
                    batch),
        "test"));
    EXPECT_TRUE(run::checkNumbers(uneven).found.ok) << batch;
  }
}

TEST(Training, RepeatsAStepAsOftenAsItSays) {
  const char* keys = "hidden = \"linear\"\nfeatures = 16\nbatch = 4\ncopy_batch = \"yes\"\n";
  const auto cycles = [&](const std::string& times) {
    return run::simulate(training("gc200", keys + times), Engine::SystemC).training->seconds;
  };
  const double one = cycles("steps = 2");
  EXPECT_NEAR(cycles("steps = 20\nepochs = 3") / one, 30, 0.2);
  EXPECT_NEAR(cycles("steps = 2\nhost_step_seconds = 0.5") - one, 1.0, 1e-9);
}

TEST(Training, StandsBesideTheDenseNetwork) {
  const run::RunResult result = run::simulate(
      training("gc200", "hidden = \"low_rank\"\nfeatures = 64\nbatch = 8"), Engine::ClosedForm);
  ASSERT_TRUE(result.dense.has_value());
  EXPECT_EQ(result.dense->parameters, result.model->dense_parameters);
  EXPECT_EQ(result.dense->parameters, 64U * 65 + 65U * 10);
  EXPECT_GT(*result.dense->memory_ratio, 0.5);
}

/// 4810 parameters * 50 samples * (4810 + 64) are the products per step: 17 steps are below the
/// allowed 2e10.
TEST(Training, IsNotCheckedWhereThatTakesForever) {
  const run::Experiment large = training("gc200", "hidden = \"linear\"\nfeatures = 64\nsteps = 18");
  EXPECT_THROW((void)run::checkNumbers(large), ConfigError);
}

TEST(Training, IsCheckableUpToSoMuchWork) {
  // 1000 x 10 x (1000 + 1000) products per step.
  EXPECT_TRUE(isCheckable({1000, 10, 10, false}, 1000, 1000));
  EXPECT_FALSE(isCheckable({1000, 10, 10, false}, 1000, 1001));
  // 2047 x 2^64 products, which would be 0 if they were counted in 64 bits.
  EXPECT_FALSE(isCheckable({1U << 16U, 2, 1U << 20U, false}, 2047ULL << 16U, 1));
}

/// The parameters of a network of 1024 features and 10 classes, counted from its variables.
std::uint64_t parametersOf(const std::string& hidden, bool has_wrapper_bias) {
  const ConfigReader config = ConfigReader::fromText("features = 1024\n" + hidden, "test");
  const Machine& machine = models::gc200();
  Graph graph;
  const std::string kind = hidden.substr(1, hidden.find('\n') - 1);
  const LayerChoice layer = readStructuredLayer(config, kind);
  const ShlNetwork network(graph, machine, {1024, 10, 50, has_wrapper_bias},
                           shlModules({1024, 10, 50, has_wrapper_bias}, {}, kind, layer.make));
  std::uint64_t count = 0;
  for (const Parameter& parameter : network.parameters()) count += parameter.tensor.elements();
  return count;
}

std::string pixelfly(std::uint64_t butterfly_size, std::uint64_t block, std::uint64_t rank) {
  return fmt::format("#pixelfly\nbutterfly_size = {}\nblock = {}\nrank = {}\n", butterfly_size,
                     block, rank);
}

// arXiv 2309.08946, Table 4.
TEST(Training, HasThePublishedParameters) {
  EXPECT_EQ(parametersOf("#butterfly\n", true), 16'390U);
  EXPECT_EQ(parametersOf("#fastfood\n", false), 14'346U);
  EXPECT_EQ(parametersOf("#circulant\n", false), 12'298U);
  EXPECT_EQ(parametersOf("#low_rank\n", false), 13'322U);
  for (const std::uint64_t block : {4U, 16U, 32U, 64U}) {
    EXPECT_EQ(parametersOf(pixelfly(16, block, 32), false), 404'490U);
  }
}

// Table 5: the count that is printed as the mean is that of the first value of a sweep.
TEST(Training, HasThePublishedParametersOfPixelflySweeps) {
  EXPECT_EQ(parametersOf(pixelfly(2, 32, 2), true), 1'064'970U);
  EXPECT_EQ(parametersOf(pixelfly(128, 8, 2), true), 81'930U);
  EXPECT_EQ(parametersOf(pixelfly(16, 16, 2), true), 344'074U);
}

TEST(Pixelfly, SaysInOneLineWhatItsSizesAreToBe) {
  const auto pixelfly_of = [](const std::string& sizes) {
    return run::prepare(ConfigReader::fromText(
        "machine = \"toy\"\n[workload]\nkind = \"pixelfly\"\nbatch = 2\nrank = 2\n" + sizes,
        "test"));
  };
  EXPECT_THROW(pixelfly_of("features = 784\nbutterfly_size = 16\nblock = 16"), ConfigError);
  EXPECT_THROW(pixelfly_of("features = 64\nbutterfly_size = 12\nblock = 16"), ConfigError);
  EXPECT_THROW(pixelfly_of("features = 64\nbutterfly_size = 16\nblock = 24"), ConfigError);
}

}  // namespace
}  // namespace ipusim::workloads
