// SPDX-License-Identifier: Apache-2.0
#include "tests/planner/plan_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

ElementType realType(const OracleRow& row, const char* column) {
  if (row.text(column) == "half") return ElementType::Half;
  if (row.text(column) == "float") return ElementType::Float;
  throw row.unknown(column);
}

MatmulPass passOf(const OracleRow& row) {
  static const std::map<std::string, MatmulPass> kPasses{
      {"NONE_MATMUL", MatmulPass::NoneMatmul},      {"FC_INFERENCE_FWD", MatmulPass::InferenceFwd},
      {"FC_TRAINING_FWD", MatmulPass::TrainingFwd}, {"FC_TRAINING_BWD", MatmulPass::TrainingBwd},
      {"FC_TRAINING_WU", MatmulPass::TrainingWu},
  };
  const auto found = kPasses.find(row.text("pass"));
  if (found == kPasses.end()) throw row.unknown("pass");
  return found->second;
}

/// AMP has one name for its two vertices.
const char* nameOf(MatmulMethod method) {
  switch (method) {
    case MatmulMethod::Amp:
    case MatmulMethod::AmpNx1:
      return "AMP";
    case MatmulMethod::Hmac:
      return "HMAC";
    case MatmulMethod::Slic:
      return "SLIC";
    case MatmulMethod::Vmac:
      return "VMAC";
    case MatmulMethod::OuterProduct:
      break;
  }
  return "OUTER_PRODUCT";
}

/// The row's method in one spelling. The files have two spellings for the outer product.
std::string methodOf(const OracleRow& row) {
  static const std::map<std::string, std::string> kMethods{
      {"AMP", "AMP"},
      {"HMAC", "HMAC"},
      {"SLIC", "SLIC"},
      {"VMAC", "VMAC"},
      {"OUTER_PRODUCT", "OUTER_PRODUCT"},
      {"OuterProduct", "OUTER_PRODUCT"},
  };
  const auto found = kMethods.find(row.text("method"));
  if (found == kMethods.end()) throw row.unknown("method");
  return found->second;
}

std::uint32_t small(const OracleRow& row, const char* column) {
  return static_cast<std::uint32_t>(row.number(column));
}

std::string describedPartition(const MatmulPartition& p) {
  std::ostringstream text;
  text << "field " << p.field << ", out " << p.out_chans << " x " << p.out_chans_serial << ", in "
       << p.in_chans << " x " << p.in_chans_serial << ", groups " << p.conv_groups;
  return text.str();
}

}  // namespace

MatmulProblem problemOf(const OracleRow& row) {
  MatmulProblem problem;
  problem.groups = row.number("groups");
  problem.m = row.number("m");
  problem.k = row.number("k");
  problem.n = row.number("n");
  problem.input = realType(row, "input_type");
  problem.output = realType(row, "output_type");
  problem.partials = realType(row, "partials_type");
  problem.pass = passOf(row);
  problem.available_memory_proportion = row.real("avail_mem_proportion");
  problem.methods = MethodSet::published();
  problem.combining = GroupCombining::Allowed;
  return problem;
}

bool sameVertex(const OracleRow& row, const VertexMethod& method) {
  return nameOf(method.kind) == methodOf(row) && method.conv_units == row.number("conv_units") &&
         method.conv_groups_per_group == row.number("conv_groups_per_group") &&
         method.in_chans_per_group == row.number("in_chans_per_group") &&
         method.partial_chans_per_group == row.number("partial_chans_per_group");
}

MatmulPartition partitionOf(const OracleRow& row) {
  for (const char* split : {"field_split_0", "batch_split"}) {
    if (row.number(split) != 1) throw row.unknown(split);
  }
  MatmulPartition partition;
  partition.field = small(row, "field_split_1");
  partition.out_chans = small(row, "out_chan_split_parallel");
  partition.out_chans_serial = small(row, "out_chan_split_serial");
  partition.in_chans = small(row, "in_chan_split_parallel");
  partition.in_chans_serial = small(row, "in_chan_split_serial");
  partition.conv_groups = small(row, "conv_group_split");
  partition.field_grain = small(row, "field_grain");
  return partition;
}

bool samePartition(const OracleRow& row, const MatmulPlan& plan) {
  const bool swapped = plan.order == OperandOrder::Swapped;
  return describedPartition(partitionOf(row)) == describedPartition(plan.partition) &&
         swapped == row.flag("swap_operands") &&
         plan.combined_groups == row.number("combine_conv_groups") && sameVertex(row, plan.method);
}

void expectTerms(const OracleRow& row, const PlanTerms& terms) {
  const auto expect = [&](Cycles term, const char* column) {
    EXPECT_EQ(term, row.cycles(column)) << row.where() << ' ' << column;
  };
  expect(terms.partial_calc, "partial_calc_cycles");
  expect(terms.input_exchange, "input_exchange_cycles");
  expect(terms.weight_exchange, "weight_exchange_cycles");
  expect(terms.reduce_first_exchange, "reduce_first_exchange_cycles");
  expect(terms.reduce_rest_exchange, "reduce_rest_exchange_cycles");
  expect(terms.reduce, "reduce_cycles");
  expect(terms.transform_copy, "transform_copy_cycles");
  expect(terms.transform_exchange, "transform_exchange_cycles");
  expect(terms.tile_level_transform, "tile_level_transform_cycles");
  expect(terms.dynamic_slice, "dynamic_slice_cycles");
  expect(terms.dynamic_update, "dynamic_update_cycles");
  expect(terms.add_in_place, "add_in_place_cycles");
  expect(terms.output_cast, "output_cast_cycles");
  expect(terms.rearrange_before_slice, "rearrange_before_slice_cycles");
  expect(terms.broadcast_before_loop, "broadcast_input_before_loop_cycles");
}

std::string describedPlan(const OracleRow& row) {
  std::ostringstream text;
  text << row.text("method") << ' ' << row.text("conv_units") << ' '
       << row.text("in_chans_per_group") << 'x' << row.text("partial_chans_per_group")
       << (row.flag("swap_operands") ? " swapped: " : " as given: ")
       << describedPartition(partitionOf(row)) << ": " << row.text("cycles") << " cycles";
  return text.str();
}

std::string describedPlan(const MatmulPlan& plan) {
  std::ostringstream text;
  text << nameOf(plan.method.kind) << ' ' << plan.method.conv_units << ' '
       << plan.method.in_chans_per_group << 'x' << plan.method.partial_chans_per_group
       << (plan.order == OperandOrder::Swapped ? " swapped: " : " as given: ")
       << describedPartition(plan.partition) << ": " << plan.cycles.value() << " cycles";
  return text.str();
}

}  // namespace ipusim::workloads
