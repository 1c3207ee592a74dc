// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace ipusim::explore {

/// CRC-64/XZ of values one after the other, to tell damage of what is stored: a change within eight
/// bytes always gives another sum. It is no protection from somebody who means to deceive.
/// Source: https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-64-xz
class Checksum {
 public:
  Checksum& add(std::uint64_t number);
  Checksum& add(double number);
  /// With its length: two texts are not one.
  Checksum& add(std::string_view text);

  /// 16 hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::uint64_t kPolynomial = 0x42f0e1eba9ea3693;
  static constexpr std::uint64_t kAllOnes = 0xffffffffffffffff;
  boost::crc_optimal<64, kPolynomial, kAllOnes, kAllOnes, true, true> crc_;
};

}  // namespace ipusim::explore
