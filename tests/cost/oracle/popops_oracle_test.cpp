// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/select.h"
#include "models/ipu/cost/movement/one_hot.h"
#include "models/ipu/cost/uncalled/has_nan.h"
#include "models/ipu/cost/uncalled/histogram.h"
#include "models/ipu/cost/uncalled/scalar_multiply.h"
#include "models/ipu/cost/uncalled/small_vertices.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

// Vertices of popops that share a file. Each row names its vertex and its parameters.

namespace ipusim::models {
namespace {

using tests::OracleRow;
using Estimate = Cycles (*)(const OracleRow&);
using Estimates = std::map<std::string, Estimate>;

/// The parameter `name` of a row.
std::uint64_t parameter(const OracleRow& row, const std::string& name) {
  for (const char* const column : {"p0", "p1", "p2"}) {
    if (row.text(column + std::string("_name")) == name) return row.number(column);
  }
  throw row.unknown("p0_name");
}

bool isIndexType(const std::string& type) {
  return type == "int" || type == "unsigned int";
}

/// Such as "unsigned int>half": the types of the indices and of the output.
std::pair<DataType, DataType> oneHotTypes(const OracleRow& row) {
  static const std::map<std::string, DataType> kTypes{{"int", ElementType::Int32},
                                                      {"unsigned int", ElementType::UInt32},
                                                      {"half", ElementType::Half},
                                                      {"float", ElementType::Float}};
  const std::string& types = row.text("type");
  const std::size_t between = types.find('>');
  if (between == std::string::npos) throw row.unknown("type");
  const auto indices = kTypes.find(types.substr(0, between));
  const auto output = kTypes.find(types.substr(between + 1));
  if (indices == kTypes.end() || output == kTypes.end() || !isIndexType(indices->first)) {
    throw row.unknown("type");
  }
  return {indices->second, output->second};
}

Cycles oneHotOf(const OracleRow& row) {
  const auto [indices, output] = oneHotTypes(row);
  return encodeOneHotCycles(indices, output, oneSize(row, "sizes"));
}

Cycles oneHotCustomOf(const OracleRow& row) {
  (void)oneHotTypes(row);
  return encodeOneHotCustomCycles(oneSize(row, "sizes"));
}

HasNaNKind hasNaNKind(const OracleRow& row) {
  return {floatingType(row),
          parameter(row, "nan_or_inf") != 0 ? NonFiniteValues::NaNOrInf : NonFiniteValues::NaN};
}

HistogramKind histogramKind(const OracleRow& row) {
  const bool absolute = parameter(row, "is_absolute") != 0;
  return {floatingType(row), absolute ? HistogramOf::Magnitudes : HistogramOf::Values,
          parameter(row, "histogram_count")};
}

Cycles histogramOf(const OracleRow& row) {
  const bool by_limits = parameter(row, "split_by_limits") != 0;
  return histogramCycles(gc200(), histogramKind(row),
                         by_limits ? HistogramSplit::ByLimits : HistogramSplit::ByData,
                         oneSize(row, "sizes"));
}

Cycles scalarMultiplyOf(const OracleRow& row) {
  if (row.text("type") != "half") throw row.unknown("type");
  return scalarMultiplyCycles(gc200(), oneSize(row, "sizes"));
}

template <OpPlacement Placement>
Cycles scalarMultiply2dOf(const OracleRow& row) {
  if (row.text("type") != "half") throw row.unknown("type");
  return scalarMultiply2dCycles(Placement, row.list("sizes"));
}

Cycles sequenceSliceOf(const OracleRow& row) {
  return sequenceSliceCycles(
      gc200(), {dataType(row), parameter(row, "src_offsets"), parameter(row, "min_dst_src_rows"),
                oneSize(row, "sizes"), parameter(row, "num_sequences")});
}

Cycles intervalOf(const OracleRow& row) {
  return intervalCycles(floatingType(row), oneSize(row, "sizes"));
}

Cycles normaliseOf(const OracleRow& row) {
  return normaliseImageCycles(gc200(), dataType(row), oneSize(row, "sizes"));
}

Cycles iotaOf(const OracleRow& row) {
  if (!isIndexType(row.text("type"))) throw row.unknown("type");
  return iotaCycles(row.list("sizes"));
}

Cycles selectOfPopops(const OracleRow& row) {
  (void)dataType(row);
  return selectCycles(row.list("sizes"));
}

Cycles miscOf(const OracleRow& row) {
  static const Estimates kVertices{
      {"Iota", iotaOf},
      {"Select", selectOfPopops},
      {"Clamp",
       [](const OracleRow& one) {
         return clampCycles(gc200(), elementType(one), one.list("sizes"));
       }},
      {"HasNaNOrInf2D_nan_only",
       [](const OracleRow& one) {
         return hasNaN2dCycles(gc200(), {floatingType(one), NonFiniteValues::NaN},
                               one.list("sizes"));
       }},
  };
  return named(row, "vertex", kVertices)(row);
}

Cycles moreOf(const OracleRow& row) {
  static const Estimates kVertices{
      {"EncodeOneHot", oneHotOf},
      {"EncodeOneHotCustomValues", oneHotCustomOf},
      {"HadamardProd",
       [](const OracleRow& one) {
         return hadamardProductCycles(gc200(), floatingType(one), one.list("sizes"));
       }},
      {"HasNaNOrInf1D",
       [](const OracleRow& one) {
         return hasNaNCycles(gc200(), hasNaNKind(one), oneSize(one, "sizes"));
       }},
      {"HasNaNOrInf2D",
       [](const OracleRow& one) {
         return hasNaN2dCycles(gc200(), hasNaNKind(one), one.list("sizes"));
       }},
      {"Histogram1D", histogramOf},
      {"Histogram2D",
       [](const OracleRow& one) {
         return histogram2dCycles(histogramKind(one), one.list("sizes"));
       }},
      {"ScalarMultiply1D", scalarMultiplyOf},
      {"ScalarMultiply1DInplace", scalarMultiplyOf},
      {"ScalarMultiply2D", scalarMultiply2dOf<OpPlacement::OutOfPlace>},
      {"ScalarMultiply2DInplace", scalarMultiply2dOf<OpPlacement::InPlace>},
      {"NormaliseImage", normaliseOf},
      {"SequenceSlice", sequenceSliceOf},
      {"SelectFromInterval", intervalOf},
      {"UpdateIntervalDEC", intervalOf},
  };
  return named(row, "vertex", kVertices)(row);
}

TEST(PopopsOracle, SmallVerticesEqualThePublishedEstimate) {
  tests::expectOracleCycles("misc_popops.csv", miscOf);
}

TEST(PopopsOracle, MoreVerticesEqualThePublishedEstimate) {
  tests::expectOracleCycles("misc_more.csv", moreOf);
}

}  // namespace
}  // namespace ipusim::models
