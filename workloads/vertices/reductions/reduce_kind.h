// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "ipusim/error.h"
#include "ipusim/vertex_type.h"
#include "models/ipu/cost/reductions/reduce.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

// The common part of the reductions of popops.

namespace ipusim::workloads {

constexpr Words<models::ReduceOp, 4> kReduceWords{{{models::ReduceOp::Add, "add"},
                                                   {models::ReduceOp::Maximum, "max"},
                                                   {models::ReduceOp::Minimum, "min"},
                                                   {models::ReduceOp::SquareAdd, "square_add"}}};

/// Throws InternalError unless a vertex here can compute `kind`.
inline void checkKind(const models::ReduceKind& kind) {
  const bool known = kind.op == models::ReduceOp::Add || kind.op == models::ReduceOp::SquareAdd ||
                     kind.op == models::ReduceOp::Maximum || kind.op == models::ReduceOp::Minimum;
  check(known && kind.into == models::ReduceInto::Fresh, "a reduction that is not covered");
}

/// The vendor's name for a reduction by `vertex`.
inline std::string nameOfReduction(const char* vertex, const models::ReduceKind& kind) {
  static constexpr Words<models::ReduceOp, 4> kNames{
      {{models::ReduceOp::Add, "<popops::ReduceAdd,"},
       {models::ReduceOp::Maximum, "<popops::ReduceMax,"},
       {models::ReduceOp::Minimum, "<popops::ReduceMin,"},
       {models::ReduceOp::SquareAdd, "<popops::ReduceSquareAdd,"}}};
  return std::string("popops::") + vertex + wordOf(kind.op, kNames) + nameOf(kind.partials) + "," +
         nameOf(kind.output) + ">";
}

/// The work of a vertex that reduces `partials` partials to each of its outputs. Squares count as
/// work of their own: the first partial is squared, and the others are squared and added.
inline VertexWork workOfReduction(const std::vector<Field>& fields, const models::ReduceKind& kind,
                                  std::uint64_t partials, std::uint64_t outputs) {
  const std::uint64_t added = (partials - 1) * outputs;
  if (kind.op != models::ReduceOp::SquareAdd) return workOn(fields, Flops(added));
  return withMacs(workOn(fields, Flops(added + partials * outputs)), kind.partials, added);
}

/// Calls `use` with a value of the type of the partials and a value of the type of the outputs.
template <typename Use>
void withTypes(const models::ReduceKind& kind, const Use& use) {
  withNumber(kind.partials,
             [&](auto partial) { withNumber(kind.output, [&](auto out) { use(partial, out); }); });
}

/// The result after the first partial, `a`.
inline float reducedFirst(models::ReduceOp op, float a) {
  return op == models::ReduceOp::SquareAdd ? a * a : a;
}

/// The result `a` of earlier partials after one more, `b`.
inline float reduced(models::ReduceOp op, float a, float b) {
  if (op == models::ReduceOp::Maximum) return std::max(a, b);
  if (op == models::ReduceOp::Minimum) return std::min(a, b);
  return a + (op == models::ReduceOp::SquareAdd ? b * b : b);
}

}  // namespace ipusim::workloads
