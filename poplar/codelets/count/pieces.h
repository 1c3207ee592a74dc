// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Type.h>

#include <vector>

#include "poplar/tile_compiler/type.h"

namespace ipusim::codelets {

/// The types of the tile's registers that hold a value: one for most, several for wide vectors and
/// for structs.
std::vector<tile_compiler::Type> piecesOf(llvm::Type* type);

/// The bits of a constant, by piece; zero for what has no fixed bits.
std::vector<std::uint64_t> bitsOf(const llvm::Constant* constant);

/// The elements that a piece has of a vector's.
unsigned elementsIn(tile_compiler::Type piece);

}  // namespace ipusim::codelets
