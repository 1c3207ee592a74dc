// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "poplar/Type.hpp"
#include "poputil/exceptions.hpp"

namespace poplin {

/// A convolution by its sizes. Lists have one number per field dimension, outermost first.
struct ConvParams {
  /// What happens to an operand before the convolution, in the order of the members: elements are
  /// cut off, `dilation - 1` zeros are put between neighbours, zeros are put around them, and a
  /// dimension may be reversed.
  struct InputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> dilation;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;
    std::vector<bool> flip;

    InputTransform() = default;
    /// Changes nothing, in that many dimensions.
    explicit InputTransform(std::size_t dimensions)
        : InputTransform(none(dimensions, 0), none(dimensions, 0), none(dimensions, 1),
                         none(dimensions, 0), none(dimensions, 0),
                         std::vector<bool>(dimensions, false)) {}
    InputTransform(std::vector<unsigned> cut_lower, std::vector<unsigned> cut_upper,
                   std::vector<unsigned> distance, std::vector<unsigned> pad_lower,
                   std::vector<unsigned> pad_upper, std::vector<bool> is_reversed)
        : truncationLower(std::move(cut_lower)),
          truncationUpper(std::move(cut_upper)),
          dilation(std::move(distance)),
          paddingLower(std::move(pad_lower)),
          paddingUpper(std::move(pad_upper)),
          flip(std::move(is_reversed)) {}

    /// The positions that `elements` elements of a dimension become.
    std::size_t positions(std::size_t elements, unsigned dimension) const {
      const std::size_t left = elements - truncationLower[dimension] - truncationUpper[dimension];
      return (left == 0 ? 0 : (left - 1) * dilation[dimension] + 1) + paddingLower[dimension] +
             paddingUpper[dimension];
    }

    friend bool operator==(const InputTransform& a, const InputTransform& b) {
      return a.tied() == b.tied();
    }
    friend bool operator!=(const InputTransform& a, const InputTransform& b) { return !(a == b); }
    friend bool operator<(const InputTransform& a, const InputTransform& b) {
      return a.tied() < b.tied();
    }

   private:
    using Numbers = std::vector<unsigned>;
    std::tuple<const Numbers&, const Numbers&, const Numbers&, const Numbers&, const Numbers&,
               const std::vector<bool>&>
    tied() const {
      return std::tie(truncationLower, truncationUpper, dilation, paddingLower, paddingUpper, flip);
    }
  };

  /// What happens to the result: positions are cut off, one of `stride` is kept, and zeros are put
  /// around them.
  struct OutputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> stride;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;

    OutputTransform() = default;
    explicit OutputTransform(std::size_t dimensions)
        : OutputTransform(none(dimensions, 0), none(dimensions, 0), none(dimensions, 1),
                          none(dimensions, 0), none(dimensions, 0)) {}
    OutputTransform(std::vector<unsigned> cut_lower, std::vector<unsigned> cut_upper,
                    std::vector<unsigned> distance, std::vector<unsigned> pad_lower,
                    std::vector<unsigned> pad_upper)
        : truncationLower(std::move(cut_lower)),
          truncationUpper(std::move(cut_upper)),
          stride(std::move(distance)),
          paddingLower(std::move(pad_lower)),
          paddingUpper(std::move(pad_upper)) {}

    friend bool operator==(const OutputTransform& a, const OutputTransform& b) {
      return a.tied() == b.tied();
    }
    friend bool operator!=(const OutputTransform& a, const OutputTransform& b) { return !(a == b); }
    friend bool operator<(const OutputTransform& a, const OutputTransform& b) {
      return a.tied() < b.tied();
    }

