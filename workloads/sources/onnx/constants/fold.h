// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/sources/onnx/constants/array.h"
#include "workloads/sources/onnx/onnx_attributes.h"

// Nodes all of whose operands are numbers. They are computed while a file is read, and take no
// steps. Semantics: github.com/onnx/onnx, docs/Operators.md and docs/Changelog.md.

namespace ipusim::workloads {

/// A node whose operands are numbers.
class FoldSite : public OnnxAttributes {
 public:
  /// `operands` has a null for one that is left out. They must outlive this object.
  FoldSite(const onnx::NodeProto& node, std::int64_t opset, std::vector<const OnnxArray*> operands)
      : OnnxAttributes(node), opset_(opset), operands_(std::move(operands)) {}

  [[nodiscard]] std::int64_t opset() const { return opset_; }
  [[nodiscard]] bool isGiven(std::size_t operand) const {
    return operand < operands_.size() && operands_[operand] != nullptr;
  }
  /// Throws OperandError for one that is left out.
  [[nodiscard]] const OnnxArray& operand(std::size_t operand) const;
  /// The axes of an operator: an operand from some version on, an attribute before that.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> axes(std::size_t operand,
                                                              const char* attribute) const;

 private:
  std::int64_t opset_;
  std::vector<const OnnxArray*> operands_;
};

using FoldNode = std::vector<OnnxArray> (*)(const FoldSite& site);

/// How a node with operator `name` is computed exactly; null for an operator that is not here.
FoldNode foldOf(const std::string& name);
/// The names of all operators that are here.
std::vector<std::string> foldedOperators();

/// Most elements of a computed tensor.
constexpr std::uint64_t kMostFoldedElements = std::uint64_t{1} << 23U;
/// `shape`, whose tensor is to be computed. Throws OperandError for more elements than that.
const Shape& expectFoldable(const Shape& shape);

using FoldTable = std::map<std::string, FoldNode>;
void addElementwiseFolds(FoldTable& table);
void addComparingFolds(FoldTable& table);
void addShapingFolds(FoldTable& table);
void addPaddingFolds(FoldTable& table);
void addIndexingFolds(FoldTable& table);
void addScatteringFolds(FoldTable& table);
void addSortingFolds(FoldTable& table);
void addReducingFolds(FoldTable& table);
void addMakingFolds(FoldTable& table);

/// The elements of `from` at positions, as a tensor of `shape`.
OnnxArray elementsAt(const OnnxArray& from, const Shape& shape,
                     const std::vector<std::size_t>& positions);
/// A signed size as one of a shape. Throws OperandError for a negative or a huge one.
std::uint64_t sizeOfDimension(std::int64_t size);
/// An index into `size` elements, counted from the end where it is negative. Throws OperandError.
std::size_t foldedIndex(std::int64_t index, std::uint64_t size);

/// A tensor seen through strides, in elements.
struct StridedView {
  Shape shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;

  static StridedView of(const Shape& shape);
  /// The positions of all its elements, row-major.
  [[nodiscard]] std::vector<std::size_t> positions() const;
  /// The view of one tensor broadcast to `result`.
  [[nodiscard]] StridedView broadcastTo(const Shape& result) const;
};

}  // namespace ipusim::workloads
