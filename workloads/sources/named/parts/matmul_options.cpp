// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/matmul_options.h"

#include "base/config/size_error.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

// Sums are held in float. Half partials are rounded when they are stored.
constexpr double kMatmulOptionsFloatTolerance = 1e-5;
constexpr double kMatmulOptionsHalfTolerance = 1e-2;

/// The words of configs for the vertex that multiplies, and those that a plan prints. A fully
/// connected layer takes no others.
constexpr Words<std::optional<ConvMethod>, 7> kProductMethodWords{
    {{std::nullopt, "any"},
     {ConvMethod::Amp, "amp"},
     {ConvMethod::Hmac, "hmac"},
     {ConvMethod::OuterProduct, "outer_product"},
     {ConvMethod::Amp, "AMP"},
     {ConvMethod::Hmac, "HMAC"},
     {ConvMethod::OuterProduct, "outer product"}}};

}  // namespace

MatmulProblem readMatmulOptions(const ConfigReader& config) {
  MatmulProblem problem;
  problem.input = readWord(config, "type", kNumberWords, ElementType::Float);
  problem.output = readWord(config, "output_type", kNumberWords, problem.input);
  problem.partials = readWord(config, "partials_type", kNumberWords, ElementType::Float);
  if (problem.input == ElementType::Float && problem.partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float operands");
  }
  problem.method = readWord(config, "method", kProductMethodWords, std::optional<ConvMethod>{});
  problem.serial = config.choice("serial_splits", {"allowed", "none"}, "allowed") == "none"
                       ? SerialSplits::None
                       : SerialSplits::Allowed;
  problem.available_memory_proportion =
      config.real("available_memory_proportion", 0, kMaxMemoryProportion, kDefaultMemoryProportion);
  return problem;
}

PlanSummary summaryOf(const MatmulPlan& plan) {
  const ConvPartition& p = plan.conv.partition;
  const ConvVertex& vertex = plan.conv.vertex;
  // The planner puts a dimension of size 1 before the row of a product.
  const std::uint32_t field = p.field[1];
  return {{{"method", nameOf(vertex.method)},
           {"weights", plan.order == OperandOrder::Swapped ? "left" : "right"},
           {"partials_type", nameOf(vertex.partials)}},
          {{"conv_units", vertex.conv_units},
           {"in_chans_per_group", vertex.in_chans_per_group},
           {"partial_chans_per_group", vertex.partial_chans_per_group},
           {"field_split", field},
           {"out_chan_split", p.out_chans},
           {"in_chan_split", p.in_chans},
           {"conv_group_split", p.conv_groups},
           {"out_chan_serial_split", p.out_chans_serial},
           {"in_chan_serial_split", p.in_chans_serial},
           {"tiles", p.tiles()}},
          plan.conv.cycles};
}

double peakFlopsPerCycle(const Architecture& machine, const MatmulProblem& problem) {
  return machine.peakFlopsPerCycle(problem.input, problem.partials);
}

Flops matmulFlops(const ConfigReader& config, const MatmulProblem& problem) {
  constexpr double kMatmulOptionsMostFlops = 1e18;
  const double flops = 2.0 * static_cast<double>(problem.groups) * static_cast<double>(problem.m) *
                       static_cast<double>(problem.k) * static_cast<double>(problem.n);
  if (flops > kMatmulOptionsMostFlops)
    throw errorAtLargest(config, "a product of at most 1e18 operations");
  return Flops(2 * problem.groups * problem.m * problem.k * problem.n);
}

void expectPlannable(const ConfigReader& config, const MatmulProblem& problem) {
  constexpr double kMatmulOptionsMostElements = 17179869184.0;  // 2^34
  const auto m = static_cast<double>(problem.m);
  const auto k = static_cast<double>(problem.k);
  const auto n = static_cast<double>(problem.n);
  const double elements = static_cast<double>(problem.groups) * (m * k + k * n + m * n);
  if (elements <= kMatmulOptionsMostElements) return;
  throw errorAtLargest(config, "operands and a result of at most 2^34 elements together");
}

double matmulTolerance(const MatmulProblem& problem) {
  const bool all_float =
      problem.input == ElementType::Float && problem.output == ElementType::Float;
  return all_float ? kMatmulOptionsFloatTolerance : kMatmulOptionsHalfTolerance;
}

std::vector<double> multiplyReference(const MatmulProblem& problem, const std::vector<double>& left,
                                      const std::vector<double>& right) {
  const std::uint64_t m = problem.m;
  const std::uint64_t k = problem.k;
  const std::uint64_t n = problem.n;
  std::vector<double> result(problem.groups * m * n);
  for (std::uint64_t g = 0; g < problem.groups; ++g) {
    addProduct({m, k, n}, left.data() + g * m * k, right.data() + g * k * n,
               result.data() + g * m * n);
  }
  return result;
}

}  // namespace ipusim::workloads
