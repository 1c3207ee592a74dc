// SPDX-License-Identifier: Apache-2.0
#include "tests/conv_planner/conv_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <utility>

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

template <typename Value>
Value named(const OracleRow& row, const char* column, const std::map<std::string, Value>& values) {
  const auto found = values.find(row.text(column));
  if (found == values.end()) throw row.unknown(column);
  return found->second;
}

ElementType realType(const OracleRow& row, const char* column) {
  return named<ElementType>(row, column,
                            {{"half", ElementType::Half}, {"float", ElementType::Float}});
}

ConvPass passOf(const OracleRow& row) {
  return named<ConvPass>(row, "pass",
                         {{"NONE", ConvPass::None},
                          {"INFERENCE_FWD", ConvPass::InferenceFwd},
                          {"TRAINING_FWD", ConvPass::TrainingFwd},
                          {"TRAINING_BWD", ConvPass::TrainingBwd},
                          {"TRAINING_WU", ConvPass::TrainingWu}});
}

/// A list with one number per dimension. An empty one has `value` for each of them.
std::vector<std::uint64_t> perDim(const OracleRow& row, const char* column, std::uint64_t value) {
  std::vector<std::uint64_t> numbers = row.list(column);
  if (numbers.empty()) numbers.assign(row.list("in_field").size(), value);
  return numbers;
}

/// The columns of an operand of the canonical convolution.
OperandTransform operandOf(const OracleRow& row, const std::string& prefix, std::size_t dim) {
  const auto at = [&](const char* name) { return row.list(prefix + name).at(dim); };
  return {at("_trunc_lower"), at("_trunc_upper"), at("_dilation"),
          at("_pad_lower"),   at("_pad_upper"),   at("_flip") != 0};
}

ConvDim publishedDim(const OracleRow& row, std::size_t dim) {
  ConvDim result;
  const auto at = [&](const char* name) { return row.list(name).at(dim); };
  result.field = at("p_in_field");
  result.kernel = at("p_kernel");
  result.input = operandOf(row, "p_in", dim);
  result.weights = operandOf(row, "p_k", dim);
  result.output = {at("p_out_trunc_lower"), at("p_out_trunc_upper"), at("p_out_stride"),
                   at("p_out_pad_lower"), at("p_out_pad_upper")};
  return result;
}

DimList dimsOf(const OracleRow& row, const char* column) {
  DimList dims;
  for (const std::uint64_t dim : row.list(column)) dims.push_back(static_cast<std::uint32_t>(dim));
  return dims;
}

/// The flattened dimensions. The file counts the batch as 0.
DimList flattenedOf(const OracleRow& row) {
  DimList dims = dimsOf(row, "flatten_dims");
  if (!dims.empty()) dims.erase(dims.begin());
  for (std::uint32_t& dim : dims) --dim;
  return dims;
}

std::uint32_t small(const OracleRow& row, const char* column) {
  return static_cast<std::uint32_t>(row.number(column));
}

PerDim splitsOf(const OracleRow& row, const char* column) {
  PerDim splits{1, 1, 1};
  const std::vector<std::uint64_t> listed = row.list(column);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    splits.at(i) = static_cast<std::uint32_t>(listed[i]);
  }
  return splits;
}

void write(std::ostream& out, const char* name, const DimList& dims) {
  if (dims.empty()) return;
  out << ' ' << name;
  for (const std::uint32_t dim : dims) out << ' ' << dim;
  out << ',';
}

void write(std::ostream& out, const ConvTransforms& t) {
  if (t.extra_dims > 0) out << " more dimensions " << t.extra_dims << ',';
  write(out, "dilate after", t.dilate_after);
  if (t.swap) out << " swap,";
  write(out, "expand", t.expand);
  write(out, "out-chan-flatten", t.out_chan_flatten);
  write(out, "flatten", t.flatten);
  if (t.combined_groups > 1) out << " combine " << t.combined_groups << ',';
}

void write(std::ostream& out, const ConvVertex& v) {
  static const std::map<ConvMethod, const char*> kNames{{ConvMethod::Hmac, "HMAC"},
                                                        {ConvMethod::Vmac, "VMAC"},
                                                        {ConvMethod::Amp, "AMP"},
                                                        {ConvMethod::Slic, "SLIC"},
                                                        {ConvMethod::OuterProduct, "OuterProduct"}};
  out << ' ' << kNames.at(v.method) << ' ' << v.conv_units << '/' << v.chains << ' '
      << v.conv_groups_per_group << 'x' << v.in_chans_per_group << 'x' << v.partial_chans_per_group
      << " to " << ipusim::nameOf(v.partials) << ',';
}

