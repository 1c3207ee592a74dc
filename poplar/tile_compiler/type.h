// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ipusim::tile_compiler {

/// The two lanes of a worker. Each has its own register file: an operation's lane follows from its
/// file, except that memory, control and moves to the main file are all on the main lane.
enum class Lane : std::uint8_t { Main, Aux };

/// The types that the tile's compiler keeps in registers.
enum class Type : std::uint8_t {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  Pointer,
  F16,
  F32,
  F64,
  V2F16,
  V4F16,
  V2F32,
  V2I16,
  V4I16,
  V2I32,
  V4I8,
};

/// The register file of a value. A double is kept in main registers.
Lane laneOf(Type type);
/// Registers of 32 bits that a value takes; 0 for Void.
unsigned wordsOf(Type type);
/// Bytes of a value in memory; 0 for Void.
unsigned bytesOf(Type type);
/// True for the types of two words that take an even register and the next one.
bool isPair(Type type);
/// True for vectors, of any length.
bool isVector(Type type);
/// The type of an element; a scalar is its own element.
Type elementOf(Type type);
/// True for half and for vectors of halves.
bool isHalf(Type type);
/// The floating-point types, which the aux lane computes; false for double.
bool isFloat(Type type);
/// The type of a name such as "v2f32", or "p" for a pointer; nothing for an unknown name.
std::optional<Type> typeNamed(std::string_view name);

}  // namespace ipusim::tile_compiler
