// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text/message.h"
#include "workloads/sources/onnx/onnx_import.h"

// Functions of a file, and control flow that its numbers decide: the nodes inside take the place of
// the one that holds them.

namespace ipusim::workloads {

namespace {

using Names = std::map<std::string, std::string>;

constexpr std::size_t kDeepestParts = 64;
constexpr std::int64_t kMostRounds = 4096;

const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, const std::string& name) {
  for (const onnx::AttributeProto& one : node.attribute()) {
    if (one.name() == name) return &one;
  }
  return nullptr;
}

const onnx::GraphProto& graphOf(const onnx::NodeProto& node, const char* name) {
  const onnx::AttributeProto* found = attributeOf(node, name);
  if (found == nullptr) throw OperandError(fmt::format("the graph {}", name), "none");
  return found->g();
}

/// The other name of a value, or its own.
std::string renamed(const std::string& name, const Names& names) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// Gives the operands of nodes, and of graphs inside them, their other names.
void renameOperands(const Names& names, onnx::NodeProto& node) {
  for (std::string& operand : *node.mutable_input()) operand = renamed(operand, names);
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (!attribute.has_g()) continue;
    for (onnx::NodeProto& inner : *attribute.mutable_g()->mutable_node()) {
      renameOperands(names, inner);
    }
    for (onnx::ValueInfoProto& output : *attribute.mutable_g()->mutable_output()) {
      output.set_name(renamed(output.name(), names));
    }
  }
}

/// A node inside a part, as one outside it.
onnx::NodeProto outside(const onnx::NodeProto& inner, const std::string& prefix, Names& names) {
  onnx::NodeProto node = inner;
  renameOperands(names, node);
  for (std::string& output : *node.mutable_output()) {
    if (output.empty()) continue;
    const std::string inside = output;
    output.insert(0, prefix);
    names[inside] = output;
  }
  return node;
}

/// The attributes of a function's node that stand for those of the node that calls it.
void bindAttributes(const onnx::NodeProto& call, onnx::NodeProto& node) {
  google::protobuf::RepeatedPtrField<onnx::AttributeProto> bound;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      *bound.Add() = attribute;
    } else if (const auto* given = attributeOf(call, attribute.ref_attr_name())) {
      onnx::AttributeProto& one = *bound.Add();
      one = *given;
      one.set_name(attribute.name());
    }
  }
  node.mutable_attribute()->Swap(&bound);
}

}  // namespace

void OnnxImport::alias(const std::string& name, const std::string& of) {
  const std::string& known = resolved(of);
  static_cast<void>(valueOf(known));
  if (!name.empty() && known != name) aliases_[name] = known;
}

/// Returns false for a node with nothing inside.
bool OnnxImport::tryInlining(const onnx::NodeProto& node, const std::string& name) {
  for (const onnx::FunctionProto& function : model_.functions) {
    if (function.name() != node.op_type() ||
        onnxDomain(function.domain()) != onnxDomain(node.domain())) {
      continue;
    }
    inlineFunction(node, function, name);
    return true;
  }
  if (!onnxDomain(node.domain()).empty()) return false;
  if (node.op_type() == "Identity" && node.input_size() == 1 && node.output_size() == 1) {
    alias(node.output(0), node.input(0));
    return true;
  }
  if (node.op_type() == "If") {
    inlineBranch(node);
  } else if (node.op_type() == "Loop") {
    inlineLoop(node, name);
  } else if (node.op_type() == "Scan") {
    inlineScan(node, name);
  } else {
    return false;
  }
  return true;
}

void OnnxImport::inlineFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function,
                                const std::string& name) {
  if (depth_ >= kDeepestParts) {
    throw OperandError(fmt::format("functions at most {} deep", kDeepestParts), "deeper ones");
  }
  Names names;
  for (int i = 0; i < function.input_size(); ++i) {
    names[function.input(i)] = i < node.input_size() ? node.input(i) : "";
  }
  const std::int64_t opset = opset_;
  for (const onnx::OperatorSetIdProto& one : function.opset_import()) {
    if (onnxDomain(one.domain()).empty()) opset_ = one.version();
  }
  ++depth_;
  for (const onnx::NodeProto& inner : function.node()) {
    onnx::NodeProto copy = outside(inner, name + "/", names);
    bindAttributes(node, copy);
    addNode(copy);
  }
  --depth_;
  opset_ = opset;
  for (int o = 0; o < std::min(node.output_size(), function.output_size()); ++o) {
    alias(node.output(o), renamed(function.output(o), names));
  }
}

