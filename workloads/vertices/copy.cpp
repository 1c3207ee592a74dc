// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/copy.h"

#include <cstring>
#include <utility>

#include "models/ipu/cost/copy.h"

namespace ipusim::workloads {

namespace {

// Pointers, length and strides of one kind of runs. Estimated: a copy descriptor with both ends,
// run length, run count and two strides, a word each.
constexpr std::uint64_t kBytesPerKind = 24;
// Estimated from the elementwise vertices of recorded profiles, 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

}  // namespace

Copy::Copy(models::ElementType type, std::vector<CopyRuns> runs)
    : type_(type), runs_(std::move(runs)) {
  EdgeGroups groups;
  for (const CopyRuns& run : runs_) groups.push_back({run.count, run.elements});
  fields_ = {{"from", FieldDirection::Input, type, groups},
             {"to", FieldDirection::Output, type, groups}};
}

std::string Copy::name() const {
  return "poplar_rt::StridedCopy";
}

Cycles Copy::cycles(const models::Machine& machine) const {
  models::CopyShape shape;
  // A single run may start and end anywhere in a word only where its element does: shares and
  // buffers start at whole words of the data path. Runs at strides are aligned like their lengths.
  for (const CopyRuns& run : runs_) {
    const Bytes bytes = sizeOf(type_) * run.elements;
    const bool aligned = run.count == 1 || bytes.value() % machine.data_path.value() == 0;
    shape.runs.push_back({run.count, bytes, aligned ? machine.data_path : sizeOf(type_)});
  }
  return models::copyCycles(machine, shape);
}

Bytes Copy::stateBytes() const {
  return Bytes(kBytesPerKind * runs_.size());
}

Bytes Copy::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Copy::compute(const VertexData& data) const {
  std::uint64_t edge = 0;
  for (const CopyRuns& run : runs_) {
    const std::size_t bytes = (sizeOf(type_) * run.elements).value();
    for (std::uint64_t r = 0; r < run.count; ++r, ++edge) {
      std::memcpy(data.edge(1, edge), data.edge(0, edge), bytes);
    }
  }
}

}  // namespace ipusim::workloads
