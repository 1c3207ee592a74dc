// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/conv_nx1.h"
#include "models/ipu/cost/products/conv_reduce.h"
#include "models/ipu/cost/products/hmac.h"
#include "models/ipu/cost/products/outer_product.h"
#include "models/ipu/cost/products/slic.h"
#include "models/ipu/cost/products/vmac.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

std::uint32_t small(const OracleRow& row, const char* column) {
  return static_cast<std::uint32_t>(row.number(column));
}

AmpEngine ampEngine(const OracleRow& row) {
  return {elementType(row, "act_type"), elementType(row, "partials_type"), small(row, "conv_units"),
          row.flag("use_128bit_load") ? WeightLoad::Bits128 : WeightLoad::Bits64};
}

Amp1x1Shape amp1x1Shape(const OracleRow& row) {
  return {ampEngine(row),
          row.number("batch") * row.number("field_rows") * row.number("field_cols"),
          row.number("num_conv_groups"),
          row.number("num_in_groups"),
          row.number("num_out_groups"),
          small(row, "out_chans_per_group")};
}

/// The cycles of a vertex, without any around the workers but those of the total's formula.
Cycles innerOf(const OracleRow& row, const char* zeroing, const char* accumulating) {
  const Amp1x1Shape shape = amp1x1Shape(row);
  const auto passes = ceilDiv<std::uint64_t>(shape.out_chans_per_group, shape.engine.conv_units);
  const std::uint64_t each = shape.conv_groups * shape.out_groups * passes;
  return Cycles(each * (row.number(zeroing) + (shape.in_groups - 1) * row.number(accumulating)));
}

TEST(PoplinOracle, Amp1x1EqualsThePublishedEstimate) {
  tests::expectOracleCycles("conv_partial_1x1.csv", [](const OracleRow& row) {
    return amp1x1Cycles(gc200Sdk(), amp1x1Shape(row));
  });
}

TEST(PoplinOracle, Amp1x1PlannerDiffersByItsIdleWorkersOnly) {
  tests::forEachOracleRow("conv_partial_1x1.csv", [](const OracleRow& row) {
    const Cycles vertex = amp1x1Cycles(gc200Sdk(), amp1x1Shape(row));
    const Cycles plan = amp1x1PlanCycles(gc200Sdk(), amp1x1Shape(row));
    EXPECT_EQ(plan + innerOf(row, "inner_cycles_zeroing", "inner_cycles_no_zeroing"),
              vertex + innerOf(row, "planner_inner_zeroing", "planner_inner_no_zeroing"))
        << row.where();
  });
}

TEST(PoplinOracle, AmpWeightLoadEqualsThePublishedEstimate) {
  tests::forEachOracleRow("conv_partial_1x1.csv", [](const OracleRow& row) {
    EXPECT_EQ(ampWeightLoadCycles(gc200Sdk(), ampEngine(row)), row.cycles("weight_load_cycles"))
        << row.where();
  });
}

Cycles zeroOf(const OracleRow& row) {
  return zeroPartialsCycles(gc200Sdk(),
                            {elementType(row, "partials_type"), row.number("zeros_info"),
                             row.number("num_conv_groups") * row.number("num_out_groups")});
}

TEST(PoplinOracle, ConvNx1EqualsThePublishedEstimate) {
  tests::expectOracleCycles("conv_partial_nx1.csv", [](const OracleRow& row) {
    const ConvNx1Shape shape{ampEngine(row),
                             small(row, "amp_kernel_height"),
                             row.number("kernel_outer"),
                             row.number("kernel_inner"),
                             row.number("num_conv_groups"),
                             row.number("num_in_groups"),
                             row.number("num_out_groups"),
                             small(row, "out_chans_per_group")};
    return zeroOf(row) + convNx1Cycles(gc200Sdk(), shape, row.workers("worker_lists"));
  });
}

void expectZeroing(const OracleRow& row) {
  EXPECT_EQ(zeroOf(row), row.cycles("zero_cycles")) << row.where();
}

TEST(PoplinOracle, ZeroingOfConvNx1EqualsThePublishedEstimate) {
  tests::forEachOracleRow("conv_partial_nx1.csv", expectZeroing);
}

TEST(PoplinOracle, ZeroingOfHmacEqualsThePublishedEstimate) {
  tests::forEachOracleRow("conv_hmac.csv", expectZeroing);
}

HmacShape hmacShape(const OracleRow& row) {
  static const std::map<std::string, HmacVariant> kVariants{
      {"ConvPartialHorizontalMac", HmacVariant::General},
      {"ConvPartialHorizontalMac1x1", HmacVariant::OneByOne}};
  return {named(row, "vertex", kVariants),   elementType(row, "act_type"),
          elementType(row, "partials_type"), row.number("kernel_size"),
          row.number("num_conv_groups"),     row.number("num_in_groups"),
          row.number("num_out_groups"),      row.number("in_chans_per_group"),
          row.number("out_chans_per_group")};
}

TEST(PoplinOracle, HmacEqualsThePublishedEstimate) {
  tests::expectOracleCycles("conv_hmac.csv", [](const OracleRow& row) {
    const HmacShape shape = hmacShape(row);
    const Cycles cycles = hmacCycles(gc200Sdk(), shape, row.workers("worker_lists"));
    const bool zeroes = shape.variant == HmacVariant::OneByOne || row.number("zeros_info") > 0;
    return zeroes ? cycles + zeroOf(row) : cycles;
  });
}

TEST(PoplinOracle, HmacDotProductEqualsThePublishedEstimate) {
  tests::forEachOracleRow("conv_hmac.csv", [](const OracleRow& row) {
    EXPECT_EQ(hmacDotProductCycles(gc200Sdk(), hmacShape(row)), row.cycles("dot_product_cycles"))
        << row.where();
  });
}

