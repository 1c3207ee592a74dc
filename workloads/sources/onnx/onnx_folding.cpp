// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/sources/onnx/constants/fold.h"
#include "workloads/sources/onnx/onnx_import.h"

// Nodes that depend on the file alone, which no tile computes.

namespace ipusim::workloads {

namespace {

/// All tensors of a file that are computed have at most so many elements.
constexpr std::uint64_t kMostComputed = std::uint64_t{1} << 26U;
/// Products and the like beyond this work give a tensor without numbers.
constexpr std::uint64_t kMostComputedFlops = std::uint64_t{1} << 26U;

/// Operators whose results are views, so that an operand with other readers need not lie twice.
bool isViewOperator(const std::string& name) {
  static const std::set<std::string> kViews{"Flatten", "Identity",  "Reshape",
                                            "Squeeze", "Transpose", "Unsqueeze"};
  return kViews.count(name) > 0;
}

/// Operators whose results repeat elements, which views do without memory.
bool isRepeating(const std::string& name) {
  return name == "Expand" || name == "Tile" || name == "Upsample" || name == "Resize";
}

/// Whether a Gather takes one range, of which a view does without a copy.
bool takesOneRange(const OnnxArray* indices) {
  if (indices == nullptr) return false;
  const std::vector<std::int64_t> numbers = indices->wholes();
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] != numbers[i - 1] + 1) return false;
  }
  return true;
}

OnnxArray arrayOfValues(const TensorType& type, const TensorValues& values) {
  const auto stored = [&] {
    if (type.type == ElementType::Half) return onnx::TensorProto::FLOAT16;
    if (type.type == ElementType::Bool) return onnx::TensorProto::BOOL;
    return type.type == ElementType::Float ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT64;
  };
  OnnxArray array{onnx::TensorProto::DOUBLE, type.shape, values, {}};
  return castArray(array, stored());
}

}  // namespace

/// Whether all operands are of the file. What training learns stays, unless it is only seen in
/// another way.
bool OnnxImport::isFoldable(const onnx::NodeProto& node) {
  const bool is_view = isViewOperator(node.op_type());
  // Parts of a table that nothing else reads stay views of it.
  const bool is_range = (node.op_type() == "Gather" && node.input_size() == 2 &&
                         takesOneRange(valueOf(node.input(1)).numbers.get())) ||
                        (node.op_type() == "Slice" && readers_[node.input(0)] <= 1);
  return std::all_of(node.input().begin(), node.input().end(), [&](const std::string& name) {
    if (name.empty()) return true;
    const Value& value = valueOf(name);
    if (!value.is_source || value.tensor) return false;
    if (!value.is_weight) return true;
    if (is_view) return readers_[name] <= 1 && resolved(name) == name;
    if (is_range) return false;
    return !options_.is_training && !isRepeating(node.op_type());
  });
}

void OnnxImport::foldExactly(const onnx::NodeProto& node, std::int64_t opset) {
  std::vector<const OnnxArray*> operands;
  bool is_weight = false;
  for (const std::string& input : node.input()) {
    const Value* value = input.empty() ? nullptr : &valueOf(input);
    operands.push_back(value == nullptr ? nullptr : value->numbers.get());
    is_weight = is_weight || (value != nullptr && value->is_weight);
  }
  std::vector<OnnxArray> results =
      foldOf(node.op_type())(FoldSite(node, opset, std::move(operands)));
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (static_cast<int>(r) >= node.output_size()) break;
    folded_elements_ += results[r].size();
    const bool is_learnt = is_weight && results[r].isReal();
    keepNumbers(node.output(static_cast<int>(r)), std::move(results[r]), is_learnt);
  }
  if (folded_elements_ > kMostComputed) {
    throw OperandError(
        fmt::format("at most {} elements in all that the file's numbers give", kMostComputed),
        "more");
  }
}

/// Takes the shapes of the results, and where that is little work their numbers, from the network
/// that the node alone would be.
void OnnxImport::foldByNetwork(const onnx::NodeProto& node, const OnnxSite& site,
                               const AddOnnxNode& add, bool is_weight) {
  folded_ = {};
  folded_numbers_.clear();
  is_folding_ = true;
  std::vector<NetworkTensorId> results;
  const std::exception_ptr failure = failureOf([&] { results = add(site); });
  is_folding_ = false;
  if (failure) std::rethrow_exception(failure);
  Flops work(0);
  std::uint64_t elements = 0;
  for (const NetworkNode& one : folded_.nodes()) {
    work += one.operation->flops(folded_.typesOf(one.operands));
  }
  std::size_t sources = 0;
  std::size_t known = folded_numbers_.size();
  for (const NetworkTensor& tensor : folded_.tensors()) {
    elements += elementsOf(tensor.type.shape);
    if (tensor.role == TensorRole::Result) continue;
    ++sources;
    if (!tensor.values.empty()) ++known;
  }
  const bool has_numbers =
      known == sources && work.value() <= kMostComputedFlops && elements <= kMostFoldedElements;
  std::vector<TensorValues> numbers;
  if (has_numbers) numbers = evaluate(folded_, folded_numbers_);
  for (std::size_t r = 0; r < results.size() && r < site.results(); ++r) {
    const TensorType& type = folded_[results[r]].type;
    OnnxArray array = has_numbers ? arrayOfValues(type, numbers[indexOf(results[r])])
                                  : arrayOfValues({{0}, type.type}, {});
    Value value{array.type, type.shape};
    value.is_source = true;
    value.is_weight = is_weight && array.isReal();
    if (has_numbers) value.numbers = std::make_shared<const OnnxArray>(std::move(array));
    values_.insert_or_assign(node.output(static_cast<int>(r)), std::move(value));
  }
}

/// Computes a node instead of adding it. `add` is null for an operator without steps on tiles.
/// Returns false, and does nothing, where the node depends on more than the file.
bool OnnxImport::fold(const onnx::NodeProto& node, const std::string& name,
                      const AddOnnxNode* add) {
  if (!isFoldable(node)) return false;
  bool has_numbers = true;
  bool is_weight = false;
  for (const std::string& input : node.input()) {
    if (input.empty()) continue;
    const Value& value = valueOf(input);
    has_numbers = has_numbers && value.numbers != nullptr;
    is_weight = is_weight || value.is_weight;
  }
  if (has_numbers && foldOf(node.op_type()) != nullptr) {
    foldExactly(node, opset_);
    return true;
  }
  if (add == nullptr) {
    throw OperandError("operands whose numbers the file has", "one whose numbers lie elsewhere");
  }
  foldByNetwork(node, OnnxSite(*this, node, name), *add, is_weight);
  return true;
}

}  // namespace ipusim::workloads
