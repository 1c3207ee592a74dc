// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ipusim {

/// How deep the brackets of a config may nest, and how many dots a key may have.
constexpr std::size_t kMaxNesting = 32;

/// What the TOML parser must not see in a text.
enum class TomlHazard : std::uint8_t {
  None,
  TooDeep,    ///< deeper than kMaxNesting: the parser and the destructor of its tree recurse
  StrayByte,  ///< neither ASCII nor printable, outside texts and comments, where TOML has no such
              ///< byte: toml++ 3.3 treats some of them as unreachable code
};

struct TomlHazardAt {
  TomlHazard hazard;
  std::size_t line;  ///< counted from 1
};

/// The first hazard in `text`.
TomlHazardAt findTomlHazard(std::string_view text);

}  // namespace ipusim
