// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poplar/tile_compiler/function.h"

namespace ipusim::tests {

/// The pieces between separators, without the spaces around them; empty ones are left out.
std::vector<std::string> split(const std::string& text, char separator);
/// The statements; a loop's braces are statements of their own.
std::vector<std::string> statementsOf(const std::string& text);

/// The type of a parameter: `f32`, `p`, `i16s` and `i16z` for small integers whose extension is
/// known. Throws std::invalid_argument for another word.
tile_compiler::Value parameterType(const std::string& text);

/// The bits of `bits:N`, of a whole number, or of a real number of that type; nothing for a name.
std::optional<std::uint64_t> constantBits(const std::string& text, tile_compiler::Type type);

/// The operation of a word such as {"fcmp", "oeq"} or {"gep", "f32"}, with the type of its result
/// where the word gives it. Nothing for an unknown word.
std::optional<tile_compiler::Operation> valueWord(const std::vector<std::string>& name);

/// True for what has no instruction: sin, cos, pow ...
bool isLibraryCall(const std::string& name);

}  // namespace ipusim::tests
