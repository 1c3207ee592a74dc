// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/toml_text.h"

#include <fmt/format.h>

namespace ipusim::calibrate {

namespace {

/// TOML has no characters below the first printable one, and no delete character, raw in a text.
constexpr unsigned char kFirstPrintable = 0x20;
constexpr unsigned char kDelete = 0x7f;

}  // namespace

std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < kFirstPrintable || byte == kDelete) {
      safe += fmt::format("\\u{:04x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return '"' + safe + '"';
}

}  // namespace ipusim::calibrate
