// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "ipusim/ids.h"

namespace ipusim::compiler {

struct Loop;

/// What runs at one point of a compiled program: a step, or a loop.
using Control = std::variant<StepId, Loop>;

/// The body runs `iterations` times, at least once.
struct Loop {
  std::uint64_t iterations;
  std::vector<Control> body;
};

/// Calls `visitor` with each StepId and each Loop of `control`, in order. Every walk through a
/// compiled program uses this function. A visitor has one call operator for each alternative of
/// Control, or it does not compile. The operator for a Loop walks the body as often as it wants.
template <typename Visitor>
void walk(const std::vector<Control>& control, Visitor&& visitor) {
  for (const Control& each : control) std::visit(visitor, each);
}

/// The steps in the order of the program; the body of a Loop counts once. The index of a step is
/// its position.
std::vector<StepId> programOrder(const std::vector<Control>& control);

/// How often each of so many steps runs.
std::vector<std::uint64_t> iterationsOf(const std::vector<Control>& control, std::size_t steps);

}  // namespace ipusim::compiler
