// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "ipusim/element_type.h"
#include "models/ipu/cost/data_type.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "tests/support/oracle_csv.h"

namespace ipusim::models {

/// The value that the cell of `column` names. Throws OracleError for a name that is not in
/// `values`.
template <typename Value>
Value named(const tests::OracleRow& row, const char* column,
            const std::map<std::string, Value>& values) {
  const auto found = values.find(row.text(column));
  if (found == values.end()) throw row.unknown(column);
  return found->second;
}

/// Types that a tensor of this project may have.
inline ElementType elementType(const tests::OracleRow& row, const char* column = "type") {
  static const std::map<std::string, ElementType> kTypes{
      {"half", ElementType::Half},
      {"float", ElementType::Float},
      {"int", ElementType::Int32},
      {"unsigned int", ElementType::UInt32},
      {"unsigned short", ElementType::UInt16},
      {"bool", ElementType::Bool},
  };
  return named(row, column, kTypes);
}

/// Types for which vertices have code of their own.
inline ElementType floatingType(const tests::OracleRow& row, const char* column = "type") {
  static const std::map<std::string, ElementType> kTypes{{"half", ElementType::Half},
                                                         {"float", ElementType::Float}};
  return named(row, column, kTypes);
}

/// Types that the estimates know.
inline DataType dataType(const tests::OracleRow& row, const char* column = "type") {
  using Name = DataType::Name;
  static const std::map<std::string, Name> kTypes{
      {"half", Name::Half},
      {"float", Name::Float},
      {"int", Name::Int},
      {"unsigned int", Name::UnsignedInt},
      {"short", Name::Short},
      {"unsigned short", Name::UnsignedShort},
      {"bool", Name::Bool},
      {"char", Name::Char},
      {"signed char", Name::SignedChar},
      {"unsigned char", Name::UnsignedChar},
      {"quarter", Name::Quarter},
      {"long long", Name::LongLong},
      {"unsigned long long", Name::UnsignedLongLong},
  };
  return named(row, column, kTypes);
}

/// Size of an element.
inline Bytes elementSize(const tests::OracleRow& row) {
  return sizeOf(dataType(row));
}

/// The names of vertices of a kind, with the placement of each.
using Placements = std::map<std::string, OpPlacement>;

/// True when the vertex of the row is one of `vertices`.
inline bool isOneOf(const tests::OracleRow& row, const Placements& vertices) {
  return vertices.count(row.text("vertex")) > 0;
}

/// The only size of a vertex on one run.
inline std::uint64_t oneSize(const tests::OracleRow& row, const char* column) {
  const auto sizes = row.list(column);
  if (sizes.size() != 1) throw row.unknown(column);
  return sizes.front();
}

}  // namespace ipusim::models
