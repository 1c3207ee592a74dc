// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/tile_compiler/function.h"

// Reads the small language in which tests/oracle/tile_isa.csv writes functions: one statement
// between bars, in static single assignment form.
//
//   x:f32 y:i32 -> f32 | a=as.i32 x | c=and a y | r=as.f32 c | ret r
//
// The head lists the parameters and the result; `vertex` in front names the convention. `loop n {}`
// is a counted loop, whose text gives the statements of a turn and the steps of pointers (`p+=8`).
// A row that shows a loop alone declares its variables, or leaves them to their first use.

namespace ipusim::tests {

/// Throws std::invalid_argument, which names the statement, for text that is not of the language.
tile_compiler::Function parseMini(const std::string& text);

/// How `loop n { }` closes, which is named beside a row rather than in it.
tile_compiler::Function parseMini(const std::string& text, tile_compiler::LoopForm form);

}  // namespace ipusim::tests
