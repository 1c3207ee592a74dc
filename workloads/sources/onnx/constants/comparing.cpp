// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

// Comparisons, logic and choices.

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

void expectAlike(const OnnxArray& a, const OnnxArray& b) {
  if (a.type == b.type) return;
  throw OperandError("operands of one type", onnxTypeName(a.type) + " and " + onnxTypeName(b.type));
}

/// -1, 0 or 1 as an element is below, equal to or above another one; none where one is no number.
std::optional<int> orderOf(const OnnxArray& a, std::size_t i, const OnnxArray& b, std::size_t j) {
  if (a.isReal()) {
    if (std::isnan(a.real[i]) || std::isnan(b.real[j])) return std::nullopt;
    return (a.real[i] > b.real[j]) - (a.real[i] < b.real[j]);
  }
  if (a.type == onnx::TensorProto::UINT64) {
    const auto left = static_cast<std::uint64_t>(a.whole[i]);
    const auto right = static_cast<std::uint64_t>(b.whole[j]);
    return (left > right) - (left < right);
  }
  return (a.whole[i] > b.whole[j]) - (a.whole[i] < b.whole[j]);
}

/// `holds` for each pair of elements.
template <typename Holds>
Folded foldPairs(const FoldSite& site, const Holds& holds) {
  const OnnxArray& a = site.operand(0);
  const OnnxArray& b = site.operand(1);
  expectAlike(a, b);
  const Shape shape = expectFoldable(broadcastShape(a.shape, b.shape));
  const auto left = StridedView::of(a.shape).broadcastTo(shape).positions();
  const auto right = StridedView::of(b.shape).broadcastTo(shape).positions();
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::BOOL, shape);
  for (std::size_t e = 0; e < left.size(); ++e) {
    result.whole[e] = holds(a, left[e], b, right[e]) ? 1 : 0;
  }
  return {std::move(result)};
}

template <typename Compare>
Folded foldComparison(const FoldSite& site) {
  return foldPairs(site, [](const OnnxArray& a, std::size_t i, const OnnxArray& b, std::size_t j) {
    const auto order = orderOf(a, i, b, j);
    return order && Compare()(*order, 0);
  });
}

template <typename Combine>
Folded foldLogic(const FoldSite& site) {
  return foldPairs(site, [](const OnnxArray& a, std::size_t i, const OnnxArray& b, std::size_t j) {
    return Combine()(a.realAt(i) != 0, b.realAt(j) != 0);
  });
}

/// `holds` for each element.
template <typename Holds>
Folded foldEach(const FoldSite& site, const Holds& holds) {
  const OnnxArray& x = site.operand(0);
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::BOOL, x.shape);
  for (std::size_t e = 0; e < x.size(); ++e) result.whole[e] = holds(x.realAt(e)) ? 1 : 0;
  return {std::move(result)};
}

Folded foldNot(const FoldSite& site) {
  return foldEach(site, [](double x) { return x == 0; });
}

Folded foldIsNaN(const FoldSite& site) {
  return foldEach(site, [](double x) { return std::isnan(x); });
}

Folded foldIsInf(const FoldSite& site) {
  const bool takes_negative = site.isSet("detect_negative", true);
  const bool takes_positive = site.isSet("detect_positive", true);
  return foldEach(
      site, [=](double x) { return std::isinf(x) && (x < 0 ? takes_negative : takes_positive); });
}

/// Takes an element of the right array where it is beyond that of the left one; a NaN stays.
OnnxArray foldedExtreme(const OnnxArray& a, const OnnxArray& b, int beyond) {
  expectAlike(a, b);
  const Shape shape = expectFoldable(broadcastShape(a.shape, b.shape));
  const auto left = StridedView::of(a.shape).broadcastTo(shape).positions();
  const auto right = StridedView::of(b.shape).broadcastTo(shape).positions();
  OnnxArray result = elementsAt(a, shape, left);
  for (std::size_t e = 0; e < left.size(); ++e) {
    const auto order = orderOf(b, right[e], a, left[e]);
    const bool is_taken = order ? *order == beyond : b.isReal() && std::isnan(b.real[right[e]]);
    if (!is_taken) continue;
    if (a.isReal()) {
      result.real[e] = b.real[right[e]];
    } else {
      result.whole[e] = b.whole[right[e]];
    }
  }
  return result;
}

