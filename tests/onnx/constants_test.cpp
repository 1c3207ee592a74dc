// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/onnx/onnx_builder.h"
#include "workloads/sources/onnx/constants/fold.h"

// Nodes whose operands are numbers, against results worked out by hand from the operators'
// documents.

namespace ipusim::workloads {
namespace {

using Ints = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using onnx::TensorProto;
using testing::ElementsAre;

OnnxArray ints(const Shape& shape, Ints values, std::int32_t type = TensorProto::INT64) {
  return {type, shape, {}, std::move(values)};
}

OnnxArray reals(const Shape& shape, Reals values, std::int32_t type = TensorProto::FLOAT) {
  return {type, shape, std::move(values), {}};
}

/// The results of a node of one operator.
std::vector<OnnxArray> allFolded(const std::string& name, const std::vector<OnnxArray>& operands,
                                 const std::vector<OnnxAttribute>& attributes = {},
                                 std::size_t results = 1, std::int64_t opset = 17) {
  const onnx::NodeProto node = OnnxBuilder::nodeOf(
      name, std::vector<std::string>(operands.size(), "x"), attributes, results);
  std::vector<const OnnxArray*> given;
  for (const OnnxArray& operand : operands) given.push_back(&operand);
  return foldOf(name)(FoldSite(node, opset, given));
}

OnnxArray folded(const std::string& name, const std::vector<OnnxArray>& operands,
                 const std::vector<OnnxAttribute>& attributes = {}) {
  return allFolded(name, operands, attributes).front();
}

std::string faultOfFolding(const std::string& name, const std::vector<OnnxArray>& operands) {
  try {
    static_cast<void>(folded(name, operands));
  } catch (const OperandError& error) {
    return error.what();
  }
  return "none";
}

TEST(FoldedArithmetic, KeepsAllBitsOfWholeNumbers) {
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  EXPECT_THAT(folded("Add", {ints({1}, {large}), ints({1}, {1})}).whole, ElementsAre(large + 1));
  EXPECT_THAT(folded("Mul", {ints({1}, {3000000000}), ints({1}, {3})}).whole,
              ElementsAre(9000000000));
}

TEST(FoldedArithmetic, WrapsAsTheTypeDoes) {
  const OnnxArray byte = ints({2}, {250, 3}, TensorProto::UINT8);
  EXPECT_THAT(folded("Add", {byte, ints({1}, {10}, TensorProto::UINT8)}).whole, ElementsAre(4, 13));
  EXPECT_THAT(folded("Cast", {ints({1}, {300})}, {{"to", std::int64_t{TensorProto::INT8}}}).whole,
              ElementsAre(44));
}

TEST(FoldedArithmetic, TruncatesQuotientsAndKeepsTheSignOfADivisor) {
  const OnnxArray left = ints({4}, {7, -7, 7, -7});
  const OnnxArray right = ints({4}, {2, 2, -2, -2});
  EXPECT_THAT(folded("Div", {left, right}).whole, ElementsAre(3, -3, -3, 3));
  EXPECT_THAT(folded("Mod", {left, right}).whole, ElementsAre(1, 1, -1, -1));
  EXPECT_THAT(folded("Mod", {left, right}, {{"fmod", std::int64_t{1}}}).whole,
              ElementsAre(1, -1, 1, -1));
  EXPECT_THAT(faultOfFolding("Div", {left, ints({1}, {0})}),
              testing::HasSubstr("a divisor other than 0"));
}

TEST(FoldedArithmetic, RoundsToTheTypeOfTheOperands) {
  const OnnxArray third = folded("Div", {reals({1}, {1}), reals({1}, {3})});
  EXPECT_EQ(third.real[0], static_cast<double>(1.0F / 3.0F));
  const OnnxArray half = folded("Cast", {third}, {{"to", std::int64_t{TensorProto::FLOAT16}}});
  EXPECT_EQ(half.real[0], 0.333251953125);
  const OnnxArray brain = folded("Cast", {third}, {{"to", std::int64_t{TensorProto::BFLOAT16}}});
  EXPECT_EQ(brain.real[0], 0.333984375);
}

TEST(FoldedArithmetic, RoundsHalvesToEven) {
  EXPECT_THAT(folded("Round", {reals({4}, {0.5, 1.5, 2.5, -1.5})}).real, ElementsAre(0, 2, 2, -2));
  EXPECT_THAT(folded("Ceil", {reals({2}, {6.2, -6.2})}).real, ElementsAre(7, -6));
}

TEST(FoldedArithmetic, PowersTakeAnExponentOfAnotherType) {
  EXPECT_THAT(folded("Pow", {ints({3}, {2, 3, -1}), ints({1}, {3})}).whole, ElementsAre(8, 27, -1));
  EXPECT_THAT(folded("Pow", {reals({2}, {4, 9}), ints({1}, {2})}).real, ElementsAre(16, 81));
  EXPECT_THAT(folded("Pow", {ints({1}, {9}), reals({1}, {0.5})}).whole, ElementsAre(3));
}

TEST(FoldedComparisons, AreFalseForWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OnnxArray x = reals({3}, {1, nan, 3});
  EXPECT_THAT(folded("Less", {x, reals({1}, {2})}).whole, ElementsAre(1, 0, 0));
  EXPECT_THAT(folded("GreaterOrEqual", {x, reals({1}, {2})}).whole, ElementsAre(0, 0, 1));
  EXPECT_THAT(folded("IsNaN", {x}).whole, ElementsAre(0, 1, 0));
  EXPECT_THAT(folded("Not", {ints({2}, {0, 1}, TensorProto::BOOL)}).whole, ElementsAre(1, 0));
}

TEST(FoldedComparisons, ChooseByACondition) {
  const OnnxArray condition = ints({2, 1}, {1, 0}, TensorProto::BOOL);
  EXPECT_THAT(folded("Where", {condition, ints({2}, {1, 2}), ints({1}, {9})}).whole,
              ElementsAre(1, 2, 9, 9));
  EXPECT_THAT(folded("Max", {ints({2}, {1, 5}), ints({1}, {3})}).whole, ElementsAre(3, 5));
  EXPECT_THAT(folded("Clip", {reals({3}, {-1, 0.5, 7}), reals({}, {0}), reals({}, {6})}).real,
              ElementsAre(0, 0.5, 6));
}

TEST(FoldedShapes, SliceWithStepsOfBothSigns) {
  const OnnxArray x = ints({6}, {0, 1, 2, 3, 4, 5});
  const auto sliced = [&](std::int64_t start, std::int64_t end, std::int64_t step) {
    return folded("Slice",
                  {x, ints({1}, {start}), ints({1}, {end}), ints({1}, {0}), ints({1}, {step})})
        .whole;
  };
  EXPECT_THAT(sliced(1, 100, 2), ElementsAre(1, 3, 5));
  EXPECT_THAT(sliced(-1, std::numeric_limits<std::int64_t>::min(), -1),
              ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(sliced(4, 1, -2), ElementsAre(4, 2));
  EXPECT_TRUE(sliced(3, 3, 1).empty());
}

TEST(FoldedShapes, TakeTensorsWithoutElements) {
  const OnnxArray none = folded("ConstantOfShape", {ints({1}, {0})});
  EXPECT_EQ(none.shape, (Shape{0}));
  EXPECT_EQ(folded("Concat", {ints({0}, {}), ints({2}, {4, 5})}, {{"axis", std::int64_t{0}}}).whole,
            (Ints{4, 5}));
  EXPECT_THAT(folded("ReduceSum", {reals({0}, {})}).real, ElementsAre(0));
}

TEST(FoldedShapes, MoveElements) {
  const OnnxArray x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(folded("Transpose", {x}).whole, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(folded("Tile", {ints({2}, {1, 2}), ints({1}, {2})}).whole, ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(folded("Expand", {ints({2, 1}, {1, 2}), ints({2}, {2, 2})}).whole,
              ElementsAre(1, 1, 2, 2));
  const auto parts = allFolded("Split", {x}, {{"axis", std::int64_t{1}}}, 2);
  EXPECT_THAT(parts[0].whole, ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(parts[1].whole, ElementsAre(3, 6));
}

TEST(FoldedShapes, PadInAllModes) {
  const OnnxArray x = ints({3}, {1, 2, 3});
  const auto padded = [&](const std::string& mode) {
    return folded("Pad", {x, ints({2}, {2, 1})}, {{"mode", mode}}).whole;
  };
  EXPECT_THAT(padded("constant"), ElementsAre(0, 0, 1, 2, 3, 0));
  EXPECT_THAT(padded("reflect"), ElementsAre(3, 2, 1, 2, 3, 2));
  EXPECT_THAT(padded("edge"), ElementsAre(1, 1, 1, 2, 3, 3));
  EXPECT_THAT(padded("wrap"), ElementsAre(2, 3, 1, 2, 3, 1));
  EXPECT_THAT(folded("Pad", {x, ints({2}, {-1, 0})}).whole, ElementsAre(2, 3));
}

TEST(FoldedShapes, KeepATriangle) {
  const OnnxArray x = ints({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(folded("Trilu", {x}).whole, ElementsAre(1, 2, 0, 4));
  EXPECT_THAT(folded("Trilu", {x, ints({}, {-1})}, {{"upper", std::int64_t{0}}}).whole,
              ElementsAre(0, 0, 3, 0));
}

TEST(FoldedIndices, GatherAndScatter) {
  const OnnxArray x = ints({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(folded("Gather", {x, ints({2}, {-1, 0})}, {{"axis", std::int64_t{1}}}).whole,
              ElementsAre(2, 1, 4, 3));
  EXPECT_THAT(
      folded("GatherElements", {x, ints({2, 2}, {0, 0, 1, 0})}, {{"axis", std::int64_t{1}}}).whole,
      ElementsAre(1, 1, 4, 3));
  EXPECT_THAT(folded("GatherND", {x, ints({2, 2}, {0, 1, 1, 0})}).whole, ElementsAre(2, 3));
  EXPECT_THAT(
      folded("ScatterElements", {ints({3}, {0, 0, 0}), ints({2}, {1, 1}), ints({2}, {5, 6})},
             {{"reduction", std::string("add")}})
          .whole,
      ElementsAre(0, 11, 0));
  EXPECT_THAT(folded("ScatterND", {ints({3}, {1, 2, 3}), ints({1, 1}, {2}), ints({1}, {9})}).whole,
              ElementsAre(1, 2, 9));
  EXPECT_THAT(faultOfFolding("Gather", {x, ints({1}, {2})}),
              testing::HasSubstr("wanted indices from -2 to 1, found 2"));
}

TEST(FoldedIndices, FindAndCount) {
  const OnnxArray x = ints({2, 2}, {0, 2, 3, 0});
  EXPECT_THAT(folded("NonZero", {x}).whole, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(folded("OneHot", {ints({2}, {1, -1}), ints({}, {3}), ints({2}, {0, 7})}).whole,
              ElementsAre(0, 7, 0, 0, 0, 7));
  EXPECT_THAT(
      folded("Compress", {x, ints({2}, {0, 1}, TensorProto::BOOL)}, {{"axis", std::int64_t{0}}})
          .whole,
      ElementsAre(3, 0));
  const auto unique = allFolded("Unique", {ints({4}, {2, 1, 2, 3})}, {}, 4);
  EXPECT_THAT(unique[0].whole, ElementsAre(1, 2, 3));
  EXPECT_THAT(unique[1].whole, ElementsAre(1, 0, 3));
  EXPECT_THAT(unique[2].whole, ElementsAre(1, 0, 1, 2));
  EXPECT_THAT(unique[3].whole, ElementsAre(1, 2, 1));
}

TEST(FoldedIndices, SortWithEqualElementsInTheirOrder) {
  const auto found = allFolded("TopK", {reals({4}, {1, 3, 3, 2}), ints({1}, {3})}, {}, 2);
  EXPECT_THAT(found[0].real, ElementsAre(3, 3, 2));
  EXPECT_THAT(found[1].whole, ElementsAre(1, 2, 3));
  EXPECT_THAT(folded("ArgMax", {reals({3}, {1, 3, 3})}).whole, ElementsAre(1));
  EXPECT_THAT(
      folded("ArgMax", {reals({3}, {1, 3, 3})}, {{"select_last_index", std::int64_t{1}}}).whole,
      ElementsAre(2));
}

TEST(FoldedReductions, HaveTheirAxesInEitherPlace) {
  const OnnxArray x = ints({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(folded("ReduceSum", {x, ints({1}, {0})}).whole, ElementsAre(4, 6));
  EXPECT_THAT(folded("ReduceProd", {x}, {{"axes", Ints{1}}}).whole, ElementsAre(2, 12));
  EXPECT_THAT(folded("ReduceMax", {x}).whole, ElementsAre(4));
  EXPECT_THAT(folded("ReduceL2", {reals({2}, {3, 4})}).real, ElementsAre(5));
}

TEST(FoldedReductions, SumAsTheyGo) {
  const OnnxArray x = ints({4}, {1, 2, 3, 4});
  const OnnxArray axis = ints({}, {0});
  EXPECT_THAT(folded("CumSum", {x, axis}).whole, ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(
      folded("CumSum", {x, axis}, {{"exclusive", std::int64_t{1}}, {"reverse", std::int64_t{1}}})
          .whole,
      ElementsAre(9, 7, 4, 0));
}

TEST(FoldedTensors, AreMadeOfAFewNumbers) {
  EXPECT_THAT(folded("Range", {ints({}, {10}), ints({}, {4}), ints({}, {-2})}).whole,
              ElementsAre(10, 8, 6));
  EXPECT_THAT(folded("Range", {reals({}, {0}), reals({}, {1}), reals({}, {0.25})}).real,
              ElementsAre(0, 0.25, 0.5, 0.75));
  EXPECT_TRUE(folded("Range", {ints({}, {1}), ints({}, {1}), ints({}, {1})}).whole.empty());
  EXPECT_THAT(folded("EyeLike", {ints({2, 3}, Ints(6, 0))}, {{"k", std::int64_t{1}}}).whole,
              ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_THAT(faultOfFolding("ConstantOfShape", {ints({2}, {1 << 20, 1 << 20})}),
              testing::HasSubstr("at most"));
}

}  // namespace
}  // namespace ipusim::workloads
