// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/scaled_add.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

enum class Form : std::uint8_t { Run, Runs };

struct Vertex {
  ScaledOp op;
  Form form;
};

Vertex vertexOf(const OracleRow& row) {
  static const std::map<std::string, Vertex> kVertices{
      {"ScaledAddSupervisor", {ScaledOp::Add, Form::Run}},
      {"ScaledAdd2D", {ScaledOp::Add, Form::Runs}},
      {"ScaledSubtractSupervisor", {ScaledOp::Subtract, Form::Run}},
      {"ScaledSubtract2D", {ScaledOp::Subtract, Form::Runs}},
      {"aXPlusbYSupervisor", {ScaledOp::AxPlusBy, Form::Run}},
      {"aXPlusbY2D", {ScaledOp::AxPlusBy, Form::Runs}},
      {"aXMinusbYSupervisor", {ScaledOp::AxMinusBy, Form::Run}},
      {"aXMinusbY2D", {ScaledOp::AxMinusBy, Form::Runs}},
      {"XMinusaXPlusbYSupervisor", {ScaledOp::XMinusAxPlusBy, Form::Run}},
      {"XMinusaXPlusbY2D", {ScaledOp::XMinusAxPlusBy, Form::Runs}},
  };
  return named(row, "vertex", kVertices);
}

PointerLayout layout(const OracleRow& row, const char* column) {
  static const std::map<std::string, PointerLayout> kLayouts{
      {"OnePtr", PointerLayout::Plain},
      {"Span", PointerLayout::Plain},
      {"ScaledPtr64", PointerLayout::Scaled64},
      {"ShortSpan", PointerLayout::ShortSpan},
  };
  return named(row, column, kLayouts);
}

ElementType typeNamed(const OracleRow& row, const std::string& name) {
  static const std::map<std::string, ElementType> kTypes{{"half", ElementType::Half},
                                                         {"float", ElementType::Float},
                                                         {"int", ElementType::Int32},
                                                         {"unsigned int", ElementType::UInt32}};
  const auto type = kTypes.find(name);
  if (type == kTypes.end()) throw row.unknown("template_types");
  return type->second;
}

/// "A;B;scale", or "data;scale" when both operands have one type, or "data" when the scale has it
/// too.
ScaledAddKind kindOfTemplate(const OracleRow& row) {
  const std::vector<std::string> types = row.words("template_types");
  if (types.empty() || types.size() > 3) throw row.unknown("template_types");
  ScaledAddKind kind{vertexOf(row).op, typeNamed(row, types.front()), ElementType::Float};
  kind.b = types.size() == 3 ? typeNamed(row, types[1]) : kind.a;
  kind.scale = typeNamed(row, types.back());
  return kind;
}

ScaledAddKind kindOfScaledAdd(const OracleRow& row) {
  if (row.has("template_types")) return kindOfTemplate(row);
  ScaledAddKind kind{vertexOf(row).op, elementType(row, "a_type"), elementType(row, "b_type")};
  kind.scale = elementType(row, "scale_type");
  kind.a_pointers = layout(row, "a_layout");
  kind.b_pointers = layout(row, "b_layout");
  return kind;
}

Cycles scaledAddOf(const OracleRow& row) {
  ScaledAddKind kind = kindOfScaledAdd(row);
  kind.memory = row.flag("mem_constrained") ? OperandMemory::Apart : OperandMemory::Any;
  if (vertexOf(row).form == Form::Runs)
    return scaledAdd2dCycles(gc200(), {kind, row.list("sizes")});
  return scaledAddCycles(gc200(), {kind, oneSize(row, "sizes")});
}

TEST(ScaledAddOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("scaled_add.csv", scaledAddOf);
}

TEST(ScaledAddOracle, OfAllFormsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("scaled_add_more.csv", scaledAddOf);
}

}  // namespace
}  // namespace ipusim::models
