// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/dct_chop.h"

#include <fmt/format.h>

#include <cmath>

#include "ipusim/error.h"
#include "workloads/networks/compression/dct_matrices.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"

namespace ipusim::workloads {

namespace {

/// Planes after padding and splitting, in blocks.
struct Planes {
  std::uint64_t count;
  std::uint64_t down;    ///< blocks of a column
  std::uint64_t across;  ///< blocks of a row

  [[nodiscard]] std::uint64_t height() const { return down * kDctBlock; }
  [[nodiscard]] std::uint64_t width() const { return across * kDctBlock; }
  [[nodiscard]] std::uint64_t blocks() const { return count * down * across; }
};

/// One direction of the codec for a tensor.
class DctSteps {
 public:
  DctSteps(const DctChop& rule, const CodecSite& site, TensorType type)
      : rule_(rule), site_(site), type_(std::move(type)), chop_(rule.chop) {
    const std::uint64_t grain = kDctBlock * rule.split;
    const Shape& shape = type_.shape;
    check(shape.size() >= 2, "a tensor with planes");
    padded_ = shape;
    for (std::size_t d = shape.size() - 2; d < shape.size(); ++d) {
      padded_[d] = ceilDiv(shape[d], grain) * grain;
    }
    const std::uint64_t height = padded_[shape.size() - 2];
    const std::uint64_t width = padded_.back();
    planes_ = {elementsOf(padded_) / (height * width) * rule.split * rule.split,
               height / rule.split / kDctBlock, width / rule.split / kDctBlock};
  }

  [[nodiscard]] NetworkTensorId encode(NetworkTensorId x) const {
    x = padded(x);
    switch (rule_.form) {
      case DctForm::Dense:
        return triangle(dense(x));
      case DctForm::Blockwise:
        return triangle(blockwise(x));
      case DctForm::Fused:
        break;
    }
    return fused(x);
  }

  [[nodiscard]] NetworkTensorId decode(NetworkTensorId code) const {
    switch (rule_.form) {
      case DctForm::Dense:
        return cut(denseBack(square(code)));
      case DctForm::Blockwise:
        return cut(blockwiseBack(square(code)));
      case DctForm::Fused:
        break;
    }
    return cut(fusedBack(code));
  }

 private:
  [[nodiscard]] NetworkTensorId padded(NetworkTensorId x) const {
    if (padded_ == type_.shape) return x;
    for (std::size_t d = padded_.size() - 2; d < padded_.size(); ++d) {
      const std::uint64_t more = padded_[d] - type_.shape[d];
      if (more > 0) x = site_.add(fmt::format("pad_{}", d), zeroPad({d, 0, more}), {x});
    }
    return site_.add("padded", rowMajor(), {x});
  }

  /// The padded planes without their padding.
  [[nodiscard]] NetworkTensorId cut(NetworkTensorId planes) const {
    NetworkTensorId x = site_.reshaped("planes", padded_, planes);
    for (std::size_t d = padded_.size() - 2; d < padded_.size(); ++d) {
      if (padded_[d] == type_.shape[d]) continue;
      x = site_.add(fmt::format("cut_{}", d), slice({d, 0, type_.shape[d]}), {x});
    }
    return x;
  }

  [[nodiscard]] NetworkTensorId times(const std::string& part, NetworkTensorId x,
                                      const DctMatrix& matrix) const {
    const NetworkTensorId right =
        site_.constant(matrix.name, {{matrix.rows, matrix.columns}, type_.type}, matrix.values);
    return site_.add(part, matmul(), {x, right});
  }

  /// (planes, chop x blocks across, chop x blocks down): the transform of C = L A L^T.
  [[nodiscard]] NetworkTensorId dense(NetworkTensorId x) const {
    const NetworkTensorId planes =
        site_.reshaped("planes", {planes_.count, planes_.height(), planes_.width()}, x);
    const NetworkTensorId rows = times("rows", planes, choppedDct(planes_.across, chop_));
    const NetworkTensorId columns = site_.arranged("columns", {0, 2, 1}, rows);
    return times("transform", columns, choppedDct(planes_.down, chop_));
  }
  [[nodiscard]] NetworkTensorId denseBack(NetworkTensorId code) const {
    const NetworkTensorId whole =
        site_.reshaped("code", {planes_.count, planes_.across * chop_, planes_.down * chop_}, code);
    const NetworkTensorId columns =
        times("columns", whole, transposed(choppedDct(planes_.down, chop_)));
    const NetworkTensorId rows = site_.arranged("rows", {0, 2, 1}, columns);
    return times("inverse", rows, transposed(choppedDct(planes_.across, chop_)));
  }

