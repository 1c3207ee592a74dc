// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/tensor.h"

// What numbers beside a tensor of an ONNX node say about its shape. Nodes on tiles and nodes that
// are computed while a file is read share these rules. All throw OperandError.

namespace ipusim::workloads {

/// The shape that a Reshape gives: 0 keeps a size unless `allows_zero`, and -1 is the rest.
Shape reshapedShape(const Shape& from, std::vector<std::int64_t> sizes, bool allows_zero);
/// Two dimensions: those before an axis, and those from it on.
Shape flattenedShape(const Shape& from, std::int64_t axis);
/// Without dimensions of 1: those of `axes`, or all where there are none.
Shape squeezedShape(const Shape& from, const std::vector<std::int64_t>& axes);
/// With more dimensions of 1: those of `axes` of the result.
Shape unsqueezedShape(const Shape& from, const std::vector<std::int64_t>& axes);
/// Dimension d of the result is dimension [d] of the operand; without `perm`, the other way round.
std::vector<std::size_t> transposeOrder(const std::optional<std::vector<std::int64_t>>& perm,
                                        std::size_t rank);

/// What a Slice says. Without axes it is about the first dimensions, without steps they are 1.
struct SliceNumbers {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::optional<std::vector<std::int64_t>> axes;
  std::optional<std::vector<std::int64_t>> steps;
};
/// `count` elements of a dimension: begin, begin + step, ...
struct SteppedRange {
  std::size_t axis;
  std::int64_t begin;
  std::int64_t step;
  std::uint64_t count;
};
std::vector<SteppedRange> steppedRanges(const SliceNumbers& asked, const Shape& shape);

/// The sizes of the parts of `size` elements: those that are given, or `count` equal ones, the last
/// one smaller where that leaves a rest.
std::vector<std::uint64_t> splitParts(std::uint64_t size,
                                      const std::optional<std::vector<std::int64_t>>& given,
                                      std::size_t count);

enum class DepthSpaceWay : std::uint8_t { ToSpace, ToDepth };
/// A DepthToSpace or SpaceToDepth: the operand seen as `seen`, its dimensions in `order`, seen as
/// `result`. `mode` is DCR or CRD.
struct DepthSpace {
  Shape seen;
  std::vector<std::size_t> order;
  Shape result;
};
DepthSpace depthSpace(DepthSpaceWay way, const std::string& mode, std::int64_t block,
                      const Shape& shape);

/// What is put before and after each dimension; negative numbers take elements away.
struct OnnxPads {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
};
/// Pads of all dimensions from a list of those of `axes`, or of all.
OnnxPads padsOf(const std::vector<std::int64_t>& pads,
                const std::optional<std::vector<std::int64_t>>& axes, std::size_t rank);
/// For each element of a padded dimension of `size` elements, the element that it repeats; none for
/// one of the constant. `mode` is constant, reflect, edge or wrap.
std::vector<std::optional<std::uint64_t>> paddedElements(const std::string& mode,
                                                         std::uint64_t size, std::int64_t before,
                                                         std::int64_t after);

}  // namespace ipusim::workloads
