// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/limit_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace ipusim::cli {
namespace {

constexpr double kShort = 0.05;

[[noreturn]] void takeTooLong() {
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST(LimitWatchDeathTest, EndsARunThatIsNotDoneAsAnError) {
  EXPECT_EXIT(
      {
        const LimitWatch watch({kShort, std::nullopt}, Engine::ClosedForm);
        takeTooLong();
      },
      testing::ExitedWithCode(2), "--max-time: wanted a run within .*, found it unfinished");
}

TEST(LimitWatchDeathTest, EndsWhatComesAfterARunWithTheAnswerOfTheRun) {
  EXPECT_EXIT(
      {
        LimitWatch watch({kShort, std::nullopt}, Engine::ClosedForm);
        watch.endWith("the answer\n");
        watch.now("trying what would make it fit");
        takeTooLong();
      },
      testing::ExitedWithCode(0),
      "--max-time ended what came after the run \\(trying what would make it fit\\)");
}

TEST(LimitWatch, KnowsWhatIsLeftOfItsTime) {
  const LimitWatch limited({60, std::nullopt}, Engine::ClosedForm);
  EXPECT_LE(limited.secondsLeft().value(), 60);
  EXPECT_GT(limited.secondsLeft().value(), 1);
}

}  // namespace
}  // namespace ipusim::cli
