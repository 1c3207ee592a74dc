// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/pieces.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim::workloads {

namespace {

double real(std::uint64_t count) {
  return static_cast<double>(count);
}

double operandPieces(const ConvPlan& plan) {
  const ConvParams& params = plan.transformed;
  const ConvPartition& split = plan.partition;
  const double groups =
      real(ceilDiv<std::uint64_t>(params.groups, plan.vertex.conv_groups_per_group));
  const double in = real(ceilDiv<std::uint64_t>(params.in_chans, plan.vertex.in_chans_per_group));
  const double out =
      real(ceilDiv<std::uint64_t>(params.out_chans, plan.vertex.partial_chans_per_group));
  const double positions = real(split.batch) * split.fieldParts();
  const double weights = out / split.out_chans_serial * split.in_chans * split.in_chans_serial;
  return groups * ((in + out) * positions + weights);
}

/// The elements of the kernel whose windows are written out.
double expandedKernel(const ConvPlan& plan) {
  double elements = 1;
  for (const std::uint32_t dim : plan.transforms.expand) {
    // Dimensions that the plan adds are of one element.
    if (dim < plan.transforms.extra_dims) continue;
    elements *= real(plan.params.dims.at(dim - plan.transforms.extra_dims).kernelPositions());
  }
  return elements;
}

}  // namespace

ConvPieces piecesOf(const Architecture& machine, const ConvPlan& plan) {
  ConvPieces pieces;
  pieces.operands = operandPieces(plan);
  const ConvParams& params = plan.params;
  const double kernel = expandedKernel(plan);
  if (kernel == 1 || plan.transforms.swap) return pieces;
  const double row = real(params.dims.back().outputs());
  const double rows =
      real(params.groups) * real(params.batch) * real(params.outputPositions()) / row;
  pieces.windows = rows * kernel;
  const double of_image = 1 + real(machine.tiles) / (real(params.batch) * real(params.groups));
  pieces.passed = pieces.windows * std::min(row * real(params.in_chans), of_image);
  return pieces;
}

}  // namespace ipusim::workloads
