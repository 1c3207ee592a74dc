// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/floors.h"

#include <gtest/gtest.h>

#include "tests/conv_planner/every_point.h"
#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

ConvFloors::Positions positionsOf(const ConvCandidate& candidate, const ConvPartition& partition) {
  const ConvShare share = shareOf(candidate, partition);
  const PositionSlots slots = positionSlots(toyMachine(), candidate, share);
  return {std::uint64_t{partition.fieldParts()} * partition.batch,
          share.fieldPositions() * share.batch, unitCycles(toyMachine(), candidate, share, slots)};
}

/// What is left of a partition when its out channels are not split yet.
ConvFloors::Reduced reducedOf(const ConvCandidate& candidate, ConvPartition partition) {
  partition.out_chans = 1;
  partition.out_chans_serial = 1;
  const ConvShare share = shareOf(candidate, partition);
  return {partition.tiles(),
          share.conv_groups * share.in_groups * kernelUnits(toyMachine(), candidate, share.kernel),
          share.weights / share.out_groups, share.conv_groups, partition.in_chans_serial};
}

/// Expects that no floor exceeds the cost of a point.
void expectBelow(const ConvCandidate& candidate) {
  const ConvFloors floors(toyMachine(), candidate);
  forEachPoint(toyMachine(), candidate, [&](const ConvPoint& point, const ConvTerms& terms) {
    const ConvPartition& partition = point.partition;
    const Cycles cycles = terms.total(partition.steps());
    const ConvFloors::Positions positions = positionsOf(candidate, partition);
    const ConvFloors::Reduced reduced = reducedOf(candidate, partition);
    const std::uint64_t out_grains = shareOf(candidate, partition).out_groups;
    ASSERT_LE(floors.ofCandidate(), cycles);
    ASSERT_LE(floors.ofPositions(positions), cycles);
    ASSERT_LE(floors.ofReduced(positions, reduced), cycles);
    ASSERT_LE(floors.ofStep(positions, reduced, out_grains, partition.steps()), cycles);
    ASSERT_LE(floors.rearrangingBytes(), terms.temp());
    if (partition.steps() > 1) {
      ASSERT_LE(floors.slicedBytes(), terms.temp());
    }
  });
}

ConvProblem halves(const ConvProblem& floats) {
  ConvProblem problem = floats;
  problem.params.input = problem.params.output = problem.partials = ElementType::Half;
  return problem;
}

void expectAllBelow(const ConvProblem& problem) {
  for (const ConvCandidate& candidate : everyCandidate(toyMachine(), problem)) {
    expectBelow(candidate);
  }
}

TEST(ConvFloors, NeverExceedAPlanOfWholeGroups) {
  expectBelow(floatAmp({1, 24, 32, 64}, 8));
}

TEST(ConvFloors, NeverExceedAPlanOfAProduct) {
  for (const ConvPass pass :
       {ConvPass::NoneMatmul, ConvPass::FcInferenceFwd, ConvPass::FcTrainingFwd,
        ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu}) {
    const ConvProblem problem = convOf(productIn(pass, 34, 40, 25));
    expectAllBelow(problem);
    expectAllBelow(halves(problem));
  }
}

TEST(ConvFloors, NeverExceedAPlanOfGroups) {
  MatmulProblem product = productIn(ConvPass::NoneMatmul, 9, 2, 17);
  product.groups = 13;
  product.combining = GroupCombining::Allowed;
  expectAllBelow(convOf(product));
  expectAllBelow(halves(convOf(product)));
}

TEST(ConvFloors, NeverExceedAJointPlan) {
  const ConvProblem problem = convOf(productIn(ConvPass::FcTrainingFwd, 34, 40, 25));
  for (const ConvCandidate& joint : jointCandidates(everyCandidate(toyMachine(), problem))) {
    expectBelow(joint);
  }
}

TEST(ConvFloors, NeverExceedAPlanOfAConvolution) {
  ConvDim dim;
  dim.field = 7;
  dim.kernel = 3;
  dim.output.stride = 2;
  dim.input.pad_lower = dim.input.pad_upper = 1;
  ConvProblem problem;
  problem.pass = ConvPass::TrainingFwd;
  problem.params.batch = 2;
  problem.params.in_chans = 20;
  problem.params.out_chans = 40;
  problem.params.dims = {dim, dim};
  expectAllBelow(problem);
  problem.pass = ConvPass::TrainingBwd;
  problem.params = canonicalConv(backwardConv(problem.params));
  expectAllBelow(problem);
}

}  // namespace
}  // namespace ipusim::workloads
