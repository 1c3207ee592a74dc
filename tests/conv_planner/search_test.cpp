// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/matmul/plan_splits.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

/// Calls `act` with each partition of `candidate` that the rules allow.
template <typename Act>
class EveryPartition {
 public:
  EveryPartition(const Machine& machine, const ConvCandidate& candidate, const Act& act)
      : machine_(machine), candidate_(candidate), act_(act) {
    splitDim(ConvPartition{}, 0);
  }

 private:
  void splitDim(ConvPartition partition, std::uint32_t dim) {
    if (partition.tiles() > machine_.tiles) return;
    if (dim == kMaxFieldDims) {
      splitRest(partition);
      return;
    }
    const CandidateDim& d = candidate_.dims.at(dim);
    const std::uint64_t kernel = dim + 1 < candidate_.dim_count ? d.kernel : 1;
    for (const std::uint32_t field : usefulSplits(d.outputGrains(), machine_.tiles)) {
      for (const std::uint32_t part : usefulSplits(kernel, machine_.tiles)) {
        partition.field.at(dim) = field;
        partition.kernel.at(dim) = part;
        splitDim(partition, dim + 1);
      }
    }
  }

  void splitRest(ConvPartition partition) {
    for (const std::uint32_t batch : usefulSplits(candidate_.batch, machine_.tiles)) {
      for (const std::uint32_t groups : usefulSplits(candidate_.groupGrains(), machine_.tiles)) {
        partition.batch = batch;
        partition.conv_groups = groups;
        splitChans(partition);
      }
    }
  }

  void splitChans(ConvPartition partition) {
    for (const SplitPair& in : splitPairs(candidate_.inGrains(), {kNoLimit, kNoLimit})) {
      for (const SplitPair& out : splitPairs(candidate_.outGrains(), {kNoLimit, kNoLimit})) {
        partition.in_chans = in.parallel;
        partition.in_chans_serial = in.serial;
        partition.out_chans = out.parallel;
        partition.out_chans_serial = out.serial;
        if (isAllowed(partition)) act_(partition);
      }
    }
  }

  [[nodiscard]] bool isAllowed(const ConvPartition& partition) const {
    return partition.tiles() <= machine_.tiles &&
           std::min(partition.in_chans_serial, partition.out_chans_serial) == 1 &&
           partition.in_chans_serial <= candidate_.most_in_steps &&
           partition.out_chans_serial <= candidate_.most_out_steps &&
           takes(candidate_, shareOf(candidate_, partition));
  }

  const Machine& machine_;
  const ConvCandidate& candidate_;
  const Act& act_;
};

using Cost = std::pair<Cycles, Bytes>;

constexpr Cost kNothing{Cycles(std::numeric_limits<std::uint64_t>::max()), Bytes(0)};

/// The cost of a point, or the worst of all where the point is against the rules.
Cost costOf(const Machine& machine, const ConvCandidate& candidate, const ConvPoint& point,
            Bytes bound) {
  const ConvTerms terms = convTerms(machine, candidate, point);
  const std::uint64_t most =
      point.partition.tiles() * terms.partial_calc.value() * point.partition.steps();
  const bool too_fast = candidate.multiply_adds / candidate.multiply_rate > most;
  if (too_fast || terms.temp() > bound) return kNothing;
  return {terms.total(point.partition.steps()), terms.temp()};
}

/// The least cost of all points of `candidate`.
Cost leastOf(const Machine& machine, const ConvCandidate& candidate, Bytes bound) {
  Cost least = kNothing;
  const auto act = [&](const ConvPartition& partition) {
    least = std::min(least, costOf(machine, candidate, {partition}, bound));
    if (partition.out_chans_serial == 1) return;
    const ConvPoint held{partition, ConvBroadcast::BeforeLoop};
    least = std::min(least, costOf(machine, candidate, held, bound));
  };
  EveryPartition(machine, candidate, act);
  return least;
}

/// Expects that the search finds what trying everything finds, for each candidate by itself.
void expectLeast(const ConvProblem& problem, Bytes bound) {
  const Machine& machine = toyMachine();
  for (const TransformedConv& conv : transformsOf(machine, problem.params)) {
    for (const ConvCandidate& candidate : candidatesOf(machine, problem, conv)) {
      const auto found = searchConvPlan(machine, {candidate}, bound);
      const Cost cost = found ? Cost{found->cycles, found->temp} : kNothing;
      ASSERT_EQ(cost, leastOf(machine, candidate, bound))
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
