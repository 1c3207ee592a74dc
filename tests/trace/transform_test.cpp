// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_diff.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using workloads::Trace;

constexpr const char* kAdd = "kind = \"elementwise\"\nop = \"add\"\nelements = 5000\n";
constexpr const char* kTriad = "kind = \"stream\"\nkernel = \"triad\"\nelements = 3000\n";

Trace recorded(const std::string& workload, const std::string& machine = "\"toy\"") {
  const std::string text = "machine = " + machine + "\n[workload]\n" + workload;
  run::BuiltConfig built = run::build(ConfigReader::fromText(text, "run.toml"));
  return workloads::traceOf(std::move(built.workload), built.workload_kind,
                            built.system.machineName());
}

std::string lines(const Trace& trace) {
  const std::string text = workloads::traceText(trace, readPreset("toy"));
  return text.substr(text.find('\n'));
}

std::vector<workloads::TraceDifference> differences(const Trace& first, const Trace& second) {
  return workloads::differences(first, second, readPreset("toy"));
}

/// What the differences between two traces are about.
std::vector<std::string> thingsOf(const std::vector<workloads::TraceDifference>& differences) {
  std::vector<std::string> things;
  for (const workloads::TraceDifference& one : differences) things.push_back(one.thing);
  return things;
}

class OtherTiles : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(OtherTiles, AreThoseOfAConfigOfThatMachine) {
  const auto [workload, tiles] = GetParam();
  const Trace wanted =
      recorded(workload, "{base = \"toy\", tiles = " + std::to_string(tiles) + "}");
  const auto count = static_cast<std::uint32_t>(tiles);
  EXPECT_EQ(lines(workloads::retargeted(recorded(workload), count, readPreset("toy"))),
            lines(wanted));
}

INSTANTIATE_TEST_SUITE_P(Workloads, OtherTiles,
                         testing::Combine(testing::Values(kAdd, kTriad),
                                          testing::Values(1, 2, 3, 7, 16)));

TEST(OtherTiles, AreRefusedWhereAMappingIsNotLinear) {
  const Trace trace = recorded("kind = \"exchange_latency\"\nfrom = 0\nto = 3\nbytes = 64\n");
  EXPECT_THAT(configErrorOf([&] { workloads::retargeted(trace, 2, readPreset("toy")); }),
              HasSubstr("variable received: wanted elements that are spread over all 4 tiles"));
}

class Halved : public testing::TestWithParam<const char*> {};

TEST_P(Halved, IsTheTraceOfAConfigOfThatType) {
  const std::string workload = GetParam();
  EXPECT_EQ(lines(workloads::halved(recorded(workload), readPreset("toy"))),
            lines(recorded(workload + "type = \"half\"\n")));
}

INSTANTIATE_TEST_SUITE_P(Workloads, Halved,
                         testing::Values(kAdd,
                                         "kind = \"stream\"\nkernel = \"copy\"\nelements = 5000\n",
                                         "kind = \"elementwise\"\nop = \"tanh\"\nelements = 777\n",
                                         "kind = \"butterfly\"\nfeatures = 8\nbatch = 2\nlowering "
                                         "= \"fused\"\n"));

// Each of the 4 tiles has one vertex, whose slots hold a context for 6 cycles each.
TEST(ScaledCycles, AreThoseOfTheVerticesTimesTheFactor) {
  const Machine toy = readPreset("toy");
  const auto cycles_of = [](const Trace& trace) {
    const TemporaryFolder folder;
    const auto file = folder.write("t.ipt", workloads::traceText(trace, readPreset("toy")));
    return run::simulate(configOf(file, "toy"), Engine::ClosedForm).time.cycles;
  };
  const Trace once = traceFrom(kBegin);
  EXPECT_EQ(cycles_of(once), Cycles(600));
  EXPECT_EQ(cycles_of(workloads::withScaledCycles(once, 2.5, "", toy)), Cycles(1500));
  EXPECT_EQ(cycles_of(workloads::withScaledCycles(once, 2.5, "v", toy)), Cycles(1500));
  EXPECT_THAT(configErrorOf([&] { workloads::withScaledCycles(once, 2.5, "w", toy); }),
              HasSubstr("--vertex: wanted a vertex type of the trace (v), found \"w\""));
  EXPECT_EQ(cycles_of(workloads::withScaledCycles(recorded(kTriad), 0, "", toy)), Cycles(0));
}

TEST(TraceDiff, FindsNothingBetweenEqualPrograms) {
  EXPECT_THAT(differences(recorded(kAdd), recorded(kAdd)), IsEmpty());
  EXPECT_THAT(differences(traceFrom(kBegin), traceFrom(kBegin)), IsEmpty());
}

TEST(TraceDiff, NamesWhatDiffers) {
  const auto found = differences(
      traceFrom(kBegin),
      traceFrom(kBegin + "{\"copy\": \"c\", \"from\": [\"x\", 0, 4], \"to\": [\"y\", 8, 4]}\n"));
  EXPECT_THAT(thingsOf(found), testing::ElementsAre("program", "copy c"));
  EXPECT_EQ(found[1].first, "");
  EXPECT_EQ(found[1].second, "4 elements in 1 moves");
}

/// The traces of two texts that differ in one value.
std::vector<std::string> thingsThatDiffer(std::string text, const std::string& value,
                                          const std::string& other) {
  const Trace before = traceFrom(text);
  return thingsOf(
      differences(before, traceFrom(text.replace(text.find(value), value.size(), other))));
}

TEST(TraceDiff, NamesEveryValueThatDiffers) {
  using testing::ElementsAre;
  const std::string constant =
      kBegin + "{\"variable\": \"k\", \"elements\": 2, \"values\": [3, 4], \"tiles\": \"0\"}\n";
  EXPECT_THAT(thingsThatDiffer(constant, "[3, 4]", "[3, 5]"), ElementsAre("variable k"));
  const std::string whole =
      kBegin +
      "{\"variable\": \"i\", \"type\": \"int\", \"elements\": 2, \"lifetime\": \"always\", "
      "\"below\": 7, \"tiles\": \"0\"}\n";
  EXPECT_THAT(thingsThatDiffer(whole, "7", "8"), ElementsAre("variable i"));
  EXPECT_THAT(thingsThatDiffer(kBegin, "\"direction\": \"in\"", "\"direction\": \"inout\""),
              ElementsAre("compute set a"));
  EXPECT_THAT(thingsThatDiffer(kBegin, "{\"ipt\": 1", "{\"ipt\": 1, \"timing\": \"tile_counters\""),
              ElementsAre("timing"));
}

TEST(TraceDiff, NamesTheSetWhoseCyclesDiffer) {
  const Trace slow = workloads::withScaledCycles(traceFrom(kBegin), 2, "", readPreset("toy"));
  EXPECT_THAT(thingsOf(differences(traceFrom(kBegin), slow)),
              testing::ElementsAre("compute set a"));
}

TEST(TraceDiff, NamesAMapping) {
  const std::string line = "{\"variable\": \"z\", \"elements\": 256, \"tiles\": \"0-3\"}\n";
  std::string other = line;
  other.replace(other.find("0-3"), 3, "0-1");
  const auto found = differences(traceFrom(kBegin + line), traceFrom(kBegin + other));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].thing, "variable z");
  EXPECT_EQ(found[0].first, "256 float on tiles 0-3");
  EXPECT_EQ(found[0].second, "256 float on tiles 0-1");
}

}  // namespace
}  // namespace ipusim