std::vector<std::string> OnnxImport::inlineGraph(const onnx::GraphProto& graph, Names names,
                                                 const std::string& prefix) {
  if (depth_ >= kDeepestParts) {
    throw OperandError(fmt::format("graphs at most {} deep", kDeepestParts), "deeper ones");
  }
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    names[tensor.name()] = prefix + tensor.name();
    addInitialiser(prefix + tensor.name(), onnxTensor(tensor));
  }
  ++depth_;
  for (const onnx::NodeProto& inner : graph.node()) addNode(outside(inner, prefix, names));
  --depth_;
  std::vector<std::string> outputs;
  for (const onnx::ValueInfoProto& output : graph.output()) {
    outputs.push_back(renamed(output.name(), names));
  }
  return outputs;
}

void OnnxImport::inlineBranch(const onnx::NodeProto& node) {
  if (node.input_size() != 1) throw OperandError("one condition", "another number of operands");
  const Value& condition = valueOf(node.input(0));
  if (condition.is_unknown) return markUnknown(node);
  if (!condition.numbers || condition.numbers->size() != 1) {
    throw OperandError("a condition that the numbers and shapes of the file decide",
                       "one that is computed in each run");
  }
  const bool is_true = condition.numbers->realAt(0) != 0;
  const std::vector<std::string> outputs =
      inlineGraph(graphOf(node, is_true ? "then_branch" : "else_branch"), {}, node.output(0) + "/");
  for (int o = 0; o < node.output_size(); ++o) {
    alias(node.output(o), outputs.at(static_cast<std::size_t>(o)));
  }
}

/// Adds a node that no file has.
void OnnxImport::addMade(const char* type, const std::vector<std::string>& operands,
                         const std::string& result, std::int64_t axis, const std::string& name) {
  onnx::NodeProto node;
  node.set_op_type(type);
  node.set_name(name + "/" + type);
  for (const std::string& operand : operands) node.add_input(operand);
  node.add_output(result);
  onnx::AttributeProto& attribute = *node.add_attribute();
  if (std::string(type) == "Unsqueeze") {
    attribute.set_name("axes");
    attribute.add_ints(axis);
  } else {
    attribute.set_name("axis");
    attribute.set_i(axis);
  }
  addNode(node);
}

std::int64_t OnnxImport::numberOfRounds(const std::string& value) {
  const Value& one = valueOf(value);
  if (!one.numbers || one.numbers->size() != 1) {
    throw OperandError("rounds that the numbers and shapes of the file decide",
                       "a number or a condition that is computed in each run");
  }
  return one.numbers->wholeAt(0);
}

void OnnxImport::keepNumber(const std::string& name, std::int32_t type, std::int64_t value) {
  OnnxArray one = OnnxArray::zeros(type, {});
  one.whole[0] = value;
  keepNumbers(name, std::move(one));
}

/// The body of a Loop or a Scan, which must have as many operands and results as its node gives it.
static const onnx::GraphProto& bodyOf(const onnx::NodeProto& node, std::size_t operands,
                                      std::size_t results) {
  const onnx::GraphProto& body = graphOf(node, "body");
  const auto has_operands = static_cast<std::size_t>(body.input_size());
  const auto has_results = static_cast<std::size_t>(body.output_size());
  if (has_operands != operands || has_results != results) {
    throw OperandError(
        fmt::format("a body with {} operands and {} results", operands, results),
        fmt::format("one with {} operands and {} results", has_operands, has_results));
  }
  return body;
}

/// `all - part`, where a node has enough.
static std::size_t rest(int all, std::size_t part, const char* what) {
  if (static_cast<std::size_t>(all) < part) {
    throw OperandError(fmt::format("at least {} {}", part, what), fmt::format("{}", all));
  }
  return static_cast<std::size_t>(all) - part;
}

