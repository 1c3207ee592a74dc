// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/reduce_add.h"

#include "base/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// Out pointer, counts, and the partials' array or the table of their pointers.
// Source: poplibs lib/poplin/codelets/ReduceAdd.cpp.
constexpr std::uint64_t kSingleStateBytes = 16;
constexpr std::uint64_t kSeveralStateBytes = 12;
constexpr std::uint64_t kPointerBytes = 4;
// Estimated: with ConvPartial1x1Out and a transpose it makes up the 1.6 kB of vertex code that a
// matmul has on a tile in a recorded BERT-large profile (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 320;

template <typename Partial, typename Output>
void add(std::uint64_t outputs, std::uint64_t others, const VertexData& data) {
  auto* out = data.as<Output>(0, 0);
  const auto* own = data.as<Partial>(1, 0);
  std::vector<float> sum(own, own + outputs);
  for (std::uint64_t p = 0; p < others; ++p) {
    const auto* partial = data.as<Partial>(2, p);
    for (std::uint64_t i = 0; i < outputs; ++i) sum[i] += static_cast<float>(partial[i]);
  }
  for (std::uint64_t i = 0; i < outputs; ++i) out[i] = static_cast<Output>(sum[i]);
}

}  // namespace

ReduceAdd::ReduceAdd(const models::Machine& machine, const models::ReduceAddShape& shape)
    : depth_(shape.count), shape_(models::reduceAddFor(machine, shape)) {
  check(depth_ >= 2 && shape.outputs > 0, "ReduceAdd with nothing to add");
  fields_ = {
      {"out", FieldDirection::Output, shape.output, {{1, shape.outputs}}},
      {"own", FieldDirection::Input, shape.partials, {{1, shape.outputs}}},
      {"partials", FieldDirection::Input, shape.partials, {{depth_ - 1, shape.outputs}}},
  };
}

std::string ReduceAdd::name() const {
  return std::string("poplin::ReduceAdd<") + nameOf(shape_.output) + "," + nameOf(shape_.partials) +
         (shape_.inputs == models::ReduceInputs::Single ? ",true>" : ",false>");
}

Cycles ReduceAdd::cycles(const models::Machine& machine) const {
  return models::reduceAddCycles(machine, shape_);
}

Bytes ReduceAdd::stateBytes() const {
  return Bytes(shape_.inputs == models::ReduceInputs::Single ? kSingleStateBytes
                                                             : kSeveralStateBytes);
}

Bytes ReduceAdd::fieldDataBytes() const {
  return Bytes(shape_.inputs == models::ReduceInputs::Single ? 0 : depth_ * kPointerBytes);
}

Bytes ReduceAdd::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops ReduceAdd::flops() const {
  return Flops((depth_ - 1) * shape_.outputs);
}

void ReduceAdd::compute(const VertexData& data) const {
  withNumber(shape_.partials, [&](auto partial) {
    withNumber(shape_.output, [&](auto output) {
      add<decltype(partial), decltype(output)>(shape_.outputs, depth_ - 1, data);
    });
  });
}

}  // namespace ipusim::workloads
