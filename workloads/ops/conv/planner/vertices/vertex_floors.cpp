// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

namespace ipusim::workloads {
namespace {

// A row of as many positions runs at the rate of the engines, after its start.
constexpr std::uint64_t kLongRow = 16;

/// The cycles of one more unit.
std::uint64_t difference(Cycles more, Cycles less) {
  return excess(more, less).value();
}

/// `share` with one grain of everything but its output positions.
ConvShare oneOfEach(const ConvShare& share) {
  ConvShare one = share;
  one.conv_groups = 1;
  one.in_groups = 1;
  one.out_groups = 1;
  one.kernel = {1, 1, 1};
  return one;
}

/// The first in group writes its partials, and each later one adds to them. What a later in group
/// takes once for all out groups is left out.
std::uint64_t amp1x1UnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                               const ConvShare& one) {
  models::Amp1x1Shape shape = amp1x1Shape(candidate, one);
  const auto second_out_group = [&](std::uint64_t in_groups) {
    shape.in_groups = in_groups;
    shape.out_groups = 1;
    const Cycles single = models::amp1x1PlanCycles(machine, shape);
    shape.out_groups = 2;
    return difference(models::amp1x1PlanCycles(machine, shape), single);
  };
  const std::uint64_t writing = second_out_group(1);
  const std::uint64_t writing_and_adding = second_out_group(2);
  return std::min(writing, writing_and_adding - writing);
}

std::uint64_t ampUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                            const ConvShare& one, const PositionSlots& slots) {
  models::ConvNx1Shape shape = nx1Shape(machine, candidate, one);
  const Cycles single = models::convNx1CyclesOf(machine, shape, slots.amp);
  shape.kernel_inner = 2;
  const std::uint64_t unit = difference(models::convNx1CyclesOf(machine, shape, slots.amp), single);
  if (!isAmpOneRow(machine, candidate, one)) return unit;
  return std::min(unit, amp1x1UnitCycles(machine, candidate, one));
}

std::uint64_t hmacUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                             const ConvShare& one) {
  models::HmacShape shape = hmacShape(candidate, one);
  const std::uint64_t rows = hmacRowSlots(machine, candidate, one, shape);
  const Cycles single = models::hmacCyclesOf(machine, shape, rows);
  ++shape.kernel_positions;
  return difference(models::hmacCyclesOf(machine, shape, rows), single);
}

std::uint64_t outerUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                              const ConvShare& one) {
  models::OuterProductShape shape = outerShape(machine, candidate, one);
  const Cycles single = models::outerProductCycles(machine, shape);
  shape.chans *= 2;
  return models::tileCyclesOf(machine,
                              difference(models::outerProductCycles(machine, shape), single))
      .value();
}

}  // namespace

std::uint64_t unitCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots) {
  const ConvShare one = oneOfEach(share);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return ampUnitCycles(machine, candidate, one, slots);
    case ConvMethod::Hmac:
      return hmacUnitCycles(machine, candidate, one);
    case ConvMethod::Vmac: {
      ConvShare whole_rows = one;
      whole_rows.kernel.at(candidate.dim_count - 1) = candidate.innermost().kernel;
      return models::tileCyclesOf(machine, vmacSumSlots(machine, candidate, whole_rows)).value();
    }
    case ConvMethod::Slic:
      return models::tileCyclesOf(machine,
                                  std::min(slots.slic.slowest_written, slots.slic.slowest_added))
          .value();
    case ConvMethod::OuterProduct:
      break;
  }
  return outerUnitCycles(machine, candidate, one);
}

std::uint64_t unitSlotsPerPosition(const Architecture& machine, const ConvCandidate& candidate) {
  ConvShare one{};
  one.batch = 1;
  one.field = {1, 1, 1};
  one = oneOfEach(one);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp: {
      const models::AmpEngine engine = engineOf(candidate);
      const std::uint64_t passes = candidate.vertex.partial_chans_per_group / engine.conv_units;
      return passes * (models::convNx1RowSlots(engine, kLongRow + 1) -
                       models::convNx1RowSlots(engine, kLongRow));
    }
    case ConvMethod::Hmac:
      return models::hmacPositionCycles(machine, hmacShape(candidate, one)).value();
    case ConvMethod::Vmac:
      return models::vmacSumSlots(vmacShape(candidate, one), candidate.innermost().kernel);
    case ConvMethod::Slic: {
      const models::SlicShape shape = slicShape(candidate);
      return models::slicPieceSlots(shape, models::SlicPartials::AddedTo, kLongRow + 1) -
             models::slicPieceSlots(shape, models::SlicPartials::AddedTo, kLongRow);
    }
    case ConvMethod::OuterProduct:
      break;
  }
  models::OuterProductShape shape = outerShape(machine, candidate, one);
  const Cycles single = models::outerProductCycles(machine, shape);
  ++shape.width;
  return difference(models::outerProductCycles(machine, shape), single);
}

std::uint64_t costlyPositions(const ConvCandidate& candidate) {
  std::uint64_t positions = candidate.batch;
  for (const CandidateDim& dim : candidate.dims) {
    positions *= ceilDiv(dim.outputs, outputStep(candidate.vertex.method, dim));
  }
  return positions;
}

}  // namespace ipusim::workloads
