// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace ipusim::sweep {

/// CRC-64/XZ of a sequence of values, to detect damage of what is stored: a change within eight
/// bytes always gives another sum. It does not protect against deliberate changes.
/// Source: https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-64-xz
class Checksum {
 public:
  Checksum& add(std::uint64_t number);
  Checksum& add(double number);
  /// Adds the length of the text too, so that two texts differ from one joined text.
  Checksum& add(std::string_view text);

  /// The sum as 16 hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::uint64_t kPolynomial = 0x42f0e1eba9ea3693;
  static constexpr std::uint64_t kAllOnes = 0xffffffffffffffff;
  boost::crc_optimal<64, kPolynomial, kAllOnes, kAllOnes, true, true> crc_;
};

}  // namespace ipusim::sweep
