// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/onnx/composed_cases.h"

namespace ipusim::workloads {

namespace {

using Ints = std::vector<std::int64_t>;
using Names = std::vector<std::string>;
using Attributes = std::vector<OnnxAttribute>;

NumberedTensor indices(const Shape& shape, const TensorValues& values) {
  return tensor(shape, values, ElementType::UInt32);
}

/// A node that takes the inputs, and then lists of whole numbers.
std::function<std::string(OnnxBuilder&, const Names&)> node(const std::string& type,
                                                            const Attributes& attributes = {},
                                                            const std::vector<Ints>& lists = {}) {
  return [=](OnnxBuilder& b, const Names& names) {
    Names operands = names;
    for (const Ints& list : lists) operands.push_back(b.integers(list));
    return b.node(type, operands, attributes);
  };
}

std::vector<ComposedCase> reductionCases() {
  const NumberedTensor x = tensor({2, 2}, {1, -2, 3, 4});
  const Ints last{1};
  return {
      {"ReduceL1", {x}, node("ReduceL1", {}, {last}), tensor({2, 1}, {3, 7})},
      {"ReduceL2", {x}, node("ReduceL2", {}, {last}), tensor({2, 1}, {std::sqrt(5.0), 5})},
      {"ReduceSumSquare", {x}, node("ReduceSumSquare", {}, {last}), tensor({2, 1}, {5, 25})},
      {"ReduceProd", {x}, node("ReduceProd", {}, {last}), tensor({2, 1}, {-2, 12})},
      {"ReduceLogSum",
       {x},
       node("ReduceLogSum", {}, {{0}}),
       tensor({1, 2}, {std::log(4.0), std::log(2.0)})},
      {"ReduceLogSumExp",
       {tensor({1, 2}, {0, 0})},
       node("ReduceLogSumExp", {{"keepdims", std::int64_t{0}}}, {last}),
       tensor({1}, {std::log(2.0)})},
      {"CumSum", {x}, node("CumSum", {}, {{1}}), tensor({2, 2}, {1, -1, 3, 7})},
      {"CumSum_reverse",
       {x},
       node("CumSum", {{"reverse", std::int64_t{1}}, {"exclusive", std::int64_t{1}}}, {{0}}),
       tensor({2, 2}, {3, 4, 0, 0})},
      {"Mean", {x, tensor({2}, {3, 4})}, node("Mean"), tensor({2, 2}, {2, 1, 3, 4})},
      {"MeanVarianceNormalization",
       {tensor({1, 2}, {1, 3})},
       node("MeanVarianceNormalization", {{"axes", Ints{1}}}),
       tensor({1, 2}, {-1, 1})},
      {"LpNormalization",
       {tensor({1, 2}, {3, 4})},
       node("LpNormalization"),
       tensor({1, 2}, {0.6, 0.8})},
      {"RMSNormalization",
       {tensor({1, 2}, {1, 7}), tensor({2}, {1, 2})},
       node("RMSNormalization", {{"epsilon", 0.0}}),
       tensor({1, 2}, {0.2, 2.8})},
  };
}

std::vector<ComposedCase> sortingCases() {
  const NumberedTensor x = tensor({1, 4}, {1, 5, 5, 2});
  TensorValues many;
  TensorValues sorted;
  for (int i = 0; i < 12; ++i) many.push_back((i * 5) % 12);
  for (int i = 0; i < 10; ++i) sorted.push_back(11 - i);
  return {
      {"ArgMax", {x}, node("ArgMax", {{"axis", std::int64_t{1}}}), indices({1, 1}, {1})},
      {"ArgMin",
       {x},
       node("ArgMin", {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}}),
       indices({1}, {0})},
      {"TopK", {x}, node("TopK", {}, {{3}}), tensor({1, 3}, {5, 5, 2})},
      {"TopK_of_many", {tensor({1, 12}, many)}, node("TopK", {}, {{10}}), tensor({1, 10}, sorted)},
      {"Hardmax", {x}, node("Hardmax"), tensor({1, 4}, {0, 1, 0, 0})},
      {"OneHot",
       {indices({2}, {1, 0})},
       [](OnnxBuilder& b, const Names& names) {
         return b.node("OneHot", {names[0], b.integers({3}), b.reals({0, 2})});
       },
       tensor({2, 3}, {0, 2, 0, 2, 0, 0})},
      {"OneHot_from_the_end",
       {indices({4}, {-1, -3, 3, -4})},
       [](OnnxBuilder& b, const Names& names) {
         return b.node("OneHot", {names[0], b.integers({3}), b.reals({0, 2})});
       },
       tensor({4, 3}, {0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0})},
  };
}

std::vector<ComposedCase> indexCases() {
  const NumberedTensor x = tensor({2, 2}, {1, 2, 3, 4});
  return {
      {"GatherElements",
       {x, indices({2, 2}, {1, 0, 0, 0})},
       node("GatherElements", {{"axis", std::int64_t{1}}}),
       tensor({2, 2}, {2, 1, 3, 3})},
      {"GatherND", {x, indices({1, 2}, {1, 0})}, node("GatherND"), tensor({1}, {3})},
      {"Gather_columns",
       {x, indices({3}, {1, 0, 1})},
       node("Gather", {{"axis", std::int64_t{1}}}),
       tensor({2, 3}, {2, 1, 2, 4, 3, 4})},
      {"Scatter",
       {x, indices({1, 2}, {1, 0}), tensor({1, 2}, {8, 9})},
       node("Scatter"),
       tensor({2, 2}, {1, 9, 8, 4})},
      {"ScatterElements",
       {x, indices({1, 2}, {1, 1}), tensor({1, 2}, {8, 9})},
       node("ScatterElements", {{"reduction", std::string("add")}}),
       tensor({2, 2}, {1, 2, 11, 13})},
      {"ScatterND",
       {x, indices({1, 1}, {0}), tensor({1, 2}, {8, 9})},
       node("ScatterND"),
       tensor({2, 2}, {8, 9, 3, 4})},
      {"ReverseSequence",
       {tensor({3, 1}, {1, 2, 3})},
       node("ReverseSequence", {}, {{2}}),
       tensor({3, 1}, {2, 1, 3})},
      {"Trilu", {x}, node("Trilu", {{"upper", std::int64_t{0}}}), tensor({2, 2}, {1, 0, 3, 4})},
      {"Tile", {x}, node("Tile", {}, {{1, 2}}), tensor({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})},
  };
}

std::vector<ComposedCase> pictureCases() {
  const NumberedTensor row = tensor({1, 1, 1, 2}, {0, 4});
  const NumberedTensor blocks = tensor({1, 4, 1, 1}, {1, 2, 3, 4});
  const auto resized = [](const Attributes& attributes) {
    return [=](OnnxBuilder& b, const Names& names) {
      return b.node("Resize", {names[0], "", "", b.integers({1, 1, 1, 4})}, attributes);
    };
  };
  const Attributes linear{{"mode", std::string("linear")}};
  const Attributes corners{{"mode", std::string("linear")},
                           {"coordinate_transformation_mode", std::string("align_corners")}};
  return {
      {"Resize_linear", {row}, resized(linear), tensor({1, 1, 1, 4}, {0, 1, 3, 4})},
      {"Resize_corners", {row}, resized(corners), tensor({1, 1, 1, 4}, {0, 4.0 / 3, 8.0 / 3, 4})},
      {"DepthToSpace",
       {blocks},
       node("DepthToSpace", {{"blocksize", std::int64_t{2}}}),
       tensor({1, 1, 2, 2}, {1, 2, 3, 4})},
      {"SpaceToDepth",
       {tensor({1, 1, 2, 2}, {1, 2, 3, 4})},
       node("SpaceToDepth", {{"blocksize", std::int64_t{2}}}),
       tensor({1, 4, 1, 1}, {1, 2, 3, 4})},
      {"MaxPool_ceil",
       {tensor({1, 1, 1, 5}, {1, 2, 3, 4, 5})},
       node(
           "MaxPool",
           {{"kernel_shape", Ints{1, 2}}, {"strides", Ints{1, 2}}, {"ceil_mode", std::int64_t{1}}}),
       tensor({1, 1, 1, 3}, {2, 4, 5})},
      {"AveragePool_ceil",
       {tensor({1, 1, 1, 5}, {1, 2, 3, 4, 5})},
       node("AveragePool", {{"kernel_shape", Ints{1, 2}},
                            {"strides", Ints{1, 2}},
                            {"ceil_mode", std::int64_t{1}},
                            {"count_include_pad", std::int64_t{1}}}),
       tensor({1, 1, 1, 3}, {1.5, 3.5, 5})},
      {"LpPool",
       {tensor({1, 1, 1, 2}, {3, 4})},
       node("LpPool", {{"kernel_shape", Ints{1, 2}}}),
       tensor({1, 1, 1, 1}, {5})},
      {"GlobalLpPool",
       {tensor({1, 1, 1, 2}, {3, 4})},
       node("GlobalLpPool"),
       tensor({1, 1, 1, 1}, {5})},
  };
}

std::vector<ComposedCase> valueCases() {
  return {
      {"LRN",
       {tensor({1, 3, 1, 1}, {1, 2, 3})},
       node("LRN", {{"size", std::int64_t{3}}, {"alpha", 3.0}, {"beta", 1.0}}),
       tensor({1, 3, 1, 1}, {1.0 / 6, 2.0 / 15, 3.0 / 14})},
      {"GroupNormalization",
       {tensor({1, 2, 2}, {1, 3, 2, 2}), tensor({1}, {2}), tensor({1}, {1})},
       node("GroupNormalization", {{"num_groups", std::int64_t{1}}, {"epsilon", 0.0}}),
       tensor({1, 2, 2}, {1 - 2 * std::sqrt(2.0), 1 + 2 * std::sqrt(2.0), 1, 1})},
  };
}

/// Parts of tensors, and single elements.
std::vector<ComposedCase> elementCases() {
  return {
      {"Pad_reflect",
       {tensor({3}, {1, 2, 3})},
       node("Pad", {{"mode", std::string("reflect")}}, {{2, 1}}),
       tensor({6}, {3, 2, 1, 2, 3, 2})},
      {"Slice_step",
       {tensor({5}, {1, 2, 3, 4, 5})},
       node("Slice", {}, {{0}, {5}, {0}, {2}}),
       tensor({3}, {1, 3, 5})},
      {"Slice_back",
       {tensor({3}, {1, 2, 3})},
       node("Slice", {}, {{-1}, {-4}, {0}, {-1}}),
       tensor({3}, {3, 2, 1})},
      {"PRelu",
       {tensor({2, 2}, {-1, 2, -3, -4}), tensor({2}, {0.5, 0.25})},
       node("PRelu"),
       tensor({2, 2}, {-0.5, 2, -1.5, -1})},
      {"CastLike",
       {tensor({2}, {1, 0}), tensor({1}, {1}, ElementType::Half)},
       node("CastLike"),
       tensor({2}, {1, 0}, ElementType::Half)},
      {"Mod",
       {indices({4}, {7, 9, -1, -9})},
       [](OnnxBuilder& b, const Names& names) {
         return b.node("Mod", {names[0], b.integers({4})});
       },
       indices({4}, {3, 1, 3, 3})},
      {"Mod_uneven",
       {indices({4}, {7, 10, -1, -10})},
       [](OnnxBuilder& b, const Names& names) {
         return b.node("Mod", {names[0], b.integers({5})});
       },
       indices({4}, {2, 0, 4, 0})},
      {"Not",
       {tensor({2}, {1, 0}, ElementType::Bool)},
       node("Not"),
       tensor({2}, {0, 1}, ElementType::Bool)},
      {"Xor",
       {tensor({2}, {1, 0}, ElementType::Bool), tensor({1}, {1}, ElementType::Bool)},
       node("Xor"),
       tensor({2}, {0, 1}, ElementType::Bool)},
  };
}

}  // namespace

std::vector<ComposedCase> composedTensorCases() {
  std::vector<ComposedCase> cases;
  for (const auto& list : {reductionCases(), sortingCases(), indexCases(), pictureCases(),
                           valueCases(), elementCases()}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  return cases;
}

}  // namespace ipusim::workloads
