// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/checksum.h"

#include <fmt/format.h>

#include <cstring>

namespace ipusim::sweep {

Checksum& Checksum::add(std::uint64_t number) {
  crc_.process_bytes(&number, sizeof number);
  return *this;
}

Checksum& Checksum::add(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return add(bits);
}

Checksum& Checksum::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  crc_.process_bytes(text.data(), text.size());
  return *this;
}

std::string Checksum::text() const {
  return fmt::format("{:016x}", crc_.checksum());
}

}  // namespace ipusim::sweep
