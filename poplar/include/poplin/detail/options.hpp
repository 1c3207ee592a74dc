// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "poplar/Type.hpp"
#include "poputil/exceptions.hpp"

// Options that products and convolutions share. Options that change neither the plan nor the
// numbers here are not asked for.

namespace poplin {
namespace detail {

inline poputil::poplibs_error wrongOption(const std::string& name, const std::string& wanted,
                                          const std::string& found) {
  return poputil::poplibs_error("option " + name + ": wanted " + wanted + ", found " + found);
}

/// The value of an option with these choices; the first of them where the option is not set.
/// Throws poplibs_error for another value.
inline std::string choiceOf(const poplar::OptionFlags& options, const std::string& name,
                            const std::vector<std::string>& choices) {
  if (!options.hasFlag(name)) return choices.front();
  const std::string& found = options.at(name);
  std::string all;
  for (const std::string& choice : choices) {
    if (choice == found) return found;
    all += (all.empty() ? "" : ", ") + choice;
  }
  throw wrongOption(name, "one of " + all, found);
}

/// The type of partials: half where it is asked for and operands are half, otherwise float.
inline poplar::detail::TypeId partialsOf(const poplar::OptionFlags& options,
                                         const poplar::Type& input) {
  const bool is_half = choiceOf(options, "partialsType", {"float", "half"}) == "half";
  return is_half && input == poplar::HALF ? poplar::detail::TypeId::Half
                                          : poplar::detail::TypeId::Float;
}

/// The share of a tile's memory that a plan may take. Throws poplibs_error for what is no number.
inline double memoryProportionOf(const poplar::OptionFlags& options) {
  constexpr double kUsual = 0.6;
  const char* const name = "availableMemoryProportion";
  if (!options.hasFlag(name)) return kUsual;
  std::istringstream text(options.at(name));
  text.imbue(std::locale::classic());
  double share = 0;
  if (text >> share && (text >> std::ws).eof()) return share;
  throw wrongOption(name, "a number", options.at(name));
}

}  // namespace detail
}  // namespace poplin
