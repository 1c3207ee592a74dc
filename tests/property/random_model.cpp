// SPDX-License-Identifier: Apache-2.0
#include "tests/property/random_model.h"

#include <fmt/format.h>

#include <vector>

#include "tests/onnx/onnx_builder.h"
#include "tests/property/draw.h"

namespace ipusim::run {

namespace {

using workloads::OnnxAttribute;
using workloads::OnnxBuilder;
using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kFeatures = 8;
constexpr std::int64_t kChannels = 4;

/// Draws the nodes of a model on rows of features or on images, of which a node keeps the shape.
class RandomModel {
 public:
  RandomModel(std::uint64_t seed, bool is_trained)
      : draw_(seed), is_image_(draw_.once(2)), is_trained_(is_trained) {}

  std::string bytes() {
    const Ints shape = is_image_ ? Ints{-1, kChannels, 6, 6} : Ints{-1, kFeatures};
    std::string x = model_.input("x", shape);
    x = layer(x);  // something to learn comes first, so that training has it
    std::string saved = x;
    const std::uint64_t count = 1 + draw_.below(5);
    for (std::uint64_t n = 0; n < count; ++n) {
      const std::string y = node(x, saved);
      if (draw_.once(8)) continue;  // nothing reads the result
      x = y;
      if (draw_.once(3)) saved = x;
    }
    const bool has_two = !is_trained_ && x != saved && draw_.once(4);
    return has_two ? model_.bytes(std::vector<std::string>{x, saved}) : model_.bytes(x);
  }

 private:
  std::string layer(const std::string& x) { return is_image_ ? convolution(x) : product(x); }

  std::string node(const std::string& x, const std::string& saved) {
    switch (draw_.below(4)) {
      case 0:
        return layer(x);
      case 1:
        return model_.node(draw_.of<std::string>({"Relu", "Tanh", "Sigmoid", "Abs", "Neg",
                                                  "HardSwish", "LeakyRelu", "Erf"}),
                           {x});
      case 2:
        return model_.node(draw_.of<std::string>({"Add", "Sub", "Mul"}), {x, saved});
      default:
        return is_image_ ? ofImages(x) : ofRows(x, saved);
    }
  }

  std::string product(const std::string& x) {
    const std::string weights = model_.weights({kFeatures, kFeatures});
    if (draw_.once(2)) return model_.node("Gemm", {x, weights, model_.weights({kFeatures})});
    return model_.node("MatMul", {x, weights});
  }
  std::string convolution(const std::string& x) {
    const std::int64_t window = draw_.once(2) ? 3 : 1;
    const std::int64_t pad = window / 2;
    return model_.node("Conv", {x, model_.weights({kChannels, kChannels, window, window})},
                       {{"pads", Ints{pad, pad, pad, pad}}});
  }

  std::string ofRows(const std::string& x, const std::string& saved) {
    switch (draw_.below(4)) {
      case 0: {
        const std::string both = model_.node("Concat", {x, saved}, {{"axis", std::int64_t{1}}});
        return model_.node("MatMul", {both, model_.weights({2 * kFeatures, kFeatures})});
      }
      case 1: {
        const auto halves = model_.nodes("Split", {x}, {{"axis", std::int64_t{1}}}, 2);
        return model_.node("Concat", {halves[1], halves[0]}, {{"axis", std::int64_t{1}}});
      }
      case 2:
        return model_.node("Softmax", {x}, {{"axis", std::int64_t{1}}});
      default:
        return model_.node("LayerNormalization",
                           {x, model_.weights({kFeatures}), model_.weights({kFeatures})});
    }
  }
  std::string ofImages(const std::string& x) {
    const std::vector<OnnxAttribute> window{{"kernel_shape", Ints{3, 3}},
                                            {"pads", Ints{1, 1, 1, 1}}};
    switch (draw_.below(is_trained_ ? 2 : 3)) {
      case 0:
        return model_.node("AveragePool", {x}, window);
      case 1:
        return model_.node("Transpose", {x}, {{"perm", Ints{0, 1, 3, 2}}});
      default:
        return model_.node("MaxPool", {x}, window);
    }
  }

  OnnxBuilder model_{17};
  Draw draw_;
  bool is_image_;
  /// The largest of several stands in models that are not trained alone: equal numbers have no one
  /// largest.
  bool is_trained_;
};

}  // namespace

DrawnModel randomModel(std::uint64_t seed, const std::filesystem::path& file) {
  Draw draw(seed);
  const bool is_trained = draw.once(2);
  DrawnModel model;
  model.bytes = RandomModel(draw.below(1U << 30U), is_trained).bytes();
  const char* train = is_trained ? "train = {steps = 2, loss = \"squared_error\"}\n" : "";
  const int tiles = draw.of<int>({1, 2, 3, 7, 32});
  model.config = fmt::format(
      "machine = {{base = \"gc200\", tiles = {}}}\n[workload]\nkind = \"onnx\"\nfile = \"{}\"\n"
      "batch = {}\n{}",
      tiles, file.string(), 1 + draw.below(3), train);
  return model;
}

}  // namespace ipusim::run
