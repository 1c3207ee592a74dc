// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_training.h"

#include <utility>

namespace ipusim::workloads {
namespace {

MatmulProblem forwardOf(const MatmulProblem& problem) {
  MatmulProblem forward = problem;
  forward.pass = MatmulPass::TrainingFwd;
  if (problem.pass == MatmulPass::TrainingBwd) std::swap(forward.k, forward.n);
  if (problem.pass == MatmulPass::TrainingWu) std::swap(forward.m, forward.k);
  return forward;
}

}  // namespace

bool isTraining(MatmulPass pass) {
  return pass == MatmulPass::TrainingFwd || pass == MatmulPass::TrainingBwd ||
         pass == MatmulPass::TrainingWu;
}

std::array<MatmulProblem, 3> trainingPasses(const MatmulProblem& problem) {
  const MatmulProblem forward = forwardOf(problem);
  MatmulProblem backward = forward;
  backward.pass = MatmulPass::TrainingBwd;
  std::swap(backward.k, backward.n);
  MatmulProblem update = forward;
  update.pass = MatmulPass::TrainingWu;
  std::swap(update.m, update.k);
  return {forward, backward, update};
}

PlanCandidate jointCandidateOf(const Architecture& machine, const PlanCandidate& forward,
                               MatmulPass pass) {
  PlanCandidate candidate = forward;
  candidate.pass = pass;
  if (pass == MatmulPass::TrainingBwd) {
    std::swap(candidate.conv.field, candidate.conv.in_chans);
  } else if (pass == MatmulPass::TrainingWu) {
    std::swap(candidate.conv.out_chans, candidate.conv.in_chans);
    VertexMethod& method = candidate.method;
    std::swap(method.partial_chans_per_group, method.in_chans_per_group);
    if (isAmp(method.kind)) {
      method.kind = ampMethod(machine, candidate.input, method.in_chans_per_group);
    }
  }
  return candidate;
}

PlanPoint jointPointOf(const PlanPoint& forward, MatmulPass pass) {
  PlanPoint point = forward;
  MatmulPartition& partition = point.partition;
  if (pass == MatmulPass::TrainingBwd) {
    std::swap(partition.field, partition.in_chans);
  } else if (pass == MatmulPass::TrainingWu) {
    std::swap(partition.out_chans, partition.in_chans);
    std::swap(partition.out_chans_serial, partition.in_chans_serial);
    point.broadcast = InputBroadcast::EachStep;
  }
  return point;
}

}  // namespace ipusim::workloads
