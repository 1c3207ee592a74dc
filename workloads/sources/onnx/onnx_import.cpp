// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/sources/onnx/onnx_taking.h"
#include "workloads/sources/onnx/onnx_windows.h"

namespace ipusim::workloads {

namespace {

constexpr const char* kInput = "input";
/// Before this version, operators had other attributes and repeated shapes by hand.
constexpr std::int64_t kOldestOpset = 1;

std::map<std::string, AddOnnxNode> operatorTable() {
  std::map<std::string, AddOnnxNode> table;
  for (const auto* list :
       {&onnxLayers(), &onnxElementwise(), &onnxActivations(), &onnxShaping(), &onnxMoving(),
        &onnxPooling(), &onnxReducing(), &onnxResizing(), &onnxIndexing(), &onnxSorting(),
        &onnxEinsum(), &onnxRecurrent(), &onnxAttention()}) {
    for (const OnnxOperator& one : *list) table.emplace(one.name, one.add);
  }
  return table;
}

/// How often a graph and the graphs inside it read a value.
void countReaders(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                  std::unordered_map<std::string, std::size_t>& readers) {
  for (const onnx::NodeProto& node : nodes) {
    for (const std::string& operand : node.input()) ++readers[operand];
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) countReaders(attribute.g().node(), readers);
    }
  }
}

/// "Einsum (2: a, b), TopK (1: c)"
std::string namesAndPlaces(const std::map<std::string, std::vector<std::string>>& unknown) {
  constexpr std::size_t kMostPlaces = 3;
  std::string text;
  for (const auto& [name, places] : unknown) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({}: ", name, places.size());
    for (std::size_t p = 0; p < std::min(places.size(), kMostPlaces); ++p) {
      text += (p == 0 ? "" : ", ") + places[p];
    }
    text += places.size() > kMostPlaces ? ", ...)" : ")";
  }
  return text;
}

/// Leaves out the parts of nodes that nothing reads: an operator makes parts for all of its
/// results. What a whole node makes and nothing reads, the file's writer put there.
NetworkGraph withoutUnreadParts(const NetworkGraph& graph,
                                const std::vector<NetworkTensorId>& results) {
  std::vector<bool> is_read(graph.tensors().size(), false);
  const auto read = [&](const std::vector<NetworkTensorId>& tensors) {
    for (const NetworkTensorId tensor : tensors) is_read[indexOf(tensor)] = true;
  };
  read(results);
  std::deque<NetworkNode> kept;
  for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node) {
    const bool is_part = node->name.find('/') != std::string::npos;
    const bool is_needed =
        std::any_of(node->results.begin(), node->results.end(),
                    [&](NetworkTensorId result) { return is_read[indexOf(result)]; });
    if (is_part && !is_needed) continue;
    read(node->operands);
    kept.push_front(*node);
  }
  return {graph.tensors(), std::move(kept), graph.products()};
}

}  // namespace

std::vector<std::string> onnxOperators() {
  std::vector<std::string> names{"Constant", "Shape", "Size"};
  for (const auto& one : operatorTable()) names.push_back(one.first);
  std::sort(names.begin(), names.end());
  return names;
}

OnnxImport::OnnxImport(const OnnxModel& model, OnnxOptions options)
    : model_(model),
      options_(std::move(options)),
      operators_(operatorTable()),
      opset_(model.opset()) {
  if (opset_ < kOldestOpset && !model.opsets.empty() && model.opsets.count("") > 0) {
    throw OnnxError(fmt::format("wanted an opset from {}, found {}", kOldestOpset, opset_));
  }
  countReaders(model.graph.node(), readers_);
  for (const auto& output : model.graph.output()) ++readers_[output.name()];
  for (const auto& [name, tensor] : model.initialisers) addInitialiser(name, tensor);
}

OnnxNetwork OnnxImport::run() {
  addInputs();
  for (const onnx::NodeProto& node : model_.graph.node()) addNode(node);
  expectAllRead();
  expectUsedDimensions();
  std::vector<NetworkTensorId> results = outputs();
  const std::uint64_t count = samples();
  return {withoutUnreadParts(graph_, results),
          std::move(results),
          std::move(warnings_),
          count,
          takes_batch_,
          std::move(counts_)};
}

/// All unknown operators are told at once, and with them the first node that its operator cannot
/// take.
void OnnxImport::expectAllRead() const {
  if (unknown_.empty() && first_failure_.empty()) return;
  if (unknown_.empty()) throw OnnxError(first_failure_);
  std::string text =
      "wanted operators that are read, or on_unknown = \"skip\", found " + namesAndPlaces(unknown_);
  if (!first_failure_.empty()) text += "; and " + first_failure_;
  throw OnnxError(text);
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
    const Value& value = valueOf(output.name());
    if (!value.tensor) continue;
    const NetworkTensorId result = *value.tensor;
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
    const std::int32_t stored = input.type().tensor_type().elem_type();
    const ElementType type = translateErrors<OperandError>(
        [&] { return elementType(stored); },
        [&](const OperandError& error) {
          return OperandError("input " + inQuotes(input.name()), error);
        });
    const TensorType tensor{shapeOf(input, kInput), type};
    Value value{stored, tensor.shape};
    value.tensor = graph_.addSource(oneLine(input.name()), tensor, TensorRole::Input);
    values_.emplace(input.name(), std::move(value));
  }
}

void OnnxImport::expectUsedDimensions() const {
  for (const auto& dimension : options_.dimensions) {
    if (used_dimensions_.count(dimension.first) > 0) continue;
    throw OnnxError(fmt::format("wanted `dimensions` that inputs or skipped nodes have, found {}",
                                inQuotes(dimension.first)));
  }
}

/// The type that the file declares for a value, if it does.
std::optional<TensorType> OnnxImport::declaredType(const std::string& value) {
  for (const auto* list : {&model_.graph.value_info(), &model_.graph.output()}) {
    for (const onnx::ValueInfoProto& info : *list) {
      if (info.name() != value || !info.type().tensor_type().has_shape()) continue;
      const ElementType type = elementType(info.type().tensor_type().elem_type());
      return TensorType{shapeOf(info, "value"), type};
    }
  }
  return std::nullopt;
}

OnnxNetwork importOnnx(const OnnxModel& model, const OnnxOptions& options) {
  return translateErrors<OperandError>(
      [&] { return OnnxImport(model, options).run(); },
      [](const OperandError& error) { return OnnxError(error.what()); });
}

}  // namespace ipusim::workloads
