// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/statement_site.h"

#include <fmt/format.h>

namespace ipusim::workloads {

std::uint64_t StatementSite::readOutputs() {
  const std::uint64_t first = arguments.wholeArgument("outputs");
  if (!arguments.hasNumber()) return first;
  if (shape().back() != first) {
    throw statement.error(
        fmt::format("{} inputs of layer {}", first, name),
        fmt::format("{}, the last dimension of {}", shape().back(), textOf(shape())));
  }
  return arguments.wholeArgument("outputs");
}

void StatementSite::expectDimensions(std::size_t dimensions, const std::string& wanted) const {
  if (shape().size() < dimensions) throw statement.error(wanted, textOf(shape()));
}

}  // namespace ipusim::workloads
