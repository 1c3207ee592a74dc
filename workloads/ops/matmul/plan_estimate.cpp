// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_estimate.h"

#include <algorithm>

#include "models/ipu/cost/binary_op.h"
#include "models/ipu/cost/slice.h"
#include "workloads/ops/matmul/plan_rearrange.h"
#include "workloads/ops/matmul/plan_vertex.h"

namespace ipusim::workloads {
namespace {

/// A point of the search, with what its terms share.
struct Evaluation {
  const Architecture& machine;
  const PlanCandidate& candidate;
  const MatmulPartition& partition;
  TileShare share;
};

Cycles exchangeCycles(const Architecture& machine, ElementType type, std::uint64_t elements) {
  return cyclesFor(sizeOf(type) * elements, machine.fabric.exchange_rate);
}

/// Consecutive tiles need the same inputs. The tiles of a bus receive such a stream at once.
Cycles inputReceived(const Evaluation& e, std::uint64_t elements) {
  const Fabric& fabric = e.machine.fabric;
  const bool shared = e.partition.out_chans % fabric.tiles_per_bus == 0;
  const BytesPerCycle rate(fabric.exchange_rate.value() * (shared ? fabric.tiles_per_bus : 1));
  return cyclesFor(sizeOf(e.candidate.input) * elements, rate);
}

/// Each input is on one of the tiles that need it.
Cycles inputExchange(const Evaluation& e) {
  return inputReceived(e, e.share.inputs - e.share.inputs / e.partition.out_chans);
}

/// Zeros come like the operands that they pad.
Cycles kernelZeros(const Evaluation& e) {
  const KernelZeros zeros = kernelZerosOf(e.machine, e.candidate, e.share);
  return inputReceived(e, zeros.inputs) +
         exchangeCycles(e.machine, e.candidate.input, zeros.weights);
}

/// Weights are spread over the parts of the field that need them.
Cycles weightExchange(const Evaluation& e) {
  const std::uint64_t received = e.share.weights - e.share.weights / e.partition.field;
  return exchangeCycles(e.machine, e.candidate.input, received);
}

Cycles firstPartialsExchange(const Evaluation& e) {
  return exchangeCycles(e.machine, e.candidate.method.partials, e.share.partials);
}

Cycles laterPartialsExchange(const Evaluation& e, const models::ReductionDepths& depths) {
  Cycles cycles(0);
  const auto stages = models::reductionStages(e.share.partials, depths);
  for (std::uint32_t i = 0; i + 1 < stages.count; ++i) {
    cycles += exchangeCycles(e.machine, e.candidate.method.partials, stages.stage[i].outputs);
  }
  return cycles;
}

Cycles reduction(const Evaluation& e, const models::ReductionDepths& depths) {
  // Partials of a loop over in channels are cast once, after the loop.
  const ElementType partials = e.candidate.method.partials;
  const bool cast_later = e.partition.in_chans_serial > 1 && e.partition.in_chans == 1;
  const models::ConvReduction shape{partials, cast_later ? partials : e.candidate.output,
                                    e.share.outputs, e.partition.in_chans};
  return models::convReductionCycles(e.machine, shape, depths);
}

void addRearranging(const Evaluation& e, InputBroadcast broadcast, PlanTerms& terms) {
  const Rearranged moved = rearranged(e.machine, e.candidate, e.partition.tiles());
  const RearrangeCycles inputs = inputRearrangeCycles(e.machine, e.candidate, moved);
  const RearrangeCycles other = otherRearrangeCycles(e.machine, e.candidate, moved);
  terms.transform_copy = other.copy;
  terms.transform_exchange = other.exchange;
  if (broadcast == InputBroadcast::BeforeLoop) {
    terms.broadcast_before_loop = inputExchange(e) + inputs.copy + inputs.exchange;
    return;
  }
  terms.input_exchange = inputExchange(e);
  terms.transform_copy += inputs.copy;
  terms.transform_exchange += inputs.exchange;
}

Cycles sliceCycles(const Evaluation& e, ElementType type, std::uint64_t elements) {
  return models::dynamicSliceCycles(e.machine, {sizeOf(type), elements, 1});
}

/// Adds the terms of a loop over out channels: the result of each step has its own place.
void addOutChanLoop(const Evaluation& e, PlanTerms& terms) {
  // As published, this is a step's share of the result, divided by the steps once more.
  const auto updated = ceilDiv<std::uint64_t>(e.share.outputs, e.partition.out_chans_serial);
  terms.dynamic_update = sliceCycles(e, e.candidate.method.partials, updated);
}

/// Adds the terms of a loop over in channels: inputs are sliced too, and each step adds to the
/// result.
void addInChanLoop(const Evaluation& e, PlanTerms& terms) {
  const ElementType partials = e.candidate.method.partials;
  const std::uint64_t inputs = inputsPerTile(e.candidate, e.partition.tiles());
  terms.dynamic_slice += sliceCycles(e, e.candidate.input,
                                     ceilDiv<std::uint64_t>(inputs, e.partition.in_chans_serial));
  const models::BinaryOpKind add{models::BinaryOp::Add, partials, models::OpPlacement::InPlace};
  terms.add_in_place = models::binaryOpCycles(e.machine, {add, e.share.outputs});
  if (partials == e.candidate.output) return;
  terms.output_cast =
      models::castPlanCycles(e.machine, partials, e.candidate.output, e.share.outputs);
}

void addLoop(const Evaluation& e, PlanTerms& terms) {
  const std::uint32_t steps = e.partition.steps();
  if (steps == 1) return;
  const std::uint64_t weights = weightsPerTile(e.candidate, e.partition.tiles());
  terms.dynamic_slice = sliceCycles(e, e.candidate.input, ceilDiv<std::uint64_t>(weights, steps));
  if (e.partition.in_chans_serial > 1) {
    addInChanLoop(e, terms);
  } else {
    addOutChanLoop(e, terms);
  }
  if (!rearrangesBeforeSlicing(e.candidate, e.partition)) return;
  // Every element crosses the exchange and is moved by itself.
  terms.rearrange_before_slice =
      exchangeCycles(e.machine, e.candidate.input, weights) + Cycles(weights);
}

}  // namespace

PlanTerms planTerms(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point, const models::ReductionDepths& depths) {
  const Evaluation e{machine, candidate, point.partition, tileShare(candidate, point.partition)};
  PlanTerms terms;
  terms.partial_calc = partialCalcCycles(machine, candidate, e.share);
  terms.weight_exchange = weightExchange(e);
  terms.reduce_first_exchange = firstPartialsExchange(e);
  terms.reduce_rest_exchange = laterPartialsExchange(e, depths);
  terms.reduce = reduction(e, depths);
  terms.tile_level_transform = kernelZeros(e);
  addRearranging(e, point.broadcast, terms);
  addLoop(e, terms);
  return terms;
}

Cycles planStepFloor(const Architecture& machine, const PlanCandidate& candidate) {
  TileShare least{};
  least.field = least.in_groups = least.out_groups = least.conv_groups = 1;
  const Rearranged moved = rearranged(machine, candidate, machine.tiles);
  const RearrangeCycles other = otherRearrangeCycles(machine, candidate, moved);
  return partialCalcFloor(machine, candidate, least) + other.copy + other.exchange +
         models::dynamicSliceCycles(machine, {sizeOf(candidate.input), 1, 1});
}

Cycles planCyclesFloor(const Architecture& machine, const PlanCandidate& candidate,
                       const MatmulPartition& partition) {
  const Evaluation e{machine, candidate, partition, tileShare(candidate, partition)};
  const Cycles step = partialCalcFloor(machine, candidate, e.share) + firstPartialsExchange(e);
  const bool may_send_once = partition.out_chans_serial > 1;
  return step * partition.steps() + inputExchange(e) * (may_send_once ? 1 : partition.steps());
}

Bytes planTempBytes(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point) {
  const MatmulPartition& partition = point.partition;
  const TileShare share = tileShare(candidate, partition);
  const Bytes partial = sizeOf(candidate.method.partials);
  const Bytes inputs = sizeOf(candidate.input) * share.inputs;
  const bool before_loop = point.broadcast == InputBroadcast::BeforeLoop;

  const Rearranged moved = rearranged(machine, candidate, partition.tiles());
  Bytes held = before_loop ? moved.inputs + inputs : Bytes(0);
  if (rearrangesBeforeSlicing(candidate, partition)) {
    held += sizeOf(candidate.input) * weightsPerTile(candidate, partition.tiles());
  }
  if (partition.in_chans_serial > 1) held += partial * share.outputs;

  const KernelZeros zeros = kernelZerosOf(machine, candidate, share);
  const Bytes multiplying =
      (before_loop ? Bytes(0) : inputs) +
      sizeOf(candidate.input) * (share.weights + zeros.inputs + zeros.weights) +
      partial * share.partials + scratchBytes(candidate, share);
  const bool staged = models::reductionStageCount(partition.in_chans) > 1;
  const Bytes reducing = staged ? partial * (share.outputs * partition.in_chans) : Bytes(0);
  return held + std::max({moved.held(), multiplying, reducing});
}

}  // namespace ipusim::workloads
