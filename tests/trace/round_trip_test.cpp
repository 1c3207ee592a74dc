// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/report/json.h"
#include "sim/run/check_digests.h"
#include "tests/support/sanitizer.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim {
namespace {

using nlohmann::ordered_json;

std::string nameOf(const std::filesystem::path& config) {
  return config.stem().string();
}

std::string recorded(const ConfigReader& config) {
  run::BuiltConfig built = run::build(config);
  const workloads::Trace trace =
      workloads::traceOf(std::move(built.workload), built.workload_kind, built.machine.name);
  return workloads::traceText(trace, built.machine);
}

std::string linesAfterTheFirst(const std::string& text) {
  return text.substr(text.find('\n'));
}

/// The config of `config`'s machine that runs the trace.
ConfigReader traceConfig(const ConfigReader& config, const std::filesystem::path& trace) {
  return configOf(trace, config.text("machine"));
}

/// What a run says of the program alone. The band around the time is that of its kind.
ordered_json programResult(ordered_json json) {
  for (const char* band : {"low_seconds", "high_seconds"}) json["time"].erase(band);
  for (const char* other :
       {"config", "uncertainty", "compare", "plan", "model", "training", "dense"}) {
    json.erase(other);
  }
  return json;
}

ordered_json resultOf(const ConfigReader& config) {
  return run::toJson(run::simulate(config, Engine::ClosedForm));
}

class RoundTrip : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RoundTrip, RunsAsTheConfigThatItWasRecordedFrom) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "takes minutes with AddressSanitizer";
  const ConfigReader config = ConfigReader::fromFile(GetParam());
  const TemporaryFolder folder;
  const std::string text = recorded(config);
  const auto file = folder.write("t.ipt", text);
  const ConfigReader of_trace = traceConfig(config, file);
  const ordered_json found = resultOf(of_trace);
  EXPECT_EQ(programResult(found), programResult(resultOf(ConfigReader::fromFile(GetParam()))));
  for (const char* section : {"plan", "model", "training", "compare", "dense"}) {
    EXPECT_FALSE(found.contains(section)) << section;
  }
  EXPECT_EQ(linesAfterTheFirst(recorded(of_trace)), linesAfterTheFirst(text));
}

INSTANTIATE_TEST_SUITE_P(Runs, RoundTrip, testing::ValuesIn(listConfigFiles("configs/runs")),
                         [](const auto& test) { return nameOf(test.param); });

/// Configs at sizes whose numbers take a moment.
class SameNumbers : public testing::TestWithParam<const char*> {};

std::vector<run::VariableDigest> digests(const ConfigReader& config,
                                         const std::map<VariableId, std::uint64_t>& below) {
  const run::Experiment experiment = run::prepare(config);
  return run::digestsOf(experiment.workload.graph, experiment.executable, below);
}

TEST_P(SameNumbers, HasTheBitsOfTheConfig) {
  const std::string text = std::string("machine = \"toy\"\n[workload]\n") + GetParam();
  const auto config = [&] { return ConfigReader::fromText(text, "run.toml"); };
  const TemporaryFolder folder;
  const std::string trace_text = recorded(config());
  const auto file = folder.write("t.ipt", trace_text);
  const auto below = traceFrom(trace_text).below;
  const auto wanted = digests(config(), below);
  const auto found = digests(configOf(file, "toy"), below);
  ASSERT_EQ(found.size(), wanted.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t v = 0; v < found.size(); ++v) {
    EXPECT_EQ(found[v].variable, wanted[v].variable);
    EXPECT_EQ(found[v].digest, wanted[v].digest) << found[v].variable;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Small, SameNumbers,
    testing::Values("kind = \"matmul\"\nm = 24\nk = 24\nn = 24\ntype = \"float\"\n",
                    "kind = \"matmul\"\nm = 32\nk = 32\nn = 32\ntype = \"half\"\n",
                    "kind = \"butterfly\"\nfeatures = 32\nbatch = 4\n",
                    "kind = \"pixelfly\"\nfeatures = 64\nbutterfly_size = 2\nblock = 16\nrank = "
                    "4\nbatch = 4\n",
                    "kind = \"fastfood\"\nfeatures = 32\nbatch = 4\n",
                    "kind = \"shl_training\"\nhidden = \"linear\"\nfeatures = 16\nclasses = "
                    "4\nbatch = 8\nsteps = 3\nlearning_rate = 0.1\n"));

}  // namespace
}  // namespace ipusim