void write(std::ostream& out, const ConvPoint& point) {
  const ConvPartition& p = point.partition;
  out << " field " << p.field[0] << 'x' << p.field[1] << 'x' << p.field[2] << ", kernel "
      << p.kernel[0] << 'x' << p.kernel[1] << ", batch " << p.batch << ", groups " << p.conv_groups
      << ", out " << p.out_chans << 'x' << p.out_chans_serial << ", in " << p.in_chans << 'x'
      << p.in_chans_serial << (point.broadcast == ConvBroadcast::BeforeLoop ? ", broadcast" : "");
}

}  // namespace

Machine machineOf(const OracleRow& row) {
  Machine machine =
      readPreset(named<std::string>(row, "machine", {{"GC200", "gc200-624k"}, {"GC2", "gc2"}}));
  machine.tiles = small(row, "tiles_per_ipu");
  return machine;
}

ConvParams layerOf(const OracleRow& row) {
  ConvParams params;
  params.groups = row.number("groups");
  params.batch = row.number("batch");
  params.in_chans = row.number("in_chans");
  params.out_chans = row.number("out_chans");
  params.input = realType(row, "input_type");
  params.output = realType(row, "output_type");
  const auto field = row.list("in_field");
  for (std::size_t i = 0; i < field.size(); ++i) {
    ConvDim dim;
    dim.field = field[i];
    dim.kernel = row.list("kernel").at(i);
    dim.output.stride = perDim(row, "stride", 1).at(i);
    dim.weights.dilation = perDim(row, "kernel_dilation", 1).at(i);
    dim.input.dilation = perDim(row, "in_dilation", 1).at(i);
    dim.input.pad_lower = perDim(row, "pad_lower", 0).at(i);
    dim.input.pad_upper = perDim(row, "pad_upper", 0).at(i);
    params.dims.push_back(dim);
  }
  return params;
}

ConvProblem convProblemOf(const OracleRow& row) {
  ConvProblem problem;
  problem.pass = passOf(row);
  problem.params = canonicalConv(layerOf(row));
  if (problem.pass == ConvPass::TrainingBwd) problem.params = backwardConv(layerOf(row));
  if (problem.pass == ConvPass::TrainingWu) problem.params = weightUpdateConv(layerOf(row));
  problem.partials = realType(row, "partials_type");
  problem.available_memory_proportion = row.real("avail_mem_proportion");
  problem.weight_load = named<models::WeightLoad>(row, "option",
                                                  {{"-", models::WeightLoad::Bits64},
                                                   {"tile_expand", models::WeightLoad::Bits64},
                                                   {"ld128", models::WeightLoad::Bits128}});
  return problem;
}

ConvParams publishedParamsOf(const OracleRow& row) {
  ConvParams params;
  params.groups = row.number("groups");
  params.batch = row.number("p_batch");
  params.in_chans = row.number("p_in_chans");
  params.out_chans = row.number("p_out_chans");
  params.input = realType(row, "input_type");
  params.output = realType(row, "output_type");
  for (std::size_t i = 0; i < row.list("p_in_field").size(); ++i) {
    params.dims.push_back(publishedDim(row, i));
  }
  return params;
}

ConvTransforms transformsOf(const OracleRow& row) {
  ConvTransforms transforms;
  transforms.extra_dims = small(row, "extra_field_dims");
  transforms.dilate_after = dimsOf(row, "dilate_post_conv");
  transforms.swap = row.flag("swap_operands");
  transforms.expand = dimsOf(row, "expand_dims");
  transforms.out_chan_flatten = dimsOf(row, "out_chan_flatten_dims");
  transforms.flatten = flattenedOf(row);
  transforms.combined_groups = small(row, "combine_conv_groups");
  return transforms;
}

