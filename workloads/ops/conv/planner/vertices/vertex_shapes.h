// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ipusim/machine.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/conv_nx1.h"
#include "models/ipu/cost/products/hmac.h"
#include "models/ipu/cost/products/outer_product.h"
#include "models/ipu/cost/products/slic.h"
#include "models/ipu/cost/products/vmac.h"
#include "workloads/ops/conv/planner/share.h"

// The vertices of a tile as the cost models take them, in the view of the published planner.
// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).

namespace ipusim::workloads {

/// The output positions of a tile.
models::PositionRows positionRows(const ConvCandidate& candidate, const ConvShare& share);

/// The number of outputs of which one costs slots. The others meet only zeros that dilation leaves.
/// As published, HMAC does not look at the stride.
std::uint64_t outputStep(ConvMethod method, const CandidateDim& dim);

models::AmpEngine engineOf(const ConvCandidate& candidate);

/// True when a share with one kernel position takes the vertices for 1x1 kernels: it has one row,
/// and there is no batch beside the rows in the whole convolution.
bool isOneRow(const ConvCandidate& candidate, const ConvShare& share);

/// True when that holds for AMP, whose vertex for 1x1 kernels takes one row of a kernel at once.
bool isAmpOneRow(const Architecture& machine, const ConvCandidate& candidate,
                 const ConvShare& share);

// The shapes of a tile's vertices. SLIC has one conv group and one window.
models::Amp1x1Shape amp1x1Shape(const ConvCandidate& candidate, const ConvShare& share);
models::ConvNx1Shape nx1Shape(const Architecture& machine, const ConvCandidate& candidate,
                              const ConvShare& share);
models::HmacShape hmacShape(const ConvCandidate& candidate, const ConvShare& share);
models::VmacShape vmacShape(const ConvCandidate& candidate, const ConvShare& share);
models::SlicShape slicShape(const ConvCandidate& candidate);
models::OuterProductShape outerShape(const Architecture& machine, const ConvCandidate& candidate,
                                     const ConvShare& share);

/// The slots of the slowest worker's rows at a kernel position.
std::uint64_t hmacRowSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share, const models::HmacShape& shape);

/// The slots of the slowest worker's sums along the innermost kernel dimension, at one position of
/// the other kernel dimensions.
std::uint64_t vmacSumSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share);

/// The kernel in the units that a vertex takes at once: the rows of AMP, the window of SLIC, and
/// single positions of other methods.
std::uint64_t kernelUnits(const Architecture& machine, const ConvCandidate& candidate,
                          const std::array<std::uint64_t, kMaxFieldDims>& kernel);

}  // namespace ipusim::workloads
