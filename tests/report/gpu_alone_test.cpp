// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/gpu_alone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"

namespace ipusim::report {
namespace {

using testing::HasSubstr;

GpuExperiment prepareText(const std::string& text) {
  return prepareGpuAlone(ConfigReader::fromText(text, "g.toml"));
}

const char* layer() {
  return "gpu = \"a30\"\nhost = \"eager\"\n[program]\nkind = \"butterfly\"\nwidth = 512\nbatch = "
         "512\n";
}

Json jsonOf(const GpuExperiment& experiment, run::Band band = run::Band::With) {
  return gpuAloneJson(experiment, simulateGpuAlone(experiment, band));
}

TEST(GpuAlone, HasThePathsOfAComparison) {
  const auto json = jsonOf(prepareText(layer()));
  EXPECT_EQ(json["fits"], true);
  EXPECT_EQ(json["config"]["program"]["width"], 512);
  const auto& tf32 = json["compare"]["a30_tf32"];
  // Worst slowdown of a butterfly in arXiv 2309.08946, section 4.1.
  EXPECT_NEAR(tf32["over_dense"].get<double>(), 14.45, 0.15);
  EXPECT_EQ(tf32["host"], "eager");
  EXPECT_LT(tf32["low_seconds"], tf32["seconds"]);
}

TEST(GpuAlone, NeedsNoBand) {
  EXPECT_FALSE(
      jsonOf(prepareText(layer()), run::Band::Without)["compare"]["a30"].contains("low_seconds"));
}

TEST(GpuAlone, SaysWhatDoesNotFit) {
  const auto json = jsonOf(
      prepareText("gpu = \"a30\"\n[program]\nkind = \"linear\"\nwidth = 65536\nbatch = 65536"));
  EXPECT_EQ(json["fits"], false);
  EXPECT_TRUE(json["compare"]["a30"]["seconds"].is_null());
  EXPECT_EQ(json["compare"]["a30"]["required_bytes"], 51'539'607'552);
}

TEST(GpuAlone, IsATextForPeople) {
  const GpuExperiment experiment = prepareText(layer());
  const std::string text = gpuAloneText(experiment, simulateGpuAlone(experiment));
  EXPECT_THAT(text, HasSubstr("PROGRAM   butterfly, 4.19 MB alive together"));
  EXPECT_THAT(text, HasSubstr("bound by host"));
}

TEST(GpuAlone, SaysWhatIsWrong) {
  EXPECT_THAT(configErrorOf([] { prepareText(std::string(layer()) + "depth = 1"); }),
              HasSubstr("g.toml:7: program.depth: "));
}

}  // namespace
}  // namespace ipusim::report
