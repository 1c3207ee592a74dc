// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;
using RunCommand = CliTest;

TEST_F(RunCommand, PrintsTheTableAndNothingElse) {
  const Finished finished = run({"run", smallRun()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, StartsWith("codelet on toy: it fits, "));
  EXPECT_EQ(finished.err, "");
}

TEST_F(RunCommand, PrintsOneJsonObject) {
  const Finished finished = run({"run", smallRun(), "--json"});
  const auto json = nlohmann::json::parse(finished.out);
  EXPECT_EQ(json["schema"], "ipusim-run-2");
  EXPECT_EQ(json["engine"]["kind"], "systemc");
}

TEST_F(RunCommand, WritesATimeline) {
  const std::string file = (folder() / "timeline.json").string();
  const Finished plain = run({"run", smallRun()});
  const Finished finished = run({"run", smallRun(), "--timeline", file, "--timeline-tiles", "1,0"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, plain.out);
  std::ifstream in(file);
  EXPECT_GT(nlohmann::json::parse(in)["traceEvents"].size(), 10U);
}

TEST_F(RunCommand, RefusesATimelineThatNobodyCouldWrite) {
  const auto error = [this](std::vector<std::string> words) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  const std::string file = (folder() / "timeline.json").string();
  EXPECT_THAT(error({"run", smallRun(), "--timeline", file, "--timeline-tiles", "99999"}),
              HasSubstr("--timeline-tiles: wanted tiles from 0 to "));
  EXPECT_THAT(error({"run", smallRun(), "--timeline", file, "--timeline-tiles", "1,,2"}),
              HasSubstr("--timeline-tiles: wanted numbers of tiles"));
  EXPECT_THAT(error({"run", smallRun(), "--timeline-tiles", "1"}),
              HasSubstr("wanted --timeline beside it"));
  EXPECT_THAT(error({"run", "configs/runs/pod_all_reduce.toml", "--timeline", file}),
              HasSubstr("machine: wanted one IPU for --timeline"));
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RunCommand, TakesTheMethodAsAPlanPrintsIt) {
  for (const auto& [printed, word] : {std::pair("AMP", "amp"), std::pair("HMAC", "hmac")}) {
    const auto plan = [this](const std::string& method) {
      const Finished finished =
          run({"run", "configs/runs/matmul.toml", "--engine", "closed-form", "--json", "--set",
               "machine={base = \"gc200\", tiles = 16}", "--set", "workload.m=64", "--set",
               "workload.k=64", "--set", "workload.n=64", "--set", "workload.method=" + method});
      EXPECT_EQ(finished.exit_code, 0) << finished.err;
      return nlohmann::json::parse(finished.out)["plan"];
    };
    EXPECT_EQ(plan(printed)["method"], printed);
    EXPECT_EQ(plan(printed), plan(word));
  }
}

TEST_F(RunCommand, TakesTheOtherEngine) {
  const Finished finished = run({"run", smallRun(), "--json", "--engine", "closed-form"});
  EXPECT_EQ(nlohmann::json::parse(finished.out)["engine"]["kind"], "closed-form");
}

TEST_F(RunCommand, SimulatesEveryChipOfASystemToTheSameResult) {
  const auto json = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "run",   "configs/runs/pod_all_reduce.toml",   "--set", "machine.ipus=4",
        "--set", "machine.ipu={base=\"toy\",tiles=8}", "--set", "workload.elements=1000",
        "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return nlohmann::json::parse(finished.out);
  };
  auto distinct = json({});
  auto every = json({"--every-chip"});
  EXPECT_EQ(distinct["system"]["programs"], 1);
  EXPECT_EQ(every["engine"]["tile_steps"], 4 * distinct["engine"]["tile_steps"].get<int>());
  distinct.erase("engine");
  every.erase("engine");
  EXPECT_EQ(distinct, every);
}

TEST_F(RunCommand, PlaysTheBoundOfExchangesOnTheClosedFormAlone) {
  const std::vector<std::string> bound = {"run", smallRun(), "--set", "machine.exchange=bound"};
  const auto with_engine = [&](const char* engine) {
    std::vector<std::string> words = bound;
    words.insert(words.end(), {"--engine", engine});
    return run(words);
  };
  const std::string error =
      "--set machine.exchange: wanted \"scheduled\" (\"bound\" packs each port by itself, which no "
      "chip could play: use --engine closed-form), found \"bound\"";
  for (const Finished& refused : {run(bound), with_engine("systemc")}) {
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr(error));
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
  }
  EXPECT_EQ(with_engine("closed-form").exit_code, 0);
}

TEST_F(RunCommand, SetsKeysInTheOrderGiven) {
  const Finished finished = run({"run", smallRun(), "--set", "workload.elements=8", "--json",
                                 "--set=machine.tiles=2", "--set", "workload.elements=32"});
  const auto config = nlohmann::json::parse(finished.out)["config"];
  EXPECT_EQ(config["workload"]["elements"], 32);
  EXPECT_EQ(config["machine"]["tiles"], 2);
}

