// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/expected_time.h"

#include <algorithm>

namespace ipusim::sweep {

namespace {

constexpr std::uint64_t kMostTried = 7;
constexpr double kPatienceSeconds = 2;

}  // namespace

ExpectedTime expectedTime(const std::vector<std::uint64_t>& points, const Evaluate& evaluate,
                          std::uint64_t jobs) {
  ExpectedTime expected;
  expected.points = points.size();
  expected.jobs = jobs;
  const std::uint64_t tries = std::min<std::uint64_t>(kMostTried, points.size());
  double seconds = 0;
  WorkerPool pool({1, kPatienceSeconds}, evaluate);
  pool.compute({[&](std::optional<std::uint64_t> /*last*/) -> std::optional<std::uint64_t> {
                  if (expected.tried == tries || expected.at_least) return std::nullopt;
                  return points[expected.tried++ * points.size() / tries];
                },
                [&](std::uint64_t, const PointResult& result) {
                  seconds += result.seconds;
                  expected.at_least = expected.at_least || result.seconds >= kPatienceSeconds;
                },
                [] { return StopRequest::None; }});
  if (expected.tried == 0) return expected;
  const double mean = seconds / static_cast<double>(expected.tried);
  expected.seconds = mean * static_cast<double>(points.size()) /
                     static_cast<double>(std::min<std::uint64_t>(jobs, points.size()));
  return expected;
}

}  // namespace ipusim::sweep
