// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "workloads/ops/conv/planner/params.h"

namespace ipusim::workloads {

/// A count as a number that may be subtracted from.
constexpr std::int64_t signedCount(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

/// Which input element an output and a kernel element of a dimension meet: the one at the position
///
///   (out_step output + kernel_step kernel + offset) / dilation
///
/// where that is a whole number, and an element that is not cut off.
struct DimMap {
  std::int64_t out_step = 1;
  std::int64_t kernel_step = 1;
  std::int64_t offset = 0;
  std::int64_t dilation = 1;
  PositionRange inputs;    ///< not cut off
  PositionRange kernel;    ///< not cut off
  PositionRange computed;  ///< outputs that are no padding

  [[nodiscard]] std::optional<std::uint64_t> inputOf(std::uint64_t output,
                                                     std::uint64_t kernel_element) const;
  /// The inputs that `outputs` and `kernel_elements` meet, from the first to the last. Nothing
  /// when they meet none.
  [[nodiscard]] std::optional<PositionRange> inputsOf(const PositionRange& outputs,
                                                      const PositionRange& kernel_elements) const;
};

DimMap mapOf(const ConvDim& dim);

}  // namespace ipusim::workloads
