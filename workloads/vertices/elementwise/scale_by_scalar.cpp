// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "models/ipu/cost/elementwise/broadcast.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/operator_type.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// Two pointers (one in place), the pointer to the scalar, and the length or the number of runs.
// Source: poplibs lib/popops/codelets/BroadcastScalar*.cpp.
constexpr Bytes kScaleByScalarStateBytes(16);
constexpr Bytes kScaleByScalarInPlaceStateBytes(12);
constexpr Bytes kScaleByScalarRunBytes(12);
constexpr Bytes kScaleByScalarInPlaceRunBytes(8);

Cycles scaleByScalarCost(const ScaleByScalarShape& shape, const Architecture& machine) {
  const models::BinaryOpKind kind{shape.op, shape.type, shape.placement};
  if (shape.runs.isOne()) {
    return models::broadcastScalarCycles(machine, {kind, shape.runs.elements()});
  }
  return models::broadcastScalar2dCycles(
      machine, {kind, models::BroadcastScalars::One, shape.runs.lengths()});
}

/// The operators without a loop of their own here: comparisons, whose results are bools, and such
/// as a quotient or a power.
template <typename Number>
void computeByOperator(const ScaleByScalarShape& shape, const VertexData& data) {
  const BinaryOperator& row = operatorOf(shape.op);
  const auto number = static_cast<double>(static_cast<float>(*data.as<Number>(1, 0)));
  const std::size_t out_field = shape.placement == OpPlacement::InPlace ? 0 : 2;
  const auto value = [&](Number x) {
    return row.value(static_cast<double>(static_cast<float>(x)), number);
  };
  for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
    const auto* in = data.as<Number>(0, run);
    const auto* end = in + shape.runs.lengths()[run];
    if (row.result == ResultKind::Truth) {
      std::transform(in, end, data.as<std::uint8_t>(out_field, run),
                     [&](Number x) { return static_cast<std::uint8_t>(value(x)); });
    } else {
      std::transform(in, end, data.as<Number>(out_field, run),
                     [&](Number x) { return static_cast<Number>(static_cast<float>(value(x))); });
    }
  }
}

void computeScaleByScalar(const ScaleByScalarShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto scale = static_cast<float>(*data.as<Number>(1, 0));
    const std::size_t out_field = shape.placement == OpPlacement::InPlace ? 0 : 2;
    const auto map = [&](const auto& function) {
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        mapNumbers(shape.runs.lengths()[run], function, data.as<Number>(0, run),
                   data.as<Number>(out_field, run));
      }
    };
    switch (shape.op) {
      case models::BinaryOp::Add:
        return map([scale](float x) { return scale + x; });
      case models::BinaryOp::Maximum:
        return map([scale](float x) { return std::max(x, scale); });
      case models::BinaryOp::Minimum:
        return map([scale](float x) { return std::min(x, scale); });
      case models::BinaryOp::Multiply:
        return map([scale](float x) { return scale * x; });
      default:
        return computeByOperator<Number>(shape, data);
    }
  });
}

std::vector<Field> fieldsOf(const ScaleByScalarShape& shape) {
  const EdgeGroups groups = shape.runs.groups();
  const bool in_place = shape.placement == OpPlacement::InPlace;
  std::vector<Field> fields{
      {"data", in_place ? FieldDirection::InOut : FieldDirection::Input, shape.type, groups},
      {"B", FieldDirection::Input, shape.type, {{1, 1}}}};
  if (!in_place) {
    fields.push_back({"out", FieldDirection::Output, resultType(shape.op, shape.type), groups});
  }
  return fields;
}

/// The operators that have a published cost beside one number, in or out of place.
std::vector<BinaryOperator> scalarOperators(ElementType type, OpPlacement placement) {
  std::vector<BinaryOperator> rows;
  for (const BinaryOperator& row : binaryOperators()) {
    if (models::hasLoop({row.op, type, placement}, models::SecondOperand::Scalar)) {
      rows.push_back(row);
    }
  }
  return rows;
}

VertexType readScaleByScalar(const ConfigReader& config, const Architecture& /*machine*/) {
  const ElementType type = readWord(config, "type", kNumberWords);
  const OpPlacement placement =
      readWord(config, "in_place", kInPlaceWords, OpPlacement::OutOfPlace);
  return scaleByScalarVertex(
      {type, placement, Runs::read(config),
       readOperator(config, scalarOperators(type, placement), models::BinaryOp::Multiply)});
}

}  // namespace

VertexType scaleByScalarVertex(ScaleByScalarShape shape) {
  const Runs& runs = shape.runs;
  const bool in_place = shape.placement == OpPlacement::InPlace;
  VertexType type;
  const bool is_comparison = operatorOf(shape.op).result == ResultKind::Truth;
  type.name = "popops::BroadcastScalar" + runs.suffix() + (is_comparison ? "RelationalOp" : "") +
              (runs.isOne() ? "" : "Data") + (in_place ? "InPlace<" : "<") +
              upperCase(operatorOf(shape.op).word) + "," + nameOf(shape.type) + ">";
  type.maker = kScaleByScalarEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"in_place", wordOf(shape.placement, kInPlaceWords)}};
  if (shape.op != models::BinaryOp::Multiply) {
    type.params.push_back({"op", operatorOf(shape.op).word});
  }
  runs.appendTo(type.params);
  type.kind = runs.kind();
  type.fields = fieldsOf(shape);
  type.sizes = {in_place ? kScaleByScalarInPlaceStateBytes : kScaleByScalarStateBytes,
                runs.tableBytes(in_place ? kScaleByScalarInPlaceRunBytes : kScaleByScalarRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(runs.elements()));
  return withFunctions<ScaleByScalarShape>(std::move(type), std::move(shape),
                                           {scaleByScalarCost, computeScaleByScalar});
}

const VertexEntry kScaleByScalarEntry{"scale_by_scalar",
                                      "a number beside each element: times, plus, a comparison and "
                                      "others, BroadcastScalar: op, type, "
                                      "in_place, elements, regions",
                                      readScaleByScalar};

}  // namespace ipusim::workloads
