// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertices/vertex_cycles.h"

#include <algorithm>

#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/workers.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

namespace ipusim::workloads {
namespace {

// The bytes of SLIC besides a second result.
constexpr Bytes kSlicScratch(200);

/// Cycles of clearing `elements` partials per group. As published, they are cleared at the rate of
/// floats, whatever their type.
Cycles clearCycles(const Architecture& machine, const ConvShare& share, std::uint64_t elements) {
  return models::zeroPartialsCycles(
      machine, {ElementType::Float, elements, share.conv_groups * share.out_groups});
}

Cycles ampCycles(const Architecture& machine, const ConvCandidate& candidate,
                 const ConvShare& share, const PositionSlots& slots) {
  if (share.kernelPositions() == 1 && isAmpOneRow(machine, candidate, share)) {
    return models::amp1x1PlanCycles(machine, amp1x1Shape(candidate, share));
  }
  const std::uint64_t partials =
      share.fieldPositions() * share.batch * candidate.vertex.partial_chans_per_group;
  return models::convNx1CyclesOf(machine, nx1Shape(machine, candidate, share), slots.amp) +
         clearCycles(machine, share, partials);
}

Cycles hmacCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share) {
  const models::HmacShape shape = hmacShape(candidate, share);
  const Cycles cycles =
      models::hmacCyclesOf(machine, shape, hmacRowSlots(machine, candidate, share, shape));
  const bool writes_once = shape.variant == models::HmacVariant::OneByOne && share.in_groups == 1 &&
                           shape.out_chans_per_group == 1;
  if (writes_once) return cycles;
  const std::uint64_t positions =
      positionRows(candidate, share).rows * share.field.at(candidate.dim_count - 1);
  return cycles + clearCycles(machine, share, positions * shape.out_chans_per_group);
}

Cycles vmacCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share) {
  const std::uint64_t outer = share.kernelPositions() / share.kernel.at(candidate.dim_count - 1);
  return models::vmacCyclesOf(machine, vmacShape(candidate, share),
                              outer * vmacSumSlots(machine, candidate, share));
}

models::SlicWorkers slicWorkers(const Architecture& machine, const ConvCandidate& candidate,
                                const ConvShare& share) {
  const models::SlicShape shape = slicShape(candidate);
  const models::PositionRows rows = positionRows(candidate, share);
  const auto slowest = [&](models::SlicPartials partials) {
    const auto slots = [&](std::uint64_t n) { return models::slicPieceSlots(shape, partials, n); };
    return models::slicStartSlots(shape) + models::evenSlots(machine, rows, slots).slowest;
  };
  return {slowest(models::SlicPartials::Written), slowest(models::SlicPartials::AddedTo),
          rows.rows * rows.length};
}

Cycles slicCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share, const PositionSlots& slots) {
  models::SlicShape shape = slicShape(candidate);
  shape.conv_group_groups = share.conv_groups;
  shape.sub_kernels = kernelUnits(machine, candidate, share.kernel);
  return models::slicCyclesOf(machine, shape, slots.slic);
}

Cycles outerCycles(const Architecture& machine, const models::OuterProductShape& shape) {
  return models::tileCyclesOf(machine, models::outerProductCycles(machine, shape).value());
}

}  // namespace

PositionSlots positionSlots(const Architecture& machine, const ConvCandidate& candidate,
                            const ConvShare& share) {
  PositionSlots slots;
  if (candidate.vertex.method == ConvMethod::Slic) {
    slots.slic = slicWorkers(machine, candidate, share);
  }
  if (candidate.vertex.method != ConvMethod::Amp) return slots;
  const models::AmpEngine engine = engineOf(candidate);
  const models::PositionRows rows = positionRows(candidate, share);
  slots.amp = models::evenSlots(
      machine, rows, [&](std::uint64_t n) { return models::convNx1RowSlots(engine, n); });
  slots.amp.slowest += models::convNx1StartSlots(engine);
  slots.amp.fastest += models::convNx1StartSlots(engine);
  return slots;
}

Cycles partialCalcCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots) {
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return ampCycles(machine, candidate, share, slots);
    case ConvMethod::Hmac:
      return hmacCycles(machine, candidate, share);
    case ConvMethod::Vmac:
      return vmacCycles(machine, candidate, share);
    case ConvMethod::Slic:
      return slicCycles(machine, candidate, share, slots);
    case ConvMethod::OuterProduct:
      break;
  }
  return outerCycles(machine, outerShape(machine, candidate, share));
}

bool takes(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.takesOneInGroup() && share.in_groups != 1) return false;
  if (candidate.takesOneOutGroup() && share.out_groups != 1) return false;
  if (candidate.vertex.method != ConvMethod::OuterProduct) return true;
  return !candidate.has_output_transform && !candidate.flips_or_dilates_input && share.batch == 1 &&
         share.kernelPositions() == 1 &&
         share.fieldPositions() == share.field.at(candidate.dim_count - 1);
}

Bytes scratchBytes(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.vertex.method != ConvMethod::Slic) return Bytes(0);
  const Bytes partials = sizeOf(candidate.vertex.partials) * share.partials;
  return Bytes(ceilDiv<std::uint64_t>(partials.value(), share.conv_groups)) + kSlicScratch;
}

}  // namespace ipusim::workloads
