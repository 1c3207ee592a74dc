// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/reduce_pairs.h"

#include "base/error.h"
#include "models/ipu/cost/reduce.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kPartials = 2;

// Pointers of output and partials and the counts; the list of regions has tables instead.
// Source: poplibs lib/popops/codelets/reduction/*.cpp.
constexpr std::uint64_t kStateBytes = 16;
constexpr std::uint64_t kRegionBytes = 12;
// Estimated, as for ReduceAdd.
constexpr std::uint64_t kCodeBytes = 320;

}  // namespace

ReducePairs::ReducePairs(const ReducePairsShape& shape) : shape_(shape) {
  check(shape.rows > 0 && shape.columns > 0, "a reduction to nothing");
  const EdgeGroups groups{{shape.rows, shape.columns}};
  fields_ = {{"out", FieldDirection::Output, shape.type, groups},
             {"first", FieldDirection::Input, shape.type, groups},
             {"second", FieldDirection::Input, shape.type, groups}};
}

std::string ReducePairs::name() const {
  const std::string types = std::string(nameOf(shape_.type)) + "," + nameOf(shape_.type) + ">";
  if (shape_.rows == 1) return "popops::StridedReduce<ReduceAdd," + types;
  if (shape_.columns == 1) return "popops::ContinuousReduce<ReduceAdd," + types;
  return "popops::Reduce<ReduceAdd," + types;
}

Cycles ReducePairs::cycles(const models::Machine& machine) const {
  const models::ReduceKind kind{models::ReduceOp::Add, shape_.type, shape_.type};
  if (shape_.rows == 1) {
    return models::stridedReduceCycles(machine, {kind, kPartials, shape_.columns, shape_.stride});
  }
  if (shape_.columns == 1) {
    return models::continuousReduceCycles(machine, {kind, kPartials, shape_.rows});
  }
  const models::ReduceRegion region{shape_.columns, {kPartials * shape_.columns}};
  return models::reduceCycles(machine, kind,
                              std::vector<models::ReduceRegion>(shape_.rows, region));
}

Bytes ReducePairs::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes ReducePairs::fieldDataBytes() const {
  const bool list = shape_.rows != 1 && shape_.columns != 1;
  return Bytes(list ? shape_.rows * kRegionBytes : 0);
}

Bytes ReducePairs::codeBytes() const {
  return Bytes(kCodeBytes);
}

void ReducePairs::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    for (std::uint64_t r = 0; r < shape_.rows; ++r) {
      const auto* first = data.as<Number>(1, r);
      const auto* second = data.as<Number>(2, r);
      auto* out = data.as<Number>(0, r);
      for (std::uint64_t c = 0; c < shape_.columns; ++c) {
        out[c] = static_cast<Number>(static_cast<float>(first[c]) + static_cast<float>(second[c]));
      }
    }
  });
}

}  // namespace ipusim::workloads
