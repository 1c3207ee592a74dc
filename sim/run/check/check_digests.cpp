// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check/check_digests.h"

#include <fmt/format.h>

#include "base/text/message.h"
#include "base/text/word_hash.h"
#include "ipusim/error.h"
#include "sim/execute/check.h"

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::Step;

namespace {

std::uint64_t digestOf(const TensorValues& values) {
  return wordHash({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

void expectNumbers(const Executable& executable) {
  if (executable.lowered.depends_on_data) {
    throw ConfigError(
        "check: wanted a program without If, Switch and RepeatWhile, found one that "
        "does what its data say");
  }
  for (const Step& step : executable.lowered.steps) {
    for (const BoundFamily& family : step.families) {
      if (family.type->compute) continue;
      throw ConfigError(
          fmt::format("check: wanted vertices of the table, whose numbers are known, "
                      "found {} in {}",
                      oneLine(family.type->name), oneLine(step.name)));
    }
  }
}

std::vector<double> inputOf(const Variable& variable, std::uint64_t below) {
  return executor::randomValues(variable.type, variable.elements, wordHash(variable.name), below);
}

}  // namespace

std::vector<VariableDigest> digestsOf(const Graph& graph, const Executable& executable,
                                      const std::map<VariableId, std::uint64_t>& below) {
  expectNumbers(executable);
  HostTensors host;
  for (std::size_t v = 0; v < graph.variables().size(); ++v) {
    const Variable& variable = graph.variables()[v];
    if (variable.lifetime != Lifetime::Always || variable.elements == 0) continue;
    const auto id = static_cast<VariableId>(v);
    HostTensor tensor{variable.name, Tensor(id, variable.type, {variable.elements})};
    host.outputs.push_back(tensor);
    if (variable.constant) continue;
    const auto bound = below.find(id);
    tensor.values = inputOf(variable, bound == below.end() ? 1 : bound->second);
    host.inputs.push_back(std::move(tensor));
  }
  const std::vector<TensorValues> found = executor::outputsOf(graph, executable, host);
  std::vector<VariableDigest> digests;
  for (std::size_t o = 0; o < found.size(); ++o) {
    digests.push_back({host.outputs[o].name, found[o].size(), digestOf(found[o])});
  }
  return digests;
}

}  // namespace ipusim::run
