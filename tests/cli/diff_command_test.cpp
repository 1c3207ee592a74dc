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
  const std::string file = write("out/variables.csv", "name\nx,float,3\n");
  const Finished finished = run({"diff", out, config});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith(file + ":2: wanted"));
}

TEST_F(DiffCommand, OfARunThatDoesNotFitIsBesideItsAdvice) {
  const std::string config =
      write("large.toml",
            "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 200\nk = 200\nn = 200\n"
            "type = \"float\"\n");
  const Finished quiet = run({"run", config, "--no-advice", "--json"});
  const Finished advised = run({"run", config, "--json"});
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_FALSE(Json::parse(quiet.out).contains("advice"));
  const Json json = Json::parse(advised.out);
  ASSERT_EQ(json["fits"], false);
  EXPECT_TRUE(json.contains("advice"));
  EXPECT_FALSE(json["oom"]["variables"].empty());
}

}  // namespace
}  // namespace ipusim::cli
