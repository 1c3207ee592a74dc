// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_import.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/skipped.h"

namespace ipusim::workloads {

namespace {

/// Numbers of more elements are not computed while a model is read.
constexpr std::uint64_t kMostFolded = 1U << 16U;
constexpr const char* kInput = "input";
constexpr std::int64_t kNewestOpset = 17;

std::map<std::string, AddOnnxNode> operatorTable() {
  std::map<std::string, AddOnnxNode> table;
  for (const auto* list : {&onnxLayers(), &onnxElementwise(), &onnxShaping()}) {
    for (const OnnxOperator& one : *list) table.emplace(one.name, one.add);
  }
  return table;
}

/// The tensor of a Constant.
OnnxTensor constantOf(const onnx::AttributeProto& attribute) {
  const TensorType integer{{}, ElementType::UInt32};
  if (attribute.name() == "value") return onnxTensor(attribute.t());
  if (attribute.name() == "value_float") return {{}, false, TensorValues{attribute.f()}};
  if (attribute.name() == "value_floats") {
    const auto count = static_cast<std::uint64_t>(attribute.floats_size());
    return {{{count}, ElementType::Float},
            false,
            TensorValues(attribute.floats().begin(), attribute.floats().end())};
  }
  if (attribute.name() == "value_int") {
    return {integer, true, TensorValues{static_cast<double>(attribute.i())}};
  }
  if (attribute.name() == "value_ints") {
    const auto count = static_cast<std::uint64_t>(attribute.ints_size());
    return {{{count}, ElementType::UInt32},
            true,
            TensorValues(attribute.ints().begin(), attribute.ints().end())};
  }
  throw OperandError("a constant of numbers", inQuotes(attribute.name()));
}

/// Throws for a tensor of the file that tiles cannot hold as it is. 0 is the type of a number that
/// was computed.
void expectOnTiles(const std::string& name, std::int32_t stored) {
  if (stored == 0) return;
  retold<OperandError>(
      [&] { static_cast<void>(onnxTileType(stored)); },
      [&](const OperandError& error) { return OperandError("tensor " + inQuotes(name), error); });
}

std::pair<ElementType, bool> inputType(const onnx::ValueInfoProto& input) {
  return retold<OperandError>([&] { return onnxTileType(input.type().tensor_type().elem_type()); },
                              [&](const OperandError& error) {
                                return OperandError("input " + inQuotes(input.name()), error);
                              });
}

}  // namespace

std::vector<std::string> onnxOperators() {
  std::vector<std::string> names{"Constant", "Shape"};
  for (const auto& one : operatorTable()) names.push_back(one.first);
  std::sort(names.begin(), names.end());
  return names;
}

OnnxImport::OnnxImport(const OnnxModel& model, const OnnxOptions& options)
    : model_(model), options_(options), operators_(operatorTable()) {
  if (model.opset > kNewestOpset) {
    throw OnnxError(fmt::format("wanted an opset up to {}, found {}", kNewestOpset, model.opset));
  }
  for (const OnnxOperator& layer : onnxLayers()) layers_.insert(layer.name);
  for (const auto& [name, tensor] : model.initialisers) {
    values_.emplace(name,
                    Value{tensor.type, {}, tensor.values, tensor.is_integer, true, tensor.stored});
  }
}

OnnxNetwork OnnxImport::run() {
  addInputs();
  for (const onnx::NodeProto& node : model_.graph.node()) addNode(node);
  expectUsedDimensions();
  std::vector<NetworkTensorId> results = outputs();
  const std::uint64_t count = samples();
  return {std::move(graph_), std::move(results), std::move(warnings_), count, takes_batch_};
}

/// A batch that the file fixes counts as much as one that the config gives.
std::uint64_t OnnxImport::samples() const {
  if (takes_batch_) return options_.batch;
  const std::vector<NetworkTensorId> inputs = graph_.tensorsOf(TensorRole::Input);
  if (inputs.empty() || graph_.shapeOf(inputs.front()).empty()) return 1;
  return graph_.shapeOf(inputs.front()).front();
}

/// The outputs that take steps. An output that is an input or a number of the file takes none.
std::vector<NetworkTensorId> OnnxImport::outputs() {
  if (model_.graph.output_size() == 0) throw OnnxError("wanted an output, found none");
  std::vector<NetworkTensorId> results;
  for (const onnx::ValueInfoProto& output : model_.graph.output()) {
    const NetworkTensorId result = tensorOf(output.name());
    const bool is_known = std::find(results.begin(), results.end(), result) != results.end();
    if (graph_[result].role == TensorRole::Result && !is_known) results.push_back(result);
  }
  if (results.empty()) {
    throw OnnxError("wanted an output that a node computes from the inputs, found none");
  }
  return results;
}

/// The shape that a file gives to a value. `what` is the value in messages. The first dimension of
/// an input is the batch where it has no size; elsewhere the symbol must be one that has a size.
Shape OnnxImport::shapeOf(const onnx::ValueInfoProto& value, const std::string& what) {
  Shape shape;
  for (const auto& dimension : value.type().tensor_type().shape().dim()) {
    const std::string& symbol = dimension.dim_param();
    const auto given = options_.dimensions.find(symbol);
    if (dimension.dim_value() > 0) {
      shape.push_back(static_cast<std::uint64_t>(dimension.dim_value()));
    } else if (given != options_.dimensions.end()) {
      shape.push_back(given->second);
      used_dimensions_.insert(symbol);
    } else if (shape.empty() && (what == kInput || batch_symbols_.count(symbol) > 0)) {
      shape.push_back(options_.batch);
      takes_batch_ = true;
      if (!symbol.empty()) batch_symbols_.insert(symbol);
    } else {
      const std::string wanted =
          symbol.empty()
              ? fmt::format("a size or a name of its dimension {}", shape.size())
              : fmt::format("a size of its dimension {} in `dimensions`", inQuotes(symbol));
      throw OperandError(fmt::format("{} {}", what, inQuotes(value.name())),
                         OperandError(wanted, "none"));
    }
  }
  return shape;
}

void OnnxImport::addInputs() {
  for (const onnx::ValueInfoProto& input : model_.graph.input()) {
    if (values_.count(input.name()) > 0) continue;  // an initialiser, in files of before 2019
    const auto [type, is_integer] = inputType(input);
    const TensorType tensor{shapeOf(input, kInput), type};
    const NetworkTensorId id = graph_.addSource(oneLine(input.name()), tensor, TensorRole::Input);
    values_.emplace(input.name(), Value{tensor, id, {}, is_integer, false});
  }
}

void OnnxImport::expectUsedDimensions() const {
  for (const auto& dimension : options_.dimensions) {
    if (used_dimensions_.count(dimension.first) > 0) continue;
    throw OnnxError(fmt::format("wanted `dimensions` that inputs or skipped nodes have, found {}",
                                inQuotes(dimension.first)));
  }
}

/// The name of a node, or its operator; a name that comes again gets a number.
std::string OnnxImport::nameOf(const onnx::NodeProto& node) {
  std::string name = oneLine(node.name().empty() ? node.op_type() : node.name());
  name.erase(0, name.find_first_not_of('/'));
  std::replace(name.begin(), name.end(), '/', '.');  // a '/' ends the name of a layer
  if (name.empty()) name = oneLine(node.op_type());
  const std::size_t uses = ++uses_[name];
  return uses == 1 ? name : fmt::format("{}:{}", name, uses);
}

OnnxImport::Value& OnnxImport::valueOf(const std::string& name) {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw OperandError("a value that an earlier node or the file has", inQuotes(name));
  }
  return found->second;
}

