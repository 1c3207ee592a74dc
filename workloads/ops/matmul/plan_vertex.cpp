// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_vertex.h"

#include <algorithm>
#include <numeric>

#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/conv_nx1.h"
#include "models/ipu/cost/hmac.h"
#include "models/ipu/cost/outer_product.h"
#include "models/ipu/cost/slic.h"
#include "models/ipu/cost/vmac.h"
#include "models/ipu/cost/workers.h"
#include "models/ipu/cost/zero.h"

namespace ipusim::workloads {
namespace {

// The bytes besides a second result.
// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
constexpr Bytes kSlicScratch(200);

/// The number of kernel rows that fill the engines' weights.
std::uint32_t kernelHeight(const Architecture& machine, const PlanCandidate& candidate) {
  return models::ampWeightsPerUnit(machine, candidate.input) / candidate.method.in_chans_per_group;
}

/// The number of kernel rows that the published planner pads to. When there are 16 engines, it
/// halves the rows of 8 engines, though the vertex takes as many.
std::uint64_t paddedHeight(const Architecture& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  const std::uint32_t height = kernelHeight(machine, candidate);
  const bool half_of_dual =
      method.conv_units * 2 == models::kDualAmpUnits &&
      models::ampUnits(machine, candidate.input, method.partials) == models::kDualAmpUnits;
  return half_of_dual ? height / 2 : height;
}

Cycles ampCycles(const Architecture& machine, const PlanCandidate& candidate,
                 const TileShare& share) {
  const VertexMethod& method = candidate.method;
  const models::Amp1x1Shape shape{{candidate.input, method.partials, method.conv_units},
                                  share.field,
                                  share.conv_groups,
                                  share.in_groups,
                                  share.out_groups,
                                  method.partial_chans_per_group};
  return models::amp1x1PlanCycles(machine, shape);
}

models::HmacShape hmacShape(const PlanCandidate& candidate, const TileShare& share) {
  const VertexMethod& method = candidate.method;
  return {models::hmacVariant(candidate.input, method.partials),
          candidate.input,
          method.partials,
          1,
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          method.in_chans_per_group,
          method.partial_chans_per_group};
}

/// Cycles of clearing partials. As published, they are cleared at the rate of floats, whatever
/// their type.
Cycles clearCycles(const Architecture& machine, const PlanCandidate& candidate,
                   const TileShare& share) {
  const models::ZeroShape zero{ElementType::Float,
                               share.field * candidate.method.partial_chans_per_group,
                               share.conv_groups * share.out_groups};
  return models::zeroPartialsCycles(machine, zero);
}

Cycles hmacCycles(const Architecture& machine, const PlanCandidate& candidate,
                  const TileShare& share) {
  const std::uint32_t grouped = candidate.method.partial_chans_per_group;
  const models::HmacShape shape = hmacShape(candidate, share);
  const Cycles cycles = models::hmacRowCycles(machine, shape, share.field);
  const bool writes_once =
      shape.variant == models::HmacVariant::OneByOne && share.in_groups == 1 && grouped == 1;
  if (writes_once) return cycles;
  return cycles + clearCycles(machine, candidate, share);
}

Cycles outerCycles(const Architecture& machine, const PlanCandidate& candidate,
                   const TileShare& share) {
  const std::uint32_t grouped = candidate.method.partial_chans_per_group;
  const models::OuterProductShape shape{candidate.input, models::largestShare(machine, share.field),
                                        share.out_groups * grouped * share.conv_groups, grouped};
  return models::tileCyclesOf(machine, models::outerProductCycles(machine, shape).value());
}

/// The positions of each worker, in one row. A worker without positions has no row.
models::WorkerRows fieldRows(const Architecture& machine, std::uint64_t field) {
  const std::uint64_t workers = machine.workers_per_tile;
  models::WorkerRows rows(workers);
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    const std::uint64_t positions = (worker + 1) * field / workers - worker * field / workers;
    if (positions > 0) rows[worker] = {positions};
  }
  return rows;
}

Cycles nx1Cycles(const Architecture& machine, const PlanCandidate& candidate,
                 const TileShare& share) {
  const VertexMethod& method = candidate.method;
  const std::uint32_t height = kernelHeight(machine, candidate);
  const models::ConvNx1Shape shape{{candidate.input, method.partials, method.conv_units},
                                   height,
                                   1,
                                   1,
                                   share.conv_groups,
                                   share.in_groups,
                                   share.out_groups,
                                   method.partial_chans_per_group};
  return models::convNx1Cycles(machine, shape, fieldRows(machine, share.field)) +
         clearCycles(machine, candidate, share);
}

Cycles slicPlanCycles(const Architecture& machine, const PlanCandidate& candidate,
                      const TileShare& share) {
  const VertexMethod& method = candidate.method;
  const models::SlicShape shape{
      method.partials,           method.chains,     1, method.conv_groups_per_group,
      method.in_chans_per_group, share.conv_groups, 1};
  return models::slicCycles(machine, shape, fieldRows(machine, share.field));
}

/// Cycles when each worker makes up to `sums` sums of one product.
Cycles vmacCyclesFor(const Architecture& machine, const PlanCandidate& candidate,
                     const TileShare& share, std::uint64_t sums) {
  const VertexMethod& method = candidate.method;
  const models::VmacShape shape{method.partials, method.conv_groups_per_group, share.conv_groups,
                                share.in_groups, share.field};
  return models::vmacCycles(machine, shape, {std::vector<std::uint64_t>(sums, 1)});
}

/// Workers share the field in whole rows and parts of rows. As published, a row of one product
/// cannot be shared, and each of its parts counts as the whole.
Cycles vmacPlanCycles(const Architecture& machine, const PlanCandidate& candidate,
                      const TileShare& share) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t split = workers / std::gcd(workers, share.field);
  const std::uint64_t parts = ceilDiv(share.field * split, workers);
  return vmacCyclesFor(machine, candidate, share, parts / split + parts % split);
}

