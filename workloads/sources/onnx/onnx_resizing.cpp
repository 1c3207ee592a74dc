// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_taking.h"

// Pictures of other sizes, one dimension after the other. Coordinates: github.com/onnx/onnx,
// docs/Operators.md, Resize.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

constexpr std::uint64_t kLargestResized = 1U << 24U;

/// One dimension of a Resize.
struct ResizedAxis {
  std::size_t axis;
  std::uint64_t from;
  std::uint64_t to;
  double scale;
};

struct ResizeForm {
  std::string mode;         ///< nearest, linear or cubic
  std::string coordinates;  ///< how positions of the result are found in the operand
  std::string nearest;      ///< how a nearest position is rounded
  double cubic;
  bool excludes_outside;
};

double sourceOf(const ResizeForm& form, const ResizedAxis& axis, std::uint64_t at) {
  const auto position = static_cast<double>(at);
  const auto from = static_cast<double>(axis.from);
  const auto to = static_cast<double>(axis.to);
  if (form.coordinates == "half_pixel") return (position + 0.5) / axis.scale - 0.5;
  if (form.coordinates == "half_pixel_symmetric") {
    const double adjustment = to / (axis.scale * from);
    const double centre = from / 2;
    return centre * (1 - adjustment) + (position + 0.5) / axis.scale - 0.5;
  }
  if (form.coordinates == "pytorch_half_pixel") {
    return axis.to > 1 ? (position + 0.5) / axis.scale - 0.5 : 0;
  }
  if (form.coordinates == "align_corners") {
    const double grown = axis.scale * from;  // not rounded, as the operator's reference has it
    return axis.to > 1 && grown != 1 ? position * (from - 1) / (grown - 1) : 0;
  }
  if (form.coordinates == "tf_half_pixel_for_nn") return (position + 0.5) / axis.scale;
  if (form.coordinates == "asymmetric") return position / axis.scale;
  throw OperandError(
      "coordinates half_pixel, half_pixel_symmetric, pytorch_half_pixel, "
      "align_corners, tf_half_pixel_for_nn or asymmetric",
      inQuotes(form.coordinates));
}

double roundedPosition(const ResizeForm& form, double position) {
  if (form.nearest == "floor") return std::floor(position);
  if (form.nearest == "ceil") return std::ceil(position);
  if (form.nearest == "round_prefer_floor") return std::ceil(position - 0.5);
  if (form.nearest == "round_prefer_ceil") return std::floor(position + 0.5);
  throw OperandError("nearest_mode floor, ceil, round_prefer_floor or round_prefer_ceil",
                     inQuotes(form.nearest));
}

std::uint64_t within(double position, std::uint64_t size) {
  return static_cast<std::uint64_t>(
      std::min(std::max(position, 0.0), static_cast<double>(size - 1)));
}

/// Neighbours of each position of the result, and what each counts.
struct Neighbours {
  std::vector<std::uint64_t> indices;
  TensorValues weights;
};

