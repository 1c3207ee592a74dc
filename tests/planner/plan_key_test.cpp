// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_key.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

/// The problem in memory that was full of `byte` before.
std::unique_ptr<MatmulProblem> problemOver(int byte) {
  auto problem = std::make_unique<MatmulProblem>();
  std::memset(static_cast<void*>(problem.get()), byte, sizeof *problem);
  problem->groups = 1;
  problem->m = 16;
  problem->k = 32;
  problem->n = 64;
  problem->input = ElementType::Half;
  problem->output = ElementType::Half;
  problem->partials = ElementType::Float;
  problem->pass = MatmulPass::NoneMatmul;
  problem->available_memory_proportion = kDefaultMemoryProportion;
  problem->methods = MethodSet::lowered();
  problem->serial = SerialSplits::Allowed;
  problem->combining = GroupCombining::None;
  return problem;
}

TEST(PlanKey, OfEqualInputsIsEqualWhateverLiesBetweenTheFields) {
  const Machine& machine = models::toyMachine();
  EXPECT_EQ(planKey(machine, *problemOver(0)), planKey(machine, *problemOver(0xA5)));
}

TEST(PlanKey, DiffersWithTheProductAndWithTheMachine) {
  const Machine& machine = models::toyMachine();
  MatmulProblem problem;
  const std::string key = planKey(machine, problem);
  problem.n = 2;
  EXPECT_NE(planKey(machine, problem), key);
  problem = {};
  problem.available_memory_proportion = 0.5;
  EXPECT_NE(planKey(machine, problem), key);
  problem = {};
  problem.combining = GroupCombining::Allowed;
  EXPECT_NE(planKey(machine, problem), key);
  Machine other = machine;
  other.fabric.sync_per_column += Cycles(1);
  EXPECT_NE(planKey(other, {}), key);
  other = machine;
  other.interleaved_element += Bytes(1);
  EXPECT_NE(planKey(other, {}), key);
}

}  // namespace
}  // namespace ipusim::workloads
