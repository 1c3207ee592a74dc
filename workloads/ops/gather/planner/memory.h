// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/units.h"
#include "workloads/ops/gather/planner/share.h"

namespace ipusim::workloads {

/// A tile that stores indices stores so many at least, when there are so many: minIndicesPerTile of
/// DynamicSlice.cpp.
constexpr std::uint64_t kLeastIndicesPerTile = 32;

/// Temporary bytes of the fullest tile, for look-ups and for updates. Zero for a use that is not
/// planned.
/// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp (MIT).
/// Calibrated: no.
Bytes sliceTempBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                     const EmbeddingShare& share);
Bytes updateTempBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                      const EmbeddingShare& share);

/// Bytes of exchange code of a tile: one word for each tile that it hears from. Source: as above.
Bytes embeddingCodeBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                         const EmbeddingShare& share);

}  // namespace ipusim::workloads
