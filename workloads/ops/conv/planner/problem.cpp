// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ipusim/error.h"
#include "models/ipu/machine/element_words.h"

namespace ipusim::workloads {
namespace {

// Far above any machine's memory, and small enough that all counts of some candidate fit 64 bits.
// Transforms multiply the elements of a convolution, and not those of a product.
constexpr double kMostElements = 1e15;
constexpr double kMostOfProduct = 1e18;

void requireSize(const std::string& name, std::uint64_t size) {
  if (size >= 1 && size <= kMaxConvDimension) return;
  throw ConfigError("convolution: " + name + ": wanted 1 to " + std::to_string(kMaxConvDimension) +
                    ", found " + std::to_string(size));
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
  if (std::max(transform.pad_lower, transform.pad_upper) > kMaxConvDimension) {
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
          kMaxConvDimension ||
      out.trunc_lower + out.trunc_upper > dim.rawOutputs()) {
    throw ConfigError("convolution: more of the output is cut off than there is");
  }
  requireSize("output field", dim.outputs());
}

/// Requires that neither the multiply-adds nor the elements of an operand are too many.
void requireCountable(const ConvProblem& problem) {
  const ConvParams& params = problem.params;
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
  const double most = isProduct(problem.pass) ? kMostOfProduct : kMostElements;
  const double found = std::max({inputs, weights, multiplies});
  if (found <= most) return;
  throw ConfigError(fmt::format("{}: wanted at most {} elements and multiply-adds, found {:.3g}",
                                nounOf(problem), most, found));
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
  requireCountable(problem);
  for (const ElementType type : {params.input, params.output, problem.partials}) {
    if (isReal(type)) continue;
    throw ConfigError(
        fmt::format("{}: wanted types half or float, found {}", nounOf(problem), nameOf(type)));
  }
  const double proportion = problem.available_memory_proportion;
  if (proportion >= 0 && proportion <= kMaxMemoryProportion) return;
  throw ConfigError(fmt::format("{}: wanted an available memory proportion from 0 to {}, found {}",
                                nounOf(problem), kMaxMemoryProportion, proportion));
}

}  // namespace

const char* nounOf(const ConvProblem& problem) {
  return isProduct(problem.pass) ? "matmul" : "convolution";
}

ConvProblem preparedProblem(const ConvProblem& problem) {
  requireKnown(problem);
  ConvProblem result = problem;
  result.params = canonicalConv(problem.params);
  if (sizeOf(result.partials) < sizeOf(result.params.output)) {
    result.partials = result.params.output;
  }
  if (result.params.input == ElementType::Float && result.partials != ElementType::Float) {
    throw ConfigError(fmt::format("{}: wanted partials of float beside inputs of float, found {}",
                                  nounOf(problem), nameOf(result.partials)));
  }
  return result;
}

}  // namespace ipusim::workloads
