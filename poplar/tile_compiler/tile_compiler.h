// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::tile_compiler {

/// Whether neighbours may share a slot. Alone is how some of the compiler's own tests run.
enum class CoIssue : std::uint8_t { Pairs, Alone };

/// Whether a function with a frame compares its stack with the limit, as popc has it.
enum class StackCheck : std::uint8_t { Off, On };

/// The compiler that is modelled.
struct TileCompiler {
  CoIssue co_issue = CoIssue::Pairs;
  StackCheck stack_check = StackCheck::Off;
};

}  // namespace ipusim::tile_compiler
