// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workloads/networks/outline/match.h"

// A schedule as the search for equal sequences sees it: numbers in place of operations.

namespace ipusim::workloads {

/// An operand of a node.
struct OutlineInput {
  static constexpr std::size_t kNoProducer = std::numeric_limits<std::size_t>::max();

  std::size_t index = 0;               ///< which operand
  std::size_t producer = kNoProducer;  ///< position in the schedule
  std::size_t output = 0;              ///< of the producer
  std::size_t tensor = 0;              ///< equal numbers are one tensor

  [[nodiscard]] bool isMadeFrom(std::size_t start) const {
    return producer != kNoProducer && producer >= start;
  }
};

/// A result of a node that somebody reads.
struct OutlineOutput {
  std::size_t index = 0;   ///< which result
  std::size_t tensor = 0;  ///< as OutlineInput::tensor
  /// The last position that reads it; 0 where only somebody outside the schedule does.
  std::size_t last_reader = 0;
  bool is_read_outside = false;

  [[nodiscard]] bool isReadFrom(std::size_t position) const {
    return is_read_outside || last_reader >= position;
  }
};

/// A node of a schedule. Nodes of equal `kind` are alike: same operation, settings and types.
struct OutlineNode {
  std::uint32_t kind = 0;
  double value = 0;                    ///< what one more copy of its code is worth
  std::vector<OutlineInput> inputs;    ///< by index
  std::vector<OutlineOutput> outputs;  ///< by index
};

using OutlineSchedule = std::vector<OutlineNode>;

/// For how many nodes the sequences from two starts on, of `length` nodes of equal kinds, stand for
/// one another: operands come from the same places in the sequence, or from outside in the same
/// pattern, and the same results are read behind the sequence.
std::size_t isomorphicUntil(const OutlineSchedule& schedule, std::size_t length, std::size_t a,
                            std::size_t b);

/// The longest repeats of a sequence of numbers: all that occur at least twice and that no longer
/// one occurs in as often. They are the inner nodes of its suffix tree.
std::vector<OutlineMatch> repeatsOf(const std::vector<std::uint32_t>& numbers);

}  // namespace ipusim::workloads
