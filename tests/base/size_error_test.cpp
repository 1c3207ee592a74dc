// SPDX-License-Identifier: Apache-2.0
#include "base/config/size_error.h"

#include <gtest/gtest.h>

#include <vector>

#include "ipusim/units.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

ConfigReader sizes() {
  return ConfigReader::fromText(
      "[workload]\nkind = \"x\"\nbatch = 50\nsteps = 16_000_000\nrate = 1e9\ndims = [3, 4]\n",
      "run.toml");
}

TEST(ErrorAtLargest, NamesTheLargestWholeNumber) {
  EXPECT_STREQ(errorAtLargest(sizes().table("workload"), "less").what(),
               "run.toml:4: workload.steps: wanted less, found 16000000");
}

TEST(ErrorAtLargest, LooksIntoArrays) {
  const ConfigReader chain = ConfigReader::fromText("n = 5\ndims = [3, 70]\n", "run.toml");
  EXPECT_STREQ(errorAtLargest(chain, "less").what(),
               "run.toml:2: dims: wanted less, found an array");
}

TEST(ErrorAtLargest, NamesTheFileWhereNoKeyIsASize) {
  const ConfigReader trace = ConfigReader::fromText("kind = \"trace\"\nfile = \"a\"\n", "r.toml");
  EXPECT_STREQ(errorAtLargest(trace, "less").what(), "r.toml:2: file: wanted less, found \"a\"");
}

TEST(WithinLimits, TurnsWhatCannotBeCountedIntoAnErrorOfTheKey) {
  const ConfigReader table = sizes().table("workload");
  const auto count = [] { return Flops(~std::uint64_t{0}) + Flops(1); };
  EXPECT_EQ(configErrorOf([&] { (void)withinLimits(table, count); }),
            "run.toml:4: workload.steps: wanted sizes whose work, bytes and cycles 64 bits can "
            "count, found 16000000");
}

TEST(WithinLimits, TurnsTooLittleMemoryIntoAnErrorOfTheKey) {
  const ConfigReader table = sizes().table("workload");
  const auto fill = [](std::size_t count) {
    return [count] { return std::vector<double>(count).size(); };
  };
  const char* message =
      "run.toml:4: workload.steps: wanted sizes that take no more than the memory of this "
      "computer, found 16000000";
  EXPECT_EQ(withinLimits(table, fill(10)), 10U);
  EXPECT_EQ(configErrorOf([&] { (void)withinLimits(table, fill(~std::size_t{0})); }), message);
  EXPECT_EQ(configErrorOf([&] { withinLimits(table, [] { throw std::bad_alloc(); }); }), message);
}

}  // namespace
}  // namespace ipusim
