// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"

// Sums of products as matrix products: labels of both operands that the result has are groups,
// those that it has not are summed, and the others are rows and columns.

namespace ipusim::workloads {

namespace {

/// A tensor whose dimensions have labels.
struct Labelled {
  NetworkTensorId tensor;
  std::string labels;
};

/// The labels of a file are letters; dimensions of an ellipsis have the signs from this one on.
constexpr char kFirstOfEllipsis = '0';

struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

/// The labels of an operand, with those of its ellipsis named.
std::string labelsOf(const std::string& term, std::size_t rank) {
  const std::size_t dots = term.find("...");
  const std::size_t named = dots == std::string::npos ? term.size() : term.size() - 3;
  if (named > rank || (dots == std::string::npos && named != rank)) {
    throw OperandError(fmt::format("{} labels", rank), inQuotes(term));
  }
  if (dots == std::string::npos) return term;
  std::string labels = term.substr(0, dots);
  // Counted from the last one, for shapes are broadcast from there.
  for (std::size_t d = rank - named; d-- > 0;) {
    labels += static_cast<char>(kFirstOfEllipsis + static_cast<char>(d));
  }
  return labels + term.substr(dots + 3);
}

Equation parse(const OnnxSite& site) {
  std::string text = site.textOf("equation", "");
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  Equation equation;
  std::string ellipsis;
  for (std::size_t begin = 0; begin <= left.size();) {
    const std::size_t end = std::min(left.find(',', begin), left.size());
    const std::size_t operand = equation.operands.size();
    if (operand >= site.operands())
      throw OperandError("an equation of all operands", inQuotes(text));
    equation.operands.push_back(
        labelsOf(left.substr(begin, end - begin), site.shape(operand).size()));
    begin = end + 1;
  }
  if (equation.operands.size() != site.operands()) {
    throw OperandError("an equation of all operands", inQuotes(text));
  }
  std::map<char, int> uses;
  for (const std::string& labels : equation.operands) {
    for (const char label : labels) {
      if (++uses[label]; label < 'A' && ellipsis.find(label) == std::string::npos) {
        ellipsis += label;
      }
    }
  }
  std::sort(ellipsis.rbegin(), ellipsis.rend());
  if (arrow == std::string::npos) {
    equation.result = ellipsis;
    for (const auto& [label, count] : uses) {
      if (count == 1 && label >= 'A') equation.result += label;
    }
    return equation;
  }
  equation.result = text.substr(arrow + 2);
  if (const std::size_t dots = equation.result.find("..."); dots != std::string::npos) {
    equation.result.replace(dots, 3, ellipsis);
  }
  return equation;
}

bool contains(const std::string& labels, char label) {
  return labels.find(label) != std::string::npos;
}

/// Sums one pair of operands after the other.
class EinsumSteps {
 public:
  explicit EinsumSteps(const OnnxSite& site) : site_(site) {}

  /// The dimensions in the order of `labels`.
  [[nodiscard]] Labelled ordered(const Labelled& from, const std::string& labels) const {
    if (from.labels == labels) return from;
    std::vector<std::size_t> order;
    for (const char label : labels) order.push_back(from.labels.find(label));
    return {site_.add("order", transpose(order), {from.tensor}), labels};
  }

  /// Sums the dimensions that nothing else has.
  [[nodiscard]] Labelled summed(const Labelled& from, const std::string& others) const {
    std::vector<std::size_t> axes;
    std::string left;
    for (std::size_t d = 0; d < from.labels.size(); ++d) {
      if (contains(others, from.labels[d])) {
        left += from.labels[d];
      } else {
        axes.push_back(d);
      }
    }
    if (axes.empty()) return from;
    return {
        site_.add("sum", reduce(ReductionFunction::Sum, axes, ReducedAxes::Removed), {from.tensor}),
        left};
  }

  /// `later` are the labels of the result and of the operands that are still to come.
  [[nodiscard]] Labelled product(const Labelled& a, const Labelled& b,
                                 const std::string& later) const {
    const Labelled left = summed(a, b.labels + later);
    const Labelled right = summed(b, a.labels + later);
    std::string groups;
    std::string inner;
    std::string rows;
    std::string columns;
    for (const char label : left.labels) {
      if (!contains(right.labels, label)) {
        rows += label;
      } else if (contains(later, label)) {
        groups += label;
      } else {
        inner += label;
      }
    }
    for (const char label : right.labels) {
      if (!contains(left.labels, label)) columns += label;
    }
    return inner.empty() && (rows.empty() || columns.empty())
               ? elementwise(left, right, groups + rows + columns)
               : asMatrices(left, right, {groups, rows, inner, columns});
  }

