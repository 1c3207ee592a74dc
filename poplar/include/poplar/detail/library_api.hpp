// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/graph_api.hpp"
#include "poplar/detail/program_api.hpp"

namespace poplar {
namespace detail {

/// Whether the project has the vertex type that `lines` describe: TOML without the number of
/// elements.
bool hasLibraryVertex(const GraphData* graph, Text lines);

/// Tensors that an operation reads.
struct Operands {
  const TensorData* const* tensors;
  std::size_t count;
};

/// Adds to a compute set vertices that set each element of `out` to the C++ `value`. In it x1, x2 …
/// are the elements of the operands at the same place. An operand of one element is the same at all
/// places. Text before a last semicolon runs once per vertex, and may use only such operands. The
/// vertices run where the elements of `out` are. popops/detail/expression_text.hpp makes such
/// values.
void addMap(GraphData* graph, std::uint32_t compute_set, Text value, const Operands& operands,
            const TensorData* out);

/// Adds to a compute set a vertex of all workers on each tile that reads or sets the state of their
/// random numbers: "GetSeeds" and "SetSeeds" of `seeds` (tiles, workers, 4 words), "SetSeed" by two
/// words and a modifier that are the same for all.
void addSeeds(GraphData* graph, std::uint32_t compute_set, Text name, const TensorData* seeds);

/// Adds to a compute set vertices of this project that compute `out` from `operands`, element by
/// element. They run where the elements of `out` are. `lines` are TOML: the vertex type and its
/// parameters without the number of elements. An operation in place reads `out` as its first
/// operand, and `operands` are the other ones.
void addElementwise(GraphData* graph, std::uint32_t compute_set, Text lines,
                    const Operands& operands, const TensorData* out);

/// A reduction of each `partials` consecutive elements of the flattened `in` to one element.
struct RowReduction {
  Text op;  ///< add, multiply, square_add, maximum, minimum, logical_and or logical_or
  const TensorData* in;
  std::size_t partials;
};

/// Adds to a compute set the vertices of a reduction to the flattened `out`. A vertex runs where
/// its first output lies.
void addReduction(GraphData* graph, std::uint32_t compute_set, const RowReduction& reduction,
                  const TensorData* out);

enum class PairOrder { SmallestFirst, LargestFirst };

/// Which elements of two runs a vertex compares: those at the same place, or the first of one with
/// the last of the other and so on.
enum class PairPlaces { Equal, Mirrored };

/// Two runs of one length.
struct RunPair {
  const TensorData* a;
  const TensorData* b;
  PairPlaces places;
};

/// Adds to a compute set a vertex that puts each pair of elements in order, so that the first is in
/// `a`. It runs where the first element of `at` lies.
void addExchange(GraphData* graph, std::uint32_t compute_set, const RunPair& pair, PairOrder order,
                 const TensorData* at);

/// What is known of the order of a run.
enum class RunOrder { None, Bitonic };

/// Adds to a compute set a vertex that puts the elements of `run`, of which there are a power of
/// two, in order, where its first element lies.
void addRunSort(GraphData* graph, std::uint32_t compute_set, const TensorData* run, RunOrder before,
                PairOrder order);

/// A step that sets all elements to a value, which must be whole for a type of whole numbers. Gives
/// away a new reference.
ProgramData* makeFill(GraphData* graph, const TensorData* tensor, double value, Text name);

/// `groups` products (m, k) x (k, n).
struct MatrixProduct {
  std::size_t groups;
  std::size_t m;
  std::size_t k;
  std::size_t n;
  TypeId input;
  TypeId output;
  TypeId partials;
  double memory_proportion;  ///< the share of a tile's memory that temporary data may take
};
enum class OperandSide { Left, Right };

/// A new operand of the product that lies as its plan wants it: (groups, m, k) or (groups, k, n).
/// Gives away a new reference.
TensorData* matrixOperand(GraphData* graph, const MatrixProduct& product, OperandSide side,
                          Text name);
/// Both operands of a product, of any layout.
struct Factors {
  const TensorData* left;
  const TensorData* right;
};
/// The result of a product. Gives away new references to it and to the steps.
TensorData* addMatrixProduct(GraphData* graph, const MatrixProduct& product, const Factors& factors,
                             Text name, ProgramData** program);

/// The tile of the first element of a tensor.
unsigned firstTileOf(const GraphData* graph, const TensorData* tensor);

}  // namespace detail
}  // namespace poplar
