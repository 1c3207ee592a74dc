// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

// What a reduction of rows sums: for each column, the places of its partials, wherever they lie.

namespace ipusim::workloads {

/// Partials of consecutive columns, which are consecutive in a variable.
struct PartialRun {
  std::uint64_t begin;  ///< columns
  std::uint64_t end;
  VariableId variable;
  std::uint64_t offset;  ///< place of the first column's partial
};

/// The partials of columns [0, columns).
class Partials {
 public:
  /// The runs may be in any order. Every column must have a partial.
  explicit Partials(const std::vector<PartialRun>& runs);

  /// Columns that have equally many partials.
  struct Band {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t partials;
  };
  /// As few bands as possible, in order, of all columns or of [begin, end).
  [[nodiscard]] std::vector<Band> bands() const;
  [[nodiscard]] std::vector<Band> bands(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::uint64_t mostPartials() const;

  /// Partials [first, last) of columns [begin, end), all of which have that many: one row of
  /// columns each.
  [[nodiscard]] View rows(std::uint64_t begin, std::uint64_t end, std::uint64_t first,
                          std::uint64_t last) const;
  /// All partials of columns [begin, end), as runs.
  [[nodiscard]] std::vector<PartialRun> runs(std::uint64_t begin, std::uint64_t end) const;

 private:
  struct PartialsPlace {
    VariableId variable;
    std::uint64_t offset;
  };
  /// Columns whose partials begin and end together.
  struct Segment {
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<PartialsPlace> places;
  };
  [[nodiscard]] std::vector<Segment>::const_iterator segmentOf(std::uint64_t column) const;

  std::vector<Segment> segments_;
};

}  // namespace ipusim::workloads