   private:
    using Numbers = std::vector<unsigned>;
    std::tuple<const Numbers&, const Numbers&, const Numbers&, const Numbers&, const Numbers&>
    tied() const {
      return std::tie(truncationLower, truncationUpper, stride, paddingLower, paddingUpper);
    }
  };

  poplar::Type inputType;
  poplar::Type outputType;
  std::size_t batchSize = 0;
  std::vector<std::size_t> inputFieldShape;
  std::vector<std::size_t> kernelShape;
  std::size_t inputChannelsPerConvGroup = 0;
  std::size_t outputChannelsPerConvGroup = 0;
  std::size_t numConvGroups = 0;
  InputTransform inputTransform;
  InputTransform kernelTransform;
  OutputTransform outputTransform;

  ConvParams() = default;
  ConvParams(poplar::Type type, std::size_t batch, std::vector<std::size_t> field,
             std::vector<std::size_t> kernel, std::size_t in_channels, std::size_t out_channels,
             std::size_t groups)
      : ConvParams(type, type, batch, std::move(field), std::move(kernel), in_channels,
                   out_channels, groups) {}
  ConvParams(poplar::Type input, poplar::Type output, std::size_t batch,
             std::vector<std::size_t> field, std::vector<std::size_t> kernel,
             std::size_t in_channels, std::size_t out_channels, std::size_t groups)
      : inputType(input),
        outputType(output),
        batchSize(batch),
        inputFieldShape(std::move(field)),
        kernelShape(std::move(kernel)),
        inputChannelsPerConvGroup(in_channels),
        outputChannelsPerConvGroup(out_channels),
        numConvGroups(groups),
        inputTransform(inputFieldShape.size()),
        kernelTransform(inputFieldShape.size()),
        outputTransform(inputFieldShape.size()) {
    validate();
  }
  ConvParams(poplar::Type input, poplar::Type output, std::size_t batch,
             std::vector<std::size_t> field, std::vector<std::size_t> kernel,
             std::size_t in_channels, std::size_t out_channels, std::size_t groups,
             InputTransform of_input, InputTransform of_kernel, OutputTransform of_output)
      : inputType(input),
        outputType(output),
        batchSize(batch),
        inputFieldShape(std::move(field)),
        kernelShape(std::move(kernel)),
        inputChannelsPerConvGroup(in_channels),
        outputChannelsPerConvGroup(out_channels),
        numConvGroups(groups),
        inputTransform(std::move(of_input)),
        kernelTransform(std::move(of_kernel)),
        outputTransform(std::move(of_output)) {
    validate();
  }

  std::size_t getNumOutputChansPerConvGroup() const { return outputChannelsPerConvGroup; }
  std::size_t getNumOutputChans() const { return outputChannelsPerConvGroup * numConvGroups; }
  std::size_t getNumInputChansPerConvGroup() const { return inputChannelsPerConvGroup; }
  std::size_t getNumInputChans() const { return inputChannelsPerConvGroup * numConvGroups; }
  std::size_t getNumConvGroups() const { return numConvGroups; }
  std::size_t getNumFieldDims() const { return inputFieldShape.size(); }
  std::size_t getBatchSize() const { return batchSize; }
  std::size_t getInputSize(unsigned dimension) const { return inputFieldShape[dimension]; }
  std::vector<std::size_t> getInputFieldShape() const { return inputFieldShape; }
  std::vector<std::size_t> getKernelShape() const { return kernelShape; }
  unsigned getTransformedInputSize(unsigned dimension) const {
    return static_cast<unsigned>(inputTransform.positions(inputFieldShape[dimension], dimension));
  }
  unsigned getTransformedKernelSize(unsigned dimension) const {
    return static_cast<unsigned>(kernelTransform.positions(kernelShape[dimension], dimension));
  }
  /// The positions of the result before its transform.
  std::size_t getUntransformedOutputSize(unsigned dimension) const {
    return getTransformedInputSize(dimension) - getTransformedKernelSize(dimension) + 1;
  }
  std::size_t getOutputSize(unsigned dimension) const {
    const std::size_t kept = getUntransformedOutputSize(dimension) -
                             outputTransform.truncationLower[dimension] -
                             outputTransform.truncationUpper[dimension];
    const std::size_t stride = outputTransform.stride[dimension];
    return (kept + stride - 1) / stride + outputTransform.paddingLower[dimension] +
           outputTransform.paddingUpper[dimension];
  }
  std::vector<std::size_t> getOutputFieldShape() const {
    std::vector<std::size_t> shape;
    for (unsigned d = 0; d < inputFieldShape.size(); ++d) shape.push_back(getOutputSize(d));
    return shape;
  }

  /// Throws poplibs_error for sizes and transforms that make no convolution.
  void validate() const {
    const std::size_t dims = inputFieldShape.size();
    if (dims == 0 || kernelShape.size() != dims || !hasNumbersFor(inputTransform, dims) ||
        !hasNumbersFor(kernelTransform, dims) || outputTransform.truncationLower.size() != dims ||
        outputTransform.truncationUpper.size() != dims || outputTransform.stride.size() != dims ||
        outputTransform.paddingLower.size() != dims ||
        outputTransform.paddingUpper.size() != dims) {
      throw poputil::poplibs_error(
          "convolution: wanted a field of at least one dimension, and a kernel and transforms of "
          "as many");
    }
    if (batchSize == 0 || inputChannelsPerConvGroup == 0 || outputChannelsPerConvGroup == 0 ||
        numConvGroups == 0) {
      throw poputil::poplibs_error(
          "convolution: wanted a batch, channels and groups of at least one");
    }
    for (unsigned d = 0; d < dims; ++d) validate(d);
  }

  friend bool operator==(const ConvParams& a, const ConvParams& b) {
    return a.sizes() == b.sizes() && a.fields() == b.fields();
  }
  friend bool operator!=(const ConvParams& a, const ConvParams& b) { return !(a == b); }
  friend bool operator<(const ConvParams& a, const ConvParams& b) {
    return a.sizes() != b.sizes() ? a.sizes() < b.sizes() : a.fields() < b.fields();
  }

 private:
  static std::vector<unsigned> none(std::size_t dimensions, unsigned value) {
    return std::vector<unsigned>(dimensions, value);
  }
  static bool hasNumbersFor(const InputTransform& transform, std::size_t dims) {
    return transform.truncationLower.size() == dims && transform.truncationUpper.size() == dims &&
           transform.dilation.size() == dims && transform.paddingLower.size() == dims &&
           transform.paddingUpper.size() == dims && transform.flip.size() == dims;
  }
  static void validate(const char* operand, const InputTransform& transform, std::size_t elements,
                       unsigned dimension) {
    const std::size_t cut =
        std::size_t(transform.truncationLower[dimension]) + transform.truncationUpper[dimension];
    if (cut > elements || transform.dilation[dimension] == 0) {
      throw poputil::poplibs_error(
          std::string("convolution: wanted a dilation of at least 1, and no more than the ") +
          std::to_string(elements) + " elements of dimension " + std::to_string(dimension) +
          " of the " + operand + " cut off, found a dilation of " +
          std::to_string(transform.dilation[dimension]) + ", and " + std::to_string(cut) +
          " elements");
    }
    constexpr std::size_t kMostElements = std::size_t(1) << 31U;  // so that positions() has room
    const std::size_t positions =
        elements > kMostElements ? elements : transform.positions(elements, dimension);
    if (positions > std::numeric_limits<unsigned>::max()) {
      throw poputil::poplibs_error(
          std::string("convolution: wanted fewer than 2^32 positions in dimension ") +
          std::to_string(dimension) + " of the " + operand + ", found " +
          std::to_string(positions));
    }
  }
  void validate(unsigned dimension) const {
    validate("input", inputTransform, inputFieldShape[dimension], dimension);
    validate("kernel", kernelTransform, kernelShape[dimension], dimension);
    const std::size_t input = inputTransform.positions(inputFieldShape[dimension], dimension);
    const std::size_t kernel = kernelTransform.positions(kernelShape[dimension], dimension);
    const std::size_t cut = std::size_t(outputTransform.truncationLower[dimension]) +
                            outputTransform.truncationUpper[dimension];
    if (kernel == 0 || kernel > input || cut > input - kernel ||
        outputTransform.stride[dimension] == 0) {
      throw poputil::poplibs_error(
          "convolution: wanted a kernel within the padded input, a result of at least one element "
          "and a stride of at least 1 in dimension " +
          std::to_string(dimension) + ", found " + std::to_string(kernel) + " of " +
          std::to_string(input) + " positions, of which " + std::to_string(cut) +
          " results are cut off, and a stride of " +
          std::to_string(outputTransform.stride[dimension]));
    }
  }
  std::tuple<std::string, std::string, std::size_t, std::size_t, std::size_t, std::size_t> sizes()
      const {
    return std::make_tuple(inputType.toString(), outputType.toString(), batchSize,
                           inputChannelsPerConvGroup, outputChannelsPerConvGroup, numConvGroups);
  }
  std::tuple<const std::vector<std::size_t>&, const std::vector<std::size_t>&,
             const InputTransform&, const InputTransform&, const OutputTransform&>
  fields() const {
    return std::tie(inputFieldShape, kernelShape, inputTransform, kernelTransform, outputTransform);
  }
};

}  // namespace poplin
