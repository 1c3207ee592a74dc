// SPDX-License-Identifier: Apache-2.0
#include "tests/embedding_planner/embedding_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

template <typename Value>
Value valueNamed(const OracleRow& row, const char* column,
                 const std::map<std::string, Value>& values) {
  const auto found = values.find(row.text(column));
  if (found == values.end()) throw row.unknown(column);
  return found->second;
}

const std::map<std::string, ElementType>& tableTypes() {
  static const std::map<std::string, ElementType> kTypes{{"half", ElementType::Half},
                                                         {"float", ElementType::Float}};
  return kTypes;
}

std::uint32_t partsOf(const OracleRow& row, const char* column) {
  return static_cast<std::uint32_t>(row.number(column));
}

RowUpdate updateOf(const OracleRow& row) {
  return valueNamed<RowUpdate>(row, "op",
                               {{"add", RowUpdate::Add},
                                {"max", RowUpdate::Maximum},
                                {"mul", RowUpdate::Multiply},
                                {"none", RowUpdate::Replace}});
}

TableUse useOf(const OracleRow& row) {
  return valueNamed<TableUse>(row, "use",
                              {{"slice", TableUse::Slice},
                               {"update", TableUse::Update},
                               {"slice+update", TableUse::SliceAndUpdate}});
}

using Columns = std::vector<std::pair<const char*, std::uint64_t>>;

Columns sliceColumns(const SliceTerms& terms, std::uint64_t steps) {
  return {{"slice_precopy", terms.table_before_steps.value()},
          {"slice0_exchange", terms.table_exchange.value()},
          {"slice0_compute", terms.look_up.value()},
          {"slice1_exchange", terms.candidate_exchange.value()},
          {"slice1_compute", terms.candidate_look_up.value()},
          {"slice_per_serial", terms.step().value()},
          {"slice_total", terms.total(steps).value()}};
}

Columns updateColumns(const UpdateTerms& terms, std::uint64_t steps) {
  return {{"upd_rearrange_base", terms.table_rearrange.value()},
          {"upd_cast_slices", terms.cast_slices.value()},
          {"upd_zero_partials", terms.zero_partials.value()},
          {"upd0_exchange", terms.slice_exchange.value()},
          {"upd0_compute", terms.update.value()},
          {"upd_reduce_exchange", terms.reduce_exchange.value()},
          {"upd_reduce_compute", terms.reduce.value()},
          {"upd_cast_base_pre", terms.cast_table.value()},
          {"upd_final_add", terms.combine.value()},
          {"upd_cast_base_post", terms.cast_table_back.value()},
          {"upd_total", (terms.step() * steps).value()}};
}

Columns planColumns(const EmbeddingTerms& terms, std::uint64_t steps) {
  return {{"base_storage_bytes", terms.table_storage.value()},
          {"exchange_code_bytes", terms.exchange_code.value()},
          {"slice_temp_bytes", terms.slice_temp.value()},
          {"update_temp_bytes", terms.update_temp.value()},
          {"peak_temp_bytes", terms.temp().value()},
          {"total_cycles", terms.total(steps).value()}};
}

}  // namespace

Architecture embeddingMachineOf(const OracleRow& row) {
  static const Machine kFirst = readPreset("gc2");
  static const Machine kSecond = readPreset("gc200-624k");
  Architecture machine = row.text("tiles") == "1216" ? kFirst : kSecond;
  machine.tiles = partsOf(row, "tiles");
  return machine;
}

EmbeddingProblem embeddingProblemOf(const OracleRow& row) {
  EmbeddingProblem problem;
  problem.type = valueNamed(row, "type", tableTypes());
  problem.groups = row.number("group");
  problem.rows = row.number("entries");
  problem.columns = row.number("features");
  problem.indices = row.number("indices");
  problem.use = useOf(row);
  problem.update = updateOf(row);
  if (row.text("partial") != "none") problem.partials = valueNamed(row, "partial", tableTypes());
  problem.available_memory_proportion = row.real("amp");
  problem.distribution = valueNamed<IndexDistribution>(
      row, "distribution",
      {{"uniform", IndexDistribution::Uniform}, {"onePoint", IndexDistribution::OnePoint}});
  problem.order = row.flag("sorted") ? IndexOrder::Sorted : IndexOrder::Any;
  return problem;
}

EmbeddingSplits embeddingSplitsOf(const OracleRow& row) {
  EmbeddingSplits splits;
  splits.serial = row.number("serial_split");
  splits.look_ups = partsOf(row, "lookup_split");
  splits.rows = partsOf(row, "sliced_split");
  splits.columns = partsOf(row, "unsliced_split");
  splits.groups = partsOf(row, "group_split");
  splits.broadcast = row.flag("precopy") ? TableBroadcast::BeforeSteps : TableBroadcast::EachStep;
  return splits;
}

IndexOrder vertexOrderOf(const OracleRow& row) {
  return row.flag("use_ordering") ? IndexOrder::Sorted : IndexOrder::Any;
}

void expectEmbeddingTerms(const OracleRow& row, const EmbeddingTerms& terms) {
  const std::uint64_t steps = row.number("serial_split");
  for (const Columns& columns : {sliceColumns(terms.slice, steps),
                                 updateColumns(terms.update, steps), planColumns(terms, steps)}) {
    for (const auto& [column, ours] : columns) {
      EXPECT_EQ(ours, row.number(column)) << row.where() << ' ' << column;
    }
  }
}

std::string describedEmbedding(const EmbeddingSplits& splits, IndexOrder order) {
  return fmt::format("serial {}, look-ups {}, rows {}, columns {}, groups {}{}{}", splits.serial,
                     splits.look_ups, splits.rows, splits.columns, splits.groups,
                     splits.broadcast == TableBroadcast::BeforeSteps ? ", table first" : "",
                     order == IndexOrder::Sorted ? ", sorted" : "");
}

}  // namespace ipusim::workloads
