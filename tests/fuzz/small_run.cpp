// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/small_run.h"

#include "ipusim/error.h"
#include "sim/report/text/excess.h"
#include "tests/fuzz/campaign.h"

namespace ipusim::fuzz {

namespace {

void refuse(const run::HostCost& cost, const run::HostLimits& limits) {
  if (const auto excess = report::describeExcess(cost, limits)) {
    throw ConfigError("a run of " + *excess);
  }
}

}  // namespace

void refuseExpensive(const run::RunWork& work) {
  const CampaignOptions limits;
  refuse(run::hostCost(work, Engine::ClosedForm),
         {static_cast<double>(limits.seconds), Bytes(limits.bytes)});
}

void refuseLongCheck(const run::RunWork& work) {
  constexpr double kSeconds = 0.2;
  constexpr Bytes kMemory(std::uint64_t{200} << 20U);
  refuse(run::hostCost(work, Engine::ClosedForm) + run::executionCost(work, 1),
         {kSeconds, kMemory});
}

}  // namespace ipusim::fuzz