  /// (planes, blocks down, blocks across x chop, chop).
  [[nodiscard]] NetworkTensorId blockwise(NetworkTensorId x) const {
    const NetworkTensorId eights =
        site_.reshaped("eights", {planes_.count, planes_.height(), planes_.across, kDctBlock}, x);
    const NetworkTensorId rows = times("rows", eights, choppedDct(1, chop_));
    const NetworkTensorId columns = site_.arranged(
        "columns", {0, 1, 3, 2},
        site_.reshaped("blocks", {planes_.count, planes_.down, kDctBlock, planes_.across * chop_},
                       rows));
    return times("transform", columns, choppedDct(1, chop_));
  }
  [[nodiscard]] NetworkTensorId blockwiseBack(NetworkTensorId code) const {
    const NetworkTensorId whole =
        site_.reshaped("code", {planes_.count, planes_.down, planes_.across * chop_, chop_}, code);
    const NetworkTensorId columns = times("columns", whole, transposed(choppedDct(1, chop_)));
    const NetworkTensorId rows = site_.arranged("rows", {0, 1, 3, 2}, columns);
    const NetworkTensorId eights =
        site_.reshaped("eights", {planes_.count, planes_.height(), planes_.across, chop_}, rows);
    return times("inverse", eights, transposed(choppedDct(1, chop_)));
  }

  /// (blocks, values kept).
  [[nodiscard]] NetworkTensorId fused(NetworkTensorId x) const {
    const NetworkTensorId blocks = site_.arranged(
        "blocks", {0, 1, 3, 2, 4},
        site_.reshaped("eights",
                       {planes_.count, planes_.down, kDctBlock, planes_.across, kDctBlock}, x));
    const NetworkTensorId rows =
        site_.reshaped("rows", {planes_.blocks(), kDctBlock * kDctBlock}, blocks);
    return times("transform", rows, blockDct(rule_));
  }
  [[nodiscard]] NetworkTensorId fusedBack(NetworkTensorId code) const {
    const NetworkTensorId blocks = site_.reshaped(
        "blocks", {planes_.count, planes_.down, planes_.across, kDctBlock, kDctBlock},
        times("inverse", code, transposed(blockDct(rule_))));
    return site_.arranged("eights", {0, 1, 3, 2, 4}, blocks);
  }

  /// A square code as (planes, blocks, chop, blocks, chop), or the like, with its frequencies
  /// in front.
  struct FrequencyOrder {
    Shape blocks;
    std::vector<std::size_t> to_front;
    std::vector<std::size_t> back;
  };
  [[nodiscard]] FrequencyOrder frequencyOrder() const {
    if (rule_.form == DctForm::Dense) {
      return {{planes_.count, planes_.across, chop_, planes_.down, chop_},
              {2, 4, 0, 1, 3},
              {2, 3, 0, 4, 1}};
    }
    return {{planes_.count, planes_.down, planes_.across, chop_, chop_},
            {3, 4, 0, 1, 2},
            {2, 3, 4, 0, 1}};
  }

  /// The kept frequencies are the rows of a table that are looked up.
  [[nodiscard]] NetworkTensorId triangle(NetworkTensorId code) const {
    if (rule_.corner == DctCorner::Square) return code;
    const FrequencyOrder order = frequencyOrder();
    const NetworkTensorId frequencies = site_.arranged(
        "frequencies", order.to_front, site_.reshaped("corners", order.blocks, code));
    const NetworkTensorId table =
        site_.reshaped("table", {chop_ * chop_, planes_.blocks()}, frequencies);
    return site_.add("triangle", embedding(), {table, indices()});
  }
  [[nodiscard]] NetworkTensorId square(NetworkTensorId code) const {
    if (rule_.corner == DctCorner::Square) return code;
    const FrequencyOrder order = frequencyOrder();
    const NetworkTensorId table = site_.add("square", sumByIndex(chop_ * chop_), {indices(), code});
    Shape shape;
    for (const std::size_t d : order.to_front) shape.push_back(order.blocks[d]);
    return site_.arranged("corners", order.back, site_.reshaped("frequencies", shape, table));
  }

  [[nodiscard]] NetworkTensorId indices() const {
    const TensorValues kept = keptFrequencies(rule_);
    return site_.constant(fmt::format("triangle_{}", chop_), {{kept.size()}, ElementType::UInt32},
                          kept);
  }

  const DctChop& rule_;
  const CodecSite& site_;
  TensorType type_;
  std::uint64_t chop_;
  Shape padded_;
  Planes planes_{};
};

class DctChopCodec final : public Codec {
 public:
  explicit DctChopCodec(const DctChop& rule) : rule_(rule) {}

  [[nodiscard]] std::optional<std::string> wantedInsteadOf(const TensorType& type) const override {
    if (type.shape.size() >= 2) return std::nullopt;
    return "planes, which are the last two dimensions";
  }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    return {DctSteps(rule_, site, site.graph[x].type).encode(x), std::nullopt};
  }
  [[nodiscard]] bool isCompact() const override { return false; }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    return DctSteps(rule_, site, type).decode(code.values);
  }

 private:
  DctChop rule_;
};

}  // namespace

CodecPointer dctChopCodec(const DctChop& rule) {
  return std::make_shared<DctChopCodec>(rule);
}

}  // namespace ipusim::workloads
