// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/conv_options.h"

#include <array>

#include "models/ipu/machine/element_words.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

namespace {

constexpr Words<ConvLayer::Pass, 4> kPassWords{{{ConvLayer::Pass::Inference, "inference"},
                                                {ConvLayer::Pass::Forward, "forward"},
                                                {ConvLayer::Pass::Backward, "backward"},
                                                {ConvLayer::Pass::WeightUpdate, "weight_update"}}};

/// The words of configs for the vertex that multiplies, and those that a plan prints.
constexpr Words<std::optional<ConvMethod>, 11> kMethodWords{
    {{std::nullopt, "any"},
     {ConvMethod::Amp, "amp"},
     {ConvMethod::Slic, "slic"},
     {ConvMethod::Hmac, "hmac"},
     {ConvMethod::Vmac, "vmac"},
     {ConvMethod::OuterProduct, "outer_product"},
     {ConvMethod::Amp, "AMP"},
     {ConvMethod::Slic, "SLIC"},
     {ConvMethod::Hmac, "HMAC"},
     {ConvMethod::Vmac, "VMAC"},
     {ConvMethod::OuterProduct, "outer product"}}};

/// One number for each dimension of the field.
std::vector<std::uint64_t> readPerDim(const ConfigReader& config, const char* key,
                                      std::uint64_t least, std::size_t dims,
                                      std::uint64_t otherwise) {
  if (!config.has(key)) return std::vector<std::uint64_t>(dims, otherwise);
  std::vector<std::uint64_t> numbers = config.wholes(key, least, kMaxConvDimension);
  if (numbers.size() != dims) {
    throw config.error(key, std::to_string(dims) + " numbers, as `field` has");
  }
  return numbers;
}

void addSplits(PlanSummary& summary, const char* name, const PerDim& splits, std::size_t dims) {
  for (std::size_t d = 0; d < dims; ++d) {
    summary.partition.emplace_back(name + std::to_string(d), splits.at(d));
  }
}

}  // namespace

ConvLayer readConvLayer(const ConfigReader& config) {
  ConvLayer layer;
  layer.pass = readWord(config, "pass", kPassWords, ConvLayer::Pass::Inference);
  const std::vector<std::uint64_t> field = config.wholes("field", 1, kMaxConvDimension);
  const std::size_t dims = field.size();
  if (dims > kMaxFieldDims) throw config.error("field", "1 to 3 sizes");
  WindowMotion& motion = layer.shape.motion;
  motion.stride = readPerDim(config, "stride", 1, dims, 1);
  motion.padding_lower = readPerDim(config, "padding", 0, dims, 0);
  motion.padding_upper = config.has("padding_upper")
                             ? readPerDim(config, "padding_upper", 0, dims, 0)
                             : motion.padding_lower;
  motion.dilation = readPerDim(config, "dilation", 1, dims, 1);
  const std::uint64_t groups = config.whole("groups", 1, kMaxConvDimension, 1);
  layer.shape.groups = groups;
  const std::uint64_t ins = config.whole("in_channels", 1, kMaxConvDimension);
  const std::uint64_t outs = config.whole("out_channels", 1, kMaxConvDimension);
  for (const char* key : {"in_channels", "out_channels"}) {
    if (config.whole(key, 1, kMaxConvDimension) % groups == 0) continue;
    throw config.error(key, "a multiple of the groups, " + std::to_string(groups));
  }
  layer.input = {config.whole("batch", 1, kMaxConvDimension, 1), ins};
  layer.input.insert(layer.input.end(), field.begin(), field.end());
  layer.kernel = {outs, ins / groups};
  for (const std::uint64_t size : readPerDim(config, "kernel", 1, dims, 1)) {
    layer.kernel.push_back(size);
  }
  return layer;
}

ConvProblem readConvOptions(const ConfigReader& config) {
  ConvProblem problem;
  problem.params.input = readWord(config, "type", kNumberWords, ElementType::Float);
  problem.params.output = problem.params.input;
  problem.partials = readWord(config, "partials_type", kNumberWords, ElementType::Float);
  if (problem.params.input == ElementType::Float && problem.partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float operands");
  }
  problem.method = readWord(config, "method", kMethodWords, std::optional<ConvMethod>{});
  problem.weight_load =
      readWord(config, "weight_load_bits", kWeightLoadWords, models::WeightLoad::Bits64);
  problem.available_memory_proportion =
      config.real("available_memory_proportion", 0, kMaxMemoryProportion, kDefaultMemoryProportion);
  return problem;
}

PlanSummary summaryOf(const ConvPlan& plan) {
  const ConvPartition& p = plan.partition;
  const std::size_t dims = plan.transformed.dims.size();
  PlanSummary summary{{{"method", nameOf(plan.vertex.method)},
                       {"swapped", plan.transforms.swap ? "yes" : "no"},
                       {"partials_type", nameOf(plan.vertex.partials)}},
                      {{"conv_units", plan.vertex.conv_units},
                       {"conv_groups_per_group", plan.vertex.conv_groups_per_group},
                       {"in_chans_per_group", plan.vertex.in_chans_per_group},
                       {"partial_chans_per_group", plan.vertex.partial_chans_per_group},
                       {"batch_split", p.batch},
                       {"conv_group_split", p.conv_groups},
                       {"out_chan_split", p.out_chans},
                       {"in_chan_split", p.in_chans},
                       {"out_chan_serial_split", p.out_chans_serial},
                       {"in_chan_serial_split", p.in_chans_serial},
                       {"tiles", p.tiles()}},
                      plan.cycles};
  addSplits(summary, "field_split_", p.field, dims);
  addSplits(summary, "kernel_split_", p.kernel, dims);
  return summary;
}

}  // namespace ipusim::workloads