TEST_F(RunCommand, GivesTheSameBytesTwice) {
  const std::string config = smallRun();
  EXPECT_EQ(run({"run", config, "--json"}).out, run({"run", config, "--json"}).out);
}

TEST_F(RunCommand, SaysWhatItTookOnlyWhenAsked) {
  const Finished finished = run({"run", smallRun(), "--json", "--stats"});
  EXPECT_TRUE(nlohmann::json::parse(finished.out)["engine"].contains("wall_seconds"));
}

TEST_F(RunCommand, WritesItsFiles) {
  const fs::path out = folder() / "deep" / "out";
  const Finished finished = run({"run", smallRun(), "--json", "--out", out.string()});
  EXPECT_EQ(textOf(out / "result.json"), finished.out);
  EXPECT_THAT(textOf(out / "steps.csv"), StartsWith("step,name,kind,"));
  EXPECT_THAT(textOf(out / "tiles.csv"), HasSubstr("\n3,"));
  EXPECT_THAT(textOf(out / "variables.csv"), HasSubstr(",always,"));
  EXPECT_THAT(textOf(out / "liveness.csv"), HasSubstr("\n0,0,"));
  EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 5);
}

TEST_F(RunCommand, OfAGpuAloneWritesItsObject) {
  const fs::path out = folder() / "out";
  const Finished finished =
      run({"run", "configs/gpu_runs/product.toml", "--json", "--out", out.string()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(textOf(out / "result.json"), finished.out);
  EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 1);
}

TEST_F(RunCommand, OfAGpuAloneTakesNoOptionOfAnIpu) {
  const auto error_of = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "configs/gpu_runs/product.toml"});
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_THAT(error_of({"--stats"}), HasSubstr("product.toml:3: gpu: wanted an IPU for --stats"));
  EXPECT_THAT(error_of({"--engine", "systemc"}), HasSubstr("gpu: wanted an IPU for --engine"));
}

TEST_F(RunCommand, WhatDoesNotFitIsAnAnswer) {
  const Finished finished = run({"run", smallRun(), "--set", "workload.elements=100000"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("it DOES NOT FIT"));
}

TEST_F(RunCommand, AReaderThatHasLeftIsNoError) {
  const Finished finished = ipusimIntoClosedPipe(folder(), {"run", smallRun(), "--json"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
}

TEST_F(RunCommand, AnAnswerThatCannotBeWrittenIsAnError) {
  const Finished finished = ipusimIntoFullDisk(folder(), {"run", smallRun()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith("standard output: "));
}

TEST_F(RunCommand, AReaderWhoIsLateGetsTheWholeAnswer) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::vector<std::string> command = {"run", "configs/runs/quickstart.toml", "--json",
                                            "--engine", "closed-form"};
  IpusimProcess process(folder(), command, ends[1]);
  close(ends[1]);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::string answer;
  std::array<char, 512> part{};
  for (ssize_t count = 0; (count = read(ends[0], part.data(), part.size())) > 0;) {
    answer.append(part.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  EXPECT_EQ(process.wait().exit_code, 0);
  ASSERT_GT(answer.size(), 4096U);
  EXPECT_EQ(answer, run(command).out);
}

TEST_F(RunCommand, WritesThroughNoLinkInItsFolder) {
  const std::string target = write("target", "precious");
  fs::create_symlink(target, folder() / "result.json");
  const Finished finished = run({"run", smallRun(), "--out", folder().string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("result.json: wanted a regular file or nothing there"));
  EXPECT_EQ(textOf(target), "precious");
  EXPECT_TRUE(fs::is_symlink(folder() / "result.json"));
}

TEST_F(RunCommand, AFolderThatCannotBeMadeIsAnErrorBeforeTheRun) {
  const std::string file = write("file", "");
  const Finished finished = run({"run", smallRun(), "--out", file});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("file: wanted a folder"));
  EXPECT_EQ(finished.out, "");
}

TEST_F(RunCommand, AProgramThatDoesNotFitHasAdviceUnlessNoneIsWanted) {
  const std::string config =
      write("large.toml",
            "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 200\nk = 200\nn = 200\n"
            "type = \"float\"\n");
  const Finished quiet = run({"run", config, "--no-advice", "--json"});
  const Finished advised = run({"run", config, "--json"});
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_FALSE(nlohmann::json::parse(quiet.out).contains("advice"));
  const auto json = nlohmann::json::parse(advised.out);
  ASSERT_EQ(json["fits"], false);
  EXPECT_TRUE(json.contains("advice"));
  EXPECT_FALSE(json["oom"]["variables"].empty());
}

}  // namespace
}  // namespace ipusim::cli
