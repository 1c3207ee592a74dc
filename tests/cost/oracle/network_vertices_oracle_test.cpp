// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/ipu/cost/elementwise/norm.h"
#include "models/ipu/cost/elementwise/random.h"
#include "models/ipu/cost/elementwise/select.h"
#include "models/ipu/cost/reductions/pooling.h"
#include "models/ipu/cost/uncalled/arg_reduce.h"
#include "models/ipu/cost/uncalled/norm_statistics.h"
#include "models/ipu/cost/uncalled/select_forms.h"
#include "models/ipu/cost/uncalled/sort.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

// Vertices of the layers of networks that are no products.

namespace ipusim::models {
namespace {

using tests::OracleRow;

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

/// Rows between ';', and items of a row between '+'. A lone '-' is no row.
std::vector<PoolingRow> poolingRows(const std::string& text) {
  std::vector<PoolingRow> rows;
  if (text == "-") return rows;
  for (const std::string& row : split(text, ';')) {
    PoolingRow& items = rows.emplace_back();
    for (const std::string& item : split(row, '+')) items.push_back(std::stoull(item));
  }
  return rows;
}

Cycles poolingOf(const OracleRow& row) {
  static const std::map<std::string, PoolingVertex> kVertices{
      {"MaxPooling", PoolingVertex::Max},
      {"SumPooling", PoolingVertex::Sum},
      {"MaxPoolingGradientScale", PoolingVertex::MaxGradientScale},
      {"MaxPoolingGrad", PoolingVertex::MaxGradient}};
  PoolingShape shape{named(row, "vertex", kVertices),
                     row.number("init_info"),
                     row.number("chans_per_group_d"),
                     row.number("num_chan_groups"),
                     {}};
  for (const std::string& worker : split(row.text("work_items_minus_1"), '|')) {
    shape.work.push_back(poolingRows(worker));
  }
  return poolingCycles(gc200(), shape);
}

TEST(PoolingOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("pooling.csv", poolingOf);
}

Cycles plannedPoolingOf(const OracleRow& row) {
  const bool is_max = row.text("pool_type") == "MAX";
  PoolingVertex vertex = is_max ? PoolingVertex::Max : PoolingVertex::Sum;
  if (is_max && row.text("pass") == "BWD") vertex = PoolingVertex::MaxGradient;
  const std::uint64_t width = gc200().vectorWidth(floatingType(row));
  return plannedPoolingCycles(
      gc200(), {vertex, row.list("field"), row.number("batch"), row.number("chan_groups"),
                row.number("chans_per_group") / width, row.number("stride_x"),
                row.number("kernel_positions")});
}

TEST(PoolingPlanOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("pool_plan.csv", plannedPoolingOf);
}

Cycles normOf(const OracleRow& row) {
  static const std::map<std::string, VarianceOp> kOps{
      {"INV_STD_DEV_TO_VARIANCE", VarianceOp::InverseStdDevToVariance},
      {"VARIANCE_TO_INV_STD_DEV", VarianceOp::VarianceToInverseStdDev}};
  const std::string& vertex = row.text("vertex");
  if (vertex == "InverseStdDeviation") return inverseStdDeviationCycles(row.list("sizes"));
  if (vertex == "BroadcastScalar1DRelationalOpDualOutput") {
    return relationalDualOutputCycles(gc200(), floatingType(row, "out_type"),
                                      row.list("sizes").at(0));
  }
  const bool is_mixed = vertex.find("2Types") != std::string::npos;
  const ElementType type = is_mixed ? ElementType::Float : floatingType(row, "in_type");
  const VarianceKind kind{named(row, "op", kOps), type};
  if (vertex.find("1D") != std::string::npos) {
    return varianceCycles(gc200(), kind, row.list("sizes").at(0));
  }
  return variance2dCycles(kind, row.list("sizes"));
}

TEST(NormOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("norm.csv", normOf);
}

Cycles randomOf(const OracleRow& row) {
  static const std::map<std::string, RandomVertex> kVertices{
      {"Uniform", RandomVertex::Uniform},
      {"Bernoulli", RandomVertex::Bernoulli},
      {"Normal", RandomVertex::Normal},
      {"TruncatedNormal", RandomVertex::TruncatedNormal},
      {"Dropout", RandomVertex::Dropout}};
  RandomShape shape{named(row, "vertex", kVertices), elementType(row), row.number("size")};
  const std::string& parameter = row.text("p0_name");
  if (parameter == "iterations") shape.iterations = row.number("p0");
  if (parameter == "scale") shape.is_scaled = row.text("p0") != "0";
  return randomCycles(gc200(), shape);
}

TEST(RandomOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("random.csv", randomOf);
}

Cycles selectOf(const OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  const std::vector<std::uint64_t> sizes = row.list("sizes");
  const ElementType type = elementType(row);
  if (vertex == "Select") return selectCycles(sizes);
  if (vertex == "SelectInPlace") return selectInPlaceCycles(sizes.size());
  if (vertex == "BroadcastSelect") return broadcastSelectCycles(type, sizes);
  if (vertex.find("BroadcastSelectorSelect") == 0) {
    return broadcastSelectorSelectCycles(type, sizes);
  }
  if (vertex.find("Clamp") == std::string::npos) throw row.unknown("vertex");
  return clampCycles(gc200(), type, sizes);
}

TEST(SelectOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("select_clamp.csv", selectOf);
}

TEST(HeapSortOracle, EqualsThePublishedEstimate) {
  static const std::map<std::string, SortForm> kForms{
      {"HeapSortVertex", SortForm::Keys}, {"HeapSortVertexKV", SortForm::KeysWithValues}};
  tests::expectOracleCycles("heap_sort.csv", [](const OracleRow& row) {
    return heapSortCycles(named(row, "vertex", kForms), row.number("size"));
  });
}

/// A cell such as "16:2:1x1+4x4": comparisons before, those until the first jump, and the entries.
CompareAndSwapWork swapWorkOf(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  CompareAndSwapWork work{std::stoull(parts.at(0)), std::stoull(parts.at(1)), {}};
  for (const std::string& entry : split(parts.at(2), '+')) {
    const std::vector<std::string> numbers = split(entry, 'x');
    work.entries.push_back({std::stoull(numbers.at(0)), std::stoull(numbers.at(1))});
  }
  return work;
}

Cycles compareAndSwapOf(const OracleRow& row) {
  const bool has_values = row.text("vertex") == "CompareAndSwapAtDistanceKeyVal";
  SortForm form = has_values ? SortForm::KeysWithValues : SortForm::Keys;
  if (has_values && row.flag("values_are_secondary_key")) form = SortForm::KeysThenValues;
  CompareAndSwapShape shape{
      form, elementType(row, "key_type"), row.number("distance_to_change_order"), {}};
  const std::string& work = row.text("worklists_initialCount_firstInner_distanceXelems");
  for (const std::string& worker : split(work, '|')) shape.work.push_back(swapWorkOf(worker));
  return compareAndSwapCycles(gc200(), shape);
}

TEST(CompareAndSwapOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("compare_and_swap.csv", compareAndSwapOf);
}

Cycles argReduceOf(const OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  const std::uint64_t size = row.number("size");
  if (vertex == "CalcAccuracy") return accuracyCycles(size);
  const ElementType type = elementType(row);
  if (vertex == "ReduceMaxClassSparse" || vertex == "ReduceMinClassSparse") {
    return classSparseCycles(type, size);
  }
  if (vertex == "ReduceMaxClassGather" || vertex == "ReduceMinClassGather") {
    return classGatherCycles(gc200(), type, size, row.number("worker_size"));
  }
  const TopOrder order = row.flag("sorted") ? TopOrder::Sorted : TopOrder::Any;
  const std::uint64_t largest = row.number("num_k");
  if (vertex == "ReduceMaxNClassSparse") return maxNClassSparseCycles(size, largest, order);
  if (vertex != "ReduceMaxNClassGather") throw row.unknown("vertex");
  return maxNClassGatherCycles(size, row.number("worker_size"), largest, order);
}

TEST(ArgReduceOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("arg_reduce.csv", argReduceOf);
}

}  // namespace
}  // namespace ipusim::models
