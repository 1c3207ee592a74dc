// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/reductions/reduce_kind.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

using models::ContinuousReduceShape;

namespace {

// Two pointers and the counts.
// Source: poplibs lib/popops/codelets/reduction/*.cpp.
constexpr Bytes kReduceContinuousStateBytes(12);
// Estimated as for poplin's ReduceAdd.
constexpr Bytes kReduceContinuousCodeBytes(320);

Cycles reduceContinuousCost(const ContinuousReduceShape& shape, const Architecture& machine) {
  return shape.outputs == 1 ? models::singleReduceCycles(machine, shape)
                            : models::continuousReduceCycles(machine, shape);
}

void computeReduceContinuous(const ContinuousReduceShape& shape, const VertexData& data) {
  withTypes(shape.kind, [&](auto partial, auto output) {
    const auto* row = data.as<decltype(partial)>(1, 0);
    auto* out = data.as<decltype(output)>(0, 0);
    for (std::uint64_t o = 0; o < shape.outputs; ++o, row += shape.partials) {
      float value = reducedFirst(shape.kind.op, static_cast<float>(row[0]));
      for (std::uint64_t p = 1; p < shape.partials; ++p) {
        value = reduced(shape.kind.op, value, static_cast<float>(row[p]));
      }
      out[o] = static_cast<decltype(output)>(value);
    }
  });
}

}  // namespace

VertexType reduceContinuousVertex(const ContinuousReduceShape& shape) {
  checkKind(shape.kind);
  check(shape.partials > 0 && shape.outputs > 0, "a reduction of nothing");
  const std::uint64_t partials = shape.outputs * shape.partials;
  VertexType type;
  type.name = nameOfReduction(shape.outputs == 1 ? "SingleReduce" : "ContinuousReduce", shape.kind);
  type.maker = kReduceEntry.name;
  type.params = {{"op", wordOf(shape.kind.op, kReduceWords)},
                 {"along", "rows"},
                 {"type", wordOf(shape.kind.output, kNumberWords)},
                 {"partials_type", wordOf(shape.kind.partials, kNumberWords)},
                 {"elements", shape.outputs},
                 {"partials", shape.partials}};
  type.kind = VertexKind::Worker;
  type.fields = {{"out", FieldDirection::Output, shape.kind.output, {{1, shape.outputs}}},
                 {"partials", FieldDirection::Input, shape.kind.partials, {{1, partials}}}};
  type.sizes = {kReduceContinuousStateBytes, Bytes(0), kReduceContinuousCodeBytes};
  type.work = workOfReduction(type.fields, shape.kind, shape.partials, shape.outputs);
  return withFunctions<ContinuousReduceShape>(std::move(type), shape,
                                              {reduceContinuousCost, computeReduceContinuous});
}

}  // namespace ipusim::workloads
