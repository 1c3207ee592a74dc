// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ipusim/error.h"
#include "models/ipu/machine/machine_reader.h"
#include "models/ipu/machine/system.h"
#include "sim/registry/registry.h"
#include "sim/run/simulate.h"
#include "tests/support/sanitizer.h"
#include "tests/support/thrown.h"
#include "workloads/graph/fixed_control.h"

// Sizes of any length are answered, or refused at their key. No sum wraps, and no size is a bug of
// this project.

namespace ipusim::run {
namespace {

/// The whole numbers of the workload of a config.
std::vector<std::string> wholeKeys(const std::filesystem::path& path) {
  const auto workload = ConfigReader::fromFile(path).table("workload").values().json();
  std::vector<std::string> keys;
  for (const auto& [key, value] : workload.items()) {
    if (value.is_number_unsigned()) keys.push_back(key);
  }
  return keys;
}

/// A config on the four tiles of the toy machine, where most sizes take moments. A config of a
/// system has two toy machines.
ConfigReader onToy(const std::filesystem::path& path, const std::string& key, std::uint64_t value) {
  const bool on_pod = readSystem(ConfigReader::fromFile(path)).ipus > 1;
  const std::string machine =
      on_pod ? "{base = \"m2000\", ipus = 2, ipu = {base = \"toy\"}}" : "toy";
  return ConfigReader::fromFile(path,
                                {{"machine", machine}, {"workload." + key, std::to_string(value)}});
}

/// The work of a step in floating point, which does not wrap.
class ExactWork : public FixedControl<long double> {
 public:
  using FixedControl::FixedControl;
  using FixedControl::operator();

  long double operator()(const Sequence& sequence) const {
    long double work = 0;
    for (const Program& step : sequence.steps) work += walk(step, *this);
    return work;
  }
  long double operator()(const Execute& step) const {
    long double work = 0;
    for (const auto& family : graph().computeSets().at(indexOf(step.compute_set)).families) {
      work += static_cast<long double>(family.type->work.flops.value()) * family.count;
    }
    return work;
  }
  long double operator()(const Repeat& step) const {
    return (*this)(step.body) * static_cast<long double>(step.count);
  }
  long double operator()(const Call& step) const {
    return walk(graph().function(step.function), *this);
  }
  long double operator()(const Copy& /*step*/) const { return 0; }
  long double operator()(const Stream& /*step*/) const { return 0; }
  long double operator()(const Remote& /*step*/) const { return 0; }
  long double operator()(const WriteUndef& /*step*/) const { return 0; }
  long double operator()(const Overlap& step) const { return (*this)(step.body); }
};

/// A prepared experiment has no vertices any more: the work is that of a graph of its own.
void expectExact(const ConfigReader& config, const RunResult& result) {
  for (const StepResult& step : result.steps) EXPECT_LE(step.cycles, result.time.cycles);
  if (!result.training) return;
  const workloads::BuiltWorkload built =
      registry::buildWorkload(config.table("workload"), readMachine(config));
  const long double work = walk(built.program, ExactWork(built.graph));
  const auto counted = static_cast<long double>(result.work.flops.value());
  EXPECT_NEAR(static_cast<double>(counted / work), 1, 1e-15);
}

void expectAnswerOrKey(const std::filesystem::path& path, const std::string& key,
                       std::uint64_t value) {
  SCOPED_TRACE(fmt::format("{} with {} = {}", path.string(), key, value));
  try {
    const ConfigReader config = onToy(path, key, value);
    expectExact(config, simulate(prepare(config), Engine::ClosedForm));
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("workload." + key + ":"), std::string::npos)
        << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "neither answered nor refused: " << error.what();
  }
}

TEST(LargeSizes, AreAnsweredOrRefusedByTheirKey) {
  std::size_t keys = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs/runs")) {
    for (const std::string& key : wholeKeys(entry.path())) {
      ++keys;
      for (const unsigned power : {31U, 32U, 53U, 62U}) {
        expectAnswerOrKey(entry.path(), key, std::uint64_t{1} << power);
        expectAnswerOrKey(entry.path(), key, (std::uint64_t{1} << power) - 1);
      }
      expectAnswerOrKey(entry.path(), key, (std::uint64_t{1} << 63U) - 1);
    }
  }
  EXPECT_GT(keys, 50U);
}

