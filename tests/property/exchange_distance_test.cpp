// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "models/ipu/cost/exchange/exchange.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"

// A message costs the same from one end of the chip to the other, apart from the route: published
// measurements of near and far tiles coincide.

namespace ipusim::run {
namespace {

constexpr std::uint32_t kNear = 1;
constexpr std::uint32_t kFar = 644;
constexpr std::uint64_t kLongest = 128 << 10U;

std::int64_t cyclesOf(std::uint32_t to, std::uint64_t bytes) {
  const auto config = ConfigReader::fromFile(
      "configs/runs/exchange_latency.toml",
      {{"workload.to", std::to_string(to)}, {"workload.bytes", std::to_string(bytes)}});
  return static_cast<std::int64_t>(simulate(config, Engine::ClosedForm).time.cycles.value());
}

std::int64_t farther(std::uint64_t bytes) {
  return cyclesOf(kFar, bytes) - cyclesOf(kNear, bytes);
}

TEST(ExchangeDistance, NearAndFarDifferByTheSameForAllSizes) {
  const std::int64_t of_a_word = farther(4);
  for (std::uint64_t bytes = 8; bytes <= kLongest; bytes *= 2) {
    EXPECT_EQ(farther(bytes), of_a_word) << bytes;
  }
}

TEST(ExchangeDistance, NearAndFarDifferByNoMoreThanTheRoute) {
  const Machine& machine = models::gc200();
  const Cycles route = Cycles(189) + std::max(models::syncDistance(machine, kNear),
                                              models::syncDistance(machine, kFar));
  const std::int64_t difference = farther(4);
  EXPECT_NE(difference, 0);
  EXPECT_LE(std::abs(difference), static_cast<std::int64_t>(route.value()));
}

TEST(ExchangeDistance, AWordMoreIsACycleMore) {
  for (const std::uint32_t to : {kNear, kFar}) {
    EXPECT_EQ(cyclesOf(to, 8) - cyclesOf(to, 4), 1);
    EXPECT_EQ(cyclesOf(to, kLongest) - cyclesOf(to, 4), (128 * 1024 - 4) / 4);
  }
}

}  // namespace
}  // namespace ipusim::run