void OnnxImport::joinRows(const onnx::NodeProto& node, std::size_t output,
                          const std::vector<std::string>& rows, std::int64_t axis,
                          const std::string& name) {
  if (rows.empty()) throw OperandError("at least one round", "none");
  addMade("Concat", rows, node.output(static_cast<int>(output)), axis, name);
}

OnnxImport::Names OnnxImport::namesOfRound(const onnx::GraphProto& body,
                                           const std::vector<std::string>& values,
                                           const std::string& prefix, std::int64_t round) {
  const std::string number = prefix + body.input(0).name();
  const std::string goes_on = prefix + body.input(1).name();
  keepNumber(number, onnx::TensorProto::INT64, round);
  keepNumber(goes_on, onnx::TensorProto::BOOL, 1);
  Names names{{body.input(0).name(), number}, {body.input(1).name(), goes_on}};
  for (std::size_t s = 0; s < values.size(); ++s) {
    names[body.input(static_cast<int>(s + 2)).name()] = values[s];
  }
  return names;
}

void OnnxImport::inlineLoop(const onnx::NodeProto& node, const std::string& name) {
  std::vector<std::string> values(node.input().begin(), node.input().end());
  values.resize(std::max<std::size_t>(values.size(), 2));  // both limits may be absent
  const std::string limit = values[0];
  const std::string condition = values[1];
  values.erase(values.begin(), values.begin() + 2);
  const std::size_t states = values.size();
  const std::size_t made = rest(node.output_size(), states, "results");
  const onnx::GraphProto& body = bodyOf(node, 2 + states, 1 + states + made);
  const std::int64_t most = limit.empty() ? kMostRounds + 1 : numberOfRounds(limit);
  bool goes_on = condition.empty() || numberOfRounds(condition) != 0;
  std::vector<std::vector<std::string>> rows(made);
  for (std::int64_t round = 0; round < most && goes_on; ++round) {
    if (round >= kMostRounds) {
      throw OperandError(fmt::format("at most {} rounds", kMostRounds), "more");
    }
    const std::string prefix = fmt::format("{}/{}/", name, round);
    const Names names = namesOfRound(body, values, prefix, round);
    const std::vector<std::string> outputs = inlineGraph(body, names, prefix);
    goes_on = numberOfRounds(outputs.at(0)) != 0;
    for (std::size_t s = 0; s < states; ++s) values[s] = outputs.at(s + 1);
    for (std::size_t s = 0; s < made; ++s) {
      rows[s].push_back(fmt::format("{}row {}", prefix, s));
      addMade("Unsqueeze", {outputs.at(states + 1 + s)}, rows[s].back(), 0, prefix);
    }
  }
  for (std::size_t s = 0; s < states; ++s) alias(node.output(static_cast<int>(s)), values[s]);
  for (std::size_t s = 0; s < made; ++s) joinRows(node, states + s, rows[s], 0, name);
}

/// The numbers of an attribute, or zeros: one for each of `count` sequences.
static std::vector<std::int64_t> listOf(const onnx::NodeProto& node, const char* name,
                                        std::size_t count) {
  const onnx::AttributeProto* found = attributeOf(node, name);
  if (found == nullptr) return std::vector<std::int64_t>(count, 0);
  if (static_cast<std::size_t>(found->ints_size()) != count) {
    throw OperandError(fmt::format("{} numbers in {}", count, name),
                       fmt::format("{}", found->ints_size()));
  }
  return {found->ints().begin(), found->ints().end()};
}

std::uint64_t OnnxImport::scanRounds(const std::string& sequence, std::int64_t axis) {
  const Shape& shape = valueOf(sequence).shape;
  const std::uint64_t rounds = shape.at(onnxAxis(axis, shape.size()));
  if (rounds > static_cast<std::uint64_t>(kMostRounds)) {
    throw OperandError(fmt::format("at most {} rounds", kMostRounds), fmt::format("{}", rounds));
  }
  return rounds;
}

