// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "tests/onnx/composed_cases.h"
#include "tests/onnx/onnx_builder.h"
#include "tests/onnx/whole_models.h"
#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::workloads {
namespace {

using testing::HasSubstr;

std::string messageOf(const std::string& bytes, const OnnxOptions& options = {}) {
  try {
    networkOf(bytes, options);
  } catch (const ConfigError& error) {
    return error.what();
  } catch (const OnnxError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OnnxFile, IsRefusedWhenItIsTruncated) {
  const std::string bytes = unetBytes();
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THAT(messageOf(bytes.substr(0, length)), HasSubstr("wanted")) << length;
  }
  EXPECT_THAT(messageOf("not a model"), HasSubstr("wanted an ONNX model"));
}

/// The error for one node on a field x of 1 x 2 x 3 x 2, whose second operand is a list.
std::string errorWithReals(const std::string& type, double number) {
  OnnxBuilder b;
  const std::string x = b.input("x", {1, 2, 3, 2});
  const std::string list =
      b.node("Constant", {}, {{"value_floats", std::vector<double>{1, 1, 1, number}}});
  const std::vector<std::string> operands =
      type == "Resize" ? std::vector<std::string>{x, "", list} : std::vector<std::string>{x, list};
  return messageOf(b.bytes(b.node(type, operands)));
}

TEST(OnnxFile, TakesNoNumberForASizeThatHasNone) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double number : {1e30, kInfinity, -kInfinity, std::nan(""), 0.0}) {
    EXPECT_THAT(errorWithReals("Resize", number), HasSubstr("wanted a field of sizes from 1 to"));
  }
  EXPECT_THAT(errorWithReals("Reshape", std::nan("")),
              HasSubstr("wanted whole numbers in operand 2"));
}

/// The error for a Loop or a Scan of one sequence x of 3 numbers, with more attributes.
std::string errorOfRounds(const std::string& type, const onnx::GraphProto& body,
                          std::vector<OnnxAttribute> attributes, std::size_t results) {
  OnnxBuilder b;
  const std::string x = b.input("x", {3});
  attributes.emplace_back("body", body);
  const std::vector<std::string> operands = type == "Loop"
                                                ? std::vector<std::string>{b.integers({2}), "", x}
                                                : std::vector<std::string>{x};
  return messageOf(b.bytes(b.nodes(type, operands, attributes, results)));
}

TEST(OnnxFile, TakesNoBodyThatIsNotOfItsNode) {
  const onnx::GraphProto body = partOf({"a"}, {}, {"a"});
  EXPECT_THAT(errorOfRounds("Loop", body, {}, 1),
              HasSubstr("wanted a body with 3 operands and 2 results, found one with 1 operands"));
  EXPECT_THAT(errorOfRounds("Loop", body, {}, 2), HasSubstr("wanted a body with 3 operands"));
  const OnnxAttribute one{"num_scan_inputs", std::int64_t{1}};
  EXPECT_THAT(errorOfRounds("Scan", body, {one}, 2), HasSubstr("wanted a body with 1 operands"));
  EXPECT_THAT(errorOfRounds("Scan", body, {{"num_scan_inputs", std::int64_t{5}}}, 1),
              HasSubstr("wanted at least 5 operands, found 1"));
  EXPECT_THAT(errorOfRounds("Scan", body, {{"num_scan_inputs", std::int64_t{-1}}}, 1),
              HasSubstr("wanted sequences to scan"));
  EXPECT_THAT(
      errorOfRounds("Scan", body, {one, {"scan_input_axes", std::vector<std::int64_t>{0, 0}}}, 1),
      HasSubstr("wanted 1 numbers in scan_input_axes, found 2"));
}

TEST(OnnxFile, TakesNoPadsThatSixtyFourBitsDoNotCount) {
  for (const auto& [pad, wanted] : std::vector<std::pair<std::int64_t, std::string>>{
           {std::numeric_limits<std::int64_t>::max(), "wanted pads up to "},
           {-3, "wanted pads that take at most 2 elements away"}}) {
    OnnxBuilder b(10);
    const std::vector<std::int64_t> pads{0, 0, 0, pad, 0, 0, 0, 0};
    EXPECT_THAT(messageOf(b.bytes(b.node("Pad", {b.input("x", {1, 2, 3, 2})}, {{"pads", pads}}))),
                HasSubstr(wanted));
  }
}

