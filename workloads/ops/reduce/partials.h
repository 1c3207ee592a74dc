// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

// What a reduction of rows adds up: for each column the places of its partials, wherever they lie.

namespace ipusim::workloads {

/// Partials of consecutive columns that follow one another in a variable.
struct PartialRun {
  std::uint64_t begin;  ///< columns
  std::uint64_t end;
  VariableId variable;
  std::uint64_t offset;  ///< of the first column's
};

/// The partials of columns [0, columns).
class Partials {
 public:
  /// Runs in any order that leave no column without a partial.
  explicit Partials(const std::vector<PartialRun>& runs);

  /// Columns that have equally many partials.
  struct Band {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t partials;
  };
  /// As few bands as possible, in order: of all columns, or of [begin, end).
  [[nodiscard]] std::vector<Band> bands() const;
  [[nodiscard]] std::vector<Band> bands(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::uint64_t mostPartials() const;

  /// Partials [first, last) of columns [begin, end), which have as many: a row of columns for each.
  [[nodiscard]] View rows(std::uint64_t begin, std::uint64_t end, std::uint64_t first,
                          std::uint64_t last) const;
  /// Partials of columns [begin, end), all of them, as runs.
  [[nodiscard]] std::vector<PartialRun> runs(std::uint64_t begin, std::uint64_t end) const;

 private:
  struct Place {
    VariableId variable;
    std::uint64_t offset;
  };
  /// Columns whose partials begin and end together.
  struct Segment {
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<Place> places;
  };
  [[nodiscard]] std::vector<Segment>::const_iterator segmentOf(std::uint64_t column) const;

  std::vector<Segment> segments_;
};

}  // namespace ipusim::workloads