/// The least cycles for `share` and for every larger field. More positions per worker take longer,
/// except that a window runs without stalls from a few positions on.
Cycles slicFloor(const Architecture& machine, const PlanCandidate& candidate,
                 const TileShare& share) {
  Cycles least = slicPlanCycles(machine, candidate, share);
  for (std::uint64_t positions = 1; positions <= models::kSlicLongPiece; ++positions) {
    TileShare larger = share;
    larger.field = std::max(share.field, machine.workers_per_tile * positions);
    least = std::min(least, slicPlanCycles(machine, candidate, larger));
  }
  return least;
}

}  // namespace

KernelZeros kernelZerosOf(const Architecture& machine, const PlanCandidate& candidate,
                          const TileShare& share) {
  const VertexMethod& method = candidate.method;
  if (method.kind == MatmulMethod::Slic) {
    const std::uint64_t rows = models::kSlicWindow - 1;
    return {rows * share.inputs / share.field, rows * share.weights};
  }
  if (method.kind != MatmulMethod::AmpNx1) return {0, 0};
  const std::uint64_t rows = paddedHeight(machine, candidate) - 1;
  return {rows * share.inputs, rows * share.weights};
}

Bytes scratchBytes(const PlanCandidate& candidate, const TileShare& share) {
  if (candidate.method.kind != MatmulMethod::Slic) return Bytes(0);
  const Bytes partials = sizeOf(candidate.method.partials) * share.partials;
  return Bytes(ceilDiv<std::uint64_t>(partials.value(), share.conv_groups)) + kSlicScratch;
}

Cycles partialCalcCycles(const Architecture& machine, const PlanCandidate& candidate,
                         const TileShare& share) {
  switch (candidate.method.kind) {
    case MatmulMethod::Amp:
      return ampCycles(machine, candidate, share);
    case MatmulMethod::Hmac:
      return hmacCycles(machine, candidate, share);
    case MatmulMethod::AmpNx1:
      return nx1Cycles(machine, candidate, share);
    case MatmulMethod::Slic:
      return slicPlanCycles(machine, candidate, share);
    case MatmulMethod::Vmac:
      return vmacPlanCycles(machine, candidate, share);
    case MatmulMethod::OuterProduct:
      break;
  }
  return outerCycles(machine, candidate, share);
}

MultiplyRate multiplyRate(const Architecture& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  const std::uint64_t group =
      std::uint64_t{method.in_chans_per_group} * method.partial_chans_per_group;
  switch (method.kind) {
    case MatmulMethod::Amp:
    case MatmulMethod::AmpNx1:
      return {Cycles(1), std::uint64_t{method.conv_units} * method.input_load_elems};
    case MatmulMethod::Hmac:
      // Workers take turns: one position of a group takes this many cycles.
      return {models::hmacPositionCycles(machine, hmacShape(candidate, TileShare{})), group};
    case MatmulMethod::Slic:
    case MatmulMethod::Vmac:
    case MatmulMethod::OuterProduct:
      break;
  }
  return {Cycles(1), group * method.conv_groups_per_group};
}

Cycles partialCalcFloor(const Architecture& machine, const PlanCandidate& candidate,
                        const TileShare& share) {
  if (candidate.method.kind == MatmulMethod::Slic) return slicFloor(machine, candidate, share);
  if (candidate.method.kind == MatmulMethod::Vmac) {
    return vmacCyclesFor(machine, candidate, share, models::largestShare(machine, share.field));
  }
  // Cycles grow with the field, except for one step: a float AMP worker is faster with two
  // positions than with one.
  TileShare larger = share;
  larger.field += machine.workers_per_tile;
  return std::min(partialCalcCycles(machine, candidate, share),
                  partialCalcCycles(machine, candidate, larger));
}

}  // namespace ipusim::workloads
