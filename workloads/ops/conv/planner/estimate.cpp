// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/estimate.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/movement/slice.h"
#include "workloads/ops/conv/planner/rearrange.h"
#include "workloads/ops/conv/planner/vertices/windows.h"

namespace ipusim::workloads {
namespace {

Cycles exchangeCycles(const ConvEvaluation& e, ElementType type, std::uint64_t elements) {
  return cyclesFor(sizeOf(type) * elements, e.machine.fabric.exchange_rate);
}

/// Consecutive tiles need the same inputs. The tiles of a bus receive such a stream at once.
Cycles inputReceived(const ConvEvaluation& e, std::uint64_t elements) {
  const Fabric& fabric = e.machine.fabric;
  const bool shared = e.point.partition.out_chans % fabric.tiles_per_bus == 0;
  const BytesPerCycle rate(fabric.exchange_rate.value() * (shared ? fabric.tiles_per_bus : 1));
  return cyclesFor(sizeOf(e.candidate.input) * elements, rate);
}

/// Each input is on one of the tiles that need it.
Cycles inputExchange(const ConvEvaluation& e) {
  return inputReceived(e, e.share.inputs - e.share.inputs / e.point.partition.out_chans);
}

/// Weights are spread over the parts of field and batch that need them.
Cycles weightExchange(const ConvEvaluation& e) {
  const ConvPartition& partition = e.point.partition;
  const std::uint64_t parts = std::uint64_t{partition.fieldParts()} * partition.batch;
  return exchangeCycles(e, e.candidate.input, e.share.weights - e.share.weights / parts);
}

void addTileLevel(const ConvEvaluation& e, ConvTerms& terms) {
  const WindowZeros zeros = windowZeros(e.machine, e.candidate, e.point, e.share);
  if (zeros.inputs + zeros.weights == 0) return;
  terms.tile_level_transform =
      inputReceived(e, zeros.inputs) + exchangeCycles(e, e.candidate.input, zeros.weights);
  terms.tile_level_bytes = sizeOf(e.candidate.input) * (zeros.inputs + zeros.weights);
}

void addReduction(const ConvEvaluation& e, ConvTerms& terms) {
  const ElementType partials = e.candidate.tile_result;
  terms.reduce_first_exchange = exchangeCycles(e, partials, e.share.partials);
  const std::uint32_t depth = e.point.partition.reductionDepth();
  // Partials of a loop over in channels are cast once, after the loop.
  const bool cast_later = e.point.partition.in_chans_serial > 1 && depth == 1;
  const models::ConvReduction shape{partials, cast_later ? partials : e.candidate.output,
                                    e.share.outputs, depth};
  terms.reduce = models::convReductionCycles(e.machine, shape, e.depths);
  if (e.depths.count < 2) return;
  const std::uint64_t all = e.share.outputs * depth;
  terms.reducing_bytes = sizeOf(partials) * all;
  const models::ReductionStages stages = models::reductionStages(e.share.partials, e.depths);
  for (std::uint32_t i = 0; i + 1 < stages.count; ++i) {
    terms.reduce_rest_exchange += exchangeCycles(e, partials, stages.stage.at(i).outputs);
  }
}

Bytes inputBytes(const ConvEvaluation& e) {
  return sizeOf(e.candidate.input) * e.share.inputs;
}

void addRearranging(const ConvEvaluation& e, ConvTerms& terms) {
  const ConvRearrangement moved =
      rearrangementOf(e.machine, e.candidate, e.point.partition.tiles());
  terms.weights = moved.weights;
  terms.output = moved.output;
  if (e.point.broadcast == ConvBroadcast::EachStep) {
    terms.inputs = moved.inputs;
    terms.input_exchange = inputExchange(e);
  } else {
    terms.broadcast_copy = moved.inputs.copy;
    terms.broadcast_exchange = moved.inputs.exchange + inputExchange(e);
    terms.broadcast_bytes = moved.inputs.bytes + inputBytes(e);
  }
  terms.transform_bytes =
      2 * std::max({terms.inputs.bytes, terms.weights.bytes, terms.output.bytes});
}

Cycles sliceCycles(const ConvEvaluation& e, ElementType type, std::uint64_t elements) {
  return models::dynamicSliceCycles(e.machine, {sizeOf(type), elements, 1});
}

/// The slice of one of `steps` equal parts of an operand.
Cycles operandSlice(const ConvEvaluation& e, std::uint64_t elements, std::uint32_t steps) {
  return sliceCycles(e, e.candidate.input, ceilDiv<std::uint64_t>(elements, steps));
}

/// Adds the terms of a loop over out channels: the result of each step has its own place.
void addOutChanLoop(const ConvEvaluation& e, ConvTerms& terms) {
  // As published, this is a step's share of the result, divided by the steps once more.
  const auto updated = ceilDiv<std::uint64_t>(e.share.outputs, e.point.partition.out_chans_serial);
  terms.dynamic_update = sliceCycles(e, e.candidate.tile_result, updated);
}

/// Adds the terms of a loop over in channels: inputs are sliced too, and each step adds to the
/// result.
void addInChanLoop(const ConvEvaluation& e, ConvTerms& terms) {
  const ElementType partials = e.candidate.tile_result;
  const ConvPartition& partition = e.point.partition;
  terms.dynamic_slice +=
      operandSlice(e, inputsPerTile(e.candidate, partition.tiles()), partition.in_chans_serial);
  const models::BinaryOpKind add{models::BinaryOp::Add, partials, models::OpPlacement::InPlace};
  terms.add_in_place = models::binaryOpCycles(e.machine, {add, e.share.outputs});
  terms.adding_bytes = sizeOf(partials) * e.share.outputs;
  if (partials == e.candidate.output) return;
  terms.output_cast =
      models::castPlanCycles(e.machine, partials, e.candidate.output, e.share.outputs);
}

void addLoop(const ConvEvaluation& e, ConvTerms& terms) {
  const ConvPartition& partition = e.point.partition;
  if (partition.steps() == 1) return;
  const std::uint64_t weights = weightsPerTile(e.candidate, partition.tiles());
  terms.dynamic_slice = operandSlice(e, weights, partition.steps());
  if (partition.in_chans_serial > 1) addInChanLoop(e, terms);
  if (partition.out_chans_serial > 1) addOutChanLoop(e, terms);
  if (!e.candidate.rearrangesBeforeSlicing()) return;
  // Every element crosses the exchange and is moved by itself.
  terms.rearrange_before_slice = exchangeCycles(e, e.candidate.input, weights) + Cycles(weights);
  terms.sliced_bytes = sizeOf(e.candidate.input) * weights;
}

void addMultiplying(const ConvEvaluation& e, ConvTerms& terms) {
  terms.weight_exchange = weightExchange(e);
  terms.partial_calc = partialCalcCycles(e.machine, e.candidate, e.share, e.slots);
  const bool held = e.point.broadcast == ConvBroadcast::BeforeLoop;
  terms.multiplying_bytes =
      (held ? Bytes(0) : inputBytes(e)) + sizeOf(e.candidate.input) * e.share.weights +
      sizeOf(e.candidate.vertex.partials) * e.share.partials + scratchBytes(e.candidate, e.share);
}

}  // namespace

ConvTerms convTerms(const ConvEvaluation& e) {
  ConvTerms terms;
  addRearranging(e, terms);
  addTileLevel(e, terms);
  addMultiplying(e, terms);
  addReduction(e, terms);
  addLoop(e, terms);
  return terms;
}

ConvTerms convTerms(const Architecture& machine, const ConvCandidate& candidate,
                    const ConvPoint& point) {
  const ConvShare share = shareOf(candidate, point.partition);
  const PositionSlots slots = positionSlots(machine, candidate, share);
  const auto depths = models::reductionDepths(point.partition.reductionDepth());
  return convTerms({machine, candidate, point, share, slots, depths});
}

Cycles ConvTerms::total(std::uint32_t steps) const {
  const Cycles moved = inputs.copy + inputs.exchange + weights.copy + weights.exchange +
                       output.copy + output.exchange;
  const Cycles received = input_exchange + weight_exchange + reduce_first_exchange +
                          reduce_rest_exchange + tile_level_transform;
  const Cycles step =
      dynamic_slice + moved + received + partial_calc + reduce + dynamic_update + add_in_place;
  return step * steps + output_cast + rearrange_before_slice + broadcast_copy + broadcast_exchange;
}

Bytes ConvTerms::temp() const {
  return broadcast_bytes + sliced_bytes + adding_bytes +
         std::max({transform_bytes, tile_level_bytes + multiplying_bytes, reducing_bytes});
}

}  // namespace ipusim::workloads
