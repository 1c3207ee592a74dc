// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/reductions/reduce_kind.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

namespace {

// Two pointers, the counts and the stride.
// Source: poplibs lib/popops/codelets/reduction/*.cpp.
constexpr Bytes kReduceRowsStateBytes(16);
constexpr Bytes kReduceRowsPointerBytes(4);
// Estimated as for poplin's ReduceAdd.
constexpr Bytes kReduceRowsCodeBytes(320);

/// The direction in which a reduction goes.
enum class Along : std::uint8_t { Columns, Rows };
constexpr Words<Along, 2> kAlongWords{{{Along::Columns, "columns"}, {Along::Rows, "rows"}}};

bool isOneEdge(const RowReduction& shape) {
  return shape.stride == shape.outputs;
}

Cycles reduceRowsCost(const RowReduction& shape, const Architecture& machine) {
  if (shape.stride != kNoStride) {
    return models::stridedReduceCycles(machine,
                                       {shape.kind, shape.partials, shape.outputs, shape.stride});
  }
  return models::reduceCycles(
      machine, shape.kind,
      {{shape.outputs, std::vector<std::uint64_t>(shape.partials, shape.outputs)}});
}

/// Each output begins with the first row and takes the others in their order, in float.
void computeReduceRows(const RowReduction& shape, const VertexData& data) {
  withTypes(shape.kind, [&](auto partial, auto output) {
    using Partial = decltype(partial);
    auto* out = data.as<decltype(output)>(0, 0);
    const auto row_of = [&](std::uint64_t row) {
      return isOneEdge(shape) ? data.as<Partial>(1, 0) + row * shape.outputs
                              : data.as<Partial>(1, row);
    };
    const auto begin = [&](float a) { return reducedFirst(shape.kind.op, a); };
    const auto reduce = [&](float a, float b) { return reduced(shape.kind.op, a, b); };
    SomeFloats values;
    for (std::uint64_t first = 0; first < shape.outputs; first += kNumbersAtOnce) {
      const std::uint64_t some = std::min(kNumbersAtOnce, shape.outputs - first);
      mapNumbers(some, begin, row_of(0) + first, values.data());
      for (std::uint64_t r = 1; r < shape.partials; ++r) {
        mapNumbers(some, reduce, values.data(), row_of(r) + first, values.data());
      }
      fromFloats(values.data(), some, out + first);
    }
  });
}

/// Along columns, the partials are rows that are reduced together. Along rows, each output has its
/// own consecutive partials; a vertex of reduceContinuousVertex reduces these.
VertexType readReduceRows(const ConfigReader& config, const Architecture& /*machine*/) {
  const models::ReduceKind kind{readWord(config, "op", kReduceWords, models::ReduceOp::Add),
                                readWord(config, "partials_type", kNumberWords),
                                readWord(config, "type", kNumberWords)};
  const std::uint64_t outputs = readCount(config, "elements");
  const std::uint64_t partials = readCount(config, "partials");
  if (readWord(config, "along", kAlongWords, Along::Columns) == Along::Rows) {
    return reduceContinuousVertex({kind, partials, outputs});
  }
  const std::uint64_t stride = config.whole("stride", kNoStride, kMaxElements, outputs);
  if (stride != kNoStride && stride < outputs) {
    throw config.error("stride", "0 for rows without a common stride, or at least elements");
  }
  return reduceRowsVertex({kind, partials, outputs, stride});
}

}  // namespace

VertexType reduceRowsVertex(const RowReduction& shape) {
  checkKind(shape.kind);
  check(shape.partials > 0 && shape.outputs > 0, "a reduction of nothing");
  check(shape.stride == kNoStride || shape.stride >= shape.outputs, "rows that overlap");
  const bool listed = shape.stride == kNoStride;
  const EdgeGroup partials = isOneEdge(shape) ? EdgeGroup{1, shape.partials * shape.outputs}
                                              : EdgeGroup{shape.partials, shape.outputs};
  VertexType type;
  type.name = nameOfReduction(listed ? "Reduce" : "StridedReduce", shape.kind);
  type.maker = kReduceEntry.name;
  type.params = {{"op", wordOf(shape.kind.op, kReduceWords)},
                 {"along", wordOf(Along::Columns, kAlongWords)},
                 {"type", wordOf(shape.kind.output, kNumberWords)},
                 {"partials_type", wordOf(shape.kind.partials, kNumberWords)},
                 {"elements", shape.outputs},
                 {"partials", shape.partials},
                 {"stride", shape.stride}};
  type.kind = VertexKind::Worker;
  type.fields = {{"out", FieldDirection::Output, shape.kind.output, {{1, shape.outputs}}},
                 {"partials", FieldDirection::Input, shape.kind.partials, {partials}}};
  type.sizes = {kReduceRowsStateBytes, listed ? kReduceRowsPointerBytes * shape.partials : Bytes(0),
                kReduceRowsCodeBytes};
  type.work = workOfReduction(type.fields, shape.kind, shape.partials, shape.outputs);
  return withFunctions<RowReduction>(std::move(type), shape, {reduceRowsCost, computeReduceRows});
}

const VertexEntry kReduceEntry{"reduce",
                               "sum, maximum, minimum or sum of squares of rows or along them, "
                               "StridedReduce and ContinuousReduce: op, along, "
                               "type, partials_type, elements (outputs), partials",
                               readReduceRows};

}  // namespace ipusim::workloads
