// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "ipusim/ids.h"
#include "ipusim/walk.h"

namespace ipusim {

/// A regular section of one variable: the elements that a walk over its flat storage visits.
struct Section {
  VariableId variable{};
  Walk<VariableElements> walk;

  [[nodiscard]] std::uint64_t elements() const { return walk.elements(); }
  /// The index of the first element in the variable.
  [[nodiscard]] std::uint64_t begin() const { return walk.begin.value(); }
  /// One past the highest element that the section touches.
  [[nodiscard]] std::uint64_t end() const {
    return (walk.begin + walk.span(VariableElements(1))).value();
  }
  /// True when the elements are consecutive.
  [[nodiscard]] bool isRun() const {
    return walk.levels.empty() ||
           (walk.levels.size() == 1 && walk.levels.front().stride == VariableElements(1));
  }

  friend bool operator==(const Section& a, const Section& b) {
    return a.variable == b.variable && a.walk == b.walk;
  }
};

/// Elements of several sections, one section after the other.
using View = boost::container::small_vector<Section, 1>;

std::uint64_t elementsOf(const View& view);

/// A section of `count` consecutive elements.
Section contiguous(VariableId variable, std::uint64_t offset, std::uint64_t count);

/// Adds `section` to the end of `view`. A section that continues the pattern of the last one, with
/// equal levels and at an equal distance, becomes one more step of it.
void appendRegular(View& view, Section section);

/// `count` copies of `view`, each `step` elements after the one before.
View repeated(const View& view, std::uint64_t count, std::uint64_t step);

}  // namespace ipusim
