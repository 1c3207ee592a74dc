// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "base/ids.h"

namespace ipusim::workloads {

/// One level of a nested, regular walk: `count` steps of `stride` elements. Stride 0 repeats.
struct SectionDim {
  std::uint64_t count;
  std::uint64_t stride;

  friend bool operator==(const SectionDim& a, const SectionDim& b) {
    return a.count == b.count && a.stride == b.stride;
  }
};
using SectionDims = boost::container::small_vector<SectionDim, 4>;

/// A regular section of one variable: the elements met by nested loops over `dims`, the outermost
/// first, starting at `offset` of the variable's flat storage. No dims: one element.
struct Section {
  VariableId variable{};
  std::uint64_t offset = 0;
  SectionDims dims;

  [[nodiscard]] std::uint64_t elements() const;
  /// One past the highest element touched.
  [[nodiscard]] std::uint64_t end() const;

  friend bool operator==(const Section& a, const Section& b) {
    return a.variable == b.variable && a.offset == b.offset && a.dims == b.dims;
  }
};

/// Elements of several sections, one section after the other.
using View = boost::container::small_vector<Section, 1>;

std::uint64_t elementsOf(const SectionDims& dims);
std::uint64_t elementsOf(const View& view);

/// Elements from the first to one past the last that the dims touch.
std::uint64_t spanOf(const SectionDims& dims);

/// The same elements in the same order with as few dims as possible: levels of one step go, and a
/// level that continues the one inside it joins it.
void normalize(SectionDims& dims);

/// A section of `count` consecutive elements.
Section contiguous(VariableId variable, std::uint64_t offset, std::uint64_t count);

/// Adds `section` to the end of `view`: as one more step of the last section where it has the same
/// dims and lies one more distance on, else as a section of its own.
void appendRegular(View& view, Section section);

/// `count` copies of `view`, each `step` elements after the one before.
View repeated(const View& view, std::uint64_t count, std::uint64_t step);

}  // namespace ipusim::workloads
