// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_vertex.h"

#include <algorithm>

#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/hmac.h"
#include "models/ipu/cost/outer_product.h"
#include "models/ipu/cost/workers.h"
#include "models/ipu/cost/zero.h"

namespace ipusim::workloads {
namespace {

using models::ElementType;
using models::Machine;

Cycles ampCycles(const Machine& machine, const PlanCandidate& candidate, const TileShare& share) {
  const VertexMethod& method = candidate.method;
  const models::Amp1x1Shape shape{{candidate.input, method.partials, method.conv_units},
                                  share.field,
                                  share.conv_groups,
                                  share.in_groups,
                                  share.out_groups,
                                  method.partial_chans_per_group};
  return amp1x1PlanCycles(machine, shape);
}

models::HmacShape hmacShape(const PlanCandidate& candidate, const TileShare& share) {
  const VertexMethod& method = candidate.method;
  return {hmacVariant(candidate.input, method.partials),
          candidate.input,
          method.partials,
          1,
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          method.in_chans_per_group,
          method.partial_chans_per_group};
}

Cycles hmacCycles(const Machine& machine, const PlanCandidate& candidate, const TileShare& share) {
  const std::uint32_t grouped = candidate.method.partial_chans_per_group;
  const models::HmacShape shape = hmacShape(candidate, share);
  const Cycles cycles = hmacRowCycles(machine, shape, share.field);
  const bool writes_once =
      shape.variant == models::HmacVariant::OneByOne && share.in_groups == 1 && grouped == 1;
  if (writes_once) return cycles;
  const models::ZeroShape zero{ElementType::Float, share.field * grouped,
                               share.conv_groups * share.out_groups};
  return cycles + zeroPartialsCycles(machine, zero);
}

Cycles outerCycles(const Machine& machine, const PlanCandidate& candidate, const TileShare& share) {
  const std::uint32_t grouped = candidate.method.partial_chans_per_group;
  const models::OuterProductShape shape{candidate.input, models::largestShare(machine, share.field),
                                        share.out_groups * grouped * share.conv_groups, grouped};
  return models::tileCyclesOf(machine, outerProductCycles(machine, shape).value());
}

}  // namespace

Cycles partialCalcCycles(const Machine& machine, const PlanCandidate& candidate,
                         const TileShare& share) {
  switch (candidate.method.kind) {
    case MatmulMethod::Amp:
      return ampCycles(machine, candidate, share);
    case MatmulMethod::Hmac:
      return hmacCycles(machine, candidate, share);
    case MatmulMethod::OuterProduct:
      break;
  }
  return outerCycles(machine, candidate, share);
}

MultiplyRate multiplyRate(const Machine& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  const std::uint64_t group =
      std::uint64_t{method.in_chans_per_group} * method.partial_chans_per_group;
  switch (method.kind) {
    case MatmulMethod::Amp:
      return {Cycles(1), std::uint64_t{method.conv_units} * method.input_load_elems};
    case MatmulMethod::Hmac:
      // Workers take turns: one position of a group in this many cycles.
      return {hmacPositionCycles(machine, hmacShape(candidate, TileShare{})), group};
    case MatmulMethod::OuterProduct:
      break;
  }
  return {Cycles(1), group};
}

Cycles partialCalcFloor(const Machine& machine, const PlanCandidate& candidate,
                        const TileShare& share) {
  // Cycles grow with the field but for one step: a float AMP worker is quicker with two positions
  // than with one.
  TileShare larger = share;
  larger.field += machine.workers_per_tile;
  return std::min(partialCalcCycles(machine, candidate, share),
                  partialCalcCycles(machine, candidate, larger));
}

}  // namespace ipusim::workloads
