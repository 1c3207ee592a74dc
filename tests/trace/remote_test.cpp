// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/ipu/engines/closed_form/closed_form.h"
#include "sim/compile/compile.h"
#include "sim/run/replay.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_diff.h"
#include "workloads/sources/trace/trace_writer.h"
#include "workloads/sources/trace/transform.h"

// Remote copies in traces.

namespace ipusim {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// 64 tiles, 32 of which load rows while another computes. The first row is a constant, those of
/// the loop are chosen during the run.
const std::string kRemote =
    "{\"ipt\": 1}\n"
    "{\"variable\": \"in\", \"elements\": 64, \"lifetime\": \"always\", \"tiles\": \"0-1\"}\n"
    "{\"variable\": \"x\", \"elements\": 64, \"lifetime\": \"always\", \"tiles\": 40}\n"
    "{\"variable\": \"row\", \"type\": \"unsigned int\", \"elements\": 1, \"below\": 4, "
    "\"lifetime\": \"always\", \"tiles\": 41}\n"
    "{\"vertex\": \"v\", \"cycles\": 10, \"fields\": [{\"name\": \"x\", \"direction\": \"inout\", "
    "\"elements\": 64}]}\n"
    "{\"compute_set\": \"step\"}\n"
    "{\"vertices\": [{\"type\": \"v\", \"data\": [\"x\"]}], \"tiles\": 40}\n"
    "{\"remote_buffer\": \"rows\", \"type\": \"float\", \"elements\": 64, \"rows\": 4}\n"
    "{\"remote_copy\": \"save\", \"direction\": \"store\", \"buffer\": \"rows\", \"row\": 3, "
    "\"tensor\": [[\"in\", 32, 32], [\"in\", 0, 32]]}\n"
    "{\"remote_copy\": \"load\", \"direction\": \"load\", \"buffer\": 0, \"row\": [\"row\", 0], "
    "\"tensor\": \"in\"}\n"
    "{\"io_tiles\": \"0-31\"}\n"
    "{\"program\": [\"save\", {\"repeat\": 5, \"body\": [{\"overlap\": \"load\", \"body\": "
    "[\"step\"]}, {\"remote\": 0}]}]}\n";

Machine machine() {
  return models::toySystem(1, 64).ipu;
}

workloads::Trace read(const std::string& text) {
  return workloads::parseTrace(text, "t.ipt", machine());
}

Cycles endOf(const workloads::Trace& trace) {
  return models::closedForm(compiler::compile(trace.graph, machine()).programs.only()).end;
}

TEST(RemoteTrace, IsWrittenAsItWasRead) {
  const workloads::Trace trace = read(kRemote);
  const std::string once = workloads::traceText(trace, machine());
  const workloads::Trace again = read(once);
  EXPECT_EQ(workloads::traceText(again, machine()), once);
  EXPECT_THAT(workloads::differences(trace, again, machine()), SizeIs(0));
  EXPECT_EQ(endOf(again), endOf(trace));
  EXPECT_THAT(once, HasSubstr("\"row\":3"));
  EXPECT_THAT(once, HasSubstr("\"row\":[2,0]"));
  EXPECT_THAT(once, HasSubstr("{\"io_tiles\":\"0-31\"}"));
}

TEST(RemoteTrace, TakesTheTimeOfItsCopies) {
  // A row has 4 packets of 68 bytes, at 12 bytes per cycle. A load first tells its tiles the row: a
  // sync, and one word. The step beside the load is shorter.
  const std::uint64_t transfer = 10 + 10 + 100 + 34;
  EXPECT_EQ(endOf(read(kRemote)), Cycles(transfer + 5 * (10 + 1 + transfer + transfer)));
}

TEST(RemoteTrace, DiffersWhereARowDoes) {
  std::string other = kRemote;
  other.replace(other.find("\"row\": 3"), 8, "\"row\": 2");
  const auto found = workloads::differences(read(kRemote), read(other), machine());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].thing, "remote copy save");
}

TEST(RemoteTrace, IsHalvedWithItsBuffers) {
  const Graph graph = workloads::halved(read(kRemote), machine()).graph;
  EXPECT_EQ(graph.remoteBuffers()[0].type, ElementType::Half);
  EXPECT_EQ(graph.remoteCopies()[0].tensor.type(), ElementType::Half);
  EXPECT_THAT(graph.ioTiles(), SizeIs(32));
}

TEST(RemoteTrace, NamesTheLineOfARowThatIsNotThere) {
  std::string wrong = kRemote;
  wrong.replace(wrong.find("\"row\": 3"), 8, "\"row\": 4");
  EXPECT_EQ(configErrorOf([&] { read(wrong); }),
            "t.ipt:9: remote copy save: wanted a row of rows below 4, found 4");
}

/// Checks a trace without running it, on toy IPUs with so many bytes of streaming memory.
run::ReplayedProgram checked(const std::string& text, std::uint32_t ipus,
                             const std::string& bytes) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.ipt", text);
  std::string machine = models::toyPodTable(ipus, 64);
  machine.insert(machine.size() - 1, ", streaming_bytes = " + bytes);
  const std::string config =
      "machine = " + machine + "\n[workload]\nkind = \"trace\"\nfile = \"" + file.string() + "\"\n";
  return run::replayProgram(ConfigReader::fromText(config, "run.toml"));
}

TEST(RemoteTrace, IsCheckedAgainstTheMemoryWithoutARun) {
  // Four rows of four packets of 64 bytes on IPU 0, which has a quarter of the memory.
  for (const std::uint32_t ipus : {1U, 2U}) {
    EXPECT_TRUE(checked(kRemote, ipus, "4_096").checked_all);
    EXPECT_THAT(configErrorOf([&] { checked(kRemote, ipus, "4_095"); }),
                HasSubstr("t.ipt: remote buffer rows: wanted at most 1023 bytes of streaming "
                          "memory for IPU 0, found 1024"));
  }
}

TEST(RemoteTrace, HasItsOverlapsCheckedWithoutARun) {
  std::string wrong = kRemote;
  wrong.replace(wrong.find("[\"step\"]"), 8, "[\"step\", {\"remote\": 0}]");
  for (const std::uint32_t ipus : {1U, 2U}) {
    EXPECT_THAT(configErrorOf([&] { checked(wrong, ipus, "4_096"); }),
                HasSubstr("t.ipt: the steps beside remote copy load: wanted steps that leave the "
                          "I/O tiles alone, found remote copy save"));
  }
}

// A row that is the transpose of a matrix of 2^20 x 2^20 on the tiles of both IPUs.
TEST(RemoteTrace, IsCheckedInLittleTimeWhateverItsRowsStandFor) {
  const std::string n = std::to_string(std::uint64_t{1} << 40U);
  const std::string text =
      "{\"ipt\": 1}\n{\"variable\": \"x\", \"elements\": " + n +
      ", \"lifetime\": \"always\", \"tiles\": \"0-127\"}\n"
      "{\"remote_buffer\": \"b\", \"type\": \"float\", \"elements\": " +
      n +
      ", \"rows\": 1}\n"
      "{\"remote_copy\": \"c\", \"direction\": \"store\", \"buffer\": 0, \"row\": 0, \"tensor\": "
      "[\"x\", 0, 1048576, 1, 1048576, 1048576]}\n{\"program\": [\"c\"]}\n";
  EXPECT_FALSE(checked(text, 2, "4_096").checked_all);
}

}  // namespace
}  // namespace ipusim
