// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/select.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Four pointers and the number of runs.
// Estimated as for BinaryOp2D, which has one pointer less.
constexpr Bytes kTernaryOpStateBytes(20);
// Bytes per run: its pointers and its length. The bounds of a clamp are no runs.
constexpr Bytes kSelectRunBytes(20);
constexpr Bytes kClampRunBytes(12);

constexpr Words<TernaryOp, 2> kTernaryOpWords{
    {{TernaryOp::Select, "select"}, {TernaryOp::Clamp, "clamp"}}};

Cycles ternaryOpCost(const TernaryOpVertexShape& shape, const Architecture& machine) {
  if (shape.op == TernaryOp::Select) return models::selectCycles(shape.runs.lengths());
  return models::clampCycles(machine, shape.type, shape.runs.lengths());
}

void select(const TernaryOpVertexShape& shape, const VertexData& data) {
  withElement(shape.type, [&](auto element) {
    using Element = decltype(element);
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      const auto* yes = data.as<Element>(0, run);
      const auto* no = data.as<Element>(1, run);
      const auto* condition = data.as<std::uint8_t>(2, run);
      auto* out = data.as<Element>(3, run);
      for (std::uint64_t e = 0; e < shape.runs.lengths()[run]; ++e) {
        out[e] = condition[e] != 0 ? yes[e] : no[e];
      }
    }
  });
}

void clamp(const TernaryOpVertexShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto low = static_cast<float>(*data.as<Number>(1, 0));
    const auto high = static_cast<float>(*data.as<Number>(2, 0));
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      mapNumbers(
          shape.runs.lengths()[run], [=](float x) { return std::min(std::max(x, low), high); },
          data.as<Number>(0, run), data.as<Number>(3, run));
    }
  });
}

void computeTernaryOp(const TernaryOpVertexShape& shape, const VertexData& data) {
  if (shape.op == TernaryOp::Select) {
    select(shape, data);
  } else {
    clamp(shape, data);
  }
}

std::vector<Field> fieldsOf(const TernaryOpVertexShape& shape) {
  const EdgeGroups groups = shape.runs.groups();
  const EdgeGroups one{{1, 1}};
  const bool is_select = shape.op == TernaryOp::Select;
  return {{"in1", FieldDirection::Input, shape.type, groups},
          {"in2", FieldDirection::Input, shape.type, is_select ? groups : one},
          {"in3", FieldDirection::Input, is_select ? ElementType::Bool : shape.type,
           is_select ? groups : one},
          {"out", FieldDirection::Output, shape.type, groups}};
}

VertexType readTernaryOp(const ConfigReader& config, const Architecture& /*machine*/) {
  const auto op = readWord(config, "op", kTernaryOpWords);
  const auto type = readWord(config, "type", kElementWords);
  if (op == TernaryOp::Clamp && !isFloating(type)) {
    throw config.error("type", "half or float beside op = \"clamp\"");
  }
  return ternaryOpVertex({op, type, Runs::list(Runs::read(config).lengths())});
}

}  // namespace

VertexType ternaryOpVertex(TernaryOpVertexShape shape) {
  check(!shape.runs.isOne(), "runs of one worker");
  const bool is_select = shape.op == TernaryOp::Select;
  VertexType type;
  type.name = std::string(is_select ? "popops::Select<" : "popops::BroadcastClamp<") +
              nameOf(shape.type) + ">";
  type.maker = kTernaryOpEntry.name;
  type.params = {{"op", wordOf(shape.op, kTernaryOpWords)},
                 {"type", wordOf(shape.type, kElementWords)}};
  shape.runs.appendTo(type.params);
  type.kind = shape.runs.kind();
  type.fields = fieldsOf(shape);
  type.sizes = {kTernaryOpStateBytes,
                shape.runs.tableBytes(is_select ? kSelectRunBytes : kClampRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(isFloating(shape.type) ? shape.runs.elements() : 0));
  return withFunctions<TernaryOpVertexShape>(std::move(type), std::move(shape),
                                             {ternaryOpCost, computeTernaryOp});
}

const VertexEntry kTernaryOpEntry{
    "ternary_op",
    "elementwise on three operands, Select and BroadcastClamp: op, type, elements, regions",
    readTernaryOp};

}  // namespace ipusim::workloads
