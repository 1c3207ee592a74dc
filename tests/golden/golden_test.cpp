// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/base/config_reader.h"
#include "sim/run/json.h"
#include "sim/run/simulate.h"

// Did any number move? Each config of configs/runs has its result here, NAME.json. After a change
// that is meant: IPUSIM_UPDATE_GOLDEN=1 ./ipusim test -L golden, then read the diff.

namespace ipusim::run {
namespace {

namespace fs = std::filesystem;

class ShippedConfig : public testing::TestWithParam<fs::path> {
 protected:
  static fs::path goldenFile() {
    return fs::path(IPUSIM_GOLDEN_DIR) / (GetParam().stem().string() + ".json");
  }
  static std::string goldenText() {
    std::ostringstream text;
    text << std::ifstream(goldenFile()).rdbuf();
    return text.str();
  }
};

TEST_P(ShippedConfig, GivesTheResultThatIsKept) {
  const std::string found =
      jsonText(simulate(ConfigReader::fromFile(GetParam()), Engine::ClosedForm));
  if (std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr) std::ofstream(goldenFile()) << found;
  ASSERT_TRUE(fs::exists(goldenFile()))
      << goldenFile() << " is not there; IPUSIM_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(goldenText(), found);
}

INSTANTIATE_TEST_SUITE_P(Runs, ShippedConfig, testing::ValuesIn(listConfigFiles("configs/runs")),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace ipusim::run
