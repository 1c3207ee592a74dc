// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace ipusim::validate {
namespace {

TEST(MemoryBudget, LetsRunsHoldWhatIsWithinIt) {
  MemoryBudget budget(Bytes(100));
  MemoryBudget::Share one(budget);
  MemoryBudget::Share other(budget);
  one.hold(Bytes(60));
  other.hold(Bytes(40));
}

TEST(MemoryBudget, ARunWaitsUntilOthersFreeTheirShare) {
  MemoryBudget budget(Bytes(100));
  std::optional<MemoryBudget::Share> one;
  one.emplace(budget).hold(Bytes(60));
  std::atomic<bool> frees = false;
  std::thread later([&] {
    MemoryBudget::Share other(budget);
    other.hold(Bytes(41));
    EXPECT_TRUE(frees);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  frees = true;
  one.reset();
  later.join();
}

TEST(MemoryBudget, ARunAloneMayHoldMore) {
  MemoryBudget budget(Bytes(100));
  MemoryBudget::Share alone(budget);
  alone.hold(Bytes(500));
}

TEST(MemoryBudget, AShareThatGrowsDoesNotWait) {
  MemoryBudget budget(Bytes(100));
  MemoryBudget::Share one(budget);
  MemoryBudget::Share other(budget);
  one.hold(Bytes(50));
  other.hold(Bytes(50));
  one.hold(Bytes(80));
  other.hold(Bytes(80));
}

}  // namespace
}  // namespace ipusim::validate
