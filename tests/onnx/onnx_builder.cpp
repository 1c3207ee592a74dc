// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/onnx_builder.h"

#include <numeric>

#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::workloads {

namespace {

constexpr std::int64_t kMostNumbers = 64;

void setValue(const std::int64_t& value, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

void setValue(const double& value, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(static_cast<float>(value));
}

void setValue(const std::string& value, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s(value);
}

void setValue(const std::vector<std::int64_t>& values, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

void setValue(const std::vector<double>& values, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::FLOATS);
  for (const double value : values) attribute.add_floats(static_cast<float>(value));
}

void setValue(const onnx::GraphProto& value, onnx::AttributeProto& attribute) {
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = value;
}

void setValueInfo(const std::string& name, const std::vector<std::int64_t>& dimensions,
                  std::int32_t type, onnx::ValueInfoProto& info) {
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  for (const std::int64_t size : dimensions) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (size < 0) {
      dimension.set_dim_param("d" + std::to_string(-size));
    } else {
      dimension.set_dim_value(size);
    }
  }
}

}  // namespace

OnnxBuilder::OnnxBuilder(std::int64_t opset) {
  model_.set_ir_version(8);
  model_.add_opset_import()->set_version(opset);
  model_.mutable_graph()->set_name("test");
}

std::string OnnxBuilder::input(const std::string& name, const std::vector<std::int64_t>& dimensions,
                               std::int32_t type) {
  setValueInfo(name, dimensions, type, *model_.mutable_graph()->add_input());
  return name;
}

void OnnxBuilder::declare(const std::string& value, const std::vector<std::int64_t>& dimensions) {
  setValueInfo(value, dimensions, onnx::TensorProto::FLOAT,
               *model_.mutable_graph()->add_value_info());
}

std::string OnnxBuilder::weights(const std::vector<std::int64_t>& dimensions) {
  onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(fresh("w"));
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  std::int64_t elements = 1;
  for (const std::int64_t size : dimensions) {
    tensor.add_dims(size);
    const bool is_many = elements > kMostNumbers || size > kMostNumbers;
    elements = is_many ? kMostNumbers + 1 : elements * size;
  }
  for (std::int64_t e = 0; e < elements && elements <= kMostNumbers; ++e) {
    tensor.add_float_data(static_cast<float>(e % 5) - 1.5F);
  }
  return tensor.name();
}

std::string OnnxBuilder::integers(const std::vector<std::int64_t>& values) {
  onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(fresh("i"));
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return tensor.name();
}

std::string OnnxBuilder::reals(const std::vector<double>& values) {
  onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(fresh("r"));
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const double value : values) tensor.add_float_data(static_cast<float>(value));
  return tensor.name();
}

std::string OnnxBuilder::scalar(double value) {
  onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(fresh("s"));
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_float_data(static_cast<float>(value));
  return tensor.name();
}

onnx::NodeProto OnnxBuilder::nodeOf(const std::string& type,
                                    const std::vector<std::string>& operands,
                                    const std::vector<OnnxAttribute>& attributes,
                                    std::size_t results) {
  onnx::NodeProto node;
  node.set_op_type(type);
  for (const std::string& operand : operands) node.add_input(operand);
  for (const auto& [name, value] : attributes) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    std::visit([&attribute](const auto& one) { setValue(one, attribute); }, value);
  }
  for (std::size_t r = 0; r < results; ++r) node.add_output("t" + std::to_string(r));
  return node;
}

std::vector<std::string> OnnxBuilder::nodes(const std::string& type,
                                            const std::vector<std::string>& operands,
                                            const std::vector<OnnxAttribute>& attributes,
                                            std::size_t results) {
  onnx::NodeProto& node = *model_.mutable_graph()->add_node();
  node = nodeOf(type, operands, attributes, results);
  node.set_name(fresh("/" + type + "_"));
  std::vector<std::string> names;
  for (std::string& output : *node.mutable_output()) {
    output = fresh("t");
    names.push_back(output);
  }
  return names;
}

std::string OnnxBuilder::node(const std::string& type, const std::vector<std::string>& operands,
                              const std::vector<OnnxAttribute>& attributes) {
  return nodes(type, operands, attributes, 1).front();
}

std::string OnnxBuilder::bytes(const std::string& output) {
  return bytes(std::vector<std::string>{output});
}

std::string OnnxBuilder::bytes(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) model_.mutable_graph()->add_output()->set_name(output);
  return model_.SerializeAsString();
}

OnnxNetwork networkOf(const std::string& bytes, const OnnxOptions& options) {
  return importOnnx(parseOnnxModel(bytes, "test"), options);
}

}  // namespace ipusim::workloads
