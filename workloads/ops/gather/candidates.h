// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "workloads/ops/gather/planned_layout.h"

namespace ipusim::workloads {

/// What a serial step looks up in a table whose rows are split: one candidate of each result in
/// each part of the rows, of which a second look-up picks the one that the part has. The arguments
/// of the constructor must outlive this object.
///
/// The second look-up of a place reads a table of its own: as many candidates of each part of the
/// rows as a place picks results, part by part.
class Candidates {
 public:
  Candidates(Graph& graph, const Architecture& machine, const EmbeddingPlan& plan,
             std::uint64_t step, std::string name);

  /// The indices that a place looks up: as many in every look-up part. The last one takes some of
  /// the part before again, so that each table of candidates is full.
  [[nodiscard]] Range indices(const EmbeddingPlace& place) const;
  /// What the place finds: (its indices, its columns).
  [[nodiscard]] Tensor found(const EmbeddingPlace& place) const;

  struct Picked {
    const Tensor& indices;  ///< of all steps, of one dimension and consecutive elements
    const StepSlices& slices;
    const Tensor& storage;  ///< of the slices
  };
  /// Adds the steps that pick the results.
  void pick(const Picked& picked, Program& program);

 private:
  Tensor candidateNumbers(const Tensor& indices, const Range& own, Program& program);
  [[nodiscard]] ConstantValues placesInWindows(const Range& own) const;
  [[nodiscard]] Tensor tableOf(const EmbeddingPlace& place) const;
  [[nodiscard]] Tensor blockOfColumns(const EmbeddingPlace& place) const;

  Graph& graph_;
  const Architecture& machine_;
  const EmbeddingPlan& plan_;
  std::uint64_t step_;
  std::string name_;
  std::uint64_t looked_up_;  ///< indices of a place
  std::uint64_t picked_;     ///< results of a place
  Tensor storage_;           ///< by look-up part, part of the columns and part of the rows
};

}  // namespace ipusim::workloads
