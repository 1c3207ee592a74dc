// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/tensor_text.h"

#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace {

/// A tensor with more elements is shown by the ends of its rows.
constexpr std::size_t kShownWhole = 1000;
constexpr std::size_t kShownEnds = 3;

class TensorWriter {
 public:
  TensorWriter(const TensorData& tensor, const std::vector<std::byte>& elements)
      : tensor_(tensor),
        elements_(elements),
        bytes_(bytesOf(tensor.type)),
        is_whole_(tensor.elements() <= kShownWhole) {}

  std::string run() {
    append(0, 0, tensor_.elements());
    return std::move(text_);
  }

 private:
  /// Appends elements [begin, begin + count), which have the dimensions from `dimension` on.
  void append(std::size_t dimension, std::size_t begin, std::size_t count) {
    if (dimension == tensor_.rank()) {
      text_ += detail::textOf(tensor_.type, elements_.data() + begin * bytes_);
      return;
    }
    const std::size_t rows = tensor_.view.shape()[dimension];
    const bool is_last = dimension + 1 == tensor_.rank();
    text_ += "[";
    for (std::size_t row = 0; row < rows; ++row) {
      if (row > 0) text_ += is_last ? " " : "\n" + std::string(dimension + 1, ' ');
      if (!is_whole_ && row == kShownEnds && rows > 2 * kShownEnds) {
        text_ += is_last ? "... " : "...\n" + std::string(dimension + 1, ' ');
        row = rows - kShownEnds;
      }
      append(dimension + 1, begin + row * (count / rows), count / rows);
    }
    text_ += "]";
  }

  const TensorData& tensor_;
  const std::vector<std::byte>& elements_;
  std::size_t bytes_;
  bool is_whole_;
  std::string text_;
};

}  // namespace

std::string tensorText(const TensorData& tensor, const std::vector<std::byte>& elements) {
  return TensorWriter(tensor, elements).run();
}

}  // namespace poplar::detail
