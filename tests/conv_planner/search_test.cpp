// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/search.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/conv_planner/every_point.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/transforms.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

/// Expects that the search finds what trying everything finds, for each candidate by itself.
void expectLeast(const ConvProblem& problem, Bytes bound, PlanGoal goal = PlanGoal::FewestCycles) {
  const Machine& machine = toyMachine();
  for (const TransformedConv& conv : transformsOf(machine, problem)) {
    for (const ConvCandidate& candidate : candidatesOf(machine, problem, conv)) {
      ASSERT_EQ(bestFound(machine, {candidate}, bound, goal),
                bestOfAll(machine, {candidate}, bound, goal))
          << "method " << static_cast<int>(candidate.vertex.method) << " on " << candidate.in_chans
          << " x " << candidate.out_chans << " channels";
    }
  }
}

ConvDim dimOf(std::uint64_t field, std::uint64_t kernel, std::uint64_t stride,
              std::uint64_t padding) {
  ConvDim dim;
  dim.field = field;
  dim.kernel = kernel;
  dim.output.stride = stride;
  dim.input.pad_lower = padding;
  dim.input.pad_upper = padding;
  return dim;
}

ConvProblem problemOf(std::uint64_t batch, std::uint64_t in_chans, std::uint64_t out_chans,
                      std::vector<ConvDim> dims) {
  ConvProblem problem;
  problem.pass = ConvPass::TrainingFwd;
  problem.params.batch = batch;
  problem.params.in_chans = in_chans;
  problem.params.out_chans = out_chans;
  problem.params.dims = std::move(dims);
  problem.params = canonicalConv(problem.params);
  return problem;
}

constexpr Bytes kRoomy(1U << 30U);

TEST(ConvSearch, FindsTheLeastForAKernel) {
  expectLeast(problemOf(2, 20, 40, {dimOf(7, 3, 1, 1), dimOf(6, 3, 1, 1)}), kRoomy);
}

TEST(ConvSearch, FindsTheLeastWithinLittleMemory) {
  const ConvProblem problem = problemOf(1, 24, 48, {dimOf(6, 3, 1, 1), dimOf(5, 2, 1, 0)});
  for (const std::uint64_t bound : {3000U, 6000U, 12000U}) expectLeast(problem, Bytes(bound));
}

TEST(ConvSearch, FindsTheLeastMemory) {
  const ConvProblem problem = problemOf(1, 24, 48, {dimOf(6, 3, 1, 1), dimOf(5, 2, 1, 0)});
  for (const Bytes bound : {Bytes(6000), kRoomy}) {
    expectLeast(problem, bound, PlanGoal::LeastMemory);
  }
}

TEST(ConvSearch, FindsTheLeastForAStrideInAllPasses) {
  ConvProblem problem = problemOf(3, 9, 18, {dimOf(9, 3, 2, 1), dimOf(8, 1, 2, 0)});
  const ConvParams forward = problem.params;
  expectLeast(problem, kRoomy);
  problem.pass = ConvPass::TrainingBwd;
  problem.params = backwardConv(forward);
  expectLeast(problem, kRoomy);
  problem.pass = ConvPass::TrainingWu;
  problem.params = weightUpdateConv(forward);
  expectLeast(problem, kRoomy);
}

TEST(ConvSearch, FindsTheLeastForGroups) {
  ConvProblem problem = problemOf(2, 1, 1, {dimOf(8, 3, 1, 1), dimOf(7, 5, 1, 2)});
  problem.params.groups = 10;
  expectLeast(problem, kRoomy);
}

TEST(ConvSearch, FindsTheLeastForFloats) {
  ConvProblem problem = problemOf(4, 5, 7, {dimOf(9, 1, 1, 0), dimOf(4, 1, 1, 0)});
  problem.params.input = ElementType::Float;
  problem.params.output = ElementType::Float;
  problem.partials = ElementType::Float;
  expectLeast(problem, kRoomy);
}

TEST(ConvSearch, FindsTheLeastInThreeDimensions) {
  expectLeast(problemOf(1, 8, 8, {dimOf(4, 2, 1, 0), dimOf(3, 2, 1, 0), dimOf(5, 3, 1, 1)}),
              kRoomy);
}

}  // namespace
}  // namespace ipusim::workloads
