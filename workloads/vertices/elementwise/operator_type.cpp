// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/elementwise/operator_type.h"

#include "workloads/vertices/params.h"

namespace ipusim::workloads {

VertexType operatorType(const OperatorWords& words, models::OpPlacement placement,
                        const Runs& runs) {
  VertexType type;
  type.name = words.vertex + runs.suffix() +
              (placement == models::OpPlacement::InPlace ? "InPlace<" : "<") + upperCase(words.op) +
              "," + words.type + ">";
  type.params = {
      {"op", words.op}, {"type", words.type}, {"in_place", wordOf(placement, kInPlaceWords)}};
  runs.appendTo(type.params);
  type.kind = runs.kind();
  return type;
}

}  // namespace ipusim::workloads