TEST(PoplinOracle, VmacEqualsThePublishedEstimate) {
  tests::expectOracleCycles("conv_vmac.csv", [](const OracleRow& row) {
    if (row.text("act_type") != "half") throw row.unknown("act_type");
    const VmacShape shape{elementType(row, "partials_type"), row.number("conv_groups_per_group"),
                          row.number("num_conv_groups"), row.number("num_in_groups"),
                          row.number("zeros_info")};
    return vmacCycles(gc200Sdk(), shape, row.workers("worker_lists_numElems"));
  });
}

TEST(PoplinOracle, SlicEqualsThePublishedEstimate) {
  tests::expectOracleCycles("conv_slic.csv", [](const OracleRow& row) {
    if (row.text("act_type") != "half") throw row.unknown("act_type");
    if (row.number("window_width") != 4) throw row.unknown("window_width");
    const SlicShape shape{floatingType(row, "partials_type"), small(row, "num_conv_chains"),
                          row.number("out_stride"),           row.number("conv_groups_per_group"),
                          row.number("chans_per_group"),      row.number("num_conv_group_groups"),
                          row.number("num_sub_kernels")};
    return slicCycles(gc200Sdk(), shape, row.workers("worker_lists"));
  });
}

TEST(PoplinOracle, OuterProductEqualsThePublishedEstimate) {
  tests::expectOracleCycles("outer_product.csv", [](const OracleRow& row) {
    return outerProductCycles(gc200Sdk(),
                              {elementType(row), row.number("width"), row.number("num_channels"),
                               small(row, "chans_per_group")});
  });
}

TEST(PoplinOracle, ReduceAddEqualsThePublishedEstimate) {
  tests::expectOracleCycles("poplin_reduce_add.csv", [](const OracleRow& row) {
    return reduceAddCycles(
        gc200Sdk(),
        {elementType(row, "partials_type"), elementType(row, "out_type"), row.number("out_size"),
         row.number("num_partials"),
         row.flag("single_input") ? ReduceInputs::Single : ReduceInputs::Several,
         row.flag("constrain_partials") ? PartialsMemory::Interleaved : PartialsMemory::Any});
  });
}

ElementType realType(const OracleRow& row, const char* column) {
  return row.flag(column) ? ElementType::Float : ElementType::Half;
}

ReductionDepths depthsOf(const OracleRow& row) {
  const std::uint64_t depth = row.number("reduction_depth");
  if (row.flag("multi_stage")) return reductionDepths(depth);
  return {{depth}, 1};
}

TEST(PoplinOracle, ReductionEqualsThePublishedPlan) {
  tests::expectOracleCycles("conv_reduce_plan.csv", [](const OracleRow& row) {
    const ElementType partials = realType(row, "float_partials");
    const std::uint64_t depth = row.number("reduction_depth");
    // In a loop over in channels the result of one step is cast after the last step.
    const bool cast_later = row.number("in_chan_serial_split") > 1 && depth == 1;
    const ConvReduction reduction{
        partials, cast_later ? partials : realType(row, "float_output"), row.number("output_size"),
        depth, row.flag("fast_reduce") ? PartialsMemory::Interleaved : PartialsMemory::Any};
    Machine machine = gc200Sdk();
    machine.memory_element = Bytes(row.number("memory_element_bytes"));
    return convReductionCycles(machine, reduction, depthsOf(row));
  });
}

/// The field positions of one row that each worker gets: [w n / W, (w + 1) n / W).
WorkerRows piecesOf(std::uint64_t positions) {
  const std::uint64_t workers = gc200Sdk().workers_per_tile;
  WorkerRows rows(workers);
  for (std::uint64_t w = 0; w < workers; ++w) {
    const std::uint64_t piece = (w + 1) * positions / workers - w * positions / workers;
    if (piece > 0) rows[w].push_back(piece);
  }
  return rows;
}

/// Cycles of the vertex of a product planned as SLIC: a kernel of one position, padded to a block.
/// A plan does not say how many chains it has; it has the faster number.
Cycles plannedSlicCycles(const OracleRow& row) {
  const std::uint64_t field = row.flag("swap_operands") ? row.number("n") : row.number("m");
  SlicShape shape{floatingType(row, "partials_type"),
                  2,
                  1,
                  row.number("conv_groups_per_group"),
                  row.number("in_chans_per_group"),
                  ceilDiv(row.number("groups"), row.number("conv_group_split")),
                  1};
  const WorkerRows rows = piecesOf(ceilDiv(field, row.number("field_split_1")));
  const Cycles two_chains = slicCycles(gc200Sdk(), shape, rows);
  if (shape.partials == ElementType::Float) return two_chains;
  shape.chains = 4;
  return std::min(two_chains, slicCycles(gc200Sdk(), shape, rows));
}

TEST(PoplinOracle, SlicOfAPlanEqualsThePublishedTerm) {
  tests::forEachOracleRow("matmul_plan.csv", [](const OracleRow& row) {
    if (row.text("method") != "SLIC") return;
    EXPECT_EQ(plannedSlicCycles(row), row.cycles("partial_calc_cycles")) << row.where();
  });
}

TEST(PoplinOracle, ReductionDepthsEqualThePublishedPlan) {
  tests::forEachOracleRow("conv_reduce_plan.csv", [](const OracleRow& row) {
    const ReductionDepths depths = depthsOf(row);
    const std::vector<std::uint64_t> between(depths.depth.begin() + 1,
                                             depths.depth.begin() + depths.count);
    EXPECT_EQ(between, row.list("stages")) << row.where();
  });
}

}  // namespace
}  // namespace ipusim::models
