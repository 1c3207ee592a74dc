// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/composed_cases.h"

namespace ipusim::workloads {

namespace {

using Names = std::vector<std::string>;
using Attributes = std::vector<OnnxAttribute>;

/// A node with one named result.
onnx::NodeProto named(const std::string& result, const std::string& type, const Names& operands,
                      const Attributes& attributes = {}) {
  onnx::NodeProto node = OnnxBuilder::nodeOf(type, operands, attributes, 1);
  node.set_output(0, result);
  return node;
}

/// Doubles a state, and keeps its product with the number of the round.
onnx::GraphProto doublingBody() {
  const Attributes to_float{{"to", std::int64_t{onnx::TensorProto::FLOAT}}};
  return partOf(
      {"round", "goes_on", "state"},
      {named("twice", "Add", {"state", "state"}), named("number", "Cast", {"round"}, to_float),
       named("row", "Mul", {"twice", "number"}), named("still", "Identity", {"goes_on"})},
      {"still", "twice", "row"});
}

/// Adds a slice to a state, and keeps the sum.
onnx::GraphProto summingBody() {
  return partOf({"state", "slice"}, {named("sum", "Add", {"state", "slice"})}, {"sum", "sum"});
}

std::string loop(OnnxBuilder& b, const Names& names, std::size_t result) {
  return b.nodes("Loop", {b.integers({3}), "", names[0]}, {{"body", doublingBody()}}, 2)[result];
}

std::string scan(OnnxBuilder& b, const Names& names, const Attributes& attributes) {
  Attributes all{{"body", summingBody()}, {"num_scan_inputs", std::int64_t{1}}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  return b.nodes("Scan", names, all, 2)[1];
}

}  // namespace

onnx::GraphProto partOf(const std::vector<std::string>& inputs,
                        const std::vector<onnx::NodeProto>& nodes,
                        const std::vector<std::string>& outputs) {
  onnx::GraphProto part;
  for (const std::string& input : inputs) part.add_input()->set_name(input);
  for (const onnx::NodeProto& node : nodes) *part.add_node() = node;
  for (const std::string& output : outputs) part.add_output()->set_name(output);
  return part;
}

std::vector<ComposedCase> composedControlCases() {
  const NumberedTensor state = tensor({2}, {1, -3});
  const NumberedTensor steps = tensor({3, 2}, {1, 2, 10, 20, 100, 200});
  const NumberedTensor columns = tensor({2, 3}, {1, 10, 100, 2, 20, 200});
  const std::vector<std::int64_t> one{1};
  return {
      {"Loop_state",
       {state},
       [](OnnxBuilder& b, const Names& names) { return loop(b, names, 0); },
       tensor({2}, {8, -24})},
      {"Loop_rows",
       {state},
       [](OnnxBuilder& b, const Names& names) { return loop(b, names, 1); },
       tensor({3, 2}, {0, 0, 4, -12, 16, -48})},
      {"Scan",
       {state, steps},
       [](OnnxBuilder& b, const Names& names) { return scan(b, names, {}); },
       tensor({3, 2}, {2, -1, 12, 19, 112, 219})},
      {"Scan_backwards",
       {state, steps},
       [=](OnnxBuilder& b, const Names& names) {
         return scan(b, names, {{"scan_input_directions", one}, {"scan_output_directions", one}});
       },
       tensor({3, 2}, {112, 219, 111, 217, 101, 197})},
      {"Scan_columns",
       {state, columns},
       [=](OnnxBuilder& b, const Names& names) {
         return scan(b, names, {{"scan_input_axes", one}, {"scan_output_axes", one}});
       },
       tensor({2, 3}, {2, 12, 112, -1, 19, 219})},
  };
}

}  // namespace ipusim::workloads
