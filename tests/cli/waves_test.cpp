// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using Waves = CliTest;

constexpr const char* kCompute = "b1";

std::string trimmed(const std::string& bits) {
  const std::size_t one = bits.find('1');
  return one == std::string::npos ? "b0" : "b" + bits.substr(one);
}

/// The code that a value change dump has for a signal.
std::string codeOf(const std::string& file, const std::string& signal) {
  std::ifstream in(file);
  std::string word;
  std::string bits;
  std::string code;
  std::string name;
  while (in >> word) {
    if (word == "$var" && in >> word >> bits >> code >> name && name == signal) return code;
  }
  return "";
}

/// Femtoseconds that a signal of several bits has each value, by value, in a value change dump.
std::map<std::string, std::uint64_t> timesOf(const std::string& file, const std::string& signal) {
  const std::string wanted = codeOf(file, signal);
  std::ifstream in(file);
  std::string value;
  std::uint64_t now = 0;
  std::map<std::string, std::uint64_t> times;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    std::string code;
    words >> first >> code;
    if (first.rfind('#', 0) == 0) {
      const std::uint64_t then = std::stoull(first.substr(1));
      if (!value.empty()) times[value] += then - now;
      now = then;
    } else if (code == wanted && first.rfind('b', 0) == 0) {
      value = trimmed(first);
    }
  }
  return times;
}

TEST_F(Waves, ATileComputesAsLongAsTheResultSays) {
  const std::string file = (folder() / "tile.vcd").string();
  const std::string config = smallRun();
  const Finished plain = run({"run", config, "--json"});
  const Finished finished = run({"run", config, "--json", "--vcd", file, "--vcd-tiles", "0"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, plain.out);
  const auto json = nlohmann::json::parse(finished.out);
  const double cycles = json["time"]["compute_cycles"];
  const double period = 1e15 * json["time"]["seconds"].get<double>() /
                        json["time"]["cycles"].get<double>();  // femtoseconds
  const auto times = timesOf(file, "phase");
  ASSERT_EQ(times.count(kCompute), 1U);
  const double tiles = json["machine"]["tiles"];
  const auto waves = static_cast<double>(times.at(kCompute));
  EXPECT_NEAR(waves, cycles * tiles * period, 2 * period);
}

TEST_F(Waves, AreRefusedWhereNobodyCouldSeeThem) {
  const auto error = [this](const std::vector<std::string>& words) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  const std::string file = (folder() / "tile.vcd").string();
  EXPECT_THAT(error({"run", smallRun(), "--vcd", file, "--vcd-tiles", "99999"}),
              HasSubstr("--vcd-tiles: wanted tiles from 0 to "));
  EXPECT_THAT(error({"run", smallRun(), "--vcd-tiles", "1"}), HasSubstr("wanted --vcd beside it"));
  EXPECT_THAT(error({"run", smallRun(), "--vcd", "waves.txt"}), HasSubstr("that ends in .vcd"));
  EXPECT_THAT(error({"run", smallRun(), "--vcd", file, "--engine", "closed-form"}),
              HasSubstr("wanted --engine systemc"));
  EXPECT_THAT(error({"run", "configs/runs/pod_all_reduce.toml", "--vcd", file}),
              HasSubstr("machine: wanted one IPU for --vcd"));
}

TEST_F(Waves, ThatCannotBeWrittenAreAnErrorOfOneLine) {
  const auto error = [this](const std::string& file) {
    const Finished finished = run({"run", smallRun(), "--vcd", file});
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  const std::string full = (folder() / "full.vcd").string();
  std::filesystem::create_symlink("/dev/full", full);
  EXPECT_EQ(error(full), full + ": wanted to write the file, found: No space left on device\n");
  EXPECT_THAT(error("/proc/x.vcd"), HasSubstr("/proc/x.vcd: wanted "));
  const std::string pipe = (folder() / "pipe.vcd").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_THAT(error(pipe), HasSubstr("nobody who reads there"));
}

TEST_F(Waves, OfARunThatIsEndedLeaveTheOldFileAndNothingElse) {
  const std::string file = write("w.vcd", "old");
  const Finished finished =
      run({"run", "configs/runs/matmul.toml", "--vcd", file, "--vcd-tiles", "0,1,2,3",
           "--no-advice", "--max-time", "0.1s", "--set", "workload.m=16384"});
  EXPECT_EQ(finished.exit_code, 2) << finished.err;
  EXPECT_EQ(textOf(file), "old");
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    EXPECT_THAT(entry.path().filename().string(), testing::Not(testing::StartsWith(".ipusim")));
  }
}

TEST_F(Waves, ADiffWritesAPageOfBothSides) {
  const std::string file = (folder() / "diff.html").string();
  const Finished finished = run({"diff", smallRun(), smallRun(), "--report", file});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  std::ifstream in(file);
  std::ostringstream page;
  page << in.rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("\"sides\":[{"));
}

}  // namespace
}  // namespace ipusim::cli
