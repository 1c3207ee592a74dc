// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ipusim::fuzz {

/// Makes wrong inputs from right ones. Equal seeds make equal inputs, on every computer.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// A random number below `count`, which is not 0.
  std::size_t below(std::size_t count) { return random_() % count; }
  template <typename Item>
  const Item& oneOf(const std::vector<Item>& items) {
    return items[below(items.size())];
  }

  /// `text` with some changes: of bytes, numbers, words and lines, or with parts of `other`.
  std::string mutate(std::string text, const std::string& other);

 private:
  void change(std::string& text, const std::string& other);
  void changeBytes(std::string& text);
  void changeNumber(std::string& text);
  void changeWord(std::string& text, const std::string& other);
  void changeLines(std::string& text, const std::string& other);
  std::string partOf(const std::string& text, std::size_t longest);

  std::mt19937_64 random_;
};

}  // namespace ipusim::fuzz
