// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "models/ipu/cost/elementwise/cast.h"
#include "tests/support/oracle_csv.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/gather/planner/vertex_cycles.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

// The rows of sorted indices were made for three indices a row of the table.
constexpr std::uint64_t kIndicesPerRow = 3;

ElementType partType(const OracleRow& row, const char* column) {
  static const std::map<std::string, ElementType> kTypes{{"half", ElementType::Half},
                                                         {"float", ElementType::Float}};
  const auto found = kTypes.find(row.text(column));
  if (found == kTypes.end()) throw row.unknown(column);
  return found->second;
}

Cycles castPart(const OracleRow& row) {
  const auto types = models::castTypes(partType(row, "from_type"), partType(row, "to_type"));
  return models::castCycles(models::gc200(), {types, row.number("elements")});
}

Cycles fillPart(const OracleRow& row) {
  return plannedFillCycles(models::gc200(), {partType(row, "from_type"), row.number("elements")});
}

Cycles combinePart(const OracleRow& row) {
  return plannedCombineCycles(models::gc200(), RowUpdate::Add,
                              {partType(row, "from_type"), row.number("elements")});
}

/// The row counts what the exchange takes too.
Cycles reducePart(const OracleRow& row) {
  static const std::map<std::string, RowUpdate> kUpdates{
      {"ADD", RowUpdate::Add}, {"MAX", RowUpdate::Maximum}, {"MUL", RowUpdate::Multiply}};
  const auto update = kUpdates.find(row.text("op"));
  if (update == kUpdates.end()) throw row.unknown("op");
  const PartialTables partials{update->second, row.number("factor"), row.number("elements")};
  const Cycles exchange(partials.tables > 1 ? partials.tables * reducedElements(partials) : 0);
  EXPECT_EQ(exchange, row.cycles("exchange_cycles")) << row.where();
  return exchange + plannedReduceCycles(models::gc200(), partials);
}

/// The factor is indices:hits.
Cycles updatePart(const OracleRow& row) {
  const auto factor = row.pairs("factor", ':').at(0);
  const ElementType type = partType(row, "from_type");
  const std::uint64_t columns = row.number("elements");
  const bool whole_words =
      (sizeOf(type) * columns).value() % models::gc200().atomic_store.value() == 0;
  return plannedUpdateCycles(
      models::gc200(), RowUpdate::Add,
      {type,
       columns,
       {factor.first, factor.second, row.text("op") == "sorted", kIndicesPerRow},
       factor.first},
      whole_words ? models::SubWordWrites::Avoided : models::SubWordWrites::Needed);
}

Cycles partCycles(const OracleRow& row) {
  static const std::map<std::string, Cycles (*)(const OracleRow&)> kParts{
      {"cast", castPart},
      {"fill", fillPart},
      {"scaled_add", combinePart},
      {"intertile_reduce", reducePart},
      {"multi_update_add_vertex", updatePart}};
  const auto part = kParts.find(row.text("part"));
  if (part == kParts.end()) throw row.unknown("part");
  return part->second(row);
}

TEST(PlannerPartsOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("planner_parts.csv", partCycles);
}

}  // namespace
}  // namespace ipusim::workloads
