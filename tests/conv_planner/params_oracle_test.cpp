// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/conv_planner/conv_rows.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// Expects the published canonical convolution of the row's pass, derived from its layer.
void expectPublishedParams(const OracleRow& row) {
  const ConvParams ours = convProblemOf(row).params;
  const ConvParams published = publishedParamsOf(row);
  EXPECT_TRUE(ours == published) << row.where();
  ASSERT_EQ(ours.dims.size(), published.dims.size()) << row.where();
  for (std::size_t i = 0; i < ours.dims.size(); ++i) {
    EXPECT_TRUE(ours.dims[i] == published.dims[i]) << row.where() << " dimension " << i;
    EXPECT_EQ(ours.dims[i].outputs(), row.list("p_out_field").at(i)) << row.where();
  }
}

TEST(ConvParamsOracle, EveryPassHasThePublishedCanonicalForm) {
  const std::vector<std::string> files = tests::findOracles(kConvPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) tests::forEachOracleRow(file, expectPublishedParams);
}

TEST(ConvParamsOracle, ACanonicalFormIsItsOwn) {
  const std::vector<std::string> files = tests::findOracles(kConvPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) {
    tests::forEachOracleRow(file, [](const OracleRow& row) {
      const ConvParams params = publishedParamsOf(row);
      EXPECT_TRUE(canonicalConv(params) == params) << row.where();
    });
  }
}

}  // namespace
}  // namespace ipusim::workloads
