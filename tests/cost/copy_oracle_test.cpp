// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/ipu/cost/copy.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

// copies_published.csv: cycles that the vendor's model printed for a halo exchange of 100 x 100
// float blocks (copy.h names the source). It does not give sizes: a row of the block is 400 bytes
// in one piece, and a column is 100 floats.

namespace ipusim::models {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Le;

constexpr CopyRun kRow{1, Bytes(400)};
constexpr CopyRun kColumn{100, Bytes(4)};
constexpr double kRowTolerance = 0.15;     // the means of rows and corners, in any proportion
constexpr double kColumnTolerance = 0.02;  // 786 and 801

double slotsOf(const CopyRun& run) {
  return static_cast<double>(copyWorkerCycles(gc200(), run).value());
}

void expectNear(const tests::OracleRow& row, const CopyRun& run, double tolerance) {
  const double published = row.real("cycles_per_instance");
  EXPECT_THAT(slotsOf(run),
              AllOf(Ge(published * (1 - tolerance)), Le(published * (1 + tolerance))));
}

TEST(CopyOracle, IsNearPublishedCopiesOfRowsAndColumns) {
  tests::forEachOracleRow("copies_published.csv", [](const tests::OracleRow& row) {
    const std::string& vertex = row.text("vertex_or_metric");
    const bool whole_columns = row.text("approach") == "explicitOneTensor2Wave" ||
                               row.text("approach") == "explicitOneTensorGroupedDirs";
    if (vertex == "poplar_rt::ShortMemcpy" || vertex == "poplar_rt::Memcpy64Bit") {
      expectNear(row, kRow, kRowTolerance);
    } else if (vertex == "poplar_rt::DstStridedCopyDA32" && whole_columns) {
      expectNear(row, kColumn, kColumnTolerance);
    }
  });
}

}  // namespace
}  // namespace ipusim::models
