// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

#include <numeric>

#include "models/ipu/cost/workers.h"

namespace ipusim::workloads {

std::uint64_t outputStep(ConvMethod method, const CandidateDim& dim) {
  switch (method) {
    case ConvMethod::Amp:
      return dim.tile_dilation / std::gcd(dim.tile_dilation, dim.tile_stride);
    case ConvMethod::Hmac:
      return dim.tile_dilation;
    case ConvMethod::Vmac:
    case ConvMethod::Slic:
    case ConvMethod::OuterProduct:
      break;
  }
  return 1;
}

models::PositionRows positionRows(const ConvCandidate& candidate, const ConvShare& share) {
  models::PositionRows rows{share.batch, 1};
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const std::uint64_t step = outputStep(candidate.vertex.method, candidate.dims.at(i));
    const std::uint64_t positions = ceilDiv(share.field.at(i), step);
    if (i + 1 == candidate.dim_count) {
      rows.length = positions;
    } else {
      rows.rows *= positions;
    }
  }
  return rows;
}

models::AmpEngine engineOf(const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  return {candidate.input, vertex.partials, vertex.conv_units, vertex.weight_load};
}

bool isOneRow(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.batch != 1 || candidate.has_output_padding) return false;
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const CandidateDim& dim = candidate.dims.at(i);
    if (dim.tile_dilation != dim.tile_stride) return false;
    if (i + 1 < candidate.dim_count && share.field.at(i) != 1) return false;
  }
  return true;
}

bool isAmpOneRow(const Architecture& machine, const ConvCandidate& candidate,
                 const ConvShare& share) {
  return ampKernelHeight(machine, candidate) == 1 && isOneRow(candidate, share);
}

models::Amp1x1Shape amp1x1Shape(const ConvCandidate& candidate, const ConvShare& share) {
  return {engineOf(candidate), share.field.at(candidate.dim_count - 1),
          share.conv_groups,   share.in_groups,
          share.out_groups,    candidate.vertex.partial_chans_per_group};
}

models::ConvNx1Shape nx1Shape(const Architecture& machine, const ConvCandidate& candidate,
                              const ConvShare& share) {
  const std::uint32_t height = ampKernelHeight(machine, candidate);
  return {engineOf(candidate),
          height,
          ceilDiv<std::uint64_t>(share.kernel[0], height),
          share.kernelPositions() / share.kernel[0],
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          candidate.vertex.partial_chans_per_group};
}

models::HmacShape hmacShape(const ConvCandidate& candidate, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  const bool one_by_one = share.kernelPositions() == 1 && isOneRow(candidate, share);
  return {one_by_one ? models::hmacVariant(candidate.input, vertex.partials)
                     : models::HmacVariant::General,
          candidate.input,
          vertex.partials,
          share.kernelPositions(),
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          vertex.in_chans_per_group,
          vertex.partial_chans_per_group};
}

std::uint64_t hmacRowSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share, const models::HmacShape& shape) {
  const models::PositionRows rows = positionRows(candidate, share);
  const models::RowShare worker = models::rowShare(machine, rows.rows);
  std::uint64_t slots = worker.whole * models::hmacRowSlots(machine, shape, rows.length);
  if (worker.parts > 0) {
    const std::uint64_t part = worker.parts * (rows.length + worker.split - 1) / worker.split;
    slots += models::hmacRowSlots(machine, shape, part);
  }
  return slots;
}

models::VmacShape vmacShape(const ConvCandidate& candidate, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  // As published, the batch is neither cleared nor summed.
  return {vertex.partials, vertex.conv_groups_per_group, share.conv_groups, share.in_groups,
          share.fieldPositions()};
}

std::uint64_t vmacSumSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share) {
  const models::VmacShape shape = vmacShape(candidate, share);
  const models::RowShare worker = models::rowShare(machine, share.fieldPositions() * share.batch);
  const std::uint64_t length = share.kernel.at(candidate.dim_count - 1);
  std::uint64_t slots = worker.whole * models::vmacSumSlots(shape, length);
  if (worker.parts > 0) {
    slots += worker.parts * models::vmacSumSlots(shape, ceilDiv(length, worker.split));
  }
  return slots;
}

models::SlicShape slicShape(const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  return {vertex.partials,
          vertex.chains,
          candidate.innermost().tile_stride,
          vertex.conv_groups_per_group,
          vertex.in_chans_per_group,
          1,
          1};
}

models::OuterProductShape outerShape(const Architecture& machine, const ConvCandidate& candidate,
                                     const ConvShare& share) {
  const bool floats =
      candidate.input == ElementType::Float || candidate.vertex.partials == ElementType::Float;
  const std::uint32_t grouped = candidate.vertex.partial_chans_per_group;
  const std::uint64_t positions = share.field.at(candidate.dim_count - 1);
  return {floats ? ElementType::Float : ElementType::Half, models::largestShare(machine, positions),
          share.out_groups * grouped * share.conv_groups, grouped};
}

std::uint64_t kernelUnits(const Architecture& machine, const ConvCandidate& candidate,
                          const std::array<std::uint64_t, kMaxFieldDims>& kernel) {
  const std::uint64_t positions = kernel[0] * kernel[1] * kernel[2];
  const std::uint64_t innermost = kernel.at(candidate.dim_count - 1);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return positions / kernel[0] *
             ceilDiv<std::uint64_t>(kernel[0], ampKernelHeight(machine, candidate));
    case ConvMethod::Slic:
      return positions / innermost * ceilDiv<std::uint64_t>(innermost, models::kSlicWindow);
    case ConvMethod::Vmac:
      return positions / innermost;
    case ConvMethod::Hmac:
    case ConvMethod::OuterProduct:
      break;
  }
  return positions;
}

}  // namespace ipusim::workloads
