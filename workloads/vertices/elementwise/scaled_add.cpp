// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::OperandMemory;
using models::ScaledOp;

namespace {

// Two pointers, the length and the scale. A list of runs also has their number.
// Source: poplibs lib/popops/codelets/ScaledAddSubtract.cpp.
constexpr Bytes kScaledAddStateBytes(12);
constexpr Bytes k2dStateBytes(16);
constexpr Bytes kScaledAddRunBytes(12);

constexpr Words<ScaledOp, 2> kScaledAddOpWords{
    {{ScaledOp::Add, "add"}, {ScaledOp::Subtract, "subtract"}}};
constexpr Words<OperandMemory, 2> kScaledAddMemoryWords{
    {{OperandMemory::Any, "any"}, {OperandMemory::Apart, "apart"}}};

Cycles scaledAddCost(const ScaledAddVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::scaledAddCycles(machine, {shape.kind, runs.elements()});
  return models::scaledAdd2dCycles(machine, {shape.kind, runs.lengths()});
}

void computeScaledAdd(const ScaledAddVertexShape& shape, const VertexData& data) {
  const float scale = shape.kind.op == ScaledOp::Add ? shape.scale : -shape.scale;
  withNumber(shape.kind.a, [&](auto a) {
    withNumber(shape.kind.b, [&](auto b) {
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        auto* sum = data.as<decltype(a)>(0, run);
        mapNumbers(
            shape.runs.lengths()[run], [scale](float x, float y) { return x + scale * y; }, sum,
            data.as<decltype(b)>(1, run), sum);
      }
    });
  });
}

std::string nameFor(const ScaledAddVertexShape& shape) {
  const char* op = shape.kind.op == ScaledOp::Add ? "popops::ScaledAdd" : "popops::ScaledSubtract";
  const char* apart = shape.kind.memory == OperandMemory::Apart ? "true" : "false";
  return op + std::string(shape.runs.isOne() ? "Supervisor<" : "2D<") + nameOf(shape.kind.a) + "," +
         nameOf(shape.kind.b) + ",float,true," + apart + ">";
}

Params paramsOf(const ScaledAddVertexShape& shape) {
  Params params{{"op", wordOf(shape.kind.op, kScaledAddOpWords)},
                {"type", wordOf(shape.kind.a, kNumberWords)},
                {"b_type", wordOf(shape.kind.b, kNumberWords)},
                {"memory", wordOf(shape.kind.memory, kScaledAddMemoryWords)},
                {"scale", shape.scale}};
  shape.runs.appendTo(params);
  return params;
}

VertexType readScaledAdd(const ConfigReader& config, const Architecture& /*machine*/) {
  const ElementType a = readWord(config, "type", kNumberWords);
  const models::ScaledAddKind kind{
      readWord(config, "op", kScaledAddOpWords, ScaledOp::Add), a,
      readWord(config, "b_type", kNumberWords, a),
      readWord(config, "memory", kScaledAddMemoryWords, OperandMemory::Any)};
  return scaledAddVertex({kind, readScale(config, 1), Runs::read(config)});
}

}  // namespace

VertexType scaledAddVertex(ScaledAddVertexShape shape) {
  check(shape.kind.a_pointers == models::PointerLayout::Plain &&
            shape.kind.b_pointers == models::PointerLayout::Plain,
        "ScaledAdd with plain pointers");
  VertexType type;
  type.name = nameFor(shape);
  type.maker = kScaledAddEntry.name;
  type.params = paramsOf(shape);
  type.kind = shape.runs.kind();
  type.fields = {{"A", FieldDirection::InOut, shape.kind.a, shape.runs.groups()},
                 {"B", FieldDirection::Input, shape.kind.b, shape.runs.groups()}};
  if (shape.kind.memory == OperandMemory::Apart) type.fields[0].apart_from = 1;
  type.sizes = {shape.runs.isOne() ? kScaledAddStateBytes : k2dStateBytes,
                shape.runs.tableBytes(kScaledAddRunBytes), kElementwiseCodeBytes};
  // Mixed operands are multiplied and added as floats.
  const bool is_half = shape.kind.a == ElementType::Half && shape.kind.b == ElementType::Half;
  type.work = allMacs(workOn(type.fields, Flops(2 * shape.runs.elements())),
                      is_half ? ElementType::Half : ElementType::Float);
  return withFunctions<ScaledAddVertexShape>(std::move(type), std::move(shape),
                                             {scaledAddCost, computeScaledAdd});
}

const VertexEntry kScaledAddEntry{
    "scaled_add", "A += scale B, ScaledAdd: type, memory, elements, regions", readScaledAdd};

}  // namespace ipusim::workloads
