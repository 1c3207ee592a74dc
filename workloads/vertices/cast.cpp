// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/cast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/ipu/cost/cast.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// Two pointers and the length, or how many runs.
// Source: poplibs lib/popops/codelets/Cast1D.cpp, Cast2D.cpp.
constexpr std::uint64_t kStateBytes = 12;
// Of each run of the 2D form: its source with its length, its destination.
constexpr std::uint64_t kRunBytes = 12;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

/// Every element is a double without loss.
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

}  // namespace

Cast::Cast(models::ElementType from, models::ElementType to, Runs runs)
    : from_(from), to_(to), runs_(std::move(runs)) {
  fields_ = {{"src", FieldDirection::Input, from, runs_.groups()},
             {"dst", FieldDirection::Output, to, runs_.groups()}};
}

std::string Cast::name() const {
  return "popops::Cast" + runs_.suffix() + "<" + nameOf(from_) + "," + nameOf(to_) + ">";
}

Cycles Cast::cycles(const models::Machine& machine) const {
  const models::CastTypes types = models::castTypes(from_, to_);
  if (runs_.isOne()) return models::castCycles(machine, {types, runs_.elements()});
  return models::cast2dCycles(machine, {types, runs_.lengths()});
}

Bytes Cast::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes Cast::fieldDataBytes() const {
  return runs_.tableBytes(kRunBytes);
}

Bytes Cast::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Cast::compute(const VertexData& data) const {
  withElement(from_, [&](auto from) {
    using From = decltype(from);
    withElement(to_, [&](auto to) {
      using To = decltype(to);
      for (std::size_t run = 0; run < runs_.lengths().size(); ++run) {
        const auto* src = data.as<From>(0, run);
        if (to_ == models::ElementType::Bool) {
          castToBool(src, data.as<std::uint8_t>(1, run), runs_.lengths()[run]);
        } else {
          cast(src, data.as<To>(1, run), runs_.lengths()[run]);
        }
      }
    });
  });
}

}  // namespace ipusim::workloads
