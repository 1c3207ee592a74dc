// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ipusim {

/// Brackets within brackets, and dots in one key, that a config may have.
constexpr std::size_t kMaxNesting = 32;

/// What in a text the TOML parser must not see.
enum class TomlHazard : std::uint8_t {
  None,
  TooDeep,    ///< more than kMaxNesting: the parser and the destructor of its tree recurse
  StrayByte,  ///< neither ASCII nor printable, outside texts and comments, where TOML has no such
              ///< byte: toml++ 3.3 takes some of them for unreachable code
};

struct TomlHazardAt {
  TomlHazard hazard;
  std::size_t line;  ///< from 1
};

/// The first hazard in `text`.
TomlHazardAt findTomlHazard(std::string_view text);

}  // namespace ipusim
