// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ipusim::workloads {

/// Sequences of a schedule that are equal: `length` nodes from each of `starts` on.
struct OutlineMatch {
  std::vector<std::size_t> starts;  ///< ascending
  std::size_t length = 0;
  double value = 0;  ///< of the nodes of one sequence: what one more copy of them is worth
};

bool operator==(const OutlineMatch& a, const OutlineMatch& b);

/// By value, then by length, by number of starts and by starts.
bool operator<(const OutlineMatch& a, const OutlineMatch& b);

/// Whether each sequence of `inner` lies in one of `outer`.
bool contains(const OutlineMatch& outer, const OutlineMatch& inner);

/// Whether `outer` has as many sequences as `inner`, and each of those lies in its own.
bool subsumes(const OutlineMatch& outer, const OutlineMatch& inner);

/// Whether a sequence of one has a node in common with a sequence of the other.
bool intersect(const OutlineMatch& a, const OutlineMatch& b);

/// Whether both have a start in common.
bool shareStart(const OutlineMatch& a, const OutlineMatch& b);

/// Whether all sequences of `outer` have sequences of `inner` at the same places in them, and no
/// sequence of one ends inside a sequence of the other. `inner` may have more sequences elsewhere.
bool fitsCleanly(const OutlineMatch& outer, const OutlineMatch& inner);

}  // namespace ipusim::workloads
