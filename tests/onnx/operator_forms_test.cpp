// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/onnx/onnx_builder.h"

// Operators whose numbers stand in other places from one opset, or one exporter, to the next.

namespace ipusim::workloads {
namespace {

using Ints = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// The shape of the result for an input "x" of shape (1, 2, 3, 2).
Shape shapeOf(std::int64_t opset, const std::function<std::string(OnnxBuilder&)>& build) {
  OnnxBuilder builder(opset);
  builder.input("x", {1, 2, 3, 2});
  const OnnxNetwork network = networkOf(builder.bytes(build(builder)));
  return network.graph.shapeOf(network.results.front());
}

TEST(OnnxConstant, MayBeAnInteger) {
  const auto build = [](OnnxBuilder& b) {
    const std::string index = b.node("Constant", {}, {{"value_int", std::int64_t{1}}});
    return b.node("Gather", {"x", index}, {{"axis", std::int64_t{2}}});
  };
  EXPECT_EQ(shapeOf(13, build), (Shape{1, 2, 2}));
}

TEST(OnnxConstant, MayBeAListOfIntegers) {
  const auto build = [](OnnxBuilder& b) {
    return b.node("Reshape", {"x", b.node("Constant", {}, {{"value_ints", Ints{-1, 4}}})});
  };
  EXPECT_EQ(shapeOf(13, build), (Shape{3, 4}));
}

TEST(OnnxConstant, MayBeAListOfRealNumbers) {
  const auto build = [](OnnxBuilder& b) {
    const std::string scales = b.node("Constant", {}, {{"value_floats", Reals{1, 1, 2, 3}}});
    return b.node("Resize", {"x", "", scales});
  };
  EXPECT_EQ(shapeOf(13, build), (Shape{1, 2, 6, 6}));
}

TEST(OnnxResize, HasNoRegionBeforeOpset11) {
  const auto build = [](OnnxBuilder& b) {
    return b.node("Resize", {"x", b.integers({1, 1, 2, 3})});
  };
  EXPECT_EQ(shapeOf(10, build), (Shape{1, 2, 6, 6}));
}

TEST(OnnxUpsample, HasItsScalesAsAnAttributeBeforeOpset9) {
  const auto build = [](OnnxBuilder& b) {
    return b.node("Upsample", {"x"}, {{"scales", Reals{1, 1, 2, 3}}});
  };
  EXPECT_EQ(shapeOf(7, build), (Shape{1, 2, 6, 6}));
}

}  // namespace
}  // namespace ipusim::workloads
