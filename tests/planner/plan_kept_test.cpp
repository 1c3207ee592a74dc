// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_kept.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "base/disk_cache.h"
#include "tests/planner/problems.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/matmul/plan_key.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;

/// A cache of this process, and a problem whose plan is to be found in it.
class KeptPlan : public testing::Test {
 protected:
  KeptPlan() { useDiskCache(&cache_); }
  ~KeptPlan() override { useDiskCache(nullptr); }

  void keep(const std::string& bytes) {
    cache_.keep("matmul plan", planKey(machine_, problem_), bytes);
  }

  /// Keeps a plan with a part that is not its own, and expects the plan of a search.
  void expectIgnored(const std::function<void(MatmulPlan&)>& change) {
    MatmulPlan poison = own_;
    change(poison);
    std::string bytes(sizeof poison, '\0');
    std::memcpy(bytes.data(), &poison, sizeof poison);
    expectIgnored(bytes);
  }
  void expectIgnored(const std::string& bytes) {
    keep(bytes);
    const MatmulPlan plan = planMatmul(machine_, problem_);
    EXPECT_EQ(plan.cycles, own_.cycles);
    EXPECT_EQ(plan.partition.tiles(), own_.partition.tiles());
    EXPECT_EQ(plan.terms.total(1), own_.terms.total(1));
  }

  TemporaryFolder folder_;
  DiskCache cache_{{folder_ / "cache", 1U << 30U, "1.0", [](const std::string&) {}}};
  Architecture machine_ = gc200Sdk();
  MatmulProblem problem_ = productIn(MatmulPass::NoneMatmul, 1024, 512, 256);
  MatmulPlan own_ = planMatmul(machine_, problem_);
};

TEST_F(KeptPlan, OfOtherBytesIsSearchedAgain) {
  for (const char byte : {'\0', '\x01', '\x7f', '\xff'}) {
    expectIgnored(std::string(sizeof(MatmulPlan), byte));
  }
}

TEST_F(KeptPlan, WithSplitsThatNoSearchTriesIsSearchedAgain) {
  expectIgnored([](MatmulPlan& plan) { plan.partition.field = 0; });
  expectIgnored([](MatmulPlan& plan) { plan.partition.field = ~std::uint32_t{0}; });
  expectIgnored([](MatmulPlan& plan) { plan.partition.in_chans_serial = 1U << 30U; });
  expectIgnored([](MatmulPlan& plan) { plan.partition.field_grain += 1; });
  expectIgnored([](MatmulPlan& plan) { plan.method.in_chans_per_group = 0; });
  expectIgnored([](MatmulPlan& plan) { plan.method.kind = static_cast<MatmulMethod>(99); });
  expectIgnored([](MatmulPlan& plan) { plan.conv.field += 1; });
  expectIgnored([](MatmulPlan& plan) { plan.broadcast = static_cast<InputBroadcast>(7); });
  expectIgnored([](MatmulPlan& plan) { plan.training = TrainingPlan::Joint; });
  expectIgnored([](MatmulPlan& plan) { plan.cycles += Cycles(1); });
  expectIgnored([](MatmulPlan& plan) { plan.bound = Bytes(0); });
}

TEST_F(KeptPlan, ThatASearchMadeIsTaken) {
  for (const MatmulPass pass :
       {MatmulPass::NoneMatmul, MatmulPass::InferenceFwd, MatmulPass::TrainingFwd,
        MatmulPass::TrainingBwd, MatmulPass::TrainingWu}) {
    for (const auto& [m, k, n] : {std::array<std::uint64_t, 3>{1024, 512, 256},
                                  {3, 1000, 17},
                                  {20000, 64, 4096},
                                  {64, 64, 64}}) {
      const MatmulProblem problem = productIn(pass, m, k, n);
      useDiskCache(nullptr);
      const MatmulPlan plan = planMatmul(machine_, problem);
      EXPECT_TRUE(candidateOf(machine_, problem, plan).has_value()) << m << ' ' << k << ' ' << n;
    }
  }
}

}  // namespace
}  // namespace ipusim::workloads
