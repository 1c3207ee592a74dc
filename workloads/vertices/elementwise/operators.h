// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/vertices/elementwise/elementwise.h"

// The operators that vertices compute. A row says all that is known of one but its cycles, which
// models/ipu/cost has: configs, vertices, networks, their texts, ONNX and references read it.

namespace ipusim::workloads {

/// The operands that have a result.
enum class Domain : std::uint8_t {
  All,
  Moderate,  ///< those whose result is not beyond the largest number
  Part,      ///< those whose result is a number, such as the positive ones
};

struct UnaryOperator {
  models::UnaryOp op;
  const char* word;  ///< in configs; in capitals, in the vendor's names
  double (*value)(double);
  Domain domain;
  std::function<void(const UnaryOpVertexShape&, const VertexData&)> compute;
};

/// What the elements of a result are.
enum class ResultKind : std::uint8_t {
  Operand,  ///< of the type of the operands
  Truth,    ///< bools
};

struct BinaryOperator {
  models::BinaryOp op;
  const char* word;  ///< in configs and texts of networks; in capitals, in the vendor's names
  const char* onnx;  ///< the ONNX operator; empty where none is the same
  std::function<double(double, double)> value;
  ResultKind result;
  bool commutes;
  Domain domain;
  std::function<void(const BinaryOpVertexShape&, const VertexData&)> compute;
};

/// One row per operator that a vertex computes, but for shifts, which networks do not have.
const std::vector<UnaryOperator>& unaryOperators();
const std::vector<BinaryOperator>& binaryOperators();

/// The row with a word; null where none has it.
template <typename Row>
const Row* rowNamed(const std::vector<Row>& rows, const std::string& word) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.word == word; });
  return found == rows.end() ? nullptr : &*found;
}

/// The row of an operator. Throws InternalError for one that no vertex computes.
const UnaryOperator& operatorOf(models::UnaryOp op);
const BinaryOperator& operatorOf(models::BinaryOp op);
/// The rows of some operators.
std::vector<BinaryOperator> operatorsOf(const std::vector<models::BinaryOp>& ops);

}  // namespace ipusim::workloads
