// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/constants/fold.h"

#include <fmt/format.h>

#include "workloads/networks/graph/indexing.h"

namespace ipusim::workloads {

namespace {

const FoldTable& foldTable() {
  static const FoldTable kTable = [] {
    FoldTable table;
    addElementwiseFolds(table);
    addComparingFolds(table);
    addShapingFolds(table);
    addPaddingFolds(table);
    addIndexingFolds(table);
    addScatteringFolds(table);
    addSortingFolds(table);
    addReducingFolds(table);
    addMakingFolds(table);
    return table;
  }();
  return kTable;
}

}  // namespace

const OnnxArray& FoldSite::operand(std::size_t operand) const {
  if (!isGiven(operand)) {
    throw OperandError(fmt::format("an operand {}", operand + 1),
                       fmt::format("{} operands", operands()));
  }
  return *operands_[operand];
}

std::optional<std::vector<std::int64_t>> FoldSite::axes(std::size_t operand,
                                                        const char* attribute) const {
  if (isGiven(operand)) return this->operand(operand).wholes();
  return integersOf(attribute);
}

FoldNode foldOf(const std::string& name) {
  const auto found = foldTable().find(name);
  return found == foldTable().end() ? nullptr : found->second;
}

std::vector<std::string> foldedOperators() {
  std::vector<std::string> names;
  for (const auto& one : foldTable()) names.push_back(one.first);
  return names;
}

const Shape& expectFoldable(const Shape& shape) {
  std::uint64_t elements = 1;
  for (const std::uint64_t size : shape) elements = checkedProduct(elements, size);
  if (elements > kMostFoldedElements) {
    throw OperandError(
        fmt::format("at most {} elements of what the file's numbers give", kMostFoldedElements),
        textOf(shape));
  }
  return shape;
}

OnnxArray elementsAt(const OnnxArray& from, const Shape& shape,
                     const std::vector<std::size_t>& positions) {
  OnnxArray result{from.type, shape, {}, {}};
  if (from.isReal()) {
    result.real.reserve(positions.size());
    for (const std::size_t position : positions) result.real.push_back(from.real[position]);
  } else {
    result.whole.reserve(positions.size());
    for (const std::size_t position : positions) result.whole.push_back(from.whole[position]);
  }
  return result;
}

std::uint64_t sizeOfDimension(std::int64_t size) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  if (size < 0 || size > kLargest) {
    throw OperandError(fmt::format("sizes from 0 to {}", kLargest), fmt::format("{}", size));
  }
  return static_cast<std::uint64_t>(size);
}

std::size_t foldedIndex(std::int64_t index, std::uint64_t size) {
  const std::int64_t counted = index < 0 ? index + static_cast<std::int64_t>(size) : index;
  if (counted < 0 || counted >= static_cast<std::int64_t>(size)) {
    throw OperandError(fmt::format("indices from {} to {}", -static_cast<std::int64_t>(size),
                                   static_cast<std::int64_t>(size) - 1),
                       fmt::format("{}", index));
  }
  return static_cast<std::size_t>(counted);
}

StridedView StridedView::of(const Shape& shape) {
  StridedView view{shape, {}, 0};
  for (const std::uint64_t stride : stridesOf(shape)) {
    view.strides.push_back(static_cast<std::int64_t>(stride));
  }
  return view;
}

std::vector<std::size_t> StridedView::positions() const {
  std::vector<std::size_t> found;
  const std::uint64_t elements = elementsOf(shape);
  found.reserve(elements);
  std::vector<std::uint64_t> at(shape.size(), 0);
  std::int64_t position = offset;
  for (std::uint64_t e = 0; e < elements; ++e) {
    found.push_back(static_cast<std::size_t>(position));
    for (std::size_t d = shape.size(); d-- > 0;) {
      position += strides[d];
      if (++at[d] < shape[d]) break;
      position -= strides[d] * static_cast<std::int64_t>(shape[d]);
      at[d] = 0;
    }
  }
  return found;
}

StridedView StridedView::broadcastTo(const Shape& result) const {
  StridedView view{result, std::vector<std::int64_t>(result.size(), 0), offset};
  const std::size_t missing = result.size() - shape.size();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) view.strides[missing + d] = strides[d];
  }
  return view;
}

}  // namespace ipusim::workloads
