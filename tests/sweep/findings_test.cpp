// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/studies/sweep/store/sweep_identity.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kStreamRun =
    "machine = \"toy\"\n[workload]\nkind = \"stream\"\nelements = 8\n";

class Findings : public FolderTest {
 protected:
  /// What a sweep over `axes` says whose points are as `result_of` says, by the number of the
  /// point.
  std::vector<std::string> of(const std::string& axes,
                              const std::function<PointResult(std::uint64_t)>& result_of) {
    (void)write("run.toml", kStreamRun);
    const auto file = write("sweep.toml", "run = \"run.toml\"\n" + axes);
    const Sweep sweep = readSweep(ConfigReader::fromFile(file));
    SweepStore store(report::OutputFolder(path() / "out"),
                     identify(sweep, Engine::ClosedForm, "1"));
    for (std::uint64_t point = 0; point < sweep.numbers(); ++point) {
      store.add(point, "", result_of(point));
    }
    return findingsOf(sweep, store);
  }
};

PointResult withTime(const std::string& seconds, Status status = Status::Ok) {
  PointResult result;
  result.status = status;
  result.result = R"({"time.seconds": ")" + seconds + "\"}";
  return result;
}

constexpr const char* kFour = "[axes]\nworkload.elements = [8, 16, 32, 64]\n";

TEST_F(Findings, NameTheFastestAndTheSlowestPoint) {
  EXPECT_THAT(of(kFour, [](std::uint64_t p) { return withTime(p == 2 ? "0.001" : "0.004"); }),
              ElementsAre("all points fit",
                          "fastest: 1.00 ms at workload.elements = 32; slowest: 4.00 ms at "
                          "workload.elements = 8"));
}

TEST_F(Findings, SayUpToWhereAnAxisFits) {
  EXPECT_THAT(
      of(kFour,
         [](std::uint64_t p) { return withTime("1", p < 2 ? Status::Ok : Status::DoesNotFit); }),
      ElementsAre("workload.elements: fits up to 16"));
}

TEST_F(Findings, SayFromWhereOnAndWhatBetweenDoesNotFit) {
  EXPECT_THAT(of(kFour,
                 [](std::uint64_t p) {
                   return withTime("1", p > 0 && p != 2 ? Status::Ok : Status::DoesNotFit);
                 }),
              ElementsAre("workload.elements: fits from 16 on but not at 32"));
}

TEST_F(Findings, TellTheOtherAxesApart) {
  const auto of_type = [](std::uint64_t p) {
    return withTime("1", p % 4 < (p < 4 ? 1 : 3) ? Status::Ok : Status::DoesNotFit);
  };
  EXPECT_THAT(
      of("[axes]\nmachine = [\"toy\", \"gc200\"]\nworkload.elements = [8, 16, 32, 64]\n", of_type),
      ElementsAre("workload.elements: fits up to 32 with machine = gc200; up to 8 with "
                  "machine = toy"));
}

TEST_F(Findings, TakeAxesThatGoTogetherForOne) {
  const auto fits_below = [](std::uint64_t p) {
    return withTime("1", p < 1 ? Status::Ok : Status::DoesNotFit);
  };
  EXPECT_THAT(of("zip = [[\"workload.elements\", \"machine.clock_hz\"]]\n[axes]\n"
                 "workload.elements = [8, 16]\nmachine.clock_hz = [100, 200]\n",
                 fits_below),
              ElementsAre("workload.elements: fits up to 8"));
}

TEST_F(Findings, SayThatNothingFits) {
  EXPECT_THAT(of(kFour, [](std::uint64_t) { return withTime("1", Status::DoesNotFit); }),
              ElementsAre("no point fits"));
}

TEST_F(Findings, CountInvalidPointsAsNoneThatFit) {
  const auto last_is_invalid = [](std::uint64_t p) {
    return withTime("1", p < 3 ? Status::Ok : Status::Invalid);
  };
  EXPECT_THAT(of(kFour, last_is_invalid), ElementsAre("all points that are valid fit"));
}

TEST_F(Findings, OfPointsThatWereNotRunThereIsNothingToSay) {
  EXPECT_THAT(of(kFour, [](std::uint64_t) { return withTime("1", Status::Invalid); }), IsEmpty());
}

}  // namespace
}  // namespace ipusim::sweep
