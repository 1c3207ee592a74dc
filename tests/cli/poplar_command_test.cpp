// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sim/record/record_file.h"
#include "tests/cli/cli_test_base.h"
#include "tests/support/sanitizer.h"

namespace ipusim::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

/// Doubles the number that it is given, on a tile, and ends with 3.
constexpr const char* kProgram = R"(#include <poplar/Engine.hpp>
#include <poplar/DeviceManager.hpp>
#include <iostream>
using namespace poplar;
int main(int count, char** words) {
  std::vector<Device> devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1);
  Graph graph(devices.at(0).getTarget());
  Tensor value = graph.addVariable(INT, {1});
  graph.setTileMapping(value, 0);
  graph.createHostRead("value", value);
  program::Sequence twice;
  DataStream in = graph.addHostToDeviceFIFO("in", INT, 1);
  twice.add(program::Copy(in, value));
  Engine* engine = new Engine(graph, twice);
  engine->load(devices[0]);
  int number = count > 1 ? std::stoi(words[1]) : 7;
  engine->connectStream("in", &number);
  engine->run(0);
  int back = 0;
  engine->readTensor("value", &back, &back + 1);
  std::cout << back << " on " << graph.getTarget().getNumTiles() << " tiles\n";
  return 3;
}
)";

constexpr const char* kWithCodelet = R"(#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <iostream>
using namespace poplar;
int main() {
  IPUModel model;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  graph.addCodelets("codelets/answer.cpp");
  Tensor value = graph.addVariable(INT, {1});
  graph.setTileMapping(value, 0);
  ComputeSet set = graph.addComputeSet("answer");
  VertexRef vertex = graph.addVertex(set, "Answer");
  graph.connect(vertex["value"], value[0]);
  graph.setTileMapping(vertex, 0);
  graph.createHostRead("value", value);
  Engine engine(graph, program::Execute(set));
  engine.load(device);
  engine.run(0);
  int back = 0;
  engine.readTensor("value", &back, &back + 1);
  std::cout << back << "\n";
}
)";

constexpr const char* kCodelet = R"(#include <poplar/Vertex.hpp>
class Answer : public poplar::Vertex {
 public:
  poplar::Output<int> value;
  bool compute() { *value = 42; return true; }
};
)";

/// Copies numbers from the first tile of two IPUs to the last, twice by two engines.
constexpr const char* kOnTwoIpus = R"(#include <poplar/Engine.hpp>
#include <poplar/DeviceManager.hpp>
using namespace poplar;
int main() {
  std::vector<Device> devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 2);
  Graph graph(devices.at(0).getTarget());
  Tensor from = graph.addVariable(INT, {500}), to = graph.addVariable(INT, {500});
  graph.setTileMapping(from, 0);
  graph.setTileMapping(to, graph.getTarget().getNumTiles() - 1);
  for (unsigned times = 1; times <= 2; ++times) {
    Engine engine(graph, program::Repeat(times, program::Copy(from, to, false, "far")));
    engine.load(devices[0]);
    engine.run(0);
  }
}
)";

class PoplarCommand : public CliTest {
 protected:
  void SetUp() override {
    // Programs of the test are linked without the sanitizer that the libraries want.
    if (kHasAddressSanitizer) GTEST_SKIP();
  }

  /// Runs the command in the folder of the test.
  [[nodiscard]] Finished runThere(const std::vector<std::string>& arguments,
                                  const std::string& variable = "LC_ALL=C") const {
    return IpusimProcess(folder(), {"env", "-C", folder().string(), variable}, arguments).wait();
  }
};

TEST_F(PoplarCommand, RunGivesTheProgramItsWordsAndHasItsExitCode) {
  (void)write("double.cpp", kProgram);
  const Finished finished = runThere({"poplar", "run", "double.cpp", "--", "21"});
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_EQ(finished.out, "21 on 1472 tiles\n");
}

TEST_F(PoplarCommand, RunTakesTheMachineAndWritesProfiles) {
  (void)write("double.cpp", kProgram);
  const Finished finished =
      runThere({"poplar", "run", "double.cpp", "--machine", "gc2", "--profile", "p.json"});
  EXPECT_EQ(finished.out, "7 on 1216 tiles\n") << finished.err;
  EXPECT_EQ(runThere({"poplar", "run", "double.cpp", "--machine", "c2-pod16"}).out, finished.out);
  EXPECT_THAT(textOf(folder() / "p.json"), StartsWith("[{\n  \"target\": {\n    \"tiles\": 1216"));
}

