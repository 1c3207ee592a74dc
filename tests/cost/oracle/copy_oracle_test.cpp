// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

#include "models/ipu/cost/movement/copy.h"
#include "tests/cost/oracle/oracle_names.h"
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

/// What the vertex of a row copies. None: no copy, or one whose sizes are unknown.
enum class Copied : std::uint8_t { None, Row, Column };

/// Throws OracleError for an unknown approach or vertex.
Copied copiedIn(const tests::OracleRow& row) {
  // The strided copies of the other approaches are of several sizes.
  const auto strided = named<Copied>(row, "approach",
                                     {{"explicitOneTensor", Copied::None},
                                      {"explicitManyTensors", Copied::None},
                                      {"explicitOneTensor2Wave", Copied::Column},
                                      {"explicitOneTensorGroupedDirs", Copied::Column}});
  return named<Copied>(row, "vertex_or_metric",
                       {{"poplar_rt::ShortMemcpy", Copied::Row},
                        {"poplar_rt::Memcpy64Bit", Copied::Row},
                        {"poplar_rt::DstStridedCopyDA32", strided},
                        {"poplar_rt::DstLongStridedCopy", Copied::None},
                        {"popops::Zero<float>", Copied::None},
                        {"popops::Zero2d<float>", Copied::None},
                        {"Fill<float>", Copied::None},
                        {"IncludedHalosApproach<float>", Copied::None},
                        {"[Total cycles]", Copied::None},
                        {"[Tile average compute cycles (excluding idle threads)]", Copied::None},
                        {"[Tile average IPU exchange cycles]", Copied::None},
                        {"[Tile average sync cycles]", Copied::None}});
}

TEST(CopyOracle, IsNearPublishedCopiesOfRowsAndColumns) {
  tests::forEachOracleRow("copies_published.csv", [](const tests::OracleRow& row) {
    const Copied copied = copiedIn(row);
    if (copied == Copied::Row) expectNear(row, kRow, kRowTolerance);
    if (copied == Copied::Column) expectNear(row, kColumn, kColumnTolerance);
  });
}

TEST(CopyOracle, RefusesAnUnknownApproachOrVertex) {
  std::istringstream rows(
      "approach,vertex_or_metric\n"
      "explicitNoTensor,poplar_rt::ShortMemcpy\n"
      "explicitOneTensor,poplar_rt::LongMemcpy\n");
  for (const tests::OracleRow& row : tests::parseOracle(rows, "toy.csv")) {
    EXPECT_THROW(copiedIn(row), tests::OracleError);
  }
}

}  // namespace
}  // namespace ipusim::models
