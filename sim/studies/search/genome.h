// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::search {

/// The genes of a point: one per dimension with two values or more, which says the value that the
/// point takes. Genes that are real numbers to the algorithm come first and are rounded; whole ones
/// follow.
class Genome {
 public:
  Genome(const sweep::Sweep& sweep, Algorithm algorithm);

  [[nodiscard]] std::size_t size() const { return genes_.size(); }
  /// How many genes at the end are whole.
  [[nodiscard]] std::size_t wholes() const { return wholes_; }
  /// The least and the largest value of each gene.
  [[nodiscard]] std::vector<double> lower() const;
  [[nodiscard]] std::vector<double> upper() const;

  [[nodiscard]] std::uint64_t decode(const double* genes) const;
  [[nodiscard]] std::vector<double> encode(std::uint64_t number) const;

 private:
  struct Gene {
    std::uint64_t count;   ///< number of values
    std::uint64_t stride;  ///< how much the number of the point grows per value
    bool whole;
  };
  std::vector<Gene> genes_;
  std::size_t wholes_ = 0;
};

/// How a search may move along a dimension.
sweep::AxisKind kindOf(const sweep::Dimension& dimension);

}  // namespace ipusim::search