/// One list of neighbours for nearest, two for linear and four for cubic.
std::vector<Neighbours> neighboursOf(const ResizeForm& form, const ResizedAxis& axis) {
  const std::size_t count = form.mode == "nearest" ? 1 : (form.mode == "linear" ? 2 : 4);
  std::vector<Neighbours> lists(count);
  for (std::uint64_t at = 0; at < axis.to; ++at) {
    const double source = sourceOf(form, axis, at);
    if (count == 1) {
      lists[0].indices.push_back(within(roundedPosition(form, source), axis.from));
      lists[0].weights.push_back(1);
      continue;
    }
    const double clamped =
        count == 2 ? std::min(std::max(source, 0.0), static_cast<double>(axis.from - 1)) : source;
    const double first = std::floor(clamped);
    const double rest = clamped - first;
    std::array<double, 4> weights{1 - rest, rest, 0, 0};
    if (count == 4) {
      const double a = form.cubic;
      const auto near = [&](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
      const auto far = [&](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
      weights = {far(1 + rest), near(rest), near(1 - rest), far(2 - rest)};
    }
    const double begin = count == 4 ? first - 1 : first;
    double total = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const double place = begin + static_cast<double>(n);
      const bool is_outside = place < 0 || place > static_cast<double>(axis.from - 1);
      if (count == 4 && form.excludes_outside && is_outside) weights.at(n) = 0;
      total += weights.at(n);
    }
    for (std::size_t n = 0; n < count; ++n) {
      lists[n].indices.push_back(within(begin + static_cast<double>(n), axis.from));
      lists[n].weights.push_back(form.excludes_outside ? weights.at(n) / total : weights.at(n));
    }
  }
  return lists;
}

/// Numbers along one dimension, to be repeated along the others.
NetworkTensorId weightsAlong(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                             std::size_t axis, const TensorValues& weights) {
  Shape shape(site.shapeOf(x).size(), 1);
  shape[axis] = weights.size();
  return site.numbers(part, {shape, site.typeOf(x)}, weights);
}

/// The sum of views of the neighbours, each by its weights: two for a line between neighbours.
NetworkTensorId resizedAlong(const OnnxSite& site, const ResizeForm& form, NetworkTensorId x,
                             const ResizedAxis& axis) {
  const OnnxMath math(site);
  const std::vector<Neighbours> lists = neighboursOf(form, axis);
  if (lists.size() == 1) return taken(site, "", x, axis.axis, lists[0].indices);
  std::optional<NetworkTensorId> sum;
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const std::string part = fmt::format("{}/{}", axis.axis, n);
    const NetworkTensorId view = taken(site, part, x, axis.axis, lists[n].indices);
    const NetworkTensorId weighed =
        math.binary(part + "/weighed", BinaryOp::Multiply, view,
                    weightsAlong(site, part + "/weights", view, axis.axis, lists[n].weights));
    sum = sum ? math.binary(part + "/sum", BinaryOp::Add, *sum, weighed) : weighed;
  }
  return *sum;
}

/// Whether nearest neighbours repeat each element as often.
bool repeatsElements(const ResizeForm& form, const ResizedAxis& axis) {
  if (form.mode != "nearest" || axis.to % axis.from != 0) return false;
  const std::vector<std::uint64_t> indices = neighboursOf(form, axis)[0].indices;
  const std::uint64_t factor = axis.to / axis.from;
  for (std::uint64_t at = 0; at < axis.to; ++at) {
    if (indices[at] != at / factor) return false;
  }
  return true;
}

/// The scales of an Upsample or a Resize, or the sizes of the result where `has_sizes`.
std::vector<double> scalesOf(const OnnxSite& site, bool has_sizes) {
  if (has_sizes) return site.reals(3);
  if (const auto scales = site.realsOf("scales")) return *scales;  // of an Upsample before opset 9
  // From opset 11 on, the region of a Resize stands before its scales.
  return site.reals(site.operatorName() == "Upsample" || site.opset() < 11 ? 1 : 2);
}

std::vector<std::size_t> resizedAxes(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  std::vector<std::size_t> axes;
  if (const auto given = site.integersOf("axes")) {
    for (const std::int64_t axis : *given) axes.push_back(onnxAxis(axis, rank));
  } else {
    for (std::size_t d = 0; d < rank; ++d) axes.push_back(d);
  }
  return axes;
}

/// Sizes that keep the proportions of a picture take one scale for all dimensions.
void keepProportions(const std::string& policy, std::vector<ResizedAxis>& axes) {
  if (policy == "stretch" || axes.empty()) return;
  if (policy != "not_larger" && policy != "not_smaller") {
    throw OperandError("stretch, not_larger or not_smaller", inQuotes(policy));
  }
  double scale = axes.front().scale;
  for (const ResizedAxis& axis : axes) {
    scale = policy == "not_larger" ? std::min(scale, axis.scale) : std::max(scale, axis.scale);
  }
  for (ResizedAxis& axis : axes) {
    axis.scale = scale;
    axis.to = static_cast<std::uint64_t>(std::floor(scale * static_cast<double>(axis.from) + 0.5));
  }
}

