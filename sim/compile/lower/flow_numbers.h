// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>

#include "ipusim/graph.h"

namespace ipusim::compiler {

/// The numbers of the steps that depend on data, as an ExecutionRecord has them: If and Switch
/// together, RepeatWhile alone. The functions of the graph come first, in their order, and then the
/// program. A step comes before the steps inside it.
class FlowNumbers {
 public:
  /// The graph must outlive this, and keep its programs where they are.
  explicit FlowNumbers(const Graph& graph);

  [[nodiscard]] std::size_t branches() const { return branches_.size(); }
  [[nodiscard]] std::size_t whiles() const { return whiles_.size(); }
  [[nodiscard]] BranchId of(const If& step) const { return branches_.at(&step); }
  [[nodiscard]] BranchId of(const Switch& step) const { return branches_.at(&step); }
  [[nodiscard]] WhileId of(const RepeatWhile& step) const { return whiles_.at(&step); }

 private:
  friend struct FlowNumberer;

  std::unordered_map<const void*, BranchId> branches_;
  std::unordered_map<const void*, WhileId> whiles_;
};

}  // namespace ipusim::compiler
