// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_taking.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

/// Positions along a dimension, as floats, which hold them exactly.
NetworkTensorId positionsAlong(const OnnxSite& site, std::size_t rank, std::size_t axis,
                               std::uint64_t size) {
  Shape shape(rank, 1);
  shape[axis] = size;
  TensorValues places(size);
  std::iota(places.begin(), places.end(), 0.0);
  return site.numbers("positions", {shape, ElementType::Float}, std::move(places));
}

/// The largest or smallest elements along a dimension, and where they stand; both keep it.
struct Extreme {
  NetworkTensorId value;
  NetworkTensorId position;  ///< as floats
};

Extreme extremeAlong(const OnnxSite& site, NetworkTensorId x, std::size_t axis, bool is_largest,
                     bool takes_last) {
  const Shape& shape = site.shapeOf(x);
  const auto function = is_largest ? ReductionFunction::Maximum : ReductionFunction::Minimum;
  const NetworkTensorId value = site.add("value", reduce(function, {axis}, ReducedAxes::Kept), {x});
  const NetworkTensorId is_it = site.add("is_it", binary(BinaryOp::Equal), {x, value});
  const NetworkTensorId places = site.add("places", broadcastTo(shape),
                                          {positionsAlong(site, shape.size(), axis, shape[axis])});
  const double none = takes_last ? -1 : static_cast<double>(shape[axis]);
  const NetworkTensorId other = site.add("none", constant({1}, none, ElementType::Float), {});
  const NetworkTensorId at = site.add("at", select(), {is_it, places, other});
  const auto first = takes_last ? ReductionFunction::Maximum : ReductionFunction::Minimum;
  return {value, site.add("position", reduce(first, {axis}, ReducedAxes::Kept), {at})};
}

Results addArgExtreme(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), shape.size());
  const Extreme found = extremeAlong(site, site.operand(0), axis, site.operatorName() == "ArgMax",
                                     site.isSet("select_last_index"));
  const NetworkTensorId index = site.add("index", cast(ElementType::UInt32), {found.position});
  if (site.isSet("keepdims", true)) return {index};
  Shape removed = shape;
  removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(axis));
  return {site.shaped("shape", index, removed)};
}

/// Values and positions that a network of comparisons sorts along the last dimension.
/// Source: K. E. Batcher, Sorting networks and their applications, AFIPS 1968.
class BitonicSort {
 public:
  BitonicSort(const OnnxSite& site, bool is_largest) : site_(site), is_largest_(is_largest) {}

  /// `pair` has (rows, 2^n) elements.
  void sort(Extreme& pair) const {
    const std::uint64_t size = site_.shapeOf(pair.value).back();
    for (std::uint64_t block = 2; block <= size; block *= 2) {
      for (std::uint64_t distance = block / 2; distance > 0; distance /= 2) {
        exchange(pair, block, distance);
      }
    }
  }

 private:
  void exchange(Extreme& pair, std::uint64_t block, std::uint64_t distance) const {
    const Shape shape = site_.shapeOf(pair.value);
    const std::uint64_t groups = shape[1] / (2 * distance);
    const Shape apart{shape[0], groups, 2, distance};
    const auto halves = [&](NetworkTensorId tensor) {
      const NetworkTensorId seen = site_.shaped("pairs", tensor, apart);
      return std::pair{site_.add("low", slice({2, 0, 1}), {seen}),
                       site_.add("high", slice({2, 1, 2}), {seen})};
    };
    const auto [low, high] = halves(pair.value);
    const auto [low_at, high_at] = halves(pair.position);
    // Every other block is sorted the other way round, so that two neighbours are bitonic.
    TensorValues turned(groups);
    for (std::uint64_t g = 0; g < groups; ++g) {
      turned[g] = (g * 2 * distance / block) % 2 == 0 ? 0 : 1;
    }
    const BinaryOp wrong = is_largest_ ? BinaryOp::LessThan : BinaryOp::GreaterThan;
    NetworkTensorId swaps = site_.add("is_wrong", binary(wrong), {low, high});
    if (std::any_of(turned.begin(), turned.end(), [](double one) { return one != 0; })) {
      const NetworkTensorId is_turned =
          site_.numbers("turned", {{1, groups, 1, 1}, ElementType::Bool}, std::move(turned));
      swaps = site_.add("swaps", binary(BinaryOp::NotEqual), {swaps, is_turned});
    }
    const auto swapped = [&](NetworkTensorId first, NetworkTensorId second) {
      const NetworkTensorId front = site_.add("front", select(), {swaps, second, first});
      const NetworkTensorId back = site_.add("back", select(), {swaps, first, second});
      return site_.shaped("row", site_.add("joined", concat(2), {front, back}), shape);
    };
    pair = {swapped(low, high), swapped(low_at, high_at)};
  }

