// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace poplar::detail {

/// Finds elements that more than one vertex of a compute set writes. Nothing says which of them
/// does so last.
class Writers {
 public:
  /// `family` is one vertex of the compute set.
  void add(const ipusim::VertexFamily& family);
  /// One line about the first such elements and how many there are, or an empty text. `graph` has
  /// the names of variables.
  [[nodiscard]] std::string warning(const std::string& compute_set, const ipusim::Graph& graph);
  /// The variables with elements that two edges write, whether of one vertex or of two; known when
  /// warning() was asked for.
  [[nodiscard]] const std::set<ipusim::VariableId>& twice() const { return twice_; }

 private:
  /// Elements [begin, end) of a variable.
  struct Written {
    std::uint64_t variable;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t vertex;
  };

  std::vector<Written> written_;
  std::set<ipusim::VariableId> twice_;
  std::vector<std::string> names_;  ///< of the vertices' types
};

}  // namespace poplar::detail
