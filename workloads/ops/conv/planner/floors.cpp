// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/floors.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/movement/slice.h"
#include "workloads/ops/conv/planner/rearrange.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

namespace ipusim::workloads {
namespace {

std::array<std::uint64_t, kMaxFieldDims> wholeKernel(const ConvCandidate& candidate) {
  std::array<std::uint64_t, kMaxFieldDims> kernel{};
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) kernel.at(i) = candidate.dims.at(i).kernel;
  return kernel;
}

Cycles sumOf(const ConvRearrangeTerms& terms) {
  return terms.copy + terms.exchange;
}

}  // namespace

ConvFloors::ConvFloors(const Architecture& machine, const ConvCandidate& candidate)
    : machine_(machine), candidate_(candidate) {
  const ConvRearrangement moved = rearrangementOf(machine, candidate, machine.tiles);
  rearranging_ = sumOf(moved.inputs) + sumOf(moved.weights) + sumOf(moved.output);
  // Inputs that are held through a loop are held once, with those of the tile. These are no fewer
  // for a product, and may be for a stride that leaves inputs out. All else is there twice.
  const Bytes own = isProduct(candidate.pass)
                        ? sizeOf(candidate.input) * inputsPerTile(candidate, machine.tiles)
                        : Bytes(0);
  rearranging_bytes_ = std::max({moved.inputs.bytes + std::min(moved.inputs.bytes, own),
                                 moved.weights.bytes * 2, moved.output.bytes * 2});
  const auto kernel = wholeKernel(candidate);
  out_grains_ = candidate.groupGrains() * candidate.outGrains();
  units_ = out_grains_ * candidate.inGrains() * kernelUnits(machine, candidate, kernel);
  weights_ = candidate.paddedGroups() * candidate.paddedIn() * candidate.paddedOut() * kernel[0] *
             kernel[1] * kernel[2];
  if (candidate.rearrangesBeforeSlicing()) {
    const std::uint64_t weights = weightsPerTile(candidate, machine.tiles);
    before_slicing_ = received(candidate.input, weights) + Cycles(weights);
    sliced_bytes_ = sizeOf(candidate.input) * weights;
  }
  const Cycles slice = models::dynamicSliceCycles(machine, {sizeOf(candidate.input), 1, 1});
  const models::BinaryOpKind add{models::BinaryOp::Add, candidate.tile_result,
                                 models::OpPlacement::InPlace};
  out_step_ = slice * 2;
  in_step_ = slice * 2 + models::binaryOpCycles(machine, {add, 1});
}

Cycles ConvFloors::received(ElementType type, std::uint64_t elements) const {
  return cyclesFor(sizeOf(type) * elements, machine_.fabric.exchange_rate);
}

Cycles ConvFloors::weightsReceived(std::uint64_t weights, std::uint64_t parts) const {
  return received(candidate_.input, weights - ceilDiv(weights, parts));
}

Cycles ConvFloors::ofCandidate() const {
  const std::uint64_t tiles = machine_.tiles;
  const std::uint64_t slots = unitSlotsPerPosition(machine_, candidate_);
  const std::uint64_t positions = costlyPositions(candidate_);
  std::uint64_t outputs = candidate_.batch * candidate_.paddedGroups() * candidate_.paddedOut();
  for (const CandidateDim& dim : candidate_.dims) outputs *= dim.outputs;
  // Workers take turns, so the slots of all workers add up.
  return rearranging_ + Cycles(checkedProduct(units_, slots * positions) / tiles) +
         received(candidate_.tile_result, outputs / tiles);
}

Cycles ConvFloors::ofPositions(const Positions& positions) const {
  const std::uint64_t left = machine_.tiles / positions.parts;
  const ConvVertex& vertex = candidate_.vertex;
  const std::uint64_t outputs = positions.outputs * ceilDiv(out_grains_, left) *
                                vertex.partial_chans_per_group * vertex.conv_groups_per_group;
  return rearranging_ + Cycles(positions.unit_cycles * ceilDiv(units_, left)) +
         received(candidate_.tile_result, outputs) +
         weightsReceived(weights_ / left, positions.parts);
}

Cycles ConvFloors::ofReduced(const Positions& positions, const Reduced& reduced) const {
  const std::uint64_t left = machine_.tiles / reduced.parts;
  return ofStep(positions, reduced, ceilDiv<std::uint64_t>(candidate_.outGrains(), left),
                reduced.steps);
}

Cycles ConvFloors::ofStep(const Positions& positions, const Reduced& reduced,
                          std::uint64_t out_grains, std::uint64_t steps) const {
  const ConvVertex& vertex = candidate_.vertex;
  const std::uint64_t outputs = positions.outputs * reduced.conv_groups * out_grains *
                                vertex.partial_chans_per_group * vertex.conv_groups_per_group;
  Cycles step = Cycles(positions.unit_cycles * reduced.units * out_grains) +
                received(candidate_.tile_result, outputs) +
                weightsReceived(reduced.weights * out_grains, positions.parts);
  if (steps == 1) return rearranging_ + step;
  step += steps == reduced.steps ? in_step_ : out_step_;
  return rearranging_ + before_slicing_ + step * steps;
}

}  // namespace ipusim::workloads