TEST_F(PoplarCommand, ReplayPlaysTheRecordsOfARunOnTwoIpusOnBothEngines) {
  (void)write("two.cpp", kOnTwoIpus);
  const Finished ran = runThere({"poplar", "run", "two.cpp", "--record", "two.rec"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Finished chips = runThere({"poplar", "replay", "two.rec", "--json"});
  EXPECT_EQ(chips.exit_code, 0) << chips.err;
  const auto records = nlohmann::json::parse(chips.out);
  ASSERT_EQ(records.size(), 2U);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(records[r].at("ipus"), 2);
    EXPECT_EQ(records[r].at("system"), "m2000");
    EXPECT_EQ(records[r].at("cycles"), records[r].at("recorded_cycles"));
    const auto& last = records[r].at("steps").back();
    EXPECT_EQ(last.at("name"), "far/GlobalExchange");
    EXPECT_EQ(last.at("runs"), r + 1);
    EXPECT_GT(last.at("max_tile_cycles"), 2000 * (r + 1));  // the fixed cost of such an exchange
  }
  auto computed = nlohmann::json::parse(
      runThere({"poplar", "replay", "two.rec", "--json", "--engine", "closed-form"}).out);
  for (auto& record : computed) record["engine"] = "systemc";
  EXPECT_EQ(computed, records);
}

TEST_F(PoplarCommand, ReplaySaysWhereTheRunTookOtherCycles) {
  (void)write("double.cpp", kProgram);
  (void)runThere({"poplar", "run", "double.cpp", "--record", "d.rec"});
  record::RecordedProgram other_run = record::readRecords(folder() / "d.rec").at(0);
  other_run.cycles += Cycles(1);
  (void)write("other.rec", record::recordText(other_run));
  EXPECT_THAT(runThere({"poplar", "replay", "d.rec"}).out, HasSubstr(", as the run took\n"));
  const Finished other = runThere({"poplar", "replay", "other.rec"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, HasSubstr(", where the run took "));
}

TEST_F(PoplarCommand, BuildWritesAProgramThatFindsItsMachines) {
  (void)write("double.cpp", kProgram);
  const Finished built = runThere({"poplar", "build", "double.cpp", "--", "-Wall", "-std=c++11"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.out + built.err, "");
  const Finished ran = runThere({"poplar", "run", "double", "--profile", "p.txt", "--", "5"});
  EXPECT_EQ(ran.out, "5 on 1472 tiles\n") << ran.err;
  EXPECT_THAT(textOf(folder() / "p.txt"), HasSubstr("Total cycles:"));
  EXPECT_THAT(textOf(folder() / "p.txt"), HasSubstr("Steps (times run, most cycles of a tile):"));
}

TEST_F(PoplarCommand, AnExecutableSourceIsCompiled) {
  (void)write("double.cc", kProgram);
  std::filesystem::permissions(folder() / "double.cc", std::filesystem::perms::owner_all);
  EXPECT_EQ(runThere({"poplar", "run", "double.cc", "--", "4"}).out, "4 on 1472 tiles\n");
}

TEST_F(PoplarCommand, FlagsOfABuiltProgramAreRefused) {
  (void)write("built", "#!/bin/sh\nexit 5\n");
  std::filesystem::permissions(folder() / "built", std::filesystem::perms::owner_all);
  EXPECT_EQ(runThere({"poplar", "run", "built"}).exit_code, 5);
  const Finished refused = runThere({"poplar", "run", "built", "--flag=-O0"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(
      refused.err,
      "ipusim poplar run: --flag: wanted a source to compile, found \"built\", a program that "
      "is built\n");
}

TEST_F(PoplarCommand, AProgramIgnoresTheSignalsThatItsCallerIgnores) {
  (void)write("built", "#!/bin/sh\nkill -HUP $$\nexit 5\n");
  std::filesystem::permissions(folder() / "built", std::filesystem::perms::owner_all);
  EXPECT_EQ(runThere({"poplar", "run", "built"}).exit_code, 128 + SIGHUP);
  const Finished ignored =
      IpusimProcess(folder(), {"nohup", "env", "-C", folder().string()}, {"poplar", "run", "built"})
          .wait();
  EXPECT_EQ(ignored.exit_code, 5) << ignored.err;
}

TEST_F(PoplarCommand, CodeletsAreFoundFromTheCurrentFolder) {
  if (std::system("clang-16 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no clang-16";
  std::filesystem::create_directories(folder() / "codelets");
  (void)write("answer.cpp", kWithCodelet);
  (void)write("codelets/answer.cpp", kCodelet);
  const Finished finished = runThere({"poplar", "run", "answer.cpp"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "42\n");
}

TEST_F(PoplarCommand, ErrorsOfTheCompilerAreShownAsTheyAre) {
  (void)write("wrong.cpp", "#include <poplar/Engine.hpp>\nint main() { return none; }\n");
  const Finished finished = runThere({"poplar", "run", "wrong.cpp"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, ContainsRegex("wrong.cpp:2:[0-9]+: error: .*none"));
}

TEST_F(PoplarCommand, AMissingCompilerIsOneLine) {
  (void)write("double.cpp", kProgram);
  const Finished named = runThere({"poplar", "build", "double.cpp"}, "CXX=no-such-g++");
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_EQ(named.err,
            "CXX: wanted a compiler for C++, found \"no-such-g++\", which is no program of PATH\n");
  const Finished none = IpusimProcess(folder(), {"/usr/bin/env", "PATH=/nowhere", "CXX="},
                                      {"poplar", "build", (folder() / "double.cpp").string()})
                            .wait();
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err,
            "ipusim poplar: wanted a compiler for C++ (Debian package g++; CXX names another), "
            "found none on PATH\n");
}

TEST_F(PoplarCommand, WrongWordsAreOneLine) {
  (void)write("double.cpp", kProgram);
  EXPECT_EQ(runThere({"poplar", "run", "none.cpp"}).err,
            "ipusim poplar: SRC: wanted a source in C++, found \"none.cpp\"\n");
  EXPECT_THAT(runThere({"poplar", "run", "double.cpp", "--machine", "gc3"}).err, HasSubstr("gc3"));
  const Finished no_record = runThere({"poplar", "replay", "double.cpp"});
  EXPECT_EQ(no_record.exit_code, 2);
  EXPECT_EQ(no_record.err,
            "double.cpp: wanted an execution record, which begins with {\"ipusim_record\":, found "
            "\"#include <poplar/Engine.hpp>\"; `ipusim poplar run --record` writes it anew\n");
  EXPECT_EQ(runThere({"poplar", "run", "double.cpp", "--functional-steps", "0"}).err,
            "ipusim poplar run: --functional-steps: wanted a whole number of at least 1, found "
            "\"0\"\n");
}

}  // namespace
}  // namespace ipusim::cli
