// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/units.h"

// What a compiled codelet says about its vertex types: plain data, read from the debug information
// that the compiler writes. Addresses and offsets are of the native code, whose pointers have 4
// bytes as on the tile.

namespace ipusim::codelets {

enum class VertexClass : std::uint8_t {
  Vertex,       ///< compute() runs once, in one worker
  MultiVertex,  ///< compute(worker) runs once in each worker of the tile
  Supervisor    ///< compute() runs once, in the supervisor
};

/// What a field is to the graph.
enum class FieldKind : std::uint8_t {
  Input,
  Output,
  InOut,
  State  ///< a plain member or a Vector without an edge: keeps its value from run to run
};

/// What a field holds, and how its bytes are written. `address` and `count` are std::uint32_t, one
/// after the other, little endian; an address is that of the first element.
enum class FieldShape : std::uint8_t {
  Scalar,     ///< an edge: {address}. State: the value itself, `extent` times
  Vector,     ///< {address, count}; with VectorLayout::OnePtr and the scaled ones only {address}
  VectorList  ///< {address of a table of rows, rows}; OnePtr: only {address}. A row is a Vector
              ///< written as `rows` says
};

/// The layouts that codelets name. Scaled and compact pointers take 4 bytes in native code.
enum class VectorLayout : std::uint8_t {
  NotVector,
  Span,
  ShortSpan,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  CompactPtr,
  DeltaN,
  DeltaNElements,
  CompactDeltaN
};

/// True where the bytes of a vector of this layout end in its count.
constexpr bool hasCount(VectorLayout layout) {
  return layout == VectorLayout::Span || layout == VectorLayout::ShortSpan ||
         layout == VectorLayout::DeltaN || layout == VectorLayout::DeltaNElements ||
         layout == VectorLayout::CompactDeltaN;
}

enum class ElementKind : std::uint8_t { Bool, Signed, Unsigned, Floating, Struct };

/// The type of an element: "float", "half", "unsigned int", "bool", … or the name of a struct.
struct Element {
  std::string name;
  ElementKind kind = ElementKind::Struct;
  std::uint32_t bytes = 0;
};

struct Field {
  std::string name;
  FieldKind kind = FieldKind::State;
  FieldShape shape = FieldShape::Scalar;
  Element element;
  VectorLayout layout = VectorLayout::NotVector;  ///< of the field
  VectorLayout rows = VectorLayout::NotVector;    ///< of the rows of a VectorList
  std::uint32_t extent = 1;     ///< how many elements a plain member has: above 1 for an array
  std::uint32_t min_align = 1;  ///< of the first element; of each row of a VectorList
  bool interleaved = false;     ///< wants interleaved memory
  std::uint32_t offset = 0;     ///< in the struct
  std::uint32_t bytes = 0;      ///< of the field in the struct, tables of rows not among them
};

struct VertexType {
  std::string name;  ///< as addVertex takes it: `Foo`, `ns::Foo`, `Foo<float,true>`
  VertexClass kind = VertexClass::Vertex;
  std::uint32_t bytes = 0;      ///< of the struct
  std::uint32_t alignment = 4;  ///< of the struct
  std::vector<Field> fields;    ///< in the order of the struct, those of base classes first
  std::string file;             ///< where the class is defined
  std::uint32_t line = 0;
  std::string symbol;         ///< of its compute(); empty: declared without code
  bool returns_value = true;  ///< compute() returns bool
  Bytes code_bytes;           ///< of compute() and what it calls, on the tile
  Bytes stack_bytes;

  /// Null where there is no field of that name.
  [[nodiscard]] const Field* field(const std::string& wanted) const;
};

}  // namespace ipusim::codelets
