// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/compile/schedule/bits.h"

namespace ipusim::compiler {

/// The number of a thing, and the key that the thing is sorted by.
struct Keyed {
  std::uint64_t key;
  std::uint32_t number;
};

/// A stable sort for a few keys; the smallest key comes first.
inline void insertionSort(std::vector<Keyed>& list) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    const Keyed entry = list[i];
    std::size_t place = i;
    for (; place > 0 && entry.key < list[place - 1].key; --place) list[place] = list[place - 1];
    list[place] = entry;
  }
}

/// A stable sort; the smallest key comes first. Skips digits that are equal in all keys.
inline void radixSort(std::vector<Keyed>& list) {
  constexpr std::size_t kFew = 32;
  if (list.size() <= kFew) return insertionSort(list);
  constexpr unsigned kDigitBits = 11;
  std::uint64_t differing = 0;
  for (const Keyed& entry : list) differing |= entry.key ^ list.front().key;
  std::vector<Keyed> sorted(list.size());
  for (unsigned shift = 0; shift < 64 && (differing >> shift) != 0; shift += kDigitBits) {
    const std::size_t digits = std::size_t{1} << std::min(bitWidth(differing >> shift), kDigitBits);
    if (((differing >> shift) & (digits - 1)) == 0) continue;
    // Bits above the differing ones are equal in all keys. They are masked away.
    const auto digit_of = [&](const Keyed& entry) { return (entry.key >> shift) & (digits - 1); };
    std::vector<std::uint32_t> place(digits + 1);
    for (const Keyed& entry : list) ++place[digit_of(entry) + 1];
    for (std::size_t d = 1; d < digits; ++d) place[d] += place[d - 1];
    for (const Keyed& entry : list) sorted[place[digit_of(entry)]++] = entry;
    list.swap(sorted);
  }
}

}  // namespace ipusim::compiler
