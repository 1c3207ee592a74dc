// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ipusim/element_type.h"

// A convolution by its sizes, and the convolutions of its training passes.
// Source: graphcore/poplibs lib/poplin/{ConvUtil,ConvParams}.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The most field dimensions of a convolution.
constexpr std::size_t kMaxFieldDims = 3;

/// A half-open range of positions.
struct PositionRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// What happens to an operand along a dimension before the convolution, in this order: elements are
/// cut off, `dilation - 1` zeros are put between neighbours, zeros are put around them, and the
/// positions are reversed.
struct OperandTransform {
  std::uint64_t trunc_lower = 0;
  std::uint64_t trunc_upper = 0;
  std::uint64_t dilation = 1;
  std::uint64_t pad_lower = 0;
  std::uint64_t pad_upper = 0;
  bool flip = false;

  /// The elements of `elements` that are not cut off.
  [[nodiscard]] std::uint64_t elementsLeft(std::uint64_t elements) const {
    return elements - trunc_lower - trunc_upper;
  }
  /// The number of positions that `elements` elements become.
  [[nodiscard]] std::uint64_t sizeOf(std::uint64_t elements) const;
  /// The position of element `index`, which is not cut off, of `elements`.
  [[nodiscard]] std::uint64_t positionOf(std::uint64_t index, std::uint64_t elements) const;
  /// True when the transform changes nothing.
  [[nodiscard]] bool isNone() const;
  friend bool operator==(const OperandTransform& a, const OperandTransform& b);
};

/// What happens to the result along a dimension, in this order: positions are cut off, one of
/// `stride` is kept, and zeros are put around them.
struct OutputTransform {
  std::uint64_t trunc_lower = 0;
  std::uint64_t trunc_upper = 0;
  std::uint64_t stride = 1;
  std::uint64_t pad_lower = 0;
  std::uint64_t pad_upper = 0;

  [[nodiscard]] bool isNone() const;
  friend bool operator==(const OutputTransform& a, const OutputTransform& b);
};

/// One field dimension.
struct ConvDim {
  std::uint64_t field = 1;   ///< elements of the input
  std::uint64_t kernel = 1;  ///< elements of the kernel
  OperandTransform input;
  OperandTransform weights;
  OutputTransform output;

  /// Positions of the input and of the kernel.
  [[nodiscard]] std::uint64_t fieldPositions() const { return input.sizeOf(field); }
  [[nodiscard]] std::uint64_t kernelPositions() const { return weights.sizeOf(kernel); }
  /// Positions of the result before its transform: out[c] is the sum of in[c + k] w[k].
  [[nodiscard]] std::uint64_t rawOutputs() const {
    return fieldPositions() - kernelPositions() + 1;
  }
  /// Elements of the result, and those of them that are no padding.
  [[nodiscard]] std::uint64_t outputs() const;
  [[nodiscard]] PositionRange computedOutputs() const;
  [[nodiscard]] bool hasNoTransform() const;
  friend bool operator==(const ConvDim& a, const ConvDim& b);
};

/// A convolution: `groups` independent ones, with channels per group. Dimensions are listed
/// outermost first.
struct ConvParams {
  std::uint64_t groups = 1;
  std::uint64_t batch = 1;
  std::uint64_t in_chans = 1;
  std::uint64_t out_chans = 1;
  ElementType input = ElementType::Half;
  ElementType output = ElementType::Half;
  std::vector<ConvDim> dims;

  /// Elements of the result of a group and batch element, over all dimensions.
  [[nodiscard]] std::uint64_t outputPositions() const;
  friend bool operator==(const ConvParams& a, const ConvParams& b);
};

/// The outputs of a dimension, from the first to the last, to which kernel element `kernel`
/// contributes. Empty when there are none.
PositionRange outputsOfKernelElement(const ConvDim& dim, std::uint64_t kernel);

/// The elements of the input that any output needs, from the first to the last. Nothing when all
/// outputs are zero.
std::optional<PositionRange> usedInputs(const ConvDim& dim);

/// The elements of the kernel that any output needs.
std::optional<PositionRange> usedKernel(const ConvDim& dim);

/// A convolution equal to `params`, with the least work. Elements that no output needs are cut off,
/// outputs that are known to be zero become padding, and padding that another transform undoes is
/// left out. A convolution whose outputs are all zero becomes that of one zero.
ConvParams canonicalConv(ConvParams params);

/// The convolution that turns the gradient of the result into that of the input. The weights of
/// `forward` must be given to it with channels exchanged and all dimensions reversed.
ConvParams backwardConv(const ConvParams& forward);

/// The convolution of the input with the gradient of the result that gives the gradient of the
/// weights: in channels are the batch, and the batch the in channels.
ConvParams weightUpdateConv(const ConvParams& forward);

/// The convolution with input and kernel in each other's place: out channels are the batch, and the
/// batch the out channels. The result has its dimensions in the same order.
ConvParams swappedConv(const ConvParams& params);

}  // namespace ipusim::workloads
