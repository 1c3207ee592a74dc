// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/outline/match.h"

#include <algorithm>
#include <tuple>

namespace ipusim::workloads {

namespace {

/// The last of the ascending `starts` that is not behind `place`; none where all are behind it.
std::vector<std::size_t>::const_iterator lastUntil(const std::vector<std::size_t>& starts,
                                                   std::size_t place) {
  const auto behind = std::upper_bound(starts.begin(), starts.end(), place);
  return behind == starts.begin() ? starts.end() : behind - 1;
}

/// Whether one of two sequences ends inside the other, which goes on behind it.
bool cross(std::size_t a, std::size_t end_a, std::size_t b, std::size_t end_b) {
  return (a < b && b < end_a && end_a < end_b) || (b < a && a < end_b && end_b < end_a);
}

}  // namespace

bool operator==(const OutlineMatch& a, const OutlineMatch& b) {
  return a.length == b.length && a.starts == b.starts;
}

bool operator<(const OutlineMatch& a, const OutlineMatch& b) {
  const auto key = [](const OutlineMatch& one) {
    return std::make_tuple(one.value, one.length, one.starts.size(), std::cref(one.starts));
  };
  return key(a) < key(b);
}

bool contains(const OutlineMatch& outer, const OutlineMatch& inner) {
  return std::all_of(inner.starts.begin(), inner.starts.end(), [&](std::size_t start) {
    const auto around = lastUntil(outer.starts, start);
    return around != outer.starts.end() && start + inner.length <= *around + outer.length;
  });
}

bool subsumes(const OutlineMatch& outer, const OutlineMatch& inner) {
  return outer.starts.size() == inner.starts.size() &&
         std::equal(outer.starts.begin(), outer.starts.end(), inner.starts.begin(),
                    [&](std::size_t around, std::size_t start) {
                      return around <= start && start + inner.length <= around + outer.length;
                    });
}

bool intersect(const OutlineMatch& a, const OutlineMatch& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.starts.size() && j < b.starts.size()) {
    const std::size_t one = a.starts[i];
    const std::size_t other = b.starts[j];
    if (one < other + b.length && other < one + a.length) return true;
    one < other ? ++i : ++j;
  }
  return false;
}

bool shareStart(const OutlineMatch& a, const OutlineMatch& b) {
  return std::any_of(a.starts.begin(), a.starts.end(), [&](std::size_t start) {
    return std::binary_search(b.starts.begin(), b.starts.end(), start);
  });
}

bool fitsCleanly(const OutlineMatch& outer, const OutlineMatch& inner) {
  if (inner.length > outer.length) return false;
  std::vector<std::vector<std::size_t>> places(outer.starts.size());
  for (const std::size_t start : inner.starts) {
    for (const std::size_t around : outer.starts) {
      if (outer.length > 1 && inner.length > 1 &&
          cross(around, around + outer.length, start, start + inner.length)) {
        return false;
      }
    }
    const auto around = lastUntil(outer.starts, start);
    if (around == outer.starts.end() || start >= *around + outer.length) continue;
    places[static_cast<std::size_t>(around - outer.starts.begin())].push_back(start - *around);
  }
  return std::all_of(places.begin(), places.end(),
                     [&](const auto& one) { return one == places.front(); });
}

}  // namespace ipusim::workloads
