// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::compiler {

/// Frees the vertices and the moves of a graph that is lowered and not read again: those of each
/// step behind its last use.
class LastUses {
 public:
  /// `graph` must outlive this, and keep its program.
  explicit LastUses(Graph& graph);

  /// To be called behind each use of a step, in the order of FlowBuilder.
  void done(const Execute& step);
  void done(const Copy& step);

 private:
  Graph& graph_;
  std::vector<std::uint32_t> of_set_;   ///< uses that are left, by compute set
  std::vector<std::uint32_t> of_copy_;  ///< uses that are left, by copy
};

}  // namespace ipusim::compiler
