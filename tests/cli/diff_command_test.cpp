// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using Json = nlohmann::json;
using testing::StartsWith;
using DiffCommand = CliTest;

TEST_F(DiffCommand, SaysWhatALargerRunTakes) {
  const std::string small = smallRun();
  const std::string large = write(
      "large.toml",
      "machine = \"toy\"\n[workload]\nkind = \"codelet\"\ncodelet = \"copy\"\ntype = \"float\"\n"
      "elements = 64\ntiles = [0]\n");
  const Finished finished = run({"diff", small, large, "--json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["schema"], "ipusim-changes-1");
  const Json& variables = json["parts"].back();
  EXPECT_EQ(variables["name"], "variables");
  ASSERT_FALSE(variables["changes"].empty());
  EXPECT_EQ(variables["changes"][0]["b"], 4 * variables["changes"][0]["a"].get<int>());
}

TEST_F(DiffCommand, SetsAKeyOnOneSideAlone) {
  const std::string config = smallRun();
  const Finished finished =
      run({"diff", config, config, "--json", "--set", "workload.elements=32", "--set-b",
           "workload.elements=64", "--set-a", "workload.type=half"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Json json = Json::parse(finished.out);
  const Json& variables = json["parts"].back();
  ASSERT_FALSE(variables["changes"].empty());
  EXPECT_EQ(variables["changes"][0]["a"], 32 * 2);
  EXPECT_EQ(variables["changes"][0]["b"], 64 * 4);
}

TEST_F(DiffCommand, SetsNoKeyOfAResult) {
  const std::string config = smallRun();
  const std::string out = (folder() / "out").string();
  ASSERT_EQ(run({"run", config, "--out", out}).exit_code, 0);
  const Finished finished = run({"diff", out, config, "--set-a", "workload.elements=32"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith("--set-a: wanted a config or a trace on its side, found"));
  EXPECT_EQ(run({"diff", out, config, "--set-b", "workload.elements=32"}).exit_code, 0);
}

TEST_F(DiffCommand, FindsAFolderEqualToItsConfig) {
  const std::string config = smallRun();
  const std::string out = (folder() / "out").string();
  ASSERT_EQ(run({"run", config, "--out", out}).exit_code, 0);
  const Finished finished = run({"diff", out, config, "--json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["parts"].back()["name"], "variables");
  for (const Json& part : json["parts"]) EXPECT_EQ(part["changes"], Json::array()) << part["name"];
}

TEST_F(DiffCommand, RefusesWhatIsNoResultInOneLine) {
  const std::string config = smallRun();
  for (const std::string& other : {write("no.json", "{\"schema\": 1}"),
                                   (folder() / "none.json").string(), folder().string()}) {
    const Finished finished = run({"diff", config, other});
    EXPECT_EQ(finished.exit_code, 2) << other;
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    EXPECT_EQ(finished.out, "");
  }
}

TEST_F(DiffCommand, RefusesALineOfVariablesWithoutBytes) {
  const std::string config = smallRun();
  const std::string out = (folder() / "out").string();
  ASSERT_EQ(run({"run", config, "--out", out}).exit_code, 0);
  const std::string file =
      write("out/variables.csv",
            "name,type,elements,lifetime,first_step,last_step,total_bytes\nx,float,3\n");
  const Finished finished = run({"diff", out, config});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(
      finished.err,
      StartsWith(file +
                 ":2: wanted a line of variables.csv with whole total_bytes, found 3 cells"));
}

TEST_F(DiffCommand, RefusesOtherColumnsOfVariables) {
  const std::string config = smallRun();
  const std::string out = (folder() / "out").string();
  ASSERT_EQ(run({"run", config, "--out", out}).exit_code, 0);
  const std::string file = write("out/variables.csv", "step,cycles\n");
  EXPECT_THAT(run({"diff", out, config}).err, StartsWith(file + ":1: wanted the columns"));
}

TEST_F(DiffCommand, RefusesOverridesThatNothingWouldHear) {
  const std::string out = (folder() / "out").string();
  ASSERT_EQ(run({"run", smallRun(), "--out", out}).exit_code, 0);
  const Finished finished = run({"diff", out, out, "--set", "workload.elements=32"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, testing::HasSubstr("--set: wanted a config"));
}

}  // namespace
}  // namespace ipusim::cli
