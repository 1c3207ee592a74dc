// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/share.h"
#include "workloads/ops/conv/planner/vertices/vertex_cycles.h"

namespace ipusim::workloads {

/// Lower bounds on the cycles of all points with some splits given, for every number of serial
/// steps. They let the search skip what cannot be best.
class ConvFloors {
 public:
  ConvFloors(const Architecture& machine, const ConvCandidate& candidate);

  /// All weights, padded to grains.
  [[nodiscard]] std::uint64_t weights() const { return weights_; }
  /// The least bytes that rearranging holds on a tile.
  [[nodiscard]] Bytes rearrangingBytes() const { return rearranging_bytes_; }
  /// The least bytes that a loop holds of weights that were brought to where they are sliced.
  [[nodiscard]] Bytes slicedBytes() const { return sliced_bytes_; }

  /// The least cycles of the candidate.
  [[nodiscard]] Cycles ofCandidate() const;

  /// A tile of a field and batch in `parts` parts together.
  struct Positions {
    std::uint64_t parts;
    std::uint64_t outputs;      ///< output positions of a tile, with its batch
    std::uint64_t unit_cycles;  ///< see unitCycles
  };
  /// The least cycles of such a split.
  [[nodiscard]] Cycles ofPositions(const Positions& positions) const;

  /// A tile when all but the out channels is split, in `parts` parts together.
  struct Reduced {
    std::uint64_t parts;
    std::uint64_t units;        ///< a tile's grains of groups and in channels, by kernel units
    std::uint64_t weights;      ///< a tile's weights per grain of out channels
    std::uint64_t conv_groups;  ///< a tile's grains of conv groups
    std::uint64_t steps;        ///< of a loop over in channels
  };
  /// The least cycles of such a split.
  [[nodiscard]] Cycles ofReduced(const Positions& positions, const Reduced& reduced) const;

  /// The least cycles when the out channels are split too: a tile has `out_grains` in each of
  /// `steps` steps.
  [[nodiscard]] Cycles ofStep(const Positions& positions, const Reduced& reduced,
                              std::uint64_t out_grains, std::uint64_t steps) const;

 private:
  [[nodiscard]] Cycles received(ElementType type, std::uint64_t elements) const;
  [[nodiscard]] Cycles weightsReceived(std::uint64_t weights, std::uint64_t parts) const;

  const Architecture& machine_;
  const ConvCandidate& candidate_;
  Cycles rearranging_;  // with all tiles in use
  Bytes rearranging_bytes_;
  Cycles before_slicing_;  // of a loop, once
  Bytes sliced_bytes_;
  std::uint64_t units_ = 1;  // grains of groups, in and out channels, by kernel units
  std::uint64_t weights_ = 1;
  std::uint64_t out_grains_ = 1;  // with groups
  Cycles in_step_;                // what each step of a loop adds, besides all that grows with data
  Cycles out_step_;
};

}  // namespace ipusim::workloads
