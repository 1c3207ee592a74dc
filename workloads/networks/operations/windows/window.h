// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/tensor.h"

// Windows that move over the field of a tensor (batch, channels, field...): those of convolutions
// and of pooling.

namespace ipusim::workloads {

/// How a window moves. Each vector has one entry per dimension of the field.
struct WindowMotion {
  std::vector<std::uint64_t> stride;
  std::vector<std::uint64_t> padding_lower;
  std::vector<std::uint64_t> padding_upper;
  std::vector<std::uint64_t> dilation;

  /// A window that moves by one, without padding.
  static WindowMotion plain(std::size_t dimensions);

  /// All numbers, equal for equal motions only.
  [[nodiscard]] std::string text() const;
};

/// A window over a field. Sizes are without batch and channels.
struct WindowedField {
  Shape field;
  Shape window;
  WindowMotion motion;

  /// The positions of the window: (field + paddings - extent of the window) / stride + 1 in each
  /// dimension. Throws OperandError for a window that does not fit.
  [[nodiscard]] Shape positions() const;
};

/// The dimensions behind batch and channels. Throws OperandError for fewer than three dimensions.
Shape fieldOf(const Shape& tensor);

/// One element of a window at one position.
struct WindowTap {
  std::uint64_t position;
  std::uint64_t window_element;
  std::uint64_t field_element;
};

/// All taps inside the field, ordered by position and then by the element of the window. Padding
/// has no taps.
std::vector<WindowTap> tapsOf(const WindowedField& windowed);

}  // namespace ipusim::workloads
