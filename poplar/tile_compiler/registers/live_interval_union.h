// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {

/// The words that hold one real register, by when they do. Their segments never overlap. A look
/// costs the logarithm of their number.
class LiveIntervalUnion {
 public:
  void add(Word word, const std::vector<Segment>& segments) {
    for (const Segment& segment : segments)
      held_.emplace(segment.begin, Assigned{segment.end, word});
  }
  void remove(Word word, const std::vector<Segment>& segments) {
    for (const Segment& segment : segments) {
      auto [held, end] = held_.equal_range(segment.begin);
      while (held != end) held = held->second.word == word ? held_.erase(held) : std::next(held);
    }
  }
  /// Calls `found` with the word of each segment that overlaps one of these, until it returns true.
  template <typename Found>
  [[nodiscard]] bool anyOf(const std::vector<Segment>& segments, const Found& found) const {
    return std::any_of(segments.begin(), segments.end(), [&](const Segment& segment) {
      auto held = held_.lower_bound(segment.end);
      while (held != held_.begin()) {
        --held;
        const auto& [begin, other] = *held;
        if (segment.begin < other.end && found(other.word)) return true;
        // A segment without length ends where it begins, and tells nothing of those before it.
        if (other.end <= segment.begin && begin < other.end) break;
      }
      return false;
    });
  }

 private:
  struct Assigned {
    std::uint64_t end;
    Word word;
  };
  std::multimap<std::uint64_t, Assigned> held_;  // by begin
};

}  // namespace ipusim::tile_compiler
