// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::TransposeVertex;

namespace {

// Two pointers and the sizes.
// Source: poplibs lib/popops/codelets/Transpose*.cpp.
constexpr Bytes kTransposeStateBytes(16);
// One pointer per matrix in "src" and one in "dst". Source: as above.
constexpr Bytes kTransposePointerBytes(4);
// Estimated: the smallest of the three vertex types in the 1.6 kB that a matmul has per tile in a
// recorded BERT-large profile (graphcore/popliner tests).
constexpr Bytes kTransposeCodeBytes(256);

/// The vendor's names of the forms.
constexpr Words<TransposeVertex, 4> kFormWords{
    {{TransposeVertex::Transpose2D, "Transpose2D"},
     {TransposeVertex::Transpose1D, "Transpose1D"},
     {TransposeVertex::Transpose1DSingleWorker, "Transpose1DSingleWorker"},
     {TransposeVertex::SplitTranspose1D, "SplitTranspose1D"}}};

bool usesAllWorkers(TransposeVertex form) {
  return form == TransposeVertex::Transpose1D || form == TransposeVertex::SplitTranspose1D;
}

Cycles transposeCost(const TransposeVertexShape& shape, const Architecture& machine) {
  return models::transposeCycles(
      machine, {shape.form, sizeOf(shape.type), shape.rows, shape.columns, shape.matrices});
}

void computeTranspose(const TransposeVertexShape& shape, const VertexData& data) {
  const std::uint64_t element = sizeOf(shape.type).value();
  const std::uint64_t matrix_bytes = shape.rows * shape.columns * element;
  const bool one_edge = shape.form != TransposeVertex::Transpose2D;
  for (std::uint64_t m = 0; m < shape.matrices; ++m) {
    const std::byte* src = one_edge ? data.edge(0, 0) + m * matrix_bytes : data.edge(0, m);
    std::byte* dst = one_edge ? data.edge(1, 0) + m * matrix_bytes : data.edge(1, m);
    for (std::uint64_t r = 0; r < shape.rows; ++r) {
      for (std::uint64_t c = 0; c < shape.columns; ++c) {
        std::memcpy(dst + (c * shape.rows + r) * element, src + (r * shape.columns + c) * element,
                    element);
      }
    }
  }
}

VertexType readTranspose(const ConfigReader& config, const Architecture& machine) {
  const ElementType type = readWord(config, "type", kNumberWords);
  const std::uint64_t rows = readCount(config, "rows");
  const std::uint64_t columns = readCount(config, "columns");
  const std::uint64_t matrices = readCount(config, "matrices", 1);
  const TransposeVertex chosen =
      models::transposeVertexFor(machine, sizeOf(type), rows, columns, matrices);
  return transposeVertex(
      {type, readWord(config, "form", kFormWords, chosen), rows, columns, matrices});
}

}  // namespace

VertexType transposeVertex(const TransposeVertexShape& shape) {
  const bool lists = shape.form == TransposeVertex::Transpose2D;
  const std::uint64_t elements = shape.rows * shape.columns;
  const EdgeGroup group =
      lists ? EdgeGroup{shape.matrices, elements} : EdgeGroup{1, shape.matrices * elements};
  VertexType type;
  type.name =
      std::string("popops::") + wordOf(shape.form, kFormWords) + "<" + nameOf(shape.type) + ">";
  type.maker = kTransposeEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"form", wordOf(shape.form, kFormWords)},
                 {"rows", shape.rows},
                 {"columns", shape.columns},
                 {"matrices", shape.matrices}};
  type.kind = usesAllWorkers(shape.form) ? VertexKind::Supervisor : VertexKind::Worker;
  type.fields = {{"src", FieldDirection::Input, shape.type, {group}},
                 {"dst", FieldDirection::Output, shape.type, {group}}};
  type.sizes = {kTransposeStateBytes,
                lists ? kTransposePointerBytes * (2 * shape.matrices) : Bytes(0),
                kTransposeCodeBytes};
  type.work = workOn(type.fields, Flops(0));
  return withFunctions<TransposeVertexShape>(std::move(type), shape,
                                             {transposeCost, computeTranspose});
}

const VertexEntry kTransposeEntry{"transpose", "transpose on a tile: type, rows, columns, matrices",
                                  readTranspose};

}  // namespace ipusim::workloads
