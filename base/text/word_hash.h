// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace ipusim {

/// A hash of bytes, eight at a time. Two texts of one length always have different hashes when they
/// differ in only one of these groups of eight. The hash does not protect against deliberate
/// changes.
inline std::uint64_t wordHash(std::string_view bytes) {
  constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;
  constexpr unsigned kUpperHalf = 32;
  std::uint64_t state = bytes.size();
  const auto add = [&](std::uint64_t word) {
    state = (state ^ word) * kGoldenRatio;
    state ^= state >> kUpperHalf;
  };
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    add(word);
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  add(word);
  return state;
}

}  // namespace ipusim
