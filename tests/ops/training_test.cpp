// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "ipusim/error.h"
#include "sim/registry/registry.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/named/parts/classifier.h"

namespace ipusim::workloads {
namespace {

run::Experiment training(const std::string& machine, const std::string& keys) {
  return run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"shl_training\"\n{}", machine, keys),
      "test"));
}

/// The numbers of the graph, whose gradients other tests hold against differences of the loss.
TEST(Training, HasTheNumbersOfItsGraph) {
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

TEST(Training, OfAPerceptronHasTheNumbersOfItsGraph) {
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
    const executor::CheckResult found = run::checkNumbers(many).found;
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
    const executor::CheckResult found = run::checkNumbers(fast).found;
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
  static executor::CheckResult checkOf(const std::string& program) {
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
    const executor::CheckResult found = checkOf(steps);
    EXPECT_FALSE(found.ok);
    EXPECT_EQ(found.output, "rounds of the loop");
  }
  run::Experiment short_of_one = trainingWith("");
  --std::get<compiler::Loop>(short_of_one.executable.lowered.control.front()).iterations;
  EXPECT_FALSE(run::checkNumbers(short_of_one).found.ok);
}

/// Leaves out the last message of each exchange, one after the other.
TEST_P(PlantedInTraining, AMissingMessageShows) {
  run::Experiment experiment = trainingWith("");
  int planted = 0;
  for (compiler::Step& step : experiment.executable.lowered.steps) {
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
  for (compiler::Step& step : experiment.executable.lowered.steps) {
    const bool learns = step.name.find("radient") != std::string::npos ||
                        step.name.find("/update") != std::string::npos;
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

/// A network of a low-rank layer and 3 classes on a batch of 4, trained for three steps.
BuiltWorkload learningAt(double rate, const Machine& machine) {
  ForwardNetwork network = networkOf(4, 16);
  NetworkTensorId& at = network.results.front();
  at = layerBehind(network, "hidden").linear("", at, 2, true);
  at = layerBehind(network, "output").linear("", at, 3, true);
  Optimiser optimiser;
  optimiser.rate = rate;
  optimiser.momentum = 0.5;
  addTraining(LossWord::CrossEntropy, optimiser, network);
  BuiltWorkload built;
  Program step = setNetwork(std::move(network.graph), network.results, {machine, "test", 3}, built);
  built.graph.program().add(repeat(3, {std::move(step)}));
  return built;
}

/// The program goes up the slope, and its reference goes down.
TEST(Training, AGradientOfTheWrongSignShows) {
  const Machine& machine = models::toyMachine();
  const BuiltWorkload down = learningAt(0.01, machine);
  for (const double rate : {0.01, -0.01}) {
    const BuiltWorkload built = learningAt(rate, machine);
    const auto found = executor::checkNumbers(built.graph, compiler::compile(built.graph, machine),
                                              built.host(), *down.reference);
    EXPECT_EQ(found.ok, rate > 0) << rate;
  }
}

/// A slack as large as the slopes would forgive any gradient.
TEST(Training, SlackStaysBelowTheSlopesOfWhatIsLearnt) {
  const run::Experiment experiment =
      training("toy",
               "hidden = \"low_rank\"\nrank = 4\nfeatures = 8\nclasses = 3\nbatch = 4\n"
               "learning_rate = 0.2\nmomentum = 0\nsteps = 300\n");
  const HostTensors host = experiment.workload.host();
  std::vector<TensorValues> values;
  for (const HostTensor& input : host.inputs) {
    const std::uint64_t elements = input.tensor.elements();
    values.push_back(executor::randomValues(ElementType::Float, elements, elements));
    if (input.name == "labels") values.back() = {0, 1, 2, 0};
  }
  Expected expected = experiment.workload.reference->compute(values);
  for (int i = 0; i < 300; ++i) {
    for (std::size_t o = 0; o < host.outputs.size(); ++o) {
      for (std::size_t n = 0; n < values.size(); ++n) {
        if (host.inputs[n].name == host.outputs[o].name) values[n] = expected.values[o];
      }
    }
    expected = experiment.workload.reference->compute(values);
  }
  EXPECT_LT(expected.values[0][0], 0.01);
  int velocities = 0;
  for (std::size_t v = 0; v < expected.values.size(); ++v) {
    if (host.outputs[v].name.find("/momentum") == std::string::npos) continue;
    ++velocities;
    const TensorValues& slack = expected.slack[v];
    EXPECT_LT(*std::max_element(slack.begin(), slack.end()), 0.3 * expected.scales[v]) << v;
  }
  EXPECT_EQ(velocities, 5);
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

/// A step of 64 features is more than 50 * 64 * 64 * 4 operations: these steps are above the
/// allowed 2e10.
TEST(Training, IsNotCheckedWhereThatTakesForever) {
  const run::Experiment large =
      training("gc200", "hidden = \"linear\"\nfeatures = 64\nsteps = 24415");
  EXPECT_THROW((void)run::checkNumbers(large), ConfigError);
}

/// The parameters of a network of 1024 features and 10 classes.
std::uint64_t parametersOf(const std::string& hidden, bool has_wrapper_bias) {
  const std::string kind = hidden.substr(1, hidden.find('\n') - 1);
  const auto config = ConfigReader::fromText(
      fmt::format("kind = \"shl_training\"\nhidden = \"{}\"\nfeatures = 1024\nwrapper_bias = "
                  "\"{}\"\n{}",
                  kind, has_wrapper_bias ? "yes" : "no", hidden),
      "test");
  return registry::buildWorkload(config, models::gc200()).model->count();
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
