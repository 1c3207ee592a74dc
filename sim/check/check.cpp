// SPDX-License-Identifier: Apache-2.0
#include "sim/check/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sim/base/error.h"
#include "sim/check/element_value.h"
#include "sim/check/execute.h"

namespace ipusim::checker {

using compiler::Executable;
using models::ElementType;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isReal(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

/// In [0, 1). The standard fixes the generator's bits, but not those of its distributions.
double unitReal(std::mt19937_64& generator) {
  constexpr int kMantissaBits = std::numeric_limits<double>::digits;
  return std::ldexp(static_cast<double>(generator() >> (64 - kMantissaBits)), -kMantissaBits);
}

/// Largest relative error first; where nothing but 0 is wanted, any error is infinitely large.
double relativeError(double error, double reference) {
  if (error == 0) return 0;
  return reference == 0 ? kInfinity : error / reference;
}

CheckResult compareOutput(const HostTensor& output, const Values& wanted, const Values& found) {
  check(wanted.size() == found.size(), output.name + ": number of reference values");
  CheckResult result;
  result.output = output.name;
  result.elements = wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!std::isfinite(wanted[i])) throw InternalError(output.name + ": reference is no number");
    const double difference = std::abs(found[i] - wanted[i]);
    double error = kInfinity;
    if (std::isfinite(difference)) error = difference;
    result.max_reference = std::max(result.max_reference, std::abs(wanted[i]));
    if (i != 0 && error <= result.max_error) continue;
    result.max_error = error;
    result.index = i;
    result.wanted = wanted[i];
    result.found = found[i];
  }
  result.relative = relativeError(result.max_error, result.max_reference);
  return result;
}

}  // namespace

Values randomValues(ElementType type, std::uint64_t elements, std::uint64_t seed,
                    std::uint64_t below) {
  std::mt19937_64 generator(seed);
  Values values(elements);
  for (double& value : values) {
    const double unit = unitReal(generator);
    value = isReal(type) ? roundedTo(type, 2 * unit - 1)
                         : std::floor(static_cast<double>(below) * unit);
  }
  return values;
}

CheckResult compareOutputs(const Reference& reference, const std::vector<Values>& wanted,
                           const std::vector<Values>& found) {
  check(wanted.size() == reference.outputs.size(), "number of reference outputs");
  check(found.size() == reference.outputs.size(), "number of outputs found");
  CheckResult worst;
  std::uint64_t elements = 0;
  for (std::size_t o = 0; o < reference.outputs.size(); ++o) {
    CheckResult result = compareOutput(reference.outputs[o], wanted[o], found[o]);
    elements += result.elements;
    if (o == 0 || result.relative > worst.relative) worst = std::move(result);
  }
  worst.elements = elements;
  worst.ok = elements > 0 && worst.relative <= reference.tolerance;
  return worst;
}

CheckResult checkNumbers(const workloads::Graph& graph, const Executable& executable,
                         const Reference& reference) {
  TileMemories memories(executable);
  HostAccess host(graph, executable, memories);
  host.loadConstants();
  std::vector<Values> inputs;
  for (const Input& input : reference.inputs) {
    const workloads::Tensor& tensor = input.tensor.tensor;
    Values values = input.values;
    if (values.empty()) {
      values = randomValues(tensor.type(), tensor.elements(), inputs.size(), input.below);
    }
    for (double& value : values) value = roundedTo(tensor.type(), value);
    host.write(input.tensor, values);
    inputs.push_back(std::move(values));
  }
  // First: it may refuse what would take too long.
  const std::vector<Values> wanted = reference.compute(inputs);
  execute(executable, memories);
  std::vector<Values> found;
  for (const HostTensor& output : reference.outputs) found.push_back(host.read(output));
  return compareOutputs(reference, wanted, found);
}

}  // namespace ipusim::checker
