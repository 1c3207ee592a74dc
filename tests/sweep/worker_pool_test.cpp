// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/worker_pool.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <thread>

namespace ipusim::sweep {
namespace {

/// The results of points 0 to `points` - 1, each of which comes once.
class WorkerPoolTest : public testing::Test {
 protected:
  void compute(std::uint64_t points, const PoolOptions& options, const Evaluate& evaluate) {
    PoolWork work;
    std::uint64_t given = 0;
    work.next = [&](std::optional<std::uint64_t> /*last*/) -> std::optional<std::uint64_t> {
      if (given == points) return std::nullopt;
      return given++;
    };
    work.keep = [this](std::uint64_t point, const PointResult& result) {
      EXPECT_TRUE(kept.emplace(point, result).second) << point;
    };
    work.stop_request = [this] { return kept.size() < enough ? StopRequest::None : stop_then; };
    WorkerPool(options, evaluate).compute(work);
  }
  std::map<std::uint64_t, PointResult> kept;
  std::size_t enough = ~std::size_t{0};  // after this many points it asks for `stop_then`
  StopRequest stop_then = StopRequest::FinishPoints;
};

PointResult withReason(std::string reason) {
  return {Status::Invalid, std::move(reason), R"({"a":"1"})", 0.25};
}

TEST_F(WorkerPoolTest, ComputesEachPointOnceInOtherProcesses) {
  compute(20, {3, {}}, [](std::uint64_t point) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return withReason(std::to_string(point) + " " + std::to_string(getpid()));
  });
  ASSERT_EQ(kept.size(), 20U);
  std::set<std::string> processes;
  for (const auto& [point, result] : kept) {
    const std::size_t space = result.reason.find(' ');
    EXPECT_EQ(result.reason.substr(0, space), std::to_string(point));
    processes.insert(result.reason.substr(space + 1));
  }
  EXPECT_EQ(processes.size(), 3U);
  EXPECT_EQ(processes.count(std::to_string(getpid())), 0U);
}

TEST_F(WorkerPoolTest, BringsWholeResultsHoweverLong) {
  const std::string text(3'000'000, 'x');
  compute(2, {1, {}}, [&](std::uint64_t) { return withReason(text); });
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].reason, text);
  EXPECT_EQ(kept[1].status, Status::Invalid);
  EXPECT_EQ(kept[1].result, R"({"a":"1"})");
  EXPECT_EQ(kept[1].seconds, 0.25);
}

TEST_F(WorkerPoolTest, ACrashCostsOnePoint) {
  compute(6, {2, {}}, [](std::uint64_t point) {
    if (point == 2) std::raise(SIGKILL);
    if (point == 3) _exit(7);
    return PointResult();
  });
  ASSERT_EQ(kept.size(), 6U);
  EXPECT_EQ(kept[2].reason, "the process that computed it was ended by signal 9 (Killed)");
  EXPECT_EQ(kept[3].reason, "the process that computed it ended with exit code 7");
  for (const std::uint64_t point : {0U, 1U, 4U, 5U}) EXPECT_EQ(kept[point].status, Status::Ok);
  for (const std::uint64_t point : {2U, 3U}) EXPECT_EQ(kept[point].status, Status::Failed);
}

TEST_F(WorkerPoolTest, ATimeoutCostsOnePoint) {
  compute(3, {1, 0.5}, [](std::uint64_t point) {
    if (point == 1) std::this_thread::sleep_for(std::chrono::minutes(5));
    return PointResult();
  });
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[1].status, Status::Failed);
  EXPECT_EQ(kept[1].reason, "timeout: it took longer than 0.5 s");
  EXPECT_EQ(kept[2].status, Status::Ok);
}

TEST_F(WorkerPoolTest, TooMuchMemoryCostsOnePoint) {
  compute(3, {1, {}, Bytes(500'000'000)}, [](std::uint64_t point) {
    const std::vector<char> filled(point == 1 ? 700'000'000 : 1, 'x');
    if (point == 1) std::this_thread::sleep_for(std::chrono::minutes(5));
    return PointResult();
  });
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[1].status, Status::Failed);
  EXPECT_EQ(kept[1].reason, "memory: it took more than 500 MB");
  EXPECT_EQ(kept[2].status, Status::Ok);
}

TEST_F(WorkerPoolTest, FinishesThePointsBeingComputedWhenAsked) {
  enough = 1;
  compute(50, {2, {}}, [](std::uint64_t point) {
    std::this_thread::sleep_for(std::chrono::milliseconds(point == 0 ? 1 : 300));
    return PointResult();
  });
  EXPECT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept.count(1), 1U);
}

TEST_F(WorkerPoolTest, EndsAtOnceWhenAsked) {
  enough = 1;
  stop_then = StopRequest::EndNow;
  compute(50, {2, {}}, [](std::uint64_t point) {
    if (point > 0) std::this_thread::sleep_for(std::chrono::minutes(5));
    return PointResult();
  });
  EXPECT_EQ(kept.size(), 1U);
}

}  // namespace
}  // namespace ipusim::sweep