std::string OnnxImport::addSlice(const std::string& sequence, std::uint64_t at, std::int64_t axis,
                                 const std::string& prefix) {
  const std::string index = prefix + " index";
  std::string slice = prefix + " slice";
  keepNumber(index, onnx::TensorProto::INT64, static_cast<std::int64_t>(at));
  addMade("Gather", {sequence, index}, slice, axis, prefix);
  return slice;
}

/// A Scan, with what it says of its sequences and of the results that have a row of each round.
struct OnnxScan {
  const onnx::NodeProto& node;
  const onnx::GraphProto& body;
  std::size_t states;
  std::uint64_t rounds;
  // One entry per sequence.
  std::vector<std::int64_t> input_axes;
  std::vector<std::int64_t> reads_back;
  // One entry per result with rows.
  std::vector<std::int64_t> output_axes;
  std::vector<std::int64_t> writes_back;

  [[nodiscard]] const std::string& sequence(std::size_t s) const {
    return node.input(static_cast<int>(states + s));
  }
  [[nodiscard]] const std::string& inner(std::size_t i) const {
    return body.input(static_cast<int>(i)).name();
  }
};

OnnxScan OnnxImport::scanOf(const onnx::NodeProto& node) {
  const onnx::AttributeProto* count = attributeOf(node, "num_scan_inputs");
  if (count == nullptr || opset_ < 9) throw OperandError("a Scan of opset 9 or later", "another");
  if (count->i() < 1) throw OperandError("sequences to scan", "none");
  const auto slices = static_cast<std::size_t>(count->i());
  const std::size_t states = rest(node.input_size(), slices, "operands");
  const std::size_t made = rest(node.output_size(), states, "results");
  OnnxScan scan{node,
                bodyOf(node, states + slices, states + made),
                states,
                0,
                listOf(node, "scan_input_axes", slices),
                listOf(node, "scan_input_directions", slices),
                listOf(node, "scan_output_axes", made),
                listOf(node, "scan_output_directions", made)};
  scan.rounds = scanRounds(scan.sequence(0), scan.input_axes[0]);
  return scan;
}

void OnnxImport::addSlices(const OnnxScan& scan, std::uint64_t round, const std::string& prefix,
                           Names& names) {
  for (std::size_t s = 0; s < scan.input_axes.size(); ++s) {
    const std::uint64_t at = scan.reads_back[s] != 0 ? scan.rounds - 1 - round : round;
    names[scan.inner(scan.states + s)] =
        addSlice(scan.sequence(s), at, scan.input_axes[s], fmt::format("{}{}", prefix, s));
  }
}

void OnnxImport::inlineScan(const onnx::NodeProto& node, const std::string& name) {
  const OnnxScan scan = scanOf(node);
  const std::size_t states = scan.states;
  const std::size_t made = scan.output_axes.size();
  std::vector<std::string> values(node.input().begin(), node.input().end());
  std::vector<std::vector<std::string>> rows(made);
  for (std::uint64_t round = 0; round < scan.rounds; ++round) {
    const std::string prefix = fmt::format("{}/{}/", name, round);
    Names names;
    for (std::size_t s = 0; s < states; ++s) names[scan.inner(s)] = values[s];
    addSlices(scan, round, prefix, names);
    const std::vector<std::string> outputs = inlineGraph(scan.body, names, prefix);
    for (std::size_t s = 0; s < states; ++s) values[s] = outputs.at(s);
    for (std::size_t s = 0; s < made; ++s) {
      const std::string row = fmt::format("{}row {}", prefix, s);
      addMade("Unsqueeze", {outputs.at(states + s)}, row, scan.output_axes[s], prefix);
      rows[s].insert(scan.writes_back[s] != 0 ? rows[s].begin() : rows[s].end(), row);
    }
  }
  for (std::size_t s = 0; s < states; ++s) alias(node.output(static_cast<int>(s)), values[s]);
  for (std::size_t s = 0; s < made; ++s) {
    joinRows(node, states + s, rows[s], scan.output_axes[s], name);
  }
}

}  // namespace ipusim::workloads
