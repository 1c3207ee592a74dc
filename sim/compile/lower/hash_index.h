// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ipusim::compiler {

/// Finds the number of a thing by its hash. The table has open addressing, and so needs no node per
/// thing, unlike std::unordered_map.
class HashIndex {
 public:
  explicit HashIndex(std::size_t expected = 0) {
    std::size_t places = kLeastPlaces;
    while (places < 2 * expected) places *= 2;
    places_.resize(places);
  }

  /// The number with that hash for which `same` holds. If there is none, adds `next` to the table
  /// and returns it.
  template <typename Same>
  std::uint32_t findOrAdd(std::size_t hash, std::uint32_t next, const Same& same) {
    const auto short_hash = static_cast<std::uint32_t>(hash ^ (hash >> kUpperHalf));
    std::size_t place = placeOf(short_hash);
    for (; places_[place].number != kEmpty; place = nextOf(place)) {
      const Entry& entry = places_[place];
      if (entry.hash == short_hash && same(entry.number)) return entry.number;
    }
    places_[place] = {short_hash, next};
    if (2 * ++entries_ > places_.size()) grow();
    return next;
  }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  static constexpr std::size_t kLeastPlaces = 64;
  static constexpr unsigned kUpperHalf = 32;
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = kEmpty;
  };

  [[nodiscard]] std::size_t placeOf(std::uint32_t hash) const {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;
    return ((hash * kGoldenRatio) >> kUpperHalf) & (places_.size() - 1);
  }
  [[nodiscard]] std::size_t nextOf(std::size_t place) const {
    return (place + 1) & (places_.size() - 1);
  }

  void grow() {
    std::vector<Entry> entries(2 * places_.size());
    entries.swap(places_);
    for (const Entry& entry : entries) {
      if (entry.number == kEmpty) continue;
      std::size_t place = placeOf(entry.hash);
      while (places_[place].number != kEmpty) place = nextOf(place);
      places_[place] = entry;
    }
  }

  std::vector<Entry> places_;
  std::size_t entries_ = 0;
};

}  // namespace ipusim::compiler
