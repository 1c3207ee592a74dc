// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using TraceResults = CliTest;

constexpr const char* kSummary = R"(Target:
  Total Tiles:            4
Execution:
  Total cycles:           1,234 (approx 1.0 microseconds)
  Number of Replicas:     1
)";

std::string resultTextOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(TraceResults, DiffFindsARunEqualToItsOwnResult) {
  const std::string config = smallRun();
  const std::string result = write("r.json", run({"run", config, "--json"}).out);
  const Finished finished = run({"trace", "diff", result, config, "--json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["same"], true);
  EXPECT_EQ(json["only_in_a"], Json::array());
  EXPECT_EQ(json["only_in_b"][0], "tiles.variables_bytes");
}

TEST_F(TraceResults, DiffSaysWhatALargerRunTakes) {
  const std::string config = smallRun();
  const std::string result = write("r.json", run({"run", config, "--json"}).out);
  const Finished finished = run({"trace", "diff", result, config, "--set", "workload.elements=64"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\n  time.cycles  "));
  EXPECT_THAT(finished.out, HasSubstr("\n  memory.by_category.variables  "));
}

TEST_F(TraceResults, DiffOfTwoTracesIsThatOfTheirProgramsOrOfTheirResults) {
  const std::string a = (folder() / "a.ipt").string();
  const std::string b = (folder() / "b.ipt").string();
  const std::string config = smallRun();
  ASSERT_EQ(run({"trace", "record", config, "-o", a}).exit_code, 0);
  ASSERT_EQ(run({"trace", "record", config, "--set", "workload.elements=64", "-o", b}).exit_code,
            0);
  EXPECT_EQ(run({"trace", "diff", a, a}).out, "the programs are equal\n");
  EXPECT_EQ(Json::parse(run({"trace", "diff", a, b, "--json"}).out)["schema"],
            "ipusim-trace-diff-1");
  EXPECT_THAT(run({"trace", "diff", a, b, "--results"}).out, HasSubstr("\n  time.cycles  "));
  EXPECT_EQ(run({"trace", "diff", a, b, "--set", "machine=toy"}).exit_code, 2);
}

TEST_F(TraceResults, ImportWritesWhatASummarySaysAndNamesTheRest) {
  const std::string summary = write("summary.txt", kSummary);
  const Finished finished = run({"trace", "import", summary, "-o", (folder() / "r.json").string()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("The profile does not say:\n  machine.name\n"));
  EXPECT_THAT(finished.out, HasSubstr("A result has no place for:\n  Number of Replicas\n"));
  EXPECT_EQ(Json::parse(resultTextOf(folder() / "r.json"))["time"]["cycles"], 1234);
  const Finished diff = run({"trace", "diff", (folder() / "r.json").string(), summary});
  EXPECT_THAT(diff.out, HasSubstr("FIGURES   2 of 2 equal"));
}

TEST_F(TraceResults, AChakraTraceBecomesAProgramThatRuns) {
  const std::string chakra = (folder() / "c.json").string();
  const std::string trace = (folder() / "c.ipt").string();
  const Finished exported = run({"trace", "export", "--chakra", smallRun(), "-o", chakra});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(exported.out, "");
  const Finished imported =
      run({"trace", "import", "--chakra", chakra, "--machine", "toy", "-o", trace});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  const Finished again = run({"trace", "export", "--chakra", trace, "-o", chakra + "2"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(resultTextOf(chakra + "2"), resultTextOf(chakra));
}

TEST_F(TraceResults, FaultsAreOneLine) {
  const std::string text = write("a.txt", "a poem\n");
  const std::string json = write("a.json", "{\"target\": {\"numTiles\": -1}}");
  const std::string out = (folder() / "out.json").string();
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"trace", "import", text, "-o", out},
           {"trace", "import", json, "-o", out},
           {"trace", "import", json, "--machine", "toy", "-o", out},
           {"trace", "import", "--chakra", json, "-o", out},
           {"trace", "diff", json, text},
           {"trace", "diff", "nowhere.json", text},
           {"trace", "export", smallRun(), "-o", out}}) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2) << words[1];
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  }
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace ipusim::cli
