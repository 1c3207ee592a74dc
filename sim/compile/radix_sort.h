// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ipusim::compiler {

/// The number of a thing, and what it is sorted by.
struct Keyed {
  std::uint64_t key;
  std::uint32_t number;
};

/// Stable, smallest key first; skips the digits that are the same in all keys.
inline void radixSort(std::vector<Keyed>& list) {
  if (list.empty()) return;
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  std::uint64_t differing = 0;
  for (const Keyed& entry : list) differing |= entry.key ^ list.front().key;
  std::vector<Keyed> sorted(list.size());
  for (unsigned shift = 0; shift < 64 && (differing >> shift) != 0; shift += kDigitBits) {
    if (((differing >> shift) & (kDigits - 1)) == 0) continue;
    std::vector<std::uint32_t> place(kDigits + 1);
    for (const Keyed& entry : list) ++place[((entry.key >> shift) & (kDigits - 1)) + 1];
    for (std::size_t d = 1; d < kDigits; ++d) place[d] += place[d - 1];
    for (const Keyed& entry : list) sorted[place[(entry.key >> shift) & (kDigits - 1)]++] = entry;
    list.swap(sorted);
  }
}

}  // namespace ipusim::compiler
