// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/error.h"
#include "ipusim/vertex_type.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// The words of an operator's vertex type.
struct OperatorWords {
  const char* vertex;  ///< the vendor's name up to the form: "popops::UnaryOp"
  const char* op;      ///< "add"
  const char* type;    ///< of the operands: "half"
};

/// A vertex type with what operators on one operand and on two have alike: its name, parameters and
/// kind.
VertexType operatorType(const OperatorWords& words, models::OpPlacement placement,
                        const Runs& runs);

/// The row of an operator. Throws InternalError where `rows` has none.
template <typename Row>
const Row& operatorIn(const std::vector<Row>& rows, decltype(Row::op) op) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [op](const Row& one) { return one.op == op; });
  check(found != rows.end(), "an operator that no vertex here computes");
  return *found;
}

/// The operator whose word is at the key "op", or `otherwise` where there is one and no such key.
template <typename Row>
auto readOperator(const ConfigReader& config, const std::vector<Row>& rows,
                  std::optional<decltype(Row::op)> otherwise = std::nullopt) {
  std::vector<std::string> words;
  words.reserve(rows.size());
  for (const Row& one : rows) words.emplace_back(one.word);
  const std::string word = otherwise ? config.choice("op", words, operatorIn(rows, *otherwise).word)
                                     : config.choice("op", words);
  return rowNamed(rows, word)->op;
}

/// The operator, type and placement that operatorType wrote.
template <typename Kind, typename Row, std::size_t Types>
Kind readOperatorKind(const ConfigReader& config, const std::vector<Row>& rows,
                      const Words<ElementType, Types>& type_words) {
  return {readOperator(config, rows), readWord(config, "type", type_words),
          readWord(config, "in_place", kInPlaceWords, models::OpPlacement::OutOfPlace)};
}

}  // namespace ipusim::workloads
