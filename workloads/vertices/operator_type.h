// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/op_placement.h"
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

/// The operator, type and placement that operatorType wrote.
template <typename Kind, std::size_t Ops, std::size_t Types>
Kind readOperator(const ConfigReader& config, const Words<decltype(Kind::op), Ops>& op_words,
                  const Words<ElementType, Types>& type_words) {
  return {readWord(config, "op", op_words), readWord(config, "type", type_words),
          readWord(config, "in_place", kInPlaceWords, models::OpPlacement::OutOfPlace)};
}

}  // namespace ipusim::workloads
