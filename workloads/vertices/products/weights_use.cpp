// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/products/weights_use.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

namespace ipusim::workloads {

namespace {

/// The value of a parameter; null where the type has none of that name and kind.
template <typename Value>
const Value* param(const VertexType& type, const char* name) {
  const auto found = std::find_if(type.params.begin(), type.params.end(),
                                  [name](const Param& one) { return one.name == name; });
  return found == type.params.end() ? nullptr : std::get_if<Value>(&found->value);
}

}  // namespace

std::uint64_t positionsPerWeights(const VertexType& type) {
  if (param<std::uint64_t>(type, "conv_units") == nullptr) return 0;
  if (const auto* field = param<std::uint64_t>(type, "field")) return *field;
  const auto* engine = param<std::string>(type, "engine");
  const auto* outputs = param<std::vector<std::uint64_t>>(type, "outputs");
  const auto* batch = param<std::uint64_t>(type, "batch");
  if (engine == nullptr || *engine != "amp" || outputs == nullptr || batch == nullptr) return 0;
  return std::accumulate(outputs->begin(), outputs->end(), *batch, std::multiplies<>());
}

}  // namespace ipusim::workloads
