// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "workloads/ops/conv/planner/params.h"

// One dimension of a convolution in numbers, step by step as its transforms are told.

namespace ipusim::workloads {

using Numbers = std::vector<std::int64_t>;

/// `padded` with zeros at both ends.
inline Numbers withPadding(const Numbers& numbers, std::uint64_t lower, std::uint64_t upper) {
  Numbers padded(lower, 0);
  padded.insert(padded.end(), numbers.begin(), numbers.end());
  padded.insert(padded.end(), upper, 0);
  return padded;
}

inline Numbers cut(const Numbers& numbers, std::uint64_t lower, std::uint64_t upper) {
  return {numbers.begin() + static_cast<std::ptrdiff_t>(lower),
          numbers.end() - static_cast<std::ptrdiff_t>(upper)};
}

inline Numbers transformed(const Numbers& numbers, const OperandTransform& transform) {
  Numbers dilated;
  for (const std::int64_t number : cut(numbers, transform.trunc_lower, transform.trunc_upper)) {
    if (!dilated.empty()) dilated.insert(dilated.end(), transform.dilation - 1, 0);
    dilated.push_back(number);
  }
  Numbers result = withPadding(dilated, transform.pad_lower, transform.pad_upper);
  if (transform.flip) std::reverse(result.begin(), result.end());
  return result;
}

/// The result of a dimension for `input` and `kernel`.
inline Numbers convolved(const ConvDim& dim, const Numbers& input, const Numbers& kernel) {
  const Numbers in = transformed(input, dim.input);
  const Numbers weights = transformed(kernel, dim.weights);
  Numbers raw;
  for (std::size_t c = 0; c + weights.size() <= in.size(); ++c) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) sum += in[c + k] * weights[k];
    raw.push_back(sum);
  }
  const OutputTransform& out = dim.output;
  const Numbers kept = cut(raw, out.trunc_lower, out.trunc_upper);
  Numbers strided;
  for (std::size_t i = 0; i < kept.size(); i += out.stride) strided.push_back(kept[i]);
  return withPadding(strided, out.pad_lower, out.pad_upper);
}

inline ConvParams oneDim(const ConvDim& dim) {
  ConvParams params;
  params.dims = {dim};
  return params;
}

/// Some dimension with transforms of all kinds.
class AnyDim {
 public:
  explicit AnyDim(std::uint32_t seed) : random_(seed) {}

  ConvDim dim() {
    ConvDim dim;
    do {
      dim.field = upTo(1, 9);
      dim.kernel = upTo(1, 5);
      dim.input = operand(dim.field);
      dim.weights = operand(dim.kernel);
    } while (dim.kernelPositions() == 0 || dim.fieldPositions() < dim.kernelPositions());
    OutputTransform& out = dim.output;
    out.trunc_lower = upTo(0, std::min<std::uint64_t>(2, dim.rawOutputs() - 1));
    out.trunc_upper = upTo(0, std::min<std::uint64_t>(2, dim.rawOutputs() - 1 - out.trunc_lower));
    out.stride = upTo(1, 3);
    out.pad_lower = upTo(0, 2);
    out.pad_upper = upTo(0, 2);
    return dim;
  }
  Numbers numbers(std::uint64_t count) {
    Numbers numbers;
    for (std::uint64_t i = 0; i < count; ++i) {
      numbers.push_back(static_cast<std::int64_t>(upTo(1, 99)));
    }
    return numbers;
  }

 private:
  std::uint64_t upTo(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
  }
  OperandTransform operand(std::uint64_t elements) {
    OperandTransform t;
    t.trunc_lower = upTo(0, std::min<std::uint64_t>(2, elements));
    t.trunc_upper = upTo(0, std::min<std::uint64_t>(2, elements - t.trunc_lower));
    t.dilation = upTo(1, 3);
    t.pad_lower = upTo(0, 3);
    t.pad_upper = upTo(0, 3);
    t.flip = upTo(0, 1) == 1;
    return t;
  }
  std::mt19937 random_;
};

}  // namespace ipusim::workloads
