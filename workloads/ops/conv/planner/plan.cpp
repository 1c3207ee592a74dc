// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "ipusim/error.h"
#include "models/ipu/system/element_words.h"
#include "workloads/ops/conv/planner/candidate.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/search.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {
namespace {

constexpr Bytes kNoBound(std::numeric_limits<std::uint64_t>::max());

// A bound of this many tile memories or more is dropped and not doubled.
constexpr std::uint64_t kLargestBound = 2;

// Far above any machine's memory, and small enough that all counts of some candidate fit 64 bits.
constexpr double kMostElements = 1e15;

void requireSize(const std::string& name, std::uint64_t size) {
  if (size >= 1 && size <= kMaxMatmulDimension) return;
  throw ConfigError("convolution: " + name + ": wanted 1 to " +
                    std::to_string(kMaxMatmulDimension) + ", found " + std::to_string(size));
}

/// Requires an operand that has as many elements as are cut off, or more, and a dilation.
void requireOperand(const std::string& name, const OperandTransform& transform,
                    std::uint64_t elements) {
  requireSize(name, elements);
  requireSize(name, transform.dilation);
  if (std::max(transform.trunc_lower, transform.trunc_upper) > elements ||
      transform.trunc_lower + transform.trunc_upper > elements) {
    throw ConfigError("convolution: " + name + ": more is cut off than there is");
  }
  if (std::max(transform.pad_lower, transform.pad_upper) > kMaxMatmulDimension) {
    throw ConfigError("convolution: " + name + ": the padding is too large");
  }
  requireSize("padded " + name, transform.sizeOf(elements));
}

void requireDim(const ConvDim& dim) {
  requireOperand("input field", dim.input, dim.field);
  requireOperand("kernel field", dim.weights, dim.kernel);
  const OutputTransform& out = dim.output;
  requireSize("stride", out.stride);
  if (dim.kernelPositions() > dim.fieldPositions()) {
    throw ConfigError("convolution: the kernel is larger than the padded input");
  }
  if (std::max({out.trunc_lower, out.trunc_upper, out.pad_lower, out.pad_upper}) >
          kMaxMatmulDimension ||
      out.trunc_lower + out.trunc_upper > dim.rawOutputs()) {
    throw ConfigError("convolution: more of the output is cut off than there is");
  }
  requireSize("output field", dim.outputs());
}

/// Requires that neither the multiply-adds nor the elements of an operand are too many.
void requireCountable(const ConvParams& params) {
  const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
  const double each = real(params.groups) * real(params.in_chans);
  double inputs = each * real(params.batch);
  double weights = each * real(params.out_chans);
  double multiplies = inputs * real(params.out_chans);
  for (const ConvDim& dim : params.dims) {
    inputs *= real(dim.field);
    weights *= real(dim.kernel);
    multiplies *= real(dim.outputs()) * real(dim.kernel);
  }
  if (std::max({inputs, weights, multiplies}) > kMostElements) {
    throw ConfigError(
        fmt::format("convolution: wanted at most {} elements and multiply-adds, found {:.3g}",
                    kMostElements, std::max({inputs, weights, multiplies})));
  }
}

void requireKnown(const ConvProblem& problem) {
  const ConvParams& params = problem.params;
  if (params.dims.empty() || params.dims.size() > kMaxFieldDims) {
    throw ConfigError("convolution: wanted 1 to 3 field dimensions, found " +
                      std::to_string(params.dims.size()));
  }
  requireSize("groups", params.groups);
  requireSize("batch", params.batch);
  requireSize("in channels", params.in_chans);
  requireSize("out channels", params.out_chans);
  for (const ConvDim& dim : params.dims) requireDim(dim);
  requireCountable(params);
  for (const ElementType type : {params.input, params.output, problem.partials}) {
    if (isReal(type)) continue;
    throw ConfigError(
        fmt::format("convolution: wanted types half or float, found {}", nameOf(type)));
  }
  const double proportion = problem.available_memory_proportion;
  if (!(proportion > 0 && proportion <= kMaxMemoryProportion)) {
    throw ConfigError(
        fmt::format("convolution: wanted an available memory proportion above 0, and {} at most, "
                    "found {}",
                    kMaxMemoryProportion, proportion));
  }
}

/// The problem in canonical form. Partials are as precise as the output at least.
ConvProblem prepared(const ConvProblem& problem) {
  ConvProblem result = problem;
  result.params = canonicalConv(problem.params);
  if (sizeOf(result.partials) < sizeOf(result.params.output)) {
    result.partials = result.params.output;
  }
  if (result.params.input == ElementType::Float && result.partials != ElementType::Float) {
    throw ConfigError(
        fmt::format("convolution: wanted partials of float beside inputs of float, found {}",
                    nameOf(result.partials)));
  }
  return result;
}

/// The candidates of all transforms, in the order in which the published planner tries them.
struct Candidates {
  std::vector<TransformedConv> convs;
  std::vector<std::size_t> conv_of;  // by candidate
  std::vector<ConvCandidate> all;
};

Candidates candidatesOf(const Architecture& machine, const ConvProblem& problem) {
  Candidates candidates;
  candidates.convs = transformsOf(machine, problem.params);
  for (std::size_t i = 0; i < candidates.convs.size(); ++i) {
    for (ConvCandidate& candidate : candidatesOf(machine, problem, candidates.convs[i])) {
      candidates.all.push_back(candidate);
      candidates.conv_of.push_back(i);
    }
  }
  return candidates;
}

const char* textOf(ElementType type) {
  return type == ElementType::Half ? "half" : "float";
}

/// Requires that some vertex of the problem's method takes the convolution.
void requireMethod(const ConvProblem& problem, bool is_possible) {
  if (is_possible) return;
  check(problem.method.has_value(),
        "some vertex computes any convolution when memory is unbounded");
  throw ConfigError(std::string("convolution: wanted a method that can compute it, found ") +
                    nameOf(*problem.method) + " for " + textOf(problem.params.input) +
                    " data with " + textOf(problem.partials) + " partials; let the planner choose");
}

struct Bounded {
  FoundConvPlan plan;
  Bytes bound;
};

Bounded searchDoubling(const Architecture& machine, const ConvProblem& problem,
                       const std::vector<ConvCandidate>& candidates) {
  Bytes bound = planMemoryBound(machine, problem.available_memory_proportion);
  while (true) {
    if (const auto found = searchConvPlan(machine, candidates, bound)) return {*found, bound};
    requireMethod(problem, bound != kNoBound);
    bound = bound < machine.sram_per_tile * kLargestBound ? bound * 2 : kNoBound;
  }
}

}  // namespace

