// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// Bits of a packed number in each of its bytes. The bit above them says that more bytes follow.
constexpr unsigned kPackedBits = 7;
constexpr std::uint64_t kPackedMore = std::uint64_t{1} << kPackedBits;

/// Appends a number to a container of bytes: the lowest seven bits first, so that small numbers
/// take one byte and the largest ten (LEB128).
template <typename Bytes>
void appendPacked(Bytes& bytes, std::uint64_t number) {
  using Byte = typename Bytes::value_type;
  for (; number >= kPackedMore; number >>= kPackedBits) {
    bytes.push_back(static_cast<Byte>(number % kPackedMore + kPackedMore));
  }
  bytes.push_back(static_cast<Byte>(number));
}

}  // namespace ipusim
