// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ipusim/machine.h"
#include "models/ipu/cost/products/conv_reduce.h"
#include "workloads/ops/conv/planner/candidate.h"

namespace ipusim::workloads {

/// One point of the search.
struct ConvPoint {
  ConvPartition partition;
  ConvBroadcast broadcast = ConvBroadcast::EachStep;
};

/// What the fullest tile has in one serial step.
struct ConvShare {
  std::array<std::uint64_t, kMaxFieldDims> field{};   ///< output positions
  std::array<std::uint64_t, kMaxFieldDims> kernel{};  ///< kernel positions
  std::uint64_t batch;
  std::uint64_t conv_groups;  ///< groups of conv_groups_per_group
  std::uint64_t in_groups;    ///< groups of in_chans_per_group
  std::uint64_t out_groups;   ///< groups of partial_chans_per_group

  std::uint64_t inputs;    ///< elements, with halos
  std::uint64_t weights;   ///< elements
  std::uint64_t partials;  ///< elements
  std::uint64_t outputs;   ///< elements that are left when the parts of a reduction are summed

  [[nodiscard]] std::uint64_t fieldPositions() const { return field[0] * field[1] * field[2]; }
  [[nodiscard]] std::uint64_t kernelPositions() const { return kernel[0] * kernel[1] * kernel[2]; }
};

/// The inputs that a tile needs for `outputs` positions and `kernel` positions of a dimension, its
/// halo among them.
///
///   min(((outputs - 1) stride + (kernel - 1) kernel dilation) / input dilation + 1, used inputs)
///
/// A whole dimension needs its used inputs, and a moved one as many as outputs.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
std::uint64_t inputExtent(const CandidateDim& dim, std::uint64_t outputs, std::uint64_t kernel);

ConvShare shareOf(const ConvCandidate& candidate, const ConvPartition& partition);

/// Elements of an operand without halos, padded to grains and spread over the tiles in use.
std::uint64_t inputsPerTile(const ConvCandidate& candidate, std::uint32_t tiles);
std::uint64_t weightsPerTile(const ConvCandidate& candidate, std::uint32_t tiles);

}  // namespace ipusim::workloads