  const OnnxSite& site_;
  bool is_largest_;
};

/// `count` times the largest element, which is then out of the way.
Extreme largestOneByOne(const OnnxSite& site, NetworkTensorId x, bool is_largest,
                        std::uint64_t count) {
  const std::size_t axis = site.shapeOf(x).size() - 1;
  const ElementType type = site.typeOf(x);
  const double gone = is_largest ? -std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::infinity();
  std::vector<NetworkTensorId> values;
  std::vector<NetworkTensorId> positions;
  for (std::uint64_t k = 0; k < count; ++k) {
    const Extreme one = extremeAlong(site, x, axis, is_largest, false);
    values.push_back(one.value);
    positions.push_back(one.position);
    if (k + 1 == count) break;
    const NetworkTensorId is_it =
        site.add("is_taken", binary(BinaryOp::Equal),
                 {site.add("all_places", broadcastTo(site.shapeOf(x)),
                           {positionsAlong(site, axis + 1, axis, site.shapeOf(x)[axis])}),
                  one.position});
    x = site.add("others", select(), {is_it, site.add("gone", constant({1}, gone, type), {}), x});
  }
  if (count == 1) return {values.front(), positions.front()};
  return {site.add("values", concat(axis), values),
          site.add("positions_of", concat(axis), positions)};
}

/// A few are found one after the other; more are the first of all, sorted.
Results addTopK(const OnnxSite& site) {
  constexpr std::uint64_t kMostOneByOne = 8;
  const Shape& shape = site.shape(0);
  const std::size_t rank = shape.size();
  const std::size_t axis = onnxAxis(site.integer("axis", -1), rank);
  const bool is_largest = site.isSet("largest", true);
  const std::int64_t asked = site.has(1) ? site.integers(1).at(0) : site.integer("k", 0);
  if (asked < 1 || asked > static_cast<std::int64_t>(shape[axis])) {
    throw OperandError(fmt::format("from 1 to {} elements", shape[axis]), fmt::format("{}", asked));
  }
  const auto count = static_cast<std::uint64_t>(asked);
  const NetworkTensorId last = axisMoved(site, "last", site.operand(0), axis, rank - 1);
  const std::uint64_t size = shape[axis];
  const std::uint64_t rows = elementsOf(shape) / size;
  NetworkTensorId flat = site.shaped("rows", last, {rows, size});
  Extreme found{flat, flat};
  if (count <= kMostOneByOne) {
    found = largestOneByOne(site, flat, is_largest, count);
  } else {
    std::uint64_t whole = 2;
    while (whole < size) whole *= 2;
    if (whole > size) {
      const double least = is_largest ? -std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::infinity();
      flat = site.add(
          "whole", concat(1),
          {flat, site.add("least", constant({rows, whole - size}, least, site.typeOf(flat)), {})});
    }
    const NetworkTensorId places =
        site.add("places", broadcastTo({rows, whole}), {positionsAlong(site, 2, 1, whole)});
    found = {flat, places};
    BitonicSort(site, is_largest).sort(found);
    found = {site.add("first", slice({1, 0, count}), {found.value}),
             site.add("first_at", slice({1, 0, count}), {found.position})};
  }
  Shape result = site.shapeOf(last);
  result.back() = count;
  const NetworkTensorId indices = site.add("indices", cast(ElementType::UInt32), {found.position});
  return {axisMoved(site, "values_back", site.shaped("values_shape", found.value, result), rank - 1,
                    axis),
          axisMoved(site, "indices_back", site.shaped("indices_shape", indices, result), rank - 1,
                    axis)};
}

/// One for the first largest element along a dimension, and zeros elsewhere.
Results addHardmax(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", site.opset() < 13 ? 1 : -1), shape.size());
  const NetworkTensorId x = site.operand(0);
  const Extreme found = extremeAlong(site, x, axis, true, false);
  const NetworkTensorId places = site.add("all_places", broadcastTo(shape),
                                          {positionsAlong(site, shape.size(), axis, shape[axis])});
  const NetworkTensorId is_it =
      site.add("is_first", binary(BinaryOp::Equal), {places, found.position});
  return {OnnxMath(site).asNumber("", is_it, site.typeOf(x))};
}

}  // namespace

const std::vector<OnnxOperator>& onnxSorting() {
  static const std::vector<OnnxOperator> kOperators{
      {"ArgMax", addArgExtreme},
      {"ArgMin", addArgExtreme},
      {"Hardmax", addHardmax},
      {"TopK", addTopK},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
