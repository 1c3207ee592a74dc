// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

class NoStudies : public CliTest, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(NoStudies, IsSaidInOneLine) {
  const Finished finished = run(GetParam());
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  const std::string part =
      GetParam().front() == "sweep" || GetParam().front() == "merge" ? "sweep" : "studies";
  EXPECT_EQ(finished.err, "ipusim: wanted a program with the part " + part +
                              ", found one built without it; `./ipusim build " + part +
                              "` adds it to a tree\n");
}

INSTANTIATE_TEST_SUITE_P(
    Commands, NoStudies,
    testing::Values(std::vector<std::string>{"sweep", "s.toml", "--out", "o"},
                    std::vector<std::string>{"explore", "s.toml", "--out", "o"},
                    std::vector<std::string>{"merge", "a", "--out", "o"},
                    std::vector<std::string>{"calibrate", "c.toml"},
                    std::vector<std::string>{"validate"}, std::vector<std::string>{"reproduce"}));

}  // namespace
}  // namespace ipusim::cli
