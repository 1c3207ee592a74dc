// SPDX-License-Identifier: Apache-2.0
#include "tests/conv_planner/product_rows.h"

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

ConvPass passOf(const OracleRow& row) {
  static const std::map<std::string, ConvPass> kPasses{
      {"NONE_MATMUL", ConvPass::NoneMatmul},        {"FC_INFERENCE_FWD", ConvPass::FcInferenceFwd},
      {"FC_TRAINING_FWD", ConvPass::FcTrainingFwd}, {"FC_TRAINING_BWD", ConvPass::FcTrainingBwd},
      {"FC_TRAINING_WU", ConvPass::FcTrainingWu},
  };
  const auto found = kPasses.find(row.text("pass"));
  if (found == kPasses.end()) throw row.unknown("pass");
  return found->second;
}

/// The row's method in one spelling. The files have two spellings for the outer product.
std::string methodOf(const OracleRow& row) {
  static const std::map<std::string, std::string> kMethods{
      {"AMP", "AMP"},
      {"HMAC", "HMAC"},
      {"SLIC", "SLIC"},
      {"VMAC", "VMAC"},
      {"OUTER_PRODUCT", "outer product"},
      {"OuterProduct", "outer product"},
  };
  const auto found = kMethods.find(row.text("method"));
  if (found == kMethods.end()) throw row.unknown("method");
  return found->second;
}

std::uint32_t small(const OracleRow& row, const char* column) {
  return static_cast<std::uint32_t>(row.number(column));
}

std::string describedPartition(const ConvPartition& p) {
  std::ostringstream text;
  text << "field " << p.field[1] << ", out " << p.out_chans << " x " << p.out_chans_serial
       << ", in " << p.in_chans << " x " << p.in_chans_serial << ", groups " << p.conv_groups;
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
  problem.combining = GroupCombining::Allowed;
  return problem;
}

bool sameVertex(const OracleRow& row, const ConvVertex& vertex) {
  return nameOf(vertex.method) == methodOf(row) && vertex.conv_units == row.number("conv_units") &&
         vertex.conv_groups_per_group == row.number("conv_groups_per_group") &&
         vertex.in_chans_per_group == row.number("in_chans_per_group") &&
         vertex.partial_chans_per_group == row.number("partial_chans_per_group");
}

ConvPartition productPartitionOf(const OracleRow& row) {
  for (const char* split : {"field_split_0", "batch_split"}) {
    if (row.number(split) != 1) throw row.unknown(split);
  }
  ConvPartition partition;
  partition.field[1] = small(row, "field_split_1");
  partition.out_chans = small(row, "out_chan_split_parallel");
  partition.out_chans_serial = small(row, "out_chan_split_serial");
  partition.in_chans = small(row, "in_chan_split_parallel");
  partition.in_chans_serial = small(row, "in_chan_split_serial");
  partition.conv_groups = small(row, "conv_group_split");
  return partition;
}

bool samePartition(const OracleRow& row, const MatmulPlan& plan) {
  const bool swapped = plan.order == OperandOrder::Swapped;
  return describedPartition(productPartitionOf(row)) == describedPartition(plan.conv.partition) &&
         swapped == row.flag("swap_operands") &&
         plan.conv.transforms.combined_groups == row.number("combine_conv_groups") &&
         sameVertex(row, plan.conv.vertex);
}

void expectProductTerms(const OracleRow& row, const ConvTerms& terms) {
  const auto expect = [&](Cycles term, const char* column) {
    EXPECT_EQ(term, row.cycles(column)) << row.where() << ' ' << column;
  };
  expect(terms.partial_calc, "partial_calc_cycles");
  expect(terms.input_exchange, "input_exchange_cycles");
  expect(terms.weight_exchange, "weight_exchange_cycles");
  expect(terms.reduce_first_exchange, "reduce_first_exchange_cycles");
  expect(terms.reduce_rest_exchange, "reduce_rest_exchange_cycles");
  expect(terms.reduce, "reduce_cycles");
  expect(terms.inputs.copy + terms.weights.copy + terms.output.copy, "transform_copy_cycles");
  expect(terms.inputs.exchange + terms.weights.exchange + terms.output.exchange,
         "transform_exchange_cycles");
  expect(terms.tile_level_transform, "tile_level_transform_cycles");
  expect(terms.dynamic_slice, "dynamic_slice_cycles");
  expect(terms.dynamic_update, "dynamic_update_cycles");
  expect(terms.add_in_place, "add_in_place_cycles");
  expect(terms.output_cast, "output_cast_cycles");
  expect(terms.rearrange_before_slice, "rearrange_before_slice_cycles");
  expect(terms.broadcast_copy + terms.broadcast_exchange, "broadcast_input_before_loop_cycles");
}

std::string describedPlan(const OracleRow& row) {
  std::ostringstream text;
  text << row.text("method") << ' ' << row.text("conv_units") << ' '
       << row.text("in_chans_per_group") << 'x' << row.text("partial_chans_per_group")
       << (row.flag("swap_operands") ? " swapped: " : " as given: ")
       << describedPartition(productPartitionOf(row)) << ": " << row.text("cycles") << " cycles";
  return text.str();
}

std::string describedPlan(const MatmulPlan& plan) {
  std::ostringstream text;
  text << nameOf(plan.conv.vertex.method) << ' ' << plan.conv.vertex.conv_units << ' '
       << plan.conv.vertex.in_chans_per_group << 'x' << plan.conv.vertex.partial_chans_per_group
       << (plan.order == OperandOrder::Swapped ? " swapped: " : " as given: ")
       << describedPartition(plan.conv.partition) << ": " << plan.conv.cycles.value() << " cycles";
  return text.str();
}

}  // namespace ipusim::workloads
