// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/rearrange.h"

#include <algorithm>

#include "models/ipu/cost/products/amp.h"

namespace ipusim::workloads {
namespace {

// A copy takes 5/4 of the time that its rate gives, or 5/3 when channels do not fill vectors.
constexpr std::uint64_t kCopyScale = 5;
constexpr std::uint64_t kWholeVectors = 4;
constexpr std::uint64_t kRaggedVectors = 3;

/// A rearrangement of one operand, or of the result.
struct Move {
  Bytes bytes;
  Bytes piece;          ///< bytes that lie together
  ElementType type;     ///< decides what fills a vector
  std::uint64_t chans;  ///< channels that may fill vectors
};

Cycles copyCycles(const Architecture& machine, const Move& move) {
  const std::uint64_t rate = std::min(machine.memcpy_rate.value(), move.piece.value());
  const bool whole = move.chans % machine.vectorWidth(move.type) == 0;
  return Cycles(
      ceilDiv(move.bytes.value() * kCopyScale, rate * (whole ? kWholeVectors : kRaggedVectors)));
}

ConvRearrangeTerms regrouped(const Architecture& machine, const Move& move) {
  return {copyCycles(machine, move), Cycles(0), move.bytes};
}

ConvRearrangeTerms rearranged(const Architecture& machine, const Move& move) {
  return {copyCycles(machine, move), cyclesFor(move.bytes, machine.fabric.exchange_rate),
          move.bytes};
}

bool isWeightUpdate(const ConvCandidate& candidate) {
  return candidate.pass == ConvPass::TrainingWu;
}

/// True when the gradients of a fully connected layer lie as another pass of the layer left them.
bool liesForOtherPass(const ConvCandidate& candidate, ConvPass pass) {
  return candidate.pass == pass && !candidate.joint;
}

/// True when both operands lie otherwise than before the transforms.
bool isRelaid(const ConvCandidate& candidate) {
  return isWeightUpdate(candidate) || candidate.expanded || candidate.swapped ||
         candidate.combined || candidate.in_chans % candidate.vertex.in_chans_per_group != 0;
}

bool hasRaggedOutGroups(const ConvCandidate& candidate) {
  return candidate.out_chans % candidate.vertex.partial_chans_per_group != 0;
}

/// True when out channels are grouped otherwise than the in channels of a next convolution.
bool hasOtherGroups(const Architecture& machine, const ConvCandidate& candidate) {
  return candidate.vertex.partial_chans_per_group !=
         models::ampWeightsPerUnit(machine, candidate.input);
}

// As published, operands count as elements of the output's type.

ConvRearrangeTerms inputTerms(const Architecture& machine, const ConvCandidate& candidate,
                              std::uint32_t tiles) {
  const bool moves = isRelaid(candidate) || candidate.pass == ConvPass::FcTrainingWu ||
                     liesForOtherPass(candidate, ConvPass::FcTrainingBwd);
  if (!moves) return {};
  const Bytes element = sizeOf(candidate.output);
  std::uint64_t elements = candidate.batch * candidate.paddedIn() * candidate.paddedGroups();
  for (const CandidateDim& dim : candidate.dims) elements *= dim.used_inputs;
  const Bytes bytes(ceilDiv<std::uint64_t>(elements * element.value(), tiles));
  return rearranged(machine,
                    {bytes, element, candidate.input, candidate.in_chans * candidate.out_chans});
}

ConvRearrangeTerms weightTerms(const Architecture& machine, const ConvCandidate& candidate,
                               std::uint32_t tiles) {
  const Bytes element = sizeOf(candidate.output);
  std::uint64_t elements = candidate.paddedIn() * candidate.paddedOut() * candidate.paddedGroups();
  for (const CandidateDim& dim : candidate.dims) elements *= dim.kernel;
  const std::uint64_t chans = candidate.in_chans * candidate.out_chans;
  if (isRelaid(candidate) || candidate.out_chan_flattened || hasRaggedOutGroups(candidate)) {
    const Bytes bytes(ceilDiv<std::uint64_t>(elements * element.value(), tiles));
    return rearranged(machine, {bytes, element, candidate.input, chans});
  }
  // The backward pass groups the weights the other way round.
  if (candidate.pass != ConvPass::TrainingFwd ||
      candidate.vertex.partial_chans_per_group %
              models::ampWeightsPerUnit(machine, candidate.input) ==
          0) {
    return {};
  }
  return regrouped(machine, {element * ceilDiv<std::uint64_t>(elements, tiles),
                             element * candidate.vertex.partial_chans_per_group, candidate.input,
                             candidate.out_chans});
}

ConvRearrangeTerms outputTerms(const Architecture& machine, const ConvCandidate& candidate,
                               std::uint32_t tiles) {
  const Bytes element = sizeOf(candidate.output);
  std::uint64_t elements = candidate.batch * candidate.paddedOut() * candidate.paddedGroups();
  for (const CandidateDim& dim : candidate.dims) elements *= dim.outputGrains() * dim.grain;
  const Bytes bytes = element * ceilDiv<std::uint64_t>(elements, tiles);
  if (candidate.swapped != isWeightUpdate(candidate) || candidate.out_chan_flattened ||
      candidate.combined || hasRaggedOutGroups(candidate) ||
      liesForOtherPass(candidate, ConvPass::FcTrainingWu)) {
    return rearranged(machine, {bytes, element, candidate.output, candidate.out_chans});
  }
  if (isFullyConnected(candidate.pass) || !hasOtherGroups(machine, candidate)) return {};
  return regrouped(machine, {bytes, element * candidate.vertex.partial_chans_per_group,
                             candidate.output, candidate.out_chans});
}

}  // namespace

ConvRearrangement rearrangementOf(const Architecture& machine, const ConvCandidate& candidate,
                                  std::uint32_t tiles) {
  return {inputTerms(machine, candidate, tiles), weightTerms(machine, candidate, tiles),
          outputTerms(machine, candidate, tiles)};
}

}  // namespace ipusim::workloads
