// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::explore {

/// The genes of a point: for each dimension with two values or more which of its values it takes.
/// Those that are real numbers to the algorithm stand first and are rounded; the others are whole.
class Genome {
 public:
  Genome(const Sweep& sweep, Algorithm algorithm);

  [[nodiscard]] std::size_t size() const { return genes_.size(); }
  /// How many at the end are whole.
  [[nodiscard]] std::size_t wholes() const { return wholes_; }
  /// The least and the largest value of each gene.
  [[nodiscard]] std::vector<double> lower() const;
  [[nodiscard]] std::vector<double> upper() const;

  [[nodiscard]] std::uint64_t decode(const double* genes) const;
  [[nodiscard]] std::vector<double> encode(std::uint64_t number) const;

 private:
  struct Gene {
    std::uint64_t count;   ///< of values
    std::uint64_t stride;  ///< by which the number of the point grows
    bool whole;
  };
  std::vector<Gene> genes_;
  std::size_t wholes_ = 0;
};

/// How a search may move along a dimension.
AxisKind kindOf(const Dimension& dimension);

}  // namespace ipusim::explore