NetworkTensorId OnnxImport::tensorOf(const std::string& name, TensorRole initialiser) {
  Value& value = valueOf(name);
  if (elementsOf(value.type.shape) == 0) {
    throw OperandError("a tensor with elements", textOf(value.type.shape));
  }
  if (is_folding_) {
    const NetworkTensorId id = folded_.addSource(name, value.type, TensorRole::Constant);
    folded_numbers_.emplace(indexOf(id), *value.numbers);
    return id;
  }
  if (!value.tensor) {
    expectOnTiles(name, value.stored);
    // A number without dimensions is an epsilon or a factor.
    const bool is_learnt = value.is_initialiser && !value.is_integer && !value.type.shape.empty();
    value.tensor =
        graph_.addSource(oneLine(name), value.type, is_learnt ? initialiser : TensorRole::Constant);
  }
  return *value.tensor;
}

bool OnnxImport::isFoldable(const onnx::NodeProto& node) const {
  if (layers_.count(node.op_type()) > 0) return false;
  return std::all_of(node.input().begin(), node.input().end(), [&](const std::string& name) {
    if (name.empty()) return true;
    const auto found = values_.find(name);
    if (found == values_.end() || !found->second.numbers || found->second.tensor) return false;
    const Value& value = found->second;
    const bool is_weight = value.is_initialiser && !value.is_integer && !value.type.shape.empty();
    return !is_weight && value.numbers->size() <= kMostFolded;
  });
}

/// Computes a node instead of adding it. Returns false, and does nothing, where that takes many
/// numbers.
bool OnnxImport::fold(const onnx::NodeProto& node, const OnnxSite& site, AddOnnxNode add) {
  folded_ = {};
  folded_numbers_.clear();
  is_folding_ = true;
  std::vector<NetworkTensorId> results;
  const std::exception_ptr failure = failureOf([&] { results = add(site); });
  is_folding_ = false;
  if (failure) std::rethrow_exception(failure);
  const auto is_large = [](const NetworkTensor& tensor) {
    return elementsOf(tensor.type.shape) > kMostFolded;
  };
  if (std::any_of(folded_.tensors().begin(), folded_.tensors().end(), is_large)) return false;
  const std::vector<TensorValues> numbers = evaluate(folded_, folded_numbers_);
  for (std::size_t r = 0; r < results.size() && r < site.results(); ++r) {
    OnnxTensor folded;
    folded.type = folded_[results[r]].type;
    folded.is_integer = folded.type.type == ElementType::UInt32;
    folded.values = numbers[indexOf(results[r])];
    keepNumbers(node.output(static_cast<int>(r)), std::move(folded));
  }
  return true;
}

