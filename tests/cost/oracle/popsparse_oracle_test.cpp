// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/products/popsparse_block.h"
#include "models/ipu/cost/products/popsparse_elementwise.h"
#include "models/ipu/cost/uncalled/popsparse_rearrange.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

SparseBuckets buckets(const OracleRow& row) {
  return {row.number("num_buckets"), row.number("num_buckets_with_info_for_pn"),
          row.number("avg_subgroups_per_bucket")};
}

ElementType floatIf(const OracleRow& row, const char* column) {
  return row.flag(column) ? ElementType::Float : ElementType::Half;
}

Cycles elementWise(const OracleRow& row) {
  static const std::map<std::string, SparsePass> kPasses{
      {"SparseDenseMatMulElementWise", SparsePass::Forward},
      {"SparseDenseMatMulGradAElementWise", SparsePass::GradA},
      {"SparseDenseMatMulElementWiseTranspose", SparsePass::Transpose},
      {"SparseDenseMatMulGradWElementWise", SparsePass::GradW},
  };
  return sparseElementCycles(
      gc200(), {named(row, "function", kPasses), floatIf(row, "float_input"), buckets(row),
                row.number(row.has("num_x") ? "num_x" : "num_x_blocks"), row.number("num_z"),
                row.list("num_y")});
}

Cycles block(const OracleRow& row) {
  using BlockEstimate = Cycles (*)(const Architecture&, const SparseBlockShape&);
  static const std::map<std::string, BlockEstimate> kEstimates{
      {"SparseDenseMatMulBlock", sparseBlockCycles},
      {"SparseDenseMatMulBlockGradW", sparseBlockGradWCycles},
      {"SparseDenseMatMulBlockAmpGradW", sparseBlockAmpGradWCycles},
  };
  SparseBlockShape shape{floatIf(row, "float_input"),
                         floatIf(row, "float_partials"),
                         row.number("block_rows"),
                         buckets(row),
                         row.number("num_x_blocks"),
                         row.number("num_z"),
                         row.list(row.has("num_y_blocks") ? "num_y_blocks" : "num_y")};
  if (row.number("block_cols") != shape.block) throw row.unknown("block_cols");
  shape.conv_units = static_cast<std::uint32_t>(row.number("num_conv_units"));
  shape.retains_rows = row.flag("retain_x");
  return named(row, "function", kEstimates)(gc200(), shape);
}

Cycles product(const OracleRow& row) {
  return row.text("function").rfind("SparseDenseMatMulBlock", 0) == 0 ? block(row)
                                                                      : elementWise(row);
}

/// The parameter in `column`; the row must give it that name.
std::uint64_t parameter(const OracleRow& row, const std::string& column, const char* name) {
  if (row.text(column + "_name") != name) throw row.unknown(column + "_name");
  return row.number(column);
}

Cycles rearrangement(const OracleRow& row) {
  const std::string function = row.text("function");
  const ElementType type = floatIf(row, "is_float");
  const auto p = [&row](const char* column, const char* name) {
    return parameter(row, column, name);
  };
  if (function == "SparseGatherElementWise") {
    return sparseGatherCycles(gc200(), type, p("p0", "num_indices"));
  }
  if (function == "BlockTransposeGradW") {
    return sparseBlockTransposeCycles(
        gc200(), {type, p("p0", "block_size_xy"), p("p1", "num_blocks"), p("p2", "num_z")});
  }
  if (function != "getTransposeCycleEstimate") throw row.unknown("function");
  return sparseTransposeCycles(
      gc200(), type, {p("p0", "num_transposes"), p("p1", "src_rows"), p("p2", "src_cols")});
}

TEST(PopsparseOracle, ElementWiseEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popsparse_elementwise.csv", elementWise);
}

TEST(PopsparseOracle, BlockEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popsparse_block.csv", block);
}

TEST(PopsparseOracle, ProductsOnAllPathsEqualThePublishedEstimate) {
  tests::expectOracleCycles("popsparse_more.csv", product);
}

TEST(PopsparseOracle, RearrangementsOnAllPathsEqualThePublishedEstimate) {
  tests::expectOracleCycles("popsparse_misc_more.csv", rearrangement);
}

TEST(PopsparseOracle, RearrangementsEqualThePublishedEstimate) {
  tests::expectOracleCycles("popsparse_misc.csv", rearrangement);
}

}  // namespace
}  // namespace ipusim::models