TEST(LargeSizes, StepsOfATrainingAreCountedExactlyOrRefused) {
  for (const char* key : {"steps", "epochs"}) {
    for (const std::uint64_t times : {1U << 12U, 1U << 16U, 1U << 20U, 1U << 24U}) {
      const ConfigReader config = ConfigReader::fromText(
          fmt::format(
              "machine = \"toy\"\n[workload]\nkind = \"shl_training\"\nhidden = \"linear\"\n"
              "features = 64\nsteps = 1000\nepochs = 1000\n"),
          "test", {{std::string("workload.") + key, std::to_string(times)}});
      expectExact(config, simulate(prepare(config), Engine::ClosedForm));
    }
  }
}

TEST(LargeSizes, AChainOfVeryManyProductsIsRefused) {
  std::string dims = "2";
  for (int i = 0; i < 1 << 16; ++i) dims += ",2";
  EXPECT_EQ(configErrorOf([&] {
              (void)prepare(ConfigReader::fromText(
                  "machine = \"toy\"\n[workload]\nkind = \"matmul_chain\"\ndims = [" + dims + "]\n",
                  "test"));
            }),
            "test:4: workload.dims: wanted at most 65536 sizes, found an array");
}

TEST(LargeSizes, ALayerOfMoreWorkThanCanBePlannedIsRefused) {
  EXPECT_EQ(configErrorOf([] {
              (void)prepare(ConfigReader::fromText(
                  "machine = \"toy\"\n[workload]\nkind = \"linear\"\nin = 16777215\n"
                  "out = 16777216\nbatch = 16777216\n",
                  "test"));
            }),
            "test:5: workload.out: wanted a product of at most 1e18 operations, found 16777216");
}

// An outer product has few operations for the 2^48 elements of its result.
TEST(LargeSizes, ADataSetThatNoChipHoldsIsRefusedBeforeItIsLaidOut) {
  const auto refusal = [](const std::string& workload) {
    return configErrorOf([&] {
      (void)prepare(ConfigReader::fromText("machine = \"gc200\"\n[workload]\n" + workload, "test"));
    });
  };
  const std::string wanted =
      ": wanted operands and a result of at most 2^34 elements together, found ";
  EXPECT_EQ(refusal("kind = \"matmul\"\nm = 16777216\nk = 1\nn = 16777215\n"),
            "test:4: workload.m" + wanted + "16777216");
  EXPECT_EQ(refusal("kind = \"matmul_chain\"\ndims = [16777216, 1, 16777216]\n"),
            "test:4: workload.dims" + wanted + "an array");
  EXPECT_EQ(refusal("kind = \"linear\"\nin = 16777216\nout = 16777215\nbatch = 1\n"),
            "test:4: workload.in" + wanted + "16777216");
  EXPECT_EQ(refusal("kind = \"matmul\"\nm = 1\nk = 1\nn = 1\ngroups = 1048577\n"),
            "test:7: workload.groups: wanted a whole number in [1, 1048576], found 1048577");
}

// 2^24 epochs of a million steps of 2.4 million operations are 4.1e19, above 2^64.
TEST(LargeSizes, WorkAbove64BitsIsRefusedByItsKey) {
  const auto training = [](const std::string& times) {
    return ConfigReader::fromText(
        "machine = \"toy\"\n[workload]\nkind = \"shl_training\"\nhidden = \"linear\"\n"
        "features = 64\n" +
            times,
        "test");
  };
  EXPECT_EQ(
      configErrorOf([&] { (void)prepare(training("epochs = 16_777_216\nsteps = 1_000_000\n")); }),
      "test:6: workload.epochs: wanted sizes whose work, bytes and cycles 64 bits can count, "
      "found 16777216");
}

// The work of a single feature is small. The cycles are above 2^62, because each step waits for the
// host twice.
TEST(LargeSizes, CyclesBeyondTheClockAreRefusedByTheirKeyInBothEngines) {
  if (kHasAddressSanitizer) {
    GTEST_SKIP() << "the sanitizer does not know the stack of SystemC, from which this throws";
  }
  const Experiment experiment = prepare(ConfigReader::fromText(
      "machine = \"gc200\"\n[workload]\nkind = \"shl_training\"\nhidden = \"linear\"\nfeatures = "
      "1\n"
      "batch = 1\nclasses = 2\nepochs = 16_777_216\nsteps = 16_777_216\ncopy_batch = \"yes\"\n",
      "test"));
  for (const Engine engine : {Engine::ClosedForm, Engine::SystemC}) {
    EXPECT_EQ(configErrorOf([&] { (void)simulate(experiment, engine); }).substr(0, 23),
              "test:8: workload.epochs");
  }
}

}  // namespace
}  // namespace ipusim::run
