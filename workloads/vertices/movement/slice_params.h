// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "models/ipu/cost/most_hits.h"
#include "models/ipu/cost/movement/multi_slice.h"
#include "models/ipu/cost/movement/slice.h"
#include "models/ipu/cost/workers.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/params.h"

// The common part of the vertices that take slices or put them back.

namespace ipusim::workloads {

constexpr Words<models::SliceDirection, 2> kDirectionWords{
    {{models::SliceDirection::Slice, "slice"}, {models::SliceDirection::Update, "update"}}};

inline Params lookUpParams(models::SliceDirection direction, const LookUpShape& shape) {
  Params params{{"direction", wordOf(direction, kDirectionWords)},
                {"type", wordOf(shape.type, kElementWords)},
                {"rows", shape.rows},
                {"elements", shape.elements},
                {"offsets", shape.offsets}};
  if (shape.whole_rows != 0) params.push_back({"whole_rows", shape.whole_rows});
  if (shape.first_row != 0) params.push_back({"first_row", shape.first_row});
  return params;
}

/// The row of the vertex that an offset names, if it has it. An offset before its first row wraps
/// round to one behind its last.
inline std::optional<std::uint32_t> rowOf(const LookUpShape& shape, std::uint32_t offset) {
  const std::uint32_t row = offset - static_cast<std::uint32_t>(shape.first_row);
  return row < shape.rows ? std::make_optional(row) : std::nullopt;
}

/// How many of `offsets` are expected to name one of `rows` rows of the table.
inline std::uint64_t expectedHits(const LookUpShape& shape, std::uint64_t offsets,
                                  std::uint64_t rows) {
  return shape.whole_rows == 0 ? offsets : ceilDiv(offsets * rows, shape.whole_rows);
}

/// The share of the busiest worker of a vertex that deals offsets or rows to its workers. A worker
/// writes whole words.
/// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, generateMultiSliceVertices (MIT).
inline std::uint64_t dealtShare(const Architecture& machine, const LookUpShape& shape,
                                std::uint64_t amount) {
  const std::uint64_t grain =
      std::max<std::uint64_t>(1, machine.atomic_store.value() / sizeOf(shape.type).value());
  return std::min(amount, models::largestShare(machine, ceilDiv(amount, grain)) * grain);
}

/// The offsets of the busiest worker of a slice.
inline models::LookUps sliceLookUps(const Architecture& machine, const LookUpShape& shape) {
  if (shape.whole_rows == 0) return {shape.offsets, shape.offsets};
  const std::uint64_t own = dealtShare(machine, shape, shape.offsets);
  return {own, expectedHits(shape, own, shape.rows)};
}

/// The offsets of the busiest worker of an update. Each worker reads them all, and takes those of
/// its own rows. Among the workers of all parts of a table whose rows are named at random, the one
/// with most hits sets the time.
inline models::LookUps updateLookUps(const Architecture& machine, const LookUpShape& shape) {
  const std::uint64_t own = dealtShare(machine, shape, shape.rows);
  if (shape.whole_rows == 0) return {shape.offsets, shape.offsets};
  const double mean = static_cast<double>(shape.offsets) * static_cast<double>(own) /
                      static_cast<double>(shape.whole_rows);
  const std::uint64_t most = models::mostHits({mean, ceilDiv(shape.whole_rows, own)});
  return {shape.offsets, std::min(shape.offsets, most)};
}

}  // namespace ipusim::workloads