 private:
  struct Roles {
    std::string groups;
    std::string rows;
    std::string inner;
    std::string columns;
  };

  [[nodiscard]] std::uint64_t sizeOf(const Labelled& one, char label) const {
    return site_.shapeOf(one.tensor)[one.labels.find(label)];
  }
  [[nodiscard]] std::uint64_t sizeOf(const Labelled& one, const std::string& labels) const {
    std::uint64_t size = 1;
    for (const char label : labels) size *= sizeOf(one, label);
    return size;
  }

  /// Both with all labels, where missing dimensions are 1.
  [[nodiscard]] Labelled elementwise(const Labelled& a, const Labelled& b,
                                     const std::string& labels) const {
    const auto spread = [&](const Labelled& one) {
      std::string own;
      Shape shape;
      for (const char label : labels) {
        const bool has = contains(one.labels, label);
        if (has) own += label;
        shape.push_back(has ? sizeOf(one, label) : 1);
      }
      return site_.shaped("spread", ordered(one, own).tensor, shape);
    };
    return {OnnxMath(site_).binary("product", models::BinaryOp::Multiply, spread(a), spread(b)),
            labels};
  }

  [[nodiscard]] Labelled asMatrices(const Labelled& a, const Labelled& b,
                                    const Roles& roles) const {
    const Labelled left = ordered(a, roles.groups + roles.rows + roles.inner);
    const Labelled right = ordered(b, roles.groups + roles.inner + roles.columns);
    for (const char label : roles.inner + roles.groups) {
      if (sizeOf(left, label) == sizeOf(right, label)) continue;
      throw OperandError(fmt::format("one size of the label {}", label), "two");
    }
    const std::uint64_t groups = sizeOf(left, roles.groups);
    Shape shape;
    for (const char label : roles.groups + roles.rows) shape.push_back(sizeOf(left, label));
    for (const char label : roles.columns) shape.push_back(sizeOf(right, label));
    const auto matrix = [&](const Labelled& one, const std::string& rows,
                            const std::string& columns, const char* part) {
      Shape matrices{sizeOf(one, rows), sizeOf(one, columns)};
      if (!roles.groups.empty()) matrices.insert(matrices.begin(), groups);
      return site_.shaped(part, one.tensor, matrices);
    };
    const NetworkTensorId product = site_.add("product", matmul(),
                                              {matrix(left, roles.rows, roles.inner, "left"),
                                               matrix(right, roles.inner, roles.columns, "right")});
    return {site_.shaped("labels", product, shape), roles.groups + roles.rows + roles.columns};
  }

  const OnnxSite& site_;
};

std::vector<NetworkTensorId> addEinsum(const OnnxSite& site) {
  const Equation equation = parse(site);
  for (const std::string& labels : equation.operands) {
    for (const char label : labels) {
      if (std::count(labels.begin(), labels.end(), label) == 1) continue;
      throw OperandError("an equation without diagonals", inQuotes(site.textOf("equation", "")));
    }
  }
  const EinsumSteps steps(site);
  Labelled result{site.operand(0), equation.operands[0]};
  for (std::size_t o = 1; o < site.operands(); ++o) {
    std::string later = equation.result;
    for (std::size_t l = o + 1; l < site.operands(); ++l) later += equation.operands[l];
    result = steps.product(result, {site.operand(o), equation.operands[o]}, later);
  }
  result = steps.summed(result, equation.result);
  if (result.labels.size() != equation.result.size()) {
    throw OperandError("a result of labels of the operands", inQuotes(equation.result));
  }
  return {steps.ordered(result, equation.result).tensor};
}

}  // namespace

const std::vector<OnnxOperator>& onnxEinsum() {
  static const std::vector<OnnxOperator> kOperators{{"Einsum", addEinsum}};
  return kOperators;
}

}  // namespace ipusim::workloads
