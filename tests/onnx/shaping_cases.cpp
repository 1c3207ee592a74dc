// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/operator_cases.h"

namespace ipusim::workloads {

namespace {

using Ints = std::vector<std::int64_t>;

std::vector<OperatorCase> sizeCases() {
  const auto x = [](OnnxBuilder& b) { return b.input("x", {2, 3, 4}); };
  return {
      {"Constant",
       {2, 3, 4},
       {"add_number"},
       [=](OnnxBuilder& b) {
         return b.node("Add", {x(b), b.node("Constant", {}, {{"value_float", 2.0}})});
       }},
      {"Shape",
       {6, 4},
       {"reshape"},
       [=](OnnxBuilder& b) {  // as exporters write (batch * positions, width)
         const std::string shape = b.node("Shape", {x(b)});
         const std::string width =
             b.node("Gather", {shape, b.integers({2})}, {{"axis", std::int64_t{0}}});
         const std::string sizes =
             b.node("Concat", {b.integers({-1}), width}, {{"axis", std::int64_t{0}}});
         return b.node("Reshape", {"x", sizes});
       }},
      {"Size",
       {24},
       {"reshape"},
       [=](OnnxBuilder& b) {
         const std::string size = b.node("Unsqueeze", {b.node("Size", {x(b)}), b.integers({0})});
         return b.node("Reshape", {"x", size});
       }},
      {"Reshape",
       {2, 12},
       {"reshape"},
       [=](OnnxBuilder& b) {
         return b.node("Reshape", {x(b), b.integers({0, -1})});
       }},
      {"Flatten",
       {6, 4},
       {"reshape"},
       [=](OnnxBuilder& b) {
         return b.node("Flatten", {x(b)}, {{"axis", std::int64_t{2}}});
       }},
      {"Squeeze",
       {3, 4},
       {"reshape"},
       [](OnnxBuilder& b) {
         return b.node("Squeeze", {b.input("x", {1, 3, 4}), b.integers({0})});
       }},
  };
}

std::vector<OperatorCase> arrangingCases() {
  const auto x = [](OnnxBuilder& b) { return b.input("x", {2, 3, 4}); };
  return {
      {"Unsqueeze",
       {2, 1, 3, 4},
       {"reshape"},
       [=](OnnxBuilder& b) {
         return b.node("Unsqueeze", {x(b), b.integers({1})});
       }},
      {"Transpose",
       {4, 2, 3},
       {"transpose"},
       [=](OnnxBuilder& b) {
         return b.node("Transpose", {x(b)}, {{"perm", Ints{2, 0, 1}}});
       }},
      {"Concat",
       {2, 6, 4},
       {"concat"},
       [=](OnnxBuilder& b) {
         const std::string one = x(b);
         return b.node("Concat", {one, one}, {{"axis", std::int64_t{1}}});
       }},
      {"Slice",
       {2, 2, 3},
       {"slice", "slice"},
       [=](OnnxBuilder& b) {
         return b.node("Slice", {x(b), b.integers({1, -3}), b.integers({9, 1000}),
                                 b.integers({1, 2}), b.integers({1, 1})});
       }},
      {"Split",
       {2, 1, 4},
       {"slice"},
       [=](OnnxBuilder& b) {  // parts that nothing reads are left out
         return b.nodes("Split", {x(b)}, {{"axis", std::int64_t{1}}}, 3)[1];
       }},
      {"Gather",
       {2, 5, 7},
       {"embedding"},
       [](OnnxBuilder& b) {
         return b.node("Gather",
                       {b.weights({9, 7}), b.input("i", {2, 5}, onnx::TensorProto::INT64)});
       }},
      {"Gather_one_row",
       {2, 1, 4},
       {"slice"},
       [=](OnnxBuilder& b) {
         return b.node("Gather", {x(b), b.integers({-1})}, {{"axis", std::int64_t{1}}});
       }},
  };
}

std::vector<OperatorCase> reducingCases() {
  const auto x = [](OnnxBuilder& b) { return b.input("x", {2, 3, 4}); };
  return {
      {"Expand",
       {5, 3, 4},
       {"broadcast"},
       [](OnnxBuilder& b) {
         return b.node("Expand", {b.input("x", {1, 3, 4}), b.integers({5, 1, 1})});
       }},
      {"ConstantOfShape",
       {2, 3, 4},
       {"reshape"},
       [=](OnnxBuilder& b) {  // zeros change nothing
         return b.node("Reshape", {b.node("Add", {b.input("x", {6, 4}),
                                                  b.node("ConstantOfShape", {b.integers({6, 4})})}),
                                   b.integers({2, 3, 4})});
       }},
      {"Pad",
       {2, 4, 6},
       {"pad", "pad"},
       [=](OnnxBuilder& b) {
         return b.node("Pad", {x(b), b.integers({0, 1, 0, 0, 0, 2})});
       }},
      {"ReduceMean",
       {2, 3, 1},
       {"reduce_mean"},
       [=](OnnxBuilder& b) {
         return b.node("ReduceMean", {x(b)}, {{"axes", Ints{-1}}});
       }},
      {"ReduceSum",
       {2, 4},
       {"reduce_sum"},
       [=](OnnxBuilder& b) {
         return b.node("ReduceSum", {x(b), b.integers({1})}, {{"keepdims", std::int64_t{0}}});
       }},
      {"ReduceMax",
       {1, 1, 1},
       {"reduce_max"},
       [=](OnnxBuilder& b) { return b.node("ReduceMax", {x(b)}); }},
      {"ReduceMin",
       {2, 3, 1},
       {"reduce_min"},
       [=](OnnxBuilder& b) {
         return b.node("ReduceMin", {x(b)}, {{"axes", Ints{2}}});
       }},
  };
}

std::vector<OperatorCase> resizingCases() {
  return {
      {"Resize",
       {1, 2, 6, 4},
       {"upsample"},
       [](OnnxBuilder& b) {
         return b.node("Resize", {b.input("x", {1, 2, 3, 2}), "", "", b.integers({1, 2, 6, 4})});
       }},
      {"Upsample",
       {1, 2, 6, 4},
       {"upsample"},
       [](OnnxBuilder& b) {
         return b.node("Upsample", {b.input("x", {1, 2, 3, 2}), b.integers({1, 1, 2, 2})});
       },
       9},
  };
}

}  // namespace

std::vector<OperatorCase> shapingCases() {
  return joined({sizeCases(), arrangingCases(), reducingCases(), resizingCases()});
}

}  // namespace ipusim::workloads
