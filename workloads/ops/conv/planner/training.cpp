// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/training.h"

#include <algorithm>
#include <utility>

#include "workloads/ops/conv/planner/estimate.h"

namespace ipusim::workloads {
namespace {

/// The row of positions that a product is.
std::uint64_t& fieldOf(ConvProblem& problem) {
  return problem.params.dims.back().field;
}

ConvProblem forwardOf(const ConvProblem& problem) {
  ConvProblem forward = problem;
  forward.pass = ConvPass::FcTrainingFwd;
  if (problem.pass == ConvPass::FcTrainingBwd) {
    std::swap(forward.params.in_chans, fieldOf(forward));
  }
  if (problem.pass == ConvPass::FcTrainingWu) {
    std::swap(forward.params.in_chans, forward.params.out_chans);
  }
  return forward;
}

/// A row of `positions`, in grains of `grain`.
CandidateDim rowOf(const CandidateDim& row, std::uint64_t positions) {
  CandidateDim result = row;
  result.outputs = positions;
  result.multiplied = positions;
  // The grains of a joint plan are those of its channels, so the field is padded to them too.
  result.used_inputs = roundUp<std::uint64_t>(positions, row.grain);
  return result;
}

bool canBeShared(const ConvCandidate& candidate) {
  if (candidate.swapped || candidate.combined) return false;
  const ConvVertex& vertex = candidate.vertex;
  if (vertex.method == ConvMethod::Hmac) return true;
  // The weight update writes what the forward pass reads, so in channels become out channels.
  return vertex.method == ConvMethod::Amp && vertex.in_chans_per_group % vertex.conv_units == 0;
}

}  // namespace

bool isFcTraining(ConvPass pass) {
  return isFullyConnected(pass) && pass != ConvPass::FcInferenceFwd;
}

std::array<ConvProblem, 3> trainingPasses(const ConvProblem& problem) {
  const ConvProblem forward = forwardOf(problem);
  ConvProblem backward = forward;
  backward.pass = ConvPass::FcTrainingBwd;
  std::swap(backward.params.in_chans, fieldOf(backward));
  ConvProblem update = forward;
  update.pass = ConvPass::FcTrainingWu;
  std::swap(update.params.in_chans, update.params.out_chans);
  return {forward, backward, update};
}

std::vector<ConvCandidate> jointCandidates(std::vector<ConvCandidate> candidates) {
  const auto unfit = [](const ConvCandidate& candidate) { return !canBeShared(candidate); };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), unfit), candidates.end());
  for (ConvCandidate& candidate : candidates) {
    CandidateDim& row = candidate.dims.at(candidate.dim_count - 1);
    candidate.joint = true;
    row.grain = candidate.vertex.in_chans_per_group;
    row = rowOf(row, row.outputs);
  }
  return candidates;
}

ConvCandidate jointCandidateOf(const ConvCandidate& forward, ConvPass pass) {
  ConvCandidate candidate = forward;
  candidate.pass = pass;
  CandidateDim& row = candidate.dims.at(candidate.dim_count - 1);
  if (pass == ConvPass::FcTrainingBwd) {
    candidate.in_chans = row.outputs;
    row = rowOf(row, forward.in_chans);
  } else if (pass == ConvPass::FcTrainingWu) {
    std::swap(candidate.out_chans, candidate.in_chans);
    std::swap(candidate.vertex.partial_chans_per_group, candidate.vertex.in_chans_per_group);
  }
  return candidate;
}

ConvPoint jointPointOf(const ConvPoint& forward, ConvPass pass) {
  ConvPoint point = forward;
  ConvPartition& partition = point.partition;
  // A product has one dimension, and one that the planner adds outside of it.
  std::uint32_t& field = partition.field[1];
  if (pass == ConvPass::FcTrainingBwd) {
    std::swap(field, partition.in_chans);
  } else if (pass == ConvPass::FcTrainingWu) {
    std::swap(partition.out_chans, partition.in_chans);
    std::swap(partition.out_chans_serial, partition.in_chans_serial);
    point.broadcast = ConvBroadcast::EachStep;
  }
  return point;
}

void addGradientPasses(const Architecture& machine, const ConvCandidate& forward,
                       const ConvPoint& point, PlanCost& cost) {
  for (const ConvPass pass : {ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu}) {
    const ConvPoint own = jointPointOf(point, pass);
    const ConvTerms terms = convTerms(machine, jointCandidateOf(forward, pass), own);
    cost.cycles += terms.total(own.partition.steps());
    cost.temp = std::max(cost.temp, terms.temp());
  }
}

}  // namespace ipusim::workloads