void OnnxImport::keepNumbers(const std::string& name, OnnxTensor tensor) {
  Value value;
  value.type = std::move(tensor.type);
  value.numbers = std::move(tensor.values);
  value.is_integer = tensor.is_integer;
  value.stored = tensor.stored;
  values_.insert_or_assign(name, std::move(value));
}

void OnnxImport::addConstant(const onnx::NodeProto& node) {
  if (node.attribute_size() != 1) {
    throw OperandError("one attribute", fmt::format("{}", node.attribute_size()));
  }
  keepNumbers(node.output(0), constantOf(node.attribute(0)));
}

void OnnxImport::addShape(const onnx::NodeProto& node) {
  if (node.input_size() != 1) {
    throw OperandError("one operand", fmt::format("{}", node.input_size()));
  }
  const Shape shape = valueOf(node.input(0)).type.shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  std::int64_t begin = 0;
  std::int64_t end = rank;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const std::int64_t counted = attribute.i() < 0 ? attribute.i() + rank : attribute.i();
    (attribute.name() == "start" ? begin : end) =
        std::min(std::max<std::int64_t>(counted, 0), rank);
  }
  OnnxTensor sizes;
  sizes.is_integer = true;
  sizes.values.emplace();
  for (std::int64_t d = begin; d < end; ++d) {
    sizes.values->push_back(static_cast<double>(shape[static_cast<std::size_t>(d)]));
  }
  sizes.type = {{sizes.values->size()}, ElementType::UInt32};
  keepNumbers(node.output(0), std::move(sizes));
}

/// The type that the file declares for a value, if it does.
std::optional<TensorType> OnnxImport::declaredType(const std::string& value) {
  for (const auto* list : {&model_.graph.value_info(), &model_.graph.output()}) {
    for (const onnx::ValueInfoProto& info : *list) {
      if (info.name() != value || !info.type().tensor_type().has_shape()) continue;
      const auto type = onnxTileType(info.type().tensor_type().elem_type()).first;
      return TensorType{shapeOf(info, "value"), type};
    }
  }
  return std::nullopt;
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
    values_.insert_or_assign(
        outputs[r], Value{types[r], results[r], {}, types[r].type == ElementType::UInt32, false});
  }
  warnings_.push_back(
      fmt::format("node {} ({}) is counted as zero: no operator of this name is known", name,
                  oneLine(node.op_type())));
}

void OnnxImport::addKnown(const onnx::NodeProto& node, const OnnxSite& site, AddOnnxNode add) {
  if (isFoldable(node) && fold(node, site, add)) return;
  const std::vector<NetworkTensorId> results = add(site);
  for (std::size_t r = 0; r < results.size() && r < site.results(); ++r) {
    const TensorType& type = graph_[results[r]].type;
    values_.insert_or_assign(node.output(static_cast<int>(r)),
                             Value{type, results[r], {}, type.type == ElementType::UInt32, false});
  }
}

void OnnxImport::addNode(const onnx::NodeProto& node) {
  const std::string name = nameOf(node);
  const auto add = [&] {
    if (node.output_size() == 0) throw OperandError("a node with a result", "none");
    const bool is_standard = node.domain().empty() || node.domain() == "ai.onnx";
    if (is_standard && node.op_type() == "Constant") return addConstant(node);
    if (is_standard && node.op_type() == "Shape") return addShape(node);
    const auto found = operators_.find(node.op_type());
    if (is_standard && found != operators_.end()) {
      return addKnown(node, OnnxSite(*this, node, name), found->second);
    }
    if (options_.skips_unknown) return addSkipped(node, name);
    throw OperandError("an operator that is read, or on_unknown = \"skip\"",
                       inQuotes(node.op_type()) + didYouMean(node.op_type(), onnxOperators()));
  };
  const auto error_of = [&](const std::string& what) {
    return OnnxError(fmt::format("node {} ({}): {}", name, oneLine(node.op_type()), what));
  };
  const auto counted = [&] {
    retold<CountError>(add, [&](const CountError&) {
      return error_of("wanted sizes that 64 bits hold, found larger ones");
    });
  };
  retold<OperandError>(counted, [&](const OperandError& error) { return error_of(error.what()); });
}

OnnxNetwork importOnnx(const OnnxModel& model, const OnnxOptions& options) {
  return retold<OperandError>([&] { return OnnxImport(model, options).run(); },
                              [](const OperandError& error) { return OnnxError(error.what()); });
}

}  // namespace ipusim::workloads
