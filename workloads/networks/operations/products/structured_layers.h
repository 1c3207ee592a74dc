// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/layer_site.h"
#include "workloads/networks/operations/products/pixelfly_mask.h"
#include "workloads/ops/butterfly/butterfly.h"
#include "workloads/ops/gather/multi_slice.h"

// Layers with structured matrices in the place of a dense one, as the nodes of their PyTorch code.
// Each takes (..., features) and has no bias.

namespace ipusim::workloads {

/// The stages of a butterfly. Parameter: "twiddles", of twiddleShape.
NetworkTensorId addButterflyLayer(const LayerSite& site, const ButterflyShape& shape);

/// The stages in one operation (fusedButterfly). `site.x` is a source.
NetworkTensorId addFusedButterflyLayer(const LayerSite& site, const ButterflyShape& shape);

/// (x H) G. Parameters: "h", (inputs, rank), and "g", (rank, outputs).
/// Source: HazyResearch/structured-nets, class LowRank.
NetworkTensorId addLowRankLayer(const LayerSite& site, std::uint64_t outputs, std::uint64_t rank);

/// C x with C(i, j) = c[(i - j) mod features], without a Fourier transform, for which the vendor's
/// front end has no operator. The layer looks up the matrix from its first column, and multiplies
/// by it as by any other. It is not known what ran for the published figure.
/// Parameter: "c", the first column, (features, 1).
NetworkTensorId addCirculantLayer(const LayerSite& site);

/// S H(G P H(B x)). H is the Walsh-Hadamard transform, not normalised; P is randomPermutation().
/// The number of features is a power of two. Parameters: the diagonals "b", "g" and "s".
/// Source: HazyResearch/structured-nets, class Fastfood.
NetworkTensorId addFastfoodLayer(const LayerSite& site, std::uint64_t seed);

/// Each block of x is multiplied by the blocks of its column. A look-up brings the products to the
/// rows in which they are summed. A low-rank layer stands beside this. Parameters: "blocks",
/// (columns of blocks, block, blocks of a column * block), and those of the low-rank layer. Source:
/// T. Dao et al., Pixelated Butterfly; HazyResearch/fly.
NetworkTensorId addPixelflyLayer(const LayerSite& site, const PixelflyShape& shape);

/// For each element of a circulant matrix, the index of its value in the first column.
RowNumbers circulantIndices(std::uint64_t features);

/// A permutation of [0, size) that depends on `seed` alone. Element i of a row is moved from
/// element permutation[i].
std::vector<std::uint64_t> randomPermutation(std::uint64_t size, std::uint64_t seed);

}  // namespace ipusim::workloads
