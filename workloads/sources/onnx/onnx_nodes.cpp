// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "workloads/networks/operations/skipped.h"
#include "workloads/sources/onnx/constants/fold.h"
#include "workloads/sources/onnx/onnx_import.h"

namespace ipusim::workloads {

namespace {

/// The tensor of a Constant.
OnnxTensor constantOf(const onnx::AttributeProto& attribute) {
  const auto list = [](std::int32_t type, const Shape& shape) {
    return OnnxArray::zeros(type, shape);
  };
  const auto of = [](OnnxArray numbers) {
    return OnnxTensor{numbers.type, numbers.shape, numbers};
  };
  if (attribute.name() == "value") return onnxTensor(attribute.t());
  if (attribute.name() == "value_float") {
    OnnxArray number = list(onnx::TensorProto::FLOAT, {});
    number.real[0] = static_cast<double>(attribute.f());
    return of(std::move(number));
  }
  if (attribute.name() == "value_floats") {
    OnnxArray numbers = list(onnx::TensorProto::FLOAT, {});
    numbers.real.assign(attribute.floats().begin(), attribute.floats().end());
    numbers.shape = {numbers.real.size()};
    return of(std::move(numbers));
  }
  if (attribute.name() == "value_int") {
    OnnxArray number = OnnxArray::integers({attribute.i()});
    number.shape = {};
    return of(std::move(number));
  }
  if (attribute.name() == "value_ints") {
    return of(OnnxArray::integers({attribute.ints().begin(), attribute.ints().end()}));
  }
  throw OperandError("a constant of numbers", inQuotes(attribute.name()));
}

/// The operator of a node, with its domain where that is not ONNX's own.
std::string fullNameOf(const onnx::NodeProto& node) {
  const std::string domain = onnxDomain(node.domain());
  return oneLine(domain.empty() ? node.op_type() : domain + "." + node.op_type());
}

/// The onnx::TensorProto::DataType of a tensor on tiles.
std::int32_t storedType(ElementType type) {
  if (type == ElementType::Half) return onnx::TensorProto::FLOAT16;
  if (type == ElementType::Bool) return onnx::TensorProto::BOOL;
  return type == ElementType::Float ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT64;
}

}  // namespace

/// The name of a node, or its operator; a name that comes again gets a number.
std::string OnnxImport::nameOf(const onnx::NodeProto& node) {
  std::string name = oneLine(node.name().empty() ? node.op_type() : node.name());
  name.erase(0, name.find_first_not_of('/'));
  std::replace(name.begin(), name.end(), '/', '.');  // a '/' ends the name of a layer
  if (name.empty()) name = oneLine(node.op_type());
  const std::size_t uses = ++uses_[name];
  return uses == 1 ? name : fmt::format("{}:{}", name, uses);
}

void OnnxImport::addConstant(const onnx::NodeProto& node) {
  if (node.attribute_size() != 1) {
    throw OperandError("one attribute", fmt::format("{}", node.attribute_size()));
  }
  OnnxTensor tensor = constantOf(node.attribute(0));
  if (tensor.numbers) return keepNumbers(node.output(0), *std::move(tensor.numbers));
  Value value{tensor.type, tensor.shape};
  value.is_source = true;
  values_.insert_or_assign(node.output(0), std::move(value));
}

/// A Shape, or the Size that is its product.
void OnnxImport::addShape(const onnx::NodeProto& node) {
  if (node.input_size() != 1) {
    throw OperandError("one operand", fmt::format("{}", node.input_size()));
  }
  const Shape& shape = valueOf(node.input(0)).shape;
  if (node.op_type() == "Size") {
    OnnxArray size = OnnxArray::integers({static_cast<std::int64_t>(elementsOf(shape))});
    size.shape = {};
    return keepNumbers(node.output(0), std::move(size));
  }
  const auto rank = static_cast<std::int64_t>(shape.size());
  std::int64_t begin = 0;
  std::int64_t end = rank;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const std::int64_t counted = attribute.i() < 0 ? attribute.i() + rank : attribute.i();
    (attribute.name() == "start" ? begin : end) =
        std::min(std::max<std::int64_t>(counted, 0), rank);
  }
  std::vector<std::int64_t> sizes;
  for (std::int64_t d = begin; d < end; ++d) {
    sizes.push_back(static_cast<std::int64_t>(shape[static_cast<std::size_t>(d)]));
  }
  keepNumbers(node.output(0), OnnxArray::integers(std::move(sizes)));
}

