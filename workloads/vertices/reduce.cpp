// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/reduce.h"

#include <algorithm>

#include "base/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::ReduceOp;

namespace {

// Two pointers, the counts and the stride. Source: poplibs lib/popops/codelets/reduction/*.cpp.
constexpr std::uint64_t kStridedStateBytes = 16;
constexpr std::uint64_t kContinuousStateBytes = 12;
constexpr std::uint64_t kPointerBytes = 4;
// Estimated, as for poplin's ReduceAdd.
constexpr std::uint64_t kCodeBytes = 320;

void checkKind(const models::ReduceKind& kind) {
  const bool known = kind.op == ReduceOp::Add || kind.op == ReduceOp::Maximum;
  check(known && kind.into == models::ReduceInto::Fresh, "a reduction that is not covered");
}

std::string nameOfVertex(const char* vertex, const models::ReduceKind& kind) {
  const char* op = kind.op == ReduceOp::Add ? "<popops::ReduceAdd," : "<popops::ReduceMax,";
  return std::string("popops::") + vertex + op + nameOf(kind.partials) + "," + nameOf(kind.output) +
         ">";
}

/// Calls `use` with a value of the type of the partials and one of that of the outputs.
template <typename Use>
void withTypes(const models::ReduceKind& kind, const Use& use) {
  withNumber(kind.partials,
             [&](auto partial) { withNumber(kind.output, [&](auto out) { use(partial, out); }); });
}

float reduced(ReduceOp op, float a, float b) {
  return op == ReduceOp::Add ? a + b : std::max(a, b);
}

}  // namespace

ReduceRows::ReduceRows(const RowReduction& shape) : shape_(shape) {
  checkKind(shape.kind);
  check(shape.partials > 0 && shape.outputs > 0, "a reduction of nothing");
  check(shape.stride == kNoStride || shape.stride >= shape.outputs, "rows that overlap");
  const EdgeGroup partials = isOneEdge() ? EdgeGroup{1, shape.partials * shape.outputs}
                                         : EdgeGroup{shape.partials, shape.outputs};
  fields_ = {{"out", FieldDirection::Output, shape.kind.output, {{1, shape.outputs}}},
             {"partials", FieldDirection::Input, shape.kind.partials, {partials}}};
}

std::string ReduceRows::name() const {
  return nameOfVertex(shape_.stride == kNoStride ? "Reduce" : "StridedReduce", shape_.kind);
}

Cycles ReduceRows::cycles(const models::Machine& machine) const {
  if (shape_.stride != kNoStride) {
    return models::stridedReduceCycles(
        machine, {shape_.kind, shape_.partials, shape_.outputs, shape_.stride});
  }
  return models::reduceCycles(
      machine, shape_.kind,
      {{shape_.outputs, std::vector<std::uint64_t>(shape_.partials, shape_.outputs)}});
}

Bytes ReduceRows::stateBytes() const {
  return Bytes(kStridedStateBytes);
}

Bytes ReduceRows::fieldDataBytes() const {
  return Bytes(shape_.stride == kNoStride ? shape_.partials * kPointerBytes : 0);
}

Bytes ReduceRows::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops ReduceRows::flops() const {
  return Flops((shape_.partials - 1) * shape_.outputs);
}

void ReduceRows::compute(const VertexData& data) const {
  withTypes(shape_.kind, [&](auto partial, auto output) {
    using Partial = decltype(partial);
    using Output = decltype(output);
    auto* out = data.as<Output>(0, 0);
    for (std::uint64_t c = 0; c < shape_.outputs; ++c) {
      const auto at = [&](std::uint64_t row) {
        return static_cast<float>(isOneEdge() ? data.as<Partial>(1, 0)[row * shape_.outputs + c]
                                              : data.as<Partial>(1, row)[c]);
      };
      float value = at(0);
      for (std::uint64_t r = 1; r < shape_.partials; ++r) {
        value = reduced(shape_.kind.op, value, at(r));
      }
      out[c] = static_cast<Output>(value);
    }
  });
}

ReduceContinuous::ReduceContinuous(const models::ContinuousReduceShape& shape) : shape_(shape) {
  checkKind(shape.kind);
  check(shape.partials > 0 && shape.outputs > 0, "a reduction of nothing");
  fields_ = {{"out", FieldDirection::Output, shape.kind.output, {{1, shape.outputs}}},
             {"partials",
              FieldDirection::Input,
              shape.kind.partials,
              {{1, shape.outputs * shape.partials}}}};
}

std::string ReduceContinuous::name() const {
  return nameOfVertex(shape_.outputs == 1 ? "SingleReduce" : "ContinuousReduce", shape_.kind);
}

Cycles ReduceContinuous::cycles(const models::Machine& machine) const {
  return shape_.outputs == 1 ? models::singleReduceCycles(machine, shape_)
                             : models::continuousReduceCycles(machine, shape_);
}

Bytes ReduceContinuous::stateBytes() const {
  return Bytes(kContinuousStateBytes);
}

Bytes ReduceContinuous::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops ReduceContinuous::flops() const {
  return Flops((shape_.partials - 1) * shape_.outputs);
}

void ReduceContinuous::compute(const VertexData& data) const {
  withTypes(shape_.kind, [&](auto partial, auto output) {
    const auto* row = data.as<decltype(partial)>(1, 0);
    auto* out = data.as<decltype(output)>(0, 0);
    for (std::uint64_t o = 0; o < shape_.outputs; ++o, row += shape_.partials) {
      auto value = static_cast<float>(row[0]);
      for (std::uint64_t p = 1; p < shape_.partials; ++p) {
        value = reduced(shape_.kind.op, value, static_cast<float>(row[p]));
      }
      out[o] = static_cast<decltype(output)>(value);
    }
  });
}

}  // namespace ipusim::workloads
