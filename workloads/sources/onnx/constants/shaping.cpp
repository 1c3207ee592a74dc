// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"
#include "workloads/sources/onnx/onnx_shapes.h"

// Views of tensors: their elements in other shapes and orders, or some of them.

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

Folded withShape(const FoldSite& site, const Shape& shape) {
  OnnxArray result = site.operand(0);
  if (elementsOf(shape) != result.size()) {
    throw OperandError("as many elements as " + textOf(shape), textOf(result.shape));
  }
  result.shape = shape;
  return {std::move(result)};
}

Folded viewed(const OnnxArray& from, const StridedView& view) {
  return {elementsAt(from, view.shape, view.positions())};
}

Folded foldReshape(const FoldSite& site) {
  const auto sizes = site.axes(1, "shape").value_or(std::vector<std::int64_t>());
  return withShape(site, reshapedShape(site.operand(0).shape, sizes, site.isSet("allowzero")));
}

Folded foldFlatten(const FoldSite& site) {
  return withShape(site, flattenedShape(site.operand(0).shape, site.integer("axis", 1)));
}

Folded foldSqueeze(const FoldSite& site) {
  return withShape(site, squeezedShape(site.operand(0).shape,
                                       site.axes(1, "axes").value_or(std::vector<std::int64_t>())));
}

Folded foldUnsqueeze(const FoldSite& site) {
  return withShape(site, unsqueezedShape(site.operand(0).shape, site.axes(1, "axes").value_or(
                                                                    std::vector<std::int64_t>())));
}

Folded foldTranspose(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const std::vector<std::size_t> order = transposeOrder(site.integersOf("perm"), x.shape.size());
  const StridedView whole = StridedView::of(x.shape);
  StridedView view;
  for (const std::size_t d : order) {
    view.shape.push_back(whole.shape[d]);
    view.strides.push_back(whole.strides[d]);
  }
  return viewed(x, view);
}

Folded foldConcat(const FoldSite& site) {
  const OnnxArray& first = site.operand(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 1), first.shape.size());
  OnnxArray result{first.type, first.shape, {}, {}};
  result.shape[axis] = 0;
  for (std::size_t o = 0; o < site.operands(); ++o) {
    const OnnxArray& operand = site.operand(o);
    Shape other = operand.shape;
    if (other.size() != first.shape.size() || operand.type != first.type) {
      throw OperandError("operands of one type and rank", textOf(other));
    }
    result.shape[axis] += other[axis];
    other[axis] = result.shape[axis];
    if (other != result.shape) {
      throw OperandError(fmt::format("shapes that differ in dimension {} alone", axis),
                         textOf(first.shape) + " and " + textOf(operand.shape));
    }
  }
  expectFoldable(result.shape);
  const std::uint64_t outer = viewAround(first.shape, axis).outer;
  for (std::uint64_t block = 0; block < outer; ++block) {
    for (std::size_t o = 0; o < site.operands(); ++o) {
      const OnnxArray& operand = site.operand(o);
      const std::size_t length = operand.size() / outer;
      const auto begin = static_cast<std::ptrdiff_t>(block * length);
      const auto end = static_cast<std::ptrdiff_t>((block + 1) * length);
      if (operand.isReal()) {
        result.real.insert(result.real.end(), operand.real.begin() + begin,
                           operand.real.begin() + end);
      } else {
        result.whole.insert(result.whole.end(), operand.whole.begin() + begin,
                            operand.whole.begin() + end);
      }
    }
  }
  return {std::move(result)};
}

Folded foldSlice(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const auto numbers = [&](std::size_t operand, const char* attribute) {
    return site.axes(operand, attribute);
  };
  SliceNumbers asked{numbers(1, "starts").value_or(std::vector<std::int64_t>()),
                     numbers(2, "ends").value_or(std::vector<std::int64_t>()), numbers(3, "axes"),
                     numbers(4, "steps")};
  StridedView view = StridedView::of(x.shape);
  for (const SteppedRange& range : steppedRanges(asked, x.shape)) {
    view.offset += range.begin * view.strides[range.axis];
    view.strides[range.axis] *= range.step;
    view.shape[range.axis] = range.count;
  }
  return viewed(x, view);
}

Folded foldSplit(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), x.shape.size());
  const std::vector<std::uint64_t> parts =
      splitParts(x.shape[axis], site.axes(1, "split"), site.results());
  Folded results;
  std::int64_t begin = 0;
  for (const std::uint64_t part : parts) {
    StridedView view = StridedView::of(x.shape);
    view.offset = begin * view.strides[axis];
    view.shape[axis] = part;
    results.push_back(viewed(x, view).front());
    begin += static_cast<std::int64_t>(part);
  }
  return results;
}

Folded foldExpand(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  Shape asked;
  for (const std::int64_t size : site.operand(1).wholes()) asked.push_back(sizeOfDimension(size));
  const Shape shape = expectFoldable(broadcastShape(x.shape, asked));
  return viewed(x, StridedView::of(x.shape).broadcastTo(shape));
}

Folded foldTile(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const std::vector<std::int64_t> repeats = site.operand(1).wholes();
  if (repeats.size() != x.shape.size()) {
    throw OperandError(fmt::format("{} repeats", x.shape.size()),
                       fmt::format("{}", repeats.size()));
  }
  const StridedView whole = StridedView::of(x.shape);
  StridedView view;
  Shape shape;
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    const std::uint64_t repeat = sizeOfDimension(repeats[d]);
    view.shape.insert(view.shape.end(), {repeat, x.shape[d]});
    view.strides.insert(view.strides.end(), {0, whole.strides[d]});
    shape.push_back(checkedProduct(repeat, x.shape[d]));
  }
  expectFoldable(shape);
  return {elementsAt(x, shape, view.positions())};
}

/// Blocks of channels as blocks of a picture, or the other way about.
Folded foldBlocks(const FoldSite& site) {
  const OnnxArray& x = site.operand(0);
  const DepthSpace moved = depthSpace(
      site.operatorName() == "DepthToSpace" ? DepthSpaceWay::ToSpace : DepthSpaceWay::ToDepth,
      site.textOf("mode", "DCR"), site.integer("blocksize", 1), x.shape);
  const StridedView whole = StridedView::of(moved.seen);
  StridedView view;
  for (const std::size_t d : moved.order) {
    view.shape.push_back(whole.shape[d]);
    view.strides.push_back(whole.strides[d]);
  }
  return {elementsAt(x, moved.result, view.positions())};
}

}  // namespace

void addShapingFolds(FoldTable& table) {
  table.insert({{"Concat", foldConcat},
                {"DepthToSpace", foldBlocks},
                {"Expand", foldExpand},
                {"Flatten", foldFlatten},
                {"Reshape", foldReshape},
                {"Slice", foldSlice},
                {"SpaceToDepth", foldBlocks},
                {"Split", foldSplit},
                {"Squeeze", foldSqueeze},
                {"Tile", foldTile},
                {"Transpose", foldTranspose},
                {"Unsqueeze", foldUnsqueeze}});
}

}  // namespace ipusim::workloads