/// Adds a node of an unknown operator, which takes no time. A result without a declared shape must
/// not be read.
void OnnxImport::addSkipped(const onnx::NodeProto& node, const std::string& name) {
  std::vector<std::string> outputs;
  TensorTypes types;
  for (const std::string& output : node.output()) {
    const std::optional<TensorType> type = declaredType(output);
    if (!type) continue;
    outputs.push_back(output);
    types.push_back(*type);
  }
  if (types.empty()) {
    throw OperandError(fmt::format("the shape of its result {} in the value_info of the model, "
                                   "which on_unknown = \"skip\" takes",
                                   inQuotes(node.output(0))),
                       "none; onnx.shape_inference adds it to a model");
  }
  std::vector<NetworkTensorId> operands;
  for (const std::string& input : node.input()) {
    if (!input.empty()) operands.push_back(tensorOf(input));
  }
  const std::vector<NetworkTensorId> results =
      graph_.addNode(name, skippedOperation(oneLine(node.op_type()), types), operands);
  for (std::size_t r = 0; r < results.size(); ++r) {
    Value value{storedType(types[r].type), types[r].shape};
    value.tensor = results[r];
    values_.insert_or_assign(outputs[r], std::move(value));
  }
  warnings_.push_back(
      fmt::format("node {} ({}) is counted as zero: no operator of this name is known", name,
                  fullNameOf(node)));
}

void OnnxImport::addKnown(const onnx::NodeProto& node, const std::string& name,
                          const AddOnnxNode& add) {
  ++counts_[node.op_type()].run;
  const OnnxSite site(*this, node, name);
  const std::vector<NetworkTensorId> results = add(site);
  for (std::size_t r = 0; r < results.size() && r < site.results(); ++r) {
    const TensorType& type = graph_[results[r]].type;
    Value value{storedType(type.type), type.shape};
    value.tensor = results[r];
    values_.insert_or_assign(node.output(static_cast<int>(r)), std::move(value));
  }
}

/// What depends on a node that is not read is not judged.
void OnnxImport::markUnknown(const onnx::NodeProto& node) {
  Value value;
  value.is_unknown = true;
  for (const std::string& output : node.output()) {
    if (!output.empty()) values_.insert_or_assign(output, value);
  }
}

bool OnnxImport::isBehindUnknown(const onnx::NodeProto& node) {
  return std::any_of(node.input().begin(), node.input().end(), [&](const std::string& input) {
    return !input.empty() && valueOf(input).is_unknown;
  });
}

void OnnxImport::addOrFold(const onnx::NodeProto& node, const std::string& name,
                           const AddOnnxNode* add) {
  if (fold(node, name, add)) {
    ++counts_[node.op_type()].computed;
    return;
  }
  if (add == nullptr) {
    throw OperandError(
        "operands that the numbers of the file give, as the shape of the result "
        "depends on them",
        "computed ones");
  }
  addKnown(node, name, *add);
}

/// Returns false for an unknown operator.
bool OnnxImport::tryNode(const onnx::NodeProto& node, const std::string& name) {
  if (node.output_size() == 0) throw OperandError("a node with a result", "none");
  if (tryInlining(node, name)) return true;
  const bool is_behind_unknown = isBehindUnknown(node);
  if (!onnxDomain(node.domain()).empty()) return false;
  const std::string& type = node.op_type();
  const auto found = operators_.find(type);
  const AddOnnxNode* const add = found == operators_.end() ? nullptr : &found->second;
  const bool is_of_file = type == "Constant" || type == "Shape" || type == "Size";
  if (add == nullptr && !is_of_file && foldOf(type) == nullptr) return false;
  if (is_behind_unknown) {
    markUnknown(node);
  } else if (is_of_file) {
    ++counts_[type].computed;
    type == "Constant" ? addConstant(node) : addShape(node);
  } else {
    addOrFold(node, name, add);
  }
  return true;
}

void OnnxImport::addNode(const onnx::NodeProto& node) {
  const std::string name = nameOf(node);
  const auto error_of = [&](const std::string& what) {
    return OnnxError(fmt::format("node {} ({}): {}", name, fullNameOf(node), what));
  };
  const auto add = [&] {
    if (tryNode(node, name)) return;
    if (options_.skips_unknown) return addSkipped(node, name);
    unknown_[fullNameOf(node)].push_back(name);
    markUnknown(node);
  };
  const auto counted = [&] {
    translateErrors<CountError>(add, [&](const CountError&) {
      return error_of("wanted sizes that 64 bits hold, found larger ones");
    });
  };
  const auto named = [&] {
    translateErrors<OperandError>(
        counted, [&](const OperandError& error) { return error_of(error.what()); });
  };
  const auto failure = faultOf<OnnxError>(named);
  if (!failure) return;
  if (first_failure_.empty()) first_failure_ = *failure;
  markUnknown(node);
}

}  // namespace ipusim::workloads
