// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/transpose.h"

#include <cstring>

namespace ipusim::workloads {

using models::TransposeVertex;

namespace {

// Two pointers and the sizes. Source: poplibs lib/popops/codelets/Transpose*.cpp.
constexpr std::uint64_t kStateBytes = 16;
// A pointer for each matrix in "src" and in "dst", in the same place.
constexpr std::uint64_t kPointerBytes = 4;
// Estimated: the smallest of the three vertex types in the 1.6 kB that a matmul has on a tile in a
// recorded BERT-large profile (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 256;

const char* nameOfVertex(TransposeVertex vertex) {
  switch (vertex) {
    case TransposeVertex::Transpose2D:
      return "Transpose2D";
    case TransposeVertex::Transpose1D:
      return "Transpose1D";
    case TransposeVertex::Transpose1DSingleWorker:
      return "Transpose1DSingleWorker";
    case TransposeVertex::SplitTranspose1D:
      break;
  }
  return "SplitTranspose1D";
}

}  // namespace

Transpose::Transpose(models::ElementType type, TransposeVertex vertex, std::uint64_t rows,
                     std::uint64_t columns, std::uint64_t matrices)
    : type_(type), shape_{vertex, sizeOf(type), rows, columns, matrices} {
  const EdgeGroup group = vertex == TransposeVertex::Transpose2D
                              ? EdgeGroup{matrices, rows * columns}
                              : EdgeGroup{1, matrices * rows * columns};
  fields_ = {{"src", FieldDirection::Input, type, {group}},
             {"dst", FieldDirection::Output, type, {group}}};
}

std::string Transpose::name() const {
  return std::string("popops::") + nameOfVertex(shape_.vertex) + "<" + nameOf(type_) + ">";
}

models::VertexKind Transpose::kind() const {
  const bool all_workers = shape_.vertex == TransposeVertex::Transpose1D ||
                           shape_.vertex == TransposeVertex::SplitTranspose1D;
  return all_workers ? models::VertexKind::Supervisor : models::VertexKind::Worker;
}

Cycles Transpose::cycles(const models::Machine& machine) const {
  return models::transposeCycles(machine, shape_);
}

Bytes Transpose::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes Transpose::fieldDataBytes() const {
  if (shape_.vertex != TransposeVertex::Transpose2D) return Bytes(0);
  return Bytes(2 * shape_.matrices * kPointerBytes);
}

Bytes Transpose::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Transpose::compute(const VertexData& data) const {
  const std::uint64_t element = shape_.element.value();
  const std::uint64_t matrix_bytes = shape_.rows * shape_.columns * element;
  const bool one_edge = shape_.vertex != TransposeVertex::Transpose2D;
  for (std::uint64_t m = 0; m < shape_.matrices; ++m) {
    const std::byte* src = one_edge ? data.edge(0, 0) + m * matrix_bytes : data.edge(0, m);
    std::byte* dst = one_edge ? data.edge(1, 0) + m * matrix_bytes : data.edge(1, m);
    for (std::uint64_t r = 0; r < shape_.rows; ++r) {
      for (std::uint64_t c = 0; c < shape_.columns; ++c) {
        std::memcpy(dst + (c * shape_.rows + r) * element, src + (r * shape_.columns + c) * element,
                    element);
      }
    }
  }
}

}  // namespace ipusim::workloads