TEST(OnnxFile, IsRefusedForElementsThatTilesDoNotHave) {
  for (const auto& [type, name] :
       std::vector<std::pair<std::int32_t, std::string>>{{onnx::TensorProto::INT8, "int8"},
                                                         {onnx::TensorProto::UINT8, "uint8"},
                                                         {onnx::TensorProto::INT16, "int16"},
                                                         {onnx::TensorProto::UINT64, "uint64"},
                                                         {onnx::TensorProto::DOUBLE, "double"},
                                                         {onnx::TensorProto::BFLOAT16, "bfloat16"},
                                                         {onnx::TensorProto::STRING, "string"}}) {
    OnnxBuilder b;
    EXPECT_THAT(messageOf(b.bytes(b.node("Relu", {b.input("x", {2, 3}, type)}))),
                HasSubstr("input \"x\": wanted one of the element types float, float16, int32, "
                          "int64, uint32 and bool, found " +
                          name));
    OnnxBuilder casts;
    EXPECT_THAT(messageOf(casts.bytes(
                    casts.node("Cast", {casts.input("x", {2, 3})}, {{"to", std::int64_t{type}}}))),
                HasSubstr("node Cast_1 (Cast): wanted one of the element types"));
  }
}

/// Exporters write scalars as doubles and turn them into floats: nothing of that runs on tiles.
TEST(OnnxFile, MayComputeConstantsOfAnyType) {
  OnnxBuilder b;
  const std::string wide =
      b.node("Cast", {b.scalar(2)}, {{"to", std::int64_t{onnx::TensorProto::DOUBLE}}});
  const std::string factor =
      b.node("Cast", {wide}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
  EXPECT_EQ(messageOf(b.bytes(b.node("Mul", {b.input("x", {2, 3}), factor}))), "no error");
}

TEST(OnnxFile, CountsTheBatchThatItFixesAsSamples) {
  OnnxBuilder fixed;
  const OnnxNetwork of_file =
      networkOf(fixed.bytes(fixed.node("Relu", {fixed.input("x", {8, 3})})));
  EXPECT_EQ(of_file.samples, 8U);
  EXPECT_FALSE(of_file.takes_batch);
  OnnxBuilder symbolic;
  OnnxOptions options;
  options.batch = 4;
  const std::string bytes = symbolic.bytes(symbolic.node("Relu", {symbolic.input("x", {-1, 3})}));
  EXPECT_EQ(networkOf(bytes, options).samples, 4U);
  EXPECT_TRUE(networkOf(bytes, options).takes_batch);
  options.dimensions = {{"d1", 16}};
  EXPECT_EQ(networkOf(bytes, options).samples, 16U);
}

TEST(OnnxFile, NamesAllUnknownOperatorsWithTheirNodes) {
  OnnxBuilder b;
  const std::string first = b.node("Sofmax", {b.input("x", {2, 3})});
  const std::string second = b.node("Whiten", {b.node("Sofmax", {first})});
  EXPECT_EQ(messageOf(b.bytes(b.node("Relu", {second}))),
            "wanted operators that are read, or on_unknown = \"skip\", found Sofmax (2: Sofmax_1, "
            "Sofmax_3), Whiten (1: Whiten_5)");
}

TEST(OnnxFile, NamesAKnownOperatorThatFailsBesideUnknownOnes) {
  OnnxBuilder b;
  const std::string x = b.input("x", {2, 3});
  const std::string product = b.node("MatMul", {x, b.weights({4, 5})});
  const std::string message = messageOf(b.bytes(b.node("Add", {product, b.node("Whiten", {x})})));
  EXPECT_THAT(message, HasSubstr("found Whiten (1: Whiten_4); and node MatMul_2 (MatMul): "
                                 "MatMul_2: matmul: wanted as many columns"));
}

TEST(OnnxFile, MaySkipAnUnknownOperatorWhoseResultItDeclares) {
  OnnxBuilder b;
  const std::string skipped = b.node("Whiten", {b.input("x", {-1, 3})});
  b.declare(skipped, {-1, 5});
  OnnxOptions options;
  options.batch = 4;
  options.skips_unknown = true;
  const OnnxNetwork network = networkOf(b.bytes(b.node("Relu", {skipped})), options);
  EXPECT_EQ(network.graph.shapeOf(network.results.front()), (Shape{4, 5}));
  EXPECT_THAT(network.warnings,
              testing::ElementsAre(HasSubstr("Whiten_1 (Whiten) is counted as zero")));
}

TEST(OnnxFile, TakesNoOtherSymbolOfASkippedNodeForTheBatch) {
  OnnxBuilder b;
  const std::string skipped = b.node("Whiten", {b.input("x", {-1, 3})});
  b.declare(skipped, {-2, 5});
  const std::string bytes = b.bytes(b.node("Relu", {skipped}));
  OnnxOptions options;
  options.batch = 4;
  options.skips_unknown = true;
  EXPECT_THAT(messageOf(bytes, options),
              HasSubstr("node Whiten_1 (Whiten): value \"" + skipped +
                        "\": wanted a size of its dimension \"d2\" in `dimensions`, found none"));
  options.dimensions = {{"d2", 7}};
  const OnnxNetwork network = networkOf(bytes, options);
  EXPECT_EQ(network.graph.shapeOf(network.results.front()), (Shape{7, 5}));
  options.dimensions = {{"d2", 7}, {"d3", 1}};
  EXPECT_THAT(messageOf(bytes, options), HasSubstr("found \"d3\""));
}

TEST(OnnxFile, DoesNotGuessTheShapeOfAnUnknownOperator) {
  OnnxBuilder b;
  const std::string bytes = b.bytes(b.node("Relu", {b.node("Whiten", {b.input("x", {2, 3})})}));
  OnnxOptions options;
  options.skips_unknown = true;
  EXPECT_THAT(
      messageOf(bytes, options),
      HasSubstr("node Whiten_1 (Whiten): wanted the shape of its result \"t2\" in the value_info"));
}

TEST(OnnxFile, NamesADimensionWithoutASize) {
  OnnxBuilder b;
  const std::string bytes = b.bytes(b.node("Relu", {b.input("x", {-1, -2})}));
  EXPECT_THAT(messageOf(bytes), HasSubstr("a size of its dimension \"d2\""));
  EXPECT_EQ(messageOf(bytes, {{{"d2", 4}}, 3}), "no error");
}

TEST(OnnxFile, IsJudgedByItsOperatorsAndNotByItsOpset) {
  for (const std::int64_t opset : {7, 13, 18, 21, 23}) {
    OnnxBuilder b(opset);
    EXPECT_EQ(messageOf(b.bytes(b.node("Relu", {b.input("x", {2})}))), "no error");
  }
}

TEST(OnnxFile, NamesTheOperandsThatAnOperatorCannotTake) {
  OnnxBuilder b;
  const std::string bytes = b.bytes(b.node("MatMul", {b.input("x", {2, 3}), b.weights({4, 5})}));
  EXPECT_THAT(messageOf(bytes), HasSubstr("as many columns on the left as rows on the right"));
}

TEST(OnnxFile, TakesNoRemainderThatNeedsASign) {
  const auto message_of = [](bool is_computed, const std::vector<OnnxAttribute>& attributes) {
    OnnxBuilder b;
    const std::string x = b.input("x", {2}, onnx::TensorProto::INT64);
    const std::string divisor =
        is_computed ? b.input("d", {1}, onnx::TensorProto::INT64) : b.integers({-3});
    return messageOf(b.bytes(b.node("Mod", {x, divisor}, attributes)));
  };
  EXPECT_THAT(message_of(true, {}), HasSubstr("(Mod): wanted a divisor that the file has"));
  EXPECT_THAT(message_of(false, {}), HasSubstr("found -3 and fmod 0"));
  EXPECT_THAT(message_of(false, {{"fmod", std::int64_t{1}}}), HasSubstr("found -3 and fmod 1"));
}

TEST(OnnxFile, NamesAValueThatNobodyMakes) {
  OnnxBuilder b;
  EXPECT_THAT(messageOf(b.bytes(b.node("Relu", {"nothing"}))), HasSubstr("\"nothing\""));
}

TEST(OnnxFile, NeverOpensExternalData) {
  onnx::ModelProto model;
  model.add_opset_import()->set_version(13);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& shape = *graph.add_initializer();
  shape.set_name("shape");
  shape.set_data_type(onnx::TensorProto::INT64);
  shape.add_dims(2);
  shape.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *shape.add_external_data();
  location.set_key("location");
  location.set_value("../../etc/passwd");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Reshape");
  node.add_input("shape");
  node.add_input("shape");
  node.add_output("y");
  graph.add_output()->set_name("y");
  EXPECT_THAT(messageOf(model.SerializeAsString()), HasSubstr("numbers the file has"));
}

TEST(OnnxFile, RefusesTensorsThatNoMemoryHolds) {
  OnnxBuilder b;
  const std::string bytes =
      b.bytes(b.node("Relu", {b.weights({std::int64_t{1} << 40, std::int64_t{1} << 40})}));
  EXPECT_THAT(messageOf(bytes), HasSubstr("a tensor of at most"));
}

}  // namespace
}  // namespace ipusim::workloads
