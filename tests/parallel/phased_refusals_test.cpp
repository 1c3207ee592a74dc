// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/parallel/pipeline/settings.h"
#include "tests/support/thrown.h"

// What the keys of an execution in phases may not be.

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

/// Eight modules: four dense layers, three relus between them, loss.
std::string phasedRefusalOf(const std::string& parallel, const std::string& machine = "\"m2000\"") {
  const std::string text = fmt::format(
      "machine = {}\n[workload]\nkind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n"
      "[parallel]\n{}",
      machine, parallel);
  return configErrorOf([&] { readParallel(ConfigReader::fromText(text, "run.toml")); });
}

}  // namespace

TEST(PhasedTraining, RefusesWhatNoSystemCanRun) {
  const std::string phased = "execution = \"phased\"\nphases = 4\n";
  EXPECT_THAT(phasedRefusalOf("execution = \"phased\"\n"), HasSubstr("phases: wanted"));
  EXPECT_THAT(phasedRefusalOf(phased + "stages = 4\n"),
              HasSubstr("run.toml:9: parallel.stages: wanted 1 IPU or 2 IPUs of a replica, between "
                        "which phases alternate, found 4"));
  EXPECT_THAT(phasedRefusalOf("execution = \"phased\"\nphases = 1\nstages = 2\n"),
              HasSubstr("phases: wanted at least 2 phases for 2 IPUs, found 1"));
  EXPECT_THAT(phasedRefusalOf("execution = \"phased\"\nphases = 9\n"),
              HasSubstr("phases: wanted at most the 8 modules of the network, found 9"));
  EXPECT_THAT(phasedRefusalOf(phased + "modules = [8]\n"),
              HasSubstr("modules: wanted one number of modules for each of the 4 phases"));
  EXPECT_THAT(phasedRefusalOf(phased + "offload = [\"gradients\"]\n"),
              HasSubstr("offload: wanted any of weights, activations and optimizer_state"));
  EXPECT_THAT(
      phasedRefusalOf(phased + "offload = [\"weights\", \"activations\", \"optimizer_state\"]\n",
                      "\"c2-pod16\""),
      HasSubstr("offload: wanted [], for c2-pod16 has no streaming memory"));
  EXPECT_THAT(phasedRefusalOf(phased + "io_tiles = 33\n"),
              HasSubstr("io_tiles: wanted 0, or an even"));
  EXPECT_THAT(phasedRefusalOf(phased + "io_tiles = 1472\n"),
              HasSubstr("io_tiles: wanted 0, or an even"));
  EXPECT_THAT(phasedRefusalOf(phased + "io_schedule = \"preload\"\n"),
              HasSubstr("io_schedule: wanted on_demand, for without io_tiles"));
  EXPECT_THAT(phasedRefusalOf("phases = 2\n"),
              HasSubstr("phases: wanted no such key, or execution = \"phased\" beside it"));
  EXPECT_THAT(phasedRefusalOf("offload = [\"weights\"]\n"),
              HasSubstr("offload: wanted weights only beside execution = \"phased\""));
}

}  // namespace ipusim::parallel
