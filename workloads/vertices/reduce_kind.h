// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "ipusim/error.h"
#include "models/ipu/cost/reduce.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

// The common part of the reductions of popops.

namespace ipusim::workloads {

constexpr Words<models::ReduceOp, 2> kReduceWords{
    {{models::ReduceOp::Add, "add"}, {models::ReduceOp::Maximum, "max"}}};

/// Throws InternalError unless a vertex here can compute `kind`.
inline void checkKind(const models::ReduceKind& kind) {
  const bool known = kind.op == models::ReduceOp::Add || kind.op == models::ReduceOp::Maximum;
  check(known && kind.into == models::ReduceInto::Fresh, "a reduction that is not covered");
}

/// The vendor's name for a reduction by `vertex`.
inline std::string nameOfReduction(const char* vertex, const models::ReduceKind& kind) {
  const char* op = kind.op == models::ReduceOp::Add ? "<popops::ReduceAdd," : "<popops::ReduceMax,";
  return std::string("popops::") + vertex + op + nameOf(kind.partials) + "," + nameOf(kind.output) +
         ">";
}

/// Calls `use` with a value of the type of the partials and a value of the type of the outputs.
template <typename Use>
void withTypes(const models::ReduceKind& kind, const Use& use) {
  withNumber(kind.partials,
             [&](auto partial) { withNumber(kind.output, [&](auto out) { use(partial, out); }); });
}

inline float reduced(models::ReduceOp op, float a, float b) {
  return op == models::ReduceOp::Add ? a + b : std::max(a, b);
}

}  // namespace ipusim::workloads
