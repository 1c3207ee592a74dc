// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/json.h"
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
  const workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                    built.system.machineName());
  return workloads::traceText(trace, built.system.allTiles());
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
  for (const char* other : {"config", "uncertainty", "compare", "plan", "model", "training",
                            "compression", "layers", "dense"}) {
    json.erase(other);
  }
  // A trace does not say how many samples its program works on.
  for (const char* key : {"joules_per_sample", "joules_per_sample_draws"}) {
    if (json.contains("energy")) json["energy"].erase(key);
  }
  return json;
}

/// The shipped configs of one program. The layers of a topology are one program each.
std::vector<std::filesystem::path> programConfigs() {
  std::vector<std::filesystem::path> files = listConfigFiles("configs/runs");
  const auto has_layers = [](const std::filesystem::path& file) {
    return ConfigReader::fromFile(file).table("workload").text("kind") == "topology";
  };
  files.erase(std::remove_if(files.begin(), files.end(), has_layers), files.end());
  return files;
}

ordered_json resultOf(const ConfigReader& config) {
  return report::toJson(run::simulate(config, Engine::ClosedForm));
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

INSTANTIATE_TEST_SUITE_P(Runs, RoundTrip, testing::ValuesIn(programConfigs()),
                         [](const auto& test) { return nameOf(test.param); });

}  // namespace
}  // namespace ipusim