const char* nameOf(ConvMethod method) {
  switch (method) {
    case ConvMethod::Hmac:
      return "HMAC";
    case ConvMethod::Vmac:
      return "VMAC";
    case ConvMethod::Amp:
      return "AMP";
    case ConvMethod::Slic:
      return "SLIC";
    case ConvMethod::OuterProduct:
      break;
  }
  return "outer product";
}

ConvPlan planConv(const Architecture& machine, const ConvProblem& problem) {
  requireKnown(problem);
  const ConvProblem canonical = prepared(problem);
  const Candidates candidates = candidatesOf(machine, canonical);
  const Bounded found = searchDoubling(machine, canonical, candidates.all);
  const ConvCandidate& candidate = candidates.all.at(found.plan.candidate);
  const TransformedConv& conv = candidates.convs.at(candidates.conv_of.at(found.plan.candidate));
  ConvPlan plan;
  plan.params = canonical.params;
  plan.transforms = conv.transforms;
  plan.transformed = conv.params;
  plan.vertex = candidate.vertex;
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) {
    plan.field_grain.at(i) = candidate.dims.at(i).grain;
  }
  plan.partition = found.plan.point.partition;
  plan.broadcast = found.plan.point.broadcast;
  plan.tile_result = candidate.tile_result;
  plan.terms = convTerms(machine, candidate, found.plan.point);
  plan.cycles = found.plan.cycles;
  plan.temp = found.plan.temp;
  plan.bound = found.bound;
  return plan;
}

}  // namespace ipusim::workloads
