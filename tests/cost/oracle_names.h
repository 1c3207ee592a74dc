// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "models/ipu/element_type.h"
#include "tests/support/oracle_csv.h"

namespace ipusim::models {

/// What the cell of `column` names; a row that names nothing in `values` is an OracleError.
template <typename Value>
Value named(const tests::OracleRow& row, const char* column,
            const std::map<std::string, Value>& values) {
  const auto found = values.find(row.text(column));
  if (found == values.end()) throw row.unknown(column);
  return found->second;
}

/// Types that a tensor of ours may have.
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

/// Size of an element, of any type the estimates know.
inline Bytes elementSize(const tests::OracleRow& row) {
  static const std::map<std::string, Bytes> kSizes{
      {"bool", Bytes(1)},           {"char", Bytes(1)},      {"signed char", Bytes(1)},
      {"unsigned char", Bytes(1)},  {"half", Bytes(2)},      {"short", Bytes(2)},
      {"unsigned short", Bytes(2)}, {"float", Bytes(4)},     {"int", Bytes(4)},
      {"unsigned int", Bytes(4)},   {"long long", Bytes(8)}, {"unsigned long long", Bytes(8)},
  };
  return named(row, "type", kSizes);
}

/// The one size of a vertex on one run.
inline std::uint64_t oneSize(const tests::OracleRow& row, const char* column) {
  const auto sizes = row.list(column);
  if (sizes.size() != 1) throw row.unknown(column);
  return sizes.front();
}

}  // namespace ipusim::models