ConvVertex vertexOf(const OracleRow& row) {
  ConvVertex vertex;
  vertex.method = named<ConvMethod>(row, "method",
                                    {{"AMP", ConvMethod::Amp},
                                     {"HMAC", ConvMethod::Hmac},
                                     {"VMAC", ConvMethod::Vmac},
                                     {"SLIC", ConvMethod::Slic},
                                     {"OuterProduct", ConvMethod::OuterProduct}});
  vertex.conv_units = small(row, "conv_units");
  vertex.chains = small(row, "slic_chains");
  vertex.conv_groups_per_group = small(row, "conv_groups_per_group");
  vertex.in_chans_per_group = small(row, "in_chans_per_group");
  vertex.partial_chans_per_group = small(row, "partial_chans_per_group");
  vertex.partials = realType(row, "types1_partial");
  return vertex;
}

ConvPoint pointOf(const OracleRow& row) {
  ConvPoint point;
  ConvPartition& partition = point.partition;
  partition.field = splitsOf(row, "field_split");
  partition.kernel = splitsOf(row, "kernel_split");
  partition.batch = small(row, "batch_split");
  partition.conv_groups = small(row, "conv_group_split");
  partition.out_chans = small(row, "out_chan_split_parallel");
  partition.in_chans = small(row, "in_chan_split_parallel");
  partition.out_chans_serial = small(row, "out_chan_split_serial");
  partition.in_chans_serial = small(row, "in_chan_split_serial");
  if (row.flag("broadcast_input_before_loop")) point.broadcast = ConvBroadcast::BeforeLoop;
  return point;
}

void expectTerms(const OracleRow& row, const ConvTerms& terms) {
  const std::vector<std::pair<const char*, Cycles>> cycles{
      {"dynamic_slice_cycles", terms.dynamic_slice},
      {"tr_inputs_copy", terms.inputs.copy},
      {"tr_inputs_exchange", terms.inputs.exchange},
      {"tr_weights_copy", terms.weights.copy},
      {"tr_weights_exchange", terms.weights.exchange},
      {"tr_output_copy", terms.output.copy},
      {"tr_output_exchange", terms.output.exchange},
      {"input_exchange_cycles", terms.input_exchange},
      {"weight_exchange_cycles", terms.weight_exchange},
      {"reduce_first_exchange_cycles", terms.reduce_first_exchange},
      {"reduce_rest_exchange_cycles", terms.reduce_rest_exchange},
      {"tile_level_transform_cycles", terms.tile_level_transform},
      {"inputs_cast_cycles", Cycles(0)},
      {"partial_calc_cycles", terms.partial_calc},
      {"reduce_cycles", terms.reduce},
      {"dynamic_update_cycles", terms.dynamic_update},
      {"add_in_place_cycles", terms.add_in_place},
      {"output_cast_cycles", terms.output_cast},
      {"rearrange_before_slice_cycles", Cycles(0)},
      {"broadcast_input_copy_cycles", terms.broadcast_copy},
      {"broadcast_input_exchange_cycles", terms.broadcast_exchange}};
  for (const auto& [column, ours] : cycles) {
    EXPECT_EQ(ours, row.cycles(column)) << row.where() << ' ' << column;
  }
  const std::vector<std::pair<const char*, Bytes>> bytes{
      {"conv_temp_bytes", terms.multiplying_bytes},
      {"tr_inputs_bytes", terms.inputs.bytes},
      {"tr_weights_bytes", terms.weights.bytes},
      {"tr_output_bytes", terms.output.bytes},
      {"transform_temp_bytes", terms.transform_bytes},
      {"tile_level_temp_bytes", terms.tile_level_bytes},
      {"reduce_temp_bytes", terms.reducing_bytes},
      {"add_in_place_temp_bytes", terms.adding_bytes},
      {"broadcast_temp_bytes", terms.broadcast_bytes},
      {"rearrange_temp_bytes", Bytes(0)},
      {"temp_bytes", terms.temp()}};
  for (const auto& [column, ours] : bytes) {
    EXPECT_EQ(ours, Bytes(row.number(column))) << row.where() << ' ' << column;
  }
}

std::string described(const OracleRow& row) {
  std::ostringstream text;
  write(text, transformsOf(row));
  write(text, vertexOf(row));
  write(text, pointOf(row));
  text << ", " << row.number("cycles") << " cycles, " << row.number("temp_bytes") << " B";
  return text.str();
}

std::string described(const ConvPlan& plan) {
  std::ostringstream text;
  write(text, plan.transforms);
  write(text, plan.vertex);
  write(text, {plan.partition, plan.broadcast});
  text << ", " << plan.cycles.value() << " cycles, " << plan.temp.value() << " B";
  return text.str();
}

}  // namespace ipusim::workloads
