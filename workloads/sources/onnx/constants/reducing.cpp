// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;
using Reals = std::vector<double>;
using Wholes = std::vector<std::int64_t>;

/// The dimensions that are reduced.
std::vector<bool> reducedAxes(const FoldSite& site, std::size_t rank) {
  const auto axes = site.axes(1, "axes").value_or(std::vector<std::int64_t>());
  std::vector<bool> is_reduced(rank, axes.empty() && !site.isSet("noop_with_empty_axes"));
  for (const std::int64_t axis : axes) is_reduced[onnxAxis(axis, rank)] = true;
  return is_reduced;
}

/// By element of the result: the elements that it is made of, in their order.
struct ReducedElements {
  Shape shape;
  std::vector<std::vector<std::size_t>> of_result;
};

ReducedElements reducedElements(const FoldSite& site) {
  const Shape& from = site.operand(0).shape;
  const std::vector<bool> is_reduced = reducedAxes(site, from.size());
  Shape kept = from;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (is_reduced[d]) kept[d] = 1;
  }
  ReducedElements found{kept, std::vector<std::vector<std::size_t>>(elementsOf(kept))};
  const auto targets = StridedView::of(kept).broadcastTo(from).positions();
  for (std::size_t e = 0; e < targets.size(); ++e) found.of_result[targets[e]].push_back(e);
  if (!site.isSet("keepdims", true)) {
    Shape removed;
    for (std::size_t d = 0; d < from.size(); ++d) {
      if (!is_reduced[d]) removed.push_back(from[d]);
    }
    found.shape = removed;
  }
  return found;
}

template <typename OnReals, typename OnWholes>
Folded reduced(const FoldSite& site, const OnReals& on_reals, const OnWholes& on_wholes) {
  const OnnxArray& x = site.operand(0);
  const ReducedElements elements = reducedElements(site);
  OnnxArray result = OnnxArray::zeros(x.type, elements.shape);
  for (std::size_t r = 0; r < elements.of_result.size(); ++r) {
    const auto& of_result = elements.of_result[r];
    if (x.isReal()) {
      Reals values;
      for (const std::size_t e : of_result) values.push_back(x.real[e]);
      result.real[r] = roundedToOnnx(x.type, on_reals(values));
    } else {
      Wholes values;
      for (const std::size_t e : of_result) values.push_back(x.whole[e]);
      result.whole[r] = wrappedToOnnx(x.type, on_wholes(values));
    }
  }
  return {std::move(result)};
}

double sumOf(const Reals& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
std::int64_t wholeSumOf(const Wholes& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

Folded foldSum(const FoldSite& site) {
  return reduced(site, sumOf, wholeSumOf);
}

Folded foldMean(const FoldSite& site) {
  return reduced(
      site, [](const Reals& values) { return sumOf(values) / static_cast<double>(values.size()); },
      [](const Wholes& values) {
        return values.empty() ? 0 : wholeSumOf(values) / static_cast<std::int64_t>(values.size());
      });
}

Folded foldProduct(const FoldSite& site) {
  return reduced(
      site,
      [](const Reals& values) {
        return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
      },
      [](const Wholes& values) {
        std::uint64_t product = 1;
        for (const std::int64_t value : values) product *= static_cast<std::uint64_t>(value);
        return static_cast<std::int64_t>(product);
      });
}

/// Of no elements, the extreme is the least or greatest number of the type.
Folded foldMaximum(const FoldSite& site) {
  return reduced(
      site,
      [](const Reals& values) {
        return std::accumulate(values.begin(), values.end(),
                               -std::numeric_limits<double>::infinity(),
                               [](double a, double b) { return b > a || std::isnan(b) ? b : a; });
      },
      [](const Wholes& values) {
        return values.empty() ? std::numeric_limits<std::int64_t>::min()
                              : *std::max_element(values.begin(), values.end());
      });
}

Folded foldMinimum(const FoldSite& site) {
  return reduced(
      site,
      [](const Reals& values) {
        return std::accumulate(values.begin(), values.end(),
                               std::numeric_limits<double>::infinity(),
                               [](double a, double b) { return b < a || std::isnan(b) ? b : a; });
      },
      [](const Wholes& values) {
        return values.empty() ? std::numeric_limits<std::int64_t>::max()
                              : *std::min_element(values.begin(), values.end());
      });
}

template <typename Function>
double sumOver(const Reals& values, const Function& function) {
  double sum = 0;
  for (const double value : values) sum += function(value);
  return sum;
}

double square(double value) {
  return value * value;
}

/// A function of the reals; whole numbers are counted as reals and truncated.
template <typename OnReals>
Folded reducedReals(const FoldSite& site, const OnReals& on_reals) {
  return reduced(site, on_reals, [&](const Wholes& values) {
    return static_cast<std::int64_t>(on_reals(Reals(values.begin(), values.end())));
  });
}

Folded foldL1(const FoldSite& site) {
  return reducedReals(site, [](const Reals& values) {
    return sumOver(values, [](double value) { return std::abs(value); });
  });
}
Folded foldL2(const FoldSite& site) {
  return reducedReals(site, [](const Reals& values) { return std::sqrt(sumOver(values, square)); });
}
Folded foldSumSquare(const FoldSite& site) {
  return reducedReals(site, [](const Reals& values) { return sumOver(values, square); });
}
Folded foldLogSum(const FoldSite& site) {
  return reducedReals(site, [](const Reals& values) { return std::log(sumOf(values)); });
}
Folded foldLogSumExp(const FoldSite& site) {
  return reducedReals(site, [](const Reals& values) {
    const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    if (std::isinf(most)) return most;
    return most + std::log(sumOver(values, [=](double value) { return std::exp(value - most); }));
  });
}

/// Sums of all elements up to each one.
Folded foldRunningSum(const FoldSite& site) {
  OnnxArray result = site.operand(0);
  const std::size_t axis = onnxAxis(site.operand(1).wholeAt(0), result.shape.size());
  const AxisView view = viewAround(result.shape, axis);
  const bool is_exclusive = site.isSet("exclusive");
  const bool is_reverse = site.isSet("reverse");
  for (std::uint64_t i = 0; i < view.outer * view.inner; ++i) {
    double real = 0;
    std::uint64_t whole = 0;
    for (std::uint64_t step = 0; step < view.size; ++step) {
      const std::uint64_t s = is_reverse ? view.size - 1 - step : step;
      const std::size_t at = view.at(i / view.inner, s, i % view.inner);
      if (result.isReal()) {
        const double before = real;
        real += result.real[at];
        result.real[at] = roundedToOnnx(result.type, is_exclusive ? before : real);
      } else {
        const std::uint64_t before = whole;
        whole += static_cast<std::uint64_t>(result.whole[at]);
        result.whole[at] =
            wrappedToOnnx(result.type, static_cast<std::int64_t>(is_exclusive ? before : whole));
      }
    }
  }
  return {std::move(result)};
}

}  // namespace

void addReducingFolds(FoldTable& table) {
  table.insert({{"CumSum", foldRunningSum},
                {"ReduceL1", foldL1},
                {"ReduceL2", foldL2},
                {"ReduceLogSum", foldLogSum},
                {"ReduceLogSumExp", foldLogSumExp},
                {"ReduceMax", foldMaximum},
                {"ReduceMean", foldMean},
                {"ReduceMin", foldMinimum},
                {"ReduceProd", foldProduct},
                {"ReduceSum", foldSum},
                {"ReduceSumSquare", foldSumSquare}});
}

}  // namespace ipusim::workloads
