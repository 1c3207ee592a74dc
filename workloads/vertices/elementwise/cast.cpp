// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/cast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Two pointers and the length, or for a list the number of runs.
// Source: poplibs lib/popops/codelets/Cast1D.cpp, Cast2D.cpp.
constexpr Bytes kCastStateBytes(12);
// Bytes per run of the 2D form: its source, its length and its destination.
constexpr Bytes kCastRunBytes(12);

/// A double holds every element without loss.
template <typename To>
To convert(double value) {
  if constexpr (std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    if (std::isnan(value)) return 0;
    return static_cast<To>(
        std::clamp(value, static_cast<double>(Limits::min()), static_cast<double>(Limits::max())));
  } else {
    return static_cast<To>(static_cast<float>(value));
  }
}

template <typename From, typename To>
void cast(const From* src, To* dst, std::uint64_t elements) {
  std::transform(src, src + elements, dst,
                 [](From element) { return convert<To>(static_cast<double>(element)); });
}

template <typename From>
void castToBool(const From* src, std::uint8_t* dst, std::uint64_t elements) {
  std::transform(src, src + elements, dst,
                 [](From element) { return static_cast<double>(element) == 0 ? 0 : 1; });
}

Cycles castCost(const CastVertexShape& shape, const Architecture& machine) {
  const models::CastTypes types = models::castTypes(shape.from, shape.to);
  if (shape.runs.isOne()) return models::castCycles(machine, {types, shape.runs.elements()});
  return models::cast2dCycles(machine, {types, shape.runs.lengths()});
}

void computeCast(const CastVertexShape& shape, const VertexData& data) {
  const std::vector<std::uint64_t>& lengths = shape.runs.lengths();
  withElement(shape.from, [&](auto from) {
    using From = decltype(from);
    withElement(shape.to, [&](auto to) {
      using To = decltype(to);
      for (std::size_t run = 0; run < lengths.size(); ++run) {
        const auto* src = data.as<From>(0, run);
        if (shape.to == ElementType::Bool) {
          castToBool(src, data.as<std::uint8_t>(1, run), lengths[run]);
        } else {
          cast(src, data.as<To>(1, run), lengths[run]);
        }
      }
    });
  });
}

VertexType readCast(const ConfigReader& config, const Architecture& /*machine*/) {
  return castVertex({readWord(config, "type", kElementWords), readWord(config, "to", kElementWords),
                     Runs::read(config)});
}

}  // namespace

VertexType castVertex(CastVertexShape shape) {
  VertexType type;
  type.name = "popops::Cast" + shape.runs.suffix() + "<" + nameOf(shape.from) + "," +
              nameOf(shape.to) + ">";
  type.maker = kCastEntry.name;
  type.params = {{"type", wordOf(shape.from, kElementWords)},
                 {"to", wordOf(shape.to, kElementWords)}};
  shape.runs.appendTo(type.params);
  type.kind = shape.runs.kind();
  type.fields = {{"src", FieldDirection::Input, shape.from, shape.runs.groups()},
                 {"dst", FieldDirection::Output, shape.to, shape.runs.groups()}};
  type.sizes = {kCastStateBytes, shape.runs.tableBytes(kCastRunBytes), kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(0));
  return withFunctions<CastVertexShape>(std::move(type), std::move(shape), {castCost, computeCast});
}

const VertexEntry kCastEntry{"cast", "one type to another, Cast: type, to, elements, regions",
                             readCast};

}  // namespace ipusim::workloads