template <int Beyond>
Folded foldExtreme(const FoldSite& site) {
  OnnxArray result = site.operand(0);
  for (std::size_t o = 1; o < site.operands(); ++o) {
    result = foldedExtreme(result, site.operand(o), Beyond);
  }
  return {std::move(result)};
}

/// The sum of all operands, times `factor` of their number.
template <typename Factor>
Folded foldTotal(const FoldSite& site, const Factor& factor) {
  OnnxArray sum = castArray(site.operand(0), onnx::TensorProto::DOUBLE);
  for (std::size_t o = 1; o < site.operands(); ++o) {
    const OnnxArray& more = site.operand(o);
    const Shape shape = expectFoldable(broadcastShape(sum.shape, more.shape));
    const auto left = StridedView::of(sum.shape).broadcastTo(shape).positions();
    const auto right = StridedView::of(more.shape).broadcastTo(shape).positions();
    OnnxArray next = elementsAt(sum, shape, left);
    for (std::size_t e = 0; e < right.size(); ++e) next.real[e] += more.realAt(right[e]);
    sum = std::move(next);
  }
  for (double& value : sum.real) value *= factor(static_cast<double>(site.operands()));
  return {castArray(sum, site.operand(0).type)};
}

Folded foldSumOfAll(const FoldSite& site) {
  return foldTotal(site, [](double /*count*/) { return 1.0; });
}

Folded foldMeanOfAll(const FoldSite& site) {
  return foldTotal(site, [](double count) { return 1 / count; });
}

Folded foldWhere(const FoldSite& site) {
  const OnnxArray& condition = site.operand(0);
  const OnnxArray& yes = site.operand(1);
  const OnnxArray& no = site.operand(2);
  expectAlike(yes, no);
  const Shape shape =
      expectFoldable(broadcastShape(condition.shape, broadcastShape(yes.shape, no.shape)));
  const auto which = StridedView::of(condition.shape).broadcastTo(shape).positions();
  const auto from_yes = StridedView::of(yes.shape).broadcastTo(shape).positions();
  const auto from_no = StridedView::of(no.shape).broadcastTo(shape).positions();
  OnnxArray result = elementsAt(yes, shape, from_yes);
  for (std::size_t e = 0; e < which.size(); ++e) {
    if (condition.realAt(which[e]) != 0) continue;
    if (no.isReal()) {
      result.real[e] = no.real[from_no[e]];
    } else {
      result.whole[e] = no.whole[from_no[e]];
    }
  }
  return {std::move(result)};
}

Folded foldClip(const FoldSite& site) {
  OnnxArray result = site.operand(0);
  const auto bound = [&](std::size_t operand, const char* attribute) -> std::optional<OnnxArray> {
    if (site.isGiven(operand)) return site.operand(operand);
    if (site.find(attribute) == nullptr) return std::nullopt;
    OnnxArray number = OnnxArray::zeros(onnx::TensorProto::DOUBLE, {});
    number.real[0] = site.realOf(attribute, 0);
    return castArray(number, result.type);
  };
  if (const auto low = bound(1, "min")) result = foldedExtreme(result, *low, 1);
  if (const auto high = bound(2, "max")) result = foldedExtreme(result, *high, -1);
  return {std::move(result)};
}

}  // namespace

void addComparingFolds(FoldTable& table) {
  table.insert({{"And", foldLogic<std::logical_and<>>},
                {"Clip", foldClip},
                {"Equal", foldComparison<std::equal_to<>>},
                {"Greater", foldComparison<std::greater<>>},
                {"GreaterOrEqual", foldComparison<std::greater_equal<>>},
                {"IsInf", foldIsInf},
                {"IsNaN", foldIsNaN},
                {"Less", foldComparison<std::less<>>},
                {"LessOrEqual", foldComparison<std::less_equal<>>},
                {"Max", foldExtreme<1>},
                {"Mean", foldMeanOfAll},
                {"Min", foldExtreme<-1>},
                {"Not", foldNot},
                {"Or", foldLogic<std::logical_or<>>},
                {"Sum", foldSumOfAll},
                {"Where", foldWhere},
                {"Xor", foldLogic<std::not_equal_to<>>}});
}

}  // namespace ipusim::workloads
