// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/outline/sequence.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace ipusim::workloads {

namespace {

template <typename Port>
bool haveEqualIndices(const std::vector<Port>& a, const std::vector<Port>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Port& one, const Port& other) { return one.index == other.index; });
}

/// The tensors that enter a sequence, numbered as they come.
class Entries {
 public:
  std::size_t numberOf(std::size_t tensor) {
    return numbers_.try_emplace(tensor, numbers_.size()).first->second;
  }

 private:
  std::map<std::size_t, std::size_t> numbers_;
};

/// Suffixes of a sequence of numbers in their order, and what neighbours have in common.
struct SortedSuffixes {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> common;  ///< of a suffix and the one before it; 0 for the first
};

/// Sorts suffixes by their first 1, 2, 4, ... numbers.
std::vector<std::size_t> sortedStarts(const std::vector<std::uint32_t>& numbers) {
  const std::size_t size = numbers.size();
  std::vector<std::size_t> starts(size);
  std::iota(starts.begin(), starts.end(), std::size_t{0});
  std::vector<std::size_t> rank(numbers.begin(), numbers.end());
  std::vector<std::size_t> next(size);
  for (std::size_t width = 1; !starts.empty(); width *= 2) {
    const auto key = [&](std::size_t start) {
      const std::size_t behind = start + width;
      return std::make_pair(rank[start], behind < size ? rank[behind] + 1 : 0);
    };
    std::sort(starts.begin(), starts.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    next[starts.front()] = 0;
    for (std::size_t s = 1; s < size; ++s) {
      next[starts[s]] = next[starts[s - 1]] + (key(starts[s - 1]) < key(starts[s]) ? 1 : 0);
    }
    rank = next;
    if (rank[starts.back()] + 1 == size || width >= size) break;
  }
  return starts;
}

SortedSuffixes suffixesOf(const std::vector<std::uint32_t>& numbers) {
  SortedSuffixes suffixes{sortedStarts(numbers), std::vector<std::size_t>(numbers.size(), 0)};
  for (std::size_t s = 1; s < suffixes.starts.size(); ++s) {
    const std::size_t a = suffixes.starts[s - 1];
    const std::size_t b = suffixes.starts[s];
    std::size_t& common = suffixes.common[s];
    while (std::max(a, b) + common < numbers.size() && numbers[a + common] == numbers[b + common]) {
      ++common;
    }
  }
  return suffixes;
}

}  // namespace

std::size_t isomorphicUntil(const OutlineSchedule& schedule, std::size_t length, std::size_t a,
                            std::size_t b) {
  Entries entries_a;
  Entries entries_b;
  const auto matches = [&](const OutlineInput& one, const OutlineInput& other) {
    const bool is_made = one.isMadeFrom(a);
    if (is_made != other.isMadeFrom(b)) return false;
    if (is_made) return one.producer - a == other.producer - b && one.output == other.output;
    return entries_a.numberOf(one.tensor) == entries_b.numberOf(other.tensor);
  };
  for (std::size_t delta = 0; delta < length; ++delta) {
    const OutlineNode& one = schedule[a + delta];
    const OutlineNode& other = schedule[b + delta];
    const bool are_alike =
        haveEqualIndices(one.inputs, other.inputs) &&
        haveEqualIndices(one.outputs, other.outputs) &&
        std::equal(one.inputs.begin(), one.inputs.end(), other.inputs.begin(), matches) &&
        std::equal(one.outputs.begin(), one.outputs.end(), other.outputs.begin(),
                   [&](const OutlineOutput& left, const OutlineOutput& right) {
                     return left.isReadFrom(a + length) == right.isReadFrom(b + length);
                   });
    if (!are_alike) return delta;
  }
  return length;
}

std::vector<OutlineMatch> repeatsOf(const std::vector<std::uint32_t>& numbers) {
  const SortedSuffixes suffixes = suffixesOf(numbers);
  // Neighbours that have as much in common, or more, are a repeat of that length. `open` has those
  // that the suffix before was in: lengths ascend, and each began at a place of the sorted ones.
  struct Open {
    std::size_t length;
    std::size_t first;
  };
  std::vector<Open> open;
  std::vector<OutlineMatch> repeats;
  const auto closeAbove = [&](std::size_t length, std::size_t end) {
    std::size_t first = end - 1;
    while (!open.empty() && open.back().length > length) {
      first = open.back().first;
      OutlineMatch match{{suffixes.starts.begin() + static_cast<std::ptrdiff_t>(first),
                          suffixes.starts.begin() + static_cast<std::ptrdiff_t>(end)},
                         open.back().length};
      std::sort(match.starts.begin(), match.starts.end());
      repeats.push_back(std::move(match));
      open.pop_back();
    }
    return first;
  };
  for (std::size_t s = 1; s < suffixes.starts.size(); ++s) {
    const std::size_t common = suffixes.common[s];
    const std::size_t first = closeAbove(common, s);
    if (common > 0 && (open.empty() || open.back().length < common))
      open.push_back({common, first});
  }
  closeAbove(0, suffixes.starts.size());
  return repeats;
}

}  // namespace ipusim::workloads