std::vector<ResizedAxis> readAxes(const OnnxSite& site) {
  const bool has_sizes = site.has(3);
  const std::vector<std::size_t> named = resizedAxes(site);
  const std::vector<double> given = scalesOf(site, has_sizes);
  if (given.size() != named.size()) {
    throw OperandError(fmt::format("{} scales or sizes", named.size()),
                       fmt::format("{}", given.size()));
  }
  std::vector<ResizedAxis> axes;
  for (std::size_t a = 0; a < named.size(); ++a) {
    const std::uint64_t from = site.shape(0)[named[a]];
    const double to = has_sizes ? given[a] : std::floor(given[a] * static_cast<double>(from));
    // Compared before it is made a whole number, which infinities and NaN have none of.
    if (!(to >= 1 && to <= static_cast<double>(kLargestResized))) {
      throw OperandError(fmt::format("a field of sizes from 1 to {}", kLargestResized),
                         fmt::format("{}", given[a]));
    }
    const double scale = has_sizes ? to / static_cast<double>(from) : given[a];
    axes.push_back({named[a], from, static_cast<std::uint64_t>(to), scale});
  }
  if (has_sizes) keepProportions(site.textOf("keep_aspect_ratio_policy", "stretch"), axes);
  return axes;
}

ResizeForm readForm(const OnnxSite& site) {
  const bool is_old = site.operatorName() == "Upsample" || site.opset() < 11;
  ResizeForm form{
      site.textOf("mode", "nearest"),
      site.textOf("coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel"),
      site.textOf("nearest_mode", is_old ? "floor" : "round_prefer_floor"),
      site.realOf("cubic_coeff_a", -0.75), site.isSet("exclude_outside")};
  if (form.mode == "bilinear") form.mode = "linear";  // of the first Upsample
  if (form.mode != "nearest" && form.mode != "linear" && form.mode != "cubic") {
    throw OperandError("the mode nearest, linear or cubic", inQuotes(form.mode));
  }
  return form;
}

/// A picture that shrinks is smoothed before with `antialias`, which is another filter.
void expectNoSmoothing(const OnnxSite& site, const std::vector<ResizedAxis>& axes) {
  const bool shrinks = std::any_of(axes.begin(), axes.end(),
                                   [](const ResizedAxis& axis) { return axis.to < axis.from; });
  if (site.isSet("antialias") && shrinks) throw OperandError("antialias 0", "1");
}

Results addResize(const OnnxSite& site) {
  const ResizeForm form = readForm(site);
  const std::vector<ResizedAxis> axes = readAxes(site);
  expectNoSmoothing(site, axes);
  NetworkTensorId x = site.operand(0);
  const std::size_t rank = site.shape(0).size();
  std::vector<std::uint64_t> factors(rank > 2 ? rank - 2 : 0, 1);
  bool is_repeated = rank > 2;
  for (const ResizedAxis& axis : axes) {
    if (axis.to == axis.from) continue;
    is_repeated = is_repeated && axis.axis >= 2 && repeatsElements(form, axis);
    if (is_repeated) factors[axis.axis - 2] = axis.to / axis.from;
  }
  if (is_repeated) return {site.add(upsample(factors), {x})};
  for (const ResizedAxis& axis : axes) {
    if (axis.to != axis.from) x = resizedAlong(site, form, x, axis);
  }
  return {x};
}

}  // namespace

const std::vector<OnnxOperator>& onnxResizing() {
  static const std::vector<OnnxOperator> kOperators{
      {"Resize", addResize},
      {"Upsample", addResize},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
