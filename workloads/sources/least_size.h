// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::workloads {

/// Parts that building the graph of a workload surely makes, by a formula over its config. The
/// counts are not whole numbers, because those of a wrong config may be beyond any.
struct LeastSize {
  /// Elements that are moved one by one, because their order changes on the way.
  double single_elements = 0;
  /// Pieces of all views of several variables.
  double view_pieces = 0;
};

}  // namespace ipusim::workloads
