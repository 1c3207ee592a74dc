// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poplar/tests/tile_compiler/mini_words.h"
#include "poplar/tile_compiler/function.h"

namespace ipusim::tests {

/// The function that a text builds, and what its names stand for at the place that is read.
class MiniNames {
 public:
  using Type = tile_compiler::Type;
  using ValueId = tile_compiler::ValueId;
  using Operand = tile_compiler::Operand;
  using Extension = tile_compiler::Extension;

  ValueId newValue(Type type, Extension extension = Extension::None) {
    function.values.push_back({type, extension});
    return static_cast<ValueId>(function.values.size() - 1);
  }

  ValueId declare(const std::string& name, Type type, Extension extension = Extension::None) {
    const ValueId id = newValue(type, extension);
    function.parameters.push_back(id);
    names[name] = id;
    return id;
  }

  /// An operand: a name, `@global`, `bits:N`, or a number of that type. A name that is new is a
  /// value from outside the text.
  Operand operand(const std::string& text, Type type) {
    const auto found = names.find(text);
    if (found != names.end()) return Operand::of(found->second);
    if (text[0] == '@') return Operand::address(1 + static_cast<std::uint64_t>(text[1]));
    if (const auto bits = constantBits(text, type)) return Operand::constant(*bits);
    return Operand::of(declare(text, type));
  }

  [[nodiscard]] Type typeOf(const std::string& text, Type otherwise) const {
    const auto found = names.find(text);
    return found == names.end() ? otherwise : function.values[found->second].type;
  }

  /// The type of the first word that names a value.
  [[nodiscard]] Type commonType(const std::vector<std::string>& words, Type otherwise) const {
    for (const std::string& word : words) {
      const Type type = typeOf(word, Type::Void);
      if (type != Type::Void) return type;
    }
    return otherwise;
  }

  tile_compiler::Function function;
  std::map<std::string, ValueId> names;
};

}  // namespace ipusim::tests
