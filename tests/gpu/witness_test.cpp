// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "models/gpu/kernel.h"
#include "models/gpu/torch_layers.h"
#include "tests/gpu/gpus.h"
#include "tests/support/oracle_csv.h"

// A second program computed the files of witness/ for the same equations. It was written in Python
// before this one and apart from it, with constants close to the fitted ones.

namespace ipusim::gpu {
namespace {

using tests::OracleRow;

constexpr double kSameArithmetic = 1e-12;

template <typename Test>
void forEachRow(const std::string& name, const Test& test) {
  std::ifstream file("tests/gpu/witness/" + name);
  for (const OracleRow& row : tests::parseOracle(file, name)) {
    SCOPED_TRACE(row.where());
    test(row);
  }
}

void expectSeconds(const OracleRow& row, double seconds) {
  EXPECT_NEAR(seconds / row.real("seconds"), 1, kSameArithmetic);
}

Precision precisionOf(const OracleRow& row) {
  return row.text("precision") == "tf32" ? Precision::Tf32 : Precision::Fp32;
}

GemmShape shapeOf(const OracleRow& row) {
  return {row.number("m"), row.number("n"), row.number("k")};
}

TEST(GpuWitness, SeesTheSameProducts) {
  forEachRow("gemm.csv", [](const OracleRow& row) {
    const Layout layout =
        row.text("layout") == "row_major" ? Layout::RowMajor : Layout::TransposedWeights;
    const Breakdown time = gemmTime(witnessGpu(), {shapeOf(row), precisionOf(row), layout});
    expectSeconds(row, time.seconds);
    // A vector's kernel has no tiles.
    const Tiling tiling = time.tiling.value_or(Tiling{});
    EXPECT_EQ(tiling.rows, row.number("rows"));
    EXPECT_EQ(tiling.columns, row.number("columns"));
    EXPECT_EQ(tiling.split, row.number("split"));
    EXPECT_EQ(tiling.waves, row.number("waves"));
  });
}

TEST(GpuWitness, SeesTheSameBatches) {
  forEachRow("batched_gemm.csv", [](const OracleRow& row) {
    GemmShape shape = shapeOf(row);
    shape.batch = row.number("batch");
    expectSeconds(row, batchedGemmTime(witnessGpu(), {shape, Precision::Tf32}).seconds);
  });
}

TEST(GpuWitness, SeesTheSameHandWrittenKernels) {
  forEachRow("thread_gemm.csv", [](const OracleRow& row) {
    const std::uint64_t n = row.number("n");
    const Staging staging = row.text("staging") == "none" ? Staging::None : Staging::SharedMemory;
    expectSeconds(row,
                  threadGemmTime(witnessGpu(), {{n, n, n}, staging, row.number("edge")}).seconds);
  });
}

TEST(GpuWitness, SeesTheSameSparseProducts) {
  forEachRow("csr_spmm.csv", [](const OracleRow& row) {
    const CsrSpmm spmm{row.number("m"), row.number("k"), row.number("n"), row.number("nonzeros")};
    expectSeconds(row, csrSpmmTime(witnessGpu(), spmm).seconds);
  });
}

TEST(GpuWitness, SeesTheSameEagerLayers) {
  forEachRow("layers.csv", [](const OracleRow& row) {
    const LayerShape shape{row.number("width"), row.number("batch"), precisionOf(row)};
    const Program program =
        row.text("layer") == "linear" ? linearLayer(shape) : butterflyLayer(shape);
    const ProgramTime time = programTime(witnessGpu(), program, Host::Eager);
    ASSERT_TRUE(time.total.has_value());
    expectSeconds(row, time.total->seconds);
  });
}

}  // namespace
}  // namespace ipusim::gpu
