// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_rearrange.h"

#include <algorithm>

#include "models/ipu/cost/amp.h"

namespace ipusim::workloads {
namespace {

// A copy takes 5/4 of the time that its rate gives, or 5/3 when channels do not fill vectors.
constexpr std::uint64_t kCopyScale = 5;
constexpr std::uint64_t kWholeVectors = 4;
constexpr std::uint64_t kRaggedVectors = 3;

/// Which of the three do not lie as the vertex needs them.
struct Misplaced {
  bool inputs;
  bool weights;
  bool output;
};

Misplaced misplaced(const PlanCandidate& candidate) {
  const bool separate = candidate.training == TrainingPlan::Separate;
  const bool as_given = candidate.order == OperandOrder::AsGiven;
  const bool padded_in = candidate.conv.in_chans % candidate.method.in_chans_per_group != 0;
  const bool padded_out = candidate.conv.out_chans % candidate.method.partial_chans_per_group != 0;
  const bool update = candidate.pass == MatmulPass::TrainingWu;
  const bool backward = candidate.pass == MatmulPass::TrainingBwd;
  const bool relaid = as_given || candidate.combined_groups > 1;
  return {relaid || padded_in || update || (backward && separate),
          relaid || padded_in || padded_out, relaid || padded_out || (update && separate)};
}

/// A copy moves pieces of this many bytes, out of `chans` channels.
struct Pieces {
  Bytes piece;
  std::uint64_t chans;
};

Cycles copyCycles(const Architecture& machine, const PlanCandidate& candidate, Bytes bytes,
                  const Pieces& pieces) {
  const std::uint64_t rate = std::min(machine.memcpy_rate.value(), pieces.piece.value());
  const bool whole = pieces.chans % machine.vectorWidth(candidate.output) == 0;
  const std::uint64_t scale = whole ? kWholeVectors : kRaggedVectors;
  return Cycles(ceilDiv(bytes.value() * kCopyScale, rate * scale));
}

}  // namespace

Bytes Rearranged::held() const {
  return std::max({inputs, weights, output, regrouped}) * 2;
}

Rearranged rearranged(const Architecture& machine, const PlanCandidate& candidate,
                      std::uint32_t tiles) {
  const VertexMethod& method = candidate.method;
  const ConvSizes whole = candidate.padded();
  const Bytes element = sizeOf(candidate.output);
  const auto spread = [&](std::uint64_t elements) {
    return Bytes(ceilDiv<std::uint64_t>(elements * whole.groups * element.value(), tiles));
  };
  // The result is spread by elements, and the operands by bytes.
  const Bytes outputs =
      element * ceilDiv<std::uint64_t>(whole.field * whole.out_chans * whole.groups, tiles);

  const Misplaced wrong = misplaced(candidate);
  Rearranged moved{};
  if (wrong.inputs) moved.inputs = spread(whole.field * whole.in_chans);
  if (wrong.weights) moved.weights = spread(whole.in_chans * whole.out_chans);
  if (wrong.output) {
    moved.output = outputs;
  } else if (!candidate.isFullyConnected() &&
             method.partial_chans_per_group !=
                 models::ampWeightsPerUnit(machine, candidate.input)) {
    moved.regrouped = outputs;
  }
  return moved;
}

RearrangeCycles inputRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved) {
  if (moved.inputs == Bytes(0)) return {};
  const Pieces elements{sizeOf(candidate.output),
                        candidate.conv.in_chans * candidate.conv.out_chans};
  return {copyCycles(machine, candidate, moved.inputs, elements),
          cyclesFor(moved.inputs, machine.fabric.exchange_rate)};
}

RearrangeCycles otherRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved) {
  if (moved.weights + moved.output + moved.regrouped == Bytes(0)) return {};
  const ConvSizes& conv = candidate.conv;
  const Bytes element = sizeOf(candidate.output);
  const Bytes group = element * candidate.method.partial_chans_per_group;
  return {copyCycles(machine, candidate, moved.weights, {element, conv.in_chans * conv.out_chans}) +
              copyCycles(machine, candidate, moved.output, {element, conv.out_chans}) +
              copyCycles(machine, candidate, moved.regrouped, {group, conv.out_chans}),
          cyclesFor(moved.weights, machine.fabric.exchange_rate) +
              cyclesFor(moved.output, machine.fabric.exchange_rate)};
}

}  // namespace ipusim::workloads
