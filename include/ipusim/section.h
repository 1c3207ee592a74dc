// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ipusim/ids.h"
#include "ipusim/units.h"

namespace ipusim {

/// Elements of a variable, counted from its first one.
using VariableElements = Count<struct VariableElementsTag>;
/// Elements of one tile's share of a variable, counted from the first of the share.
using ShareElements = Count<struct ShareElementsTag>;
/// Elements of a view, one after the other in the order of the view.
using PackedElements = Count<struct PackedElementsTag>;

/// Two offsets or two distances. A walk over them visits two places in step.
template <typename From, typename To>
struct Ends {
  From from{};
  To to{};

  constexpr Ends& operator+=(const Ends& other) {
    from += other.from;
    to += other.to;
    return *this;
  }
  friend constexpr Ends operator+(Ends a, const Ends& b) { return a += b; }
  friend constexpr Ends operator*(const Ends& a, std::uint64_t times) {
    return {a.from * times, a.to * times};
  }
  friend constexpr bool operator==(const Ends& a, const Ends& b) {
    return a.from == b.from && a.to == b.to;
  }
};

/// One loop of a walk: `count` steps, each `stride` after the one before. Stride 0 repeats a place.
template <typename Unit>
struct Level {
  std::uint64_t count;
  Unit stride;

  friend bool operator==(const Level& a, const Level& b) {
    return a.count == b.count && a.stride == b.stride;
  }
};

/// The places that nested loops over `levels`, the outermost first, visit from `begin` on. A walk
/// without levels visits one place. `Inline` levels are stored without an allocation.
template <typename Unit, std::size_t Inline = 4>
struct Walk {
  using Levels = boost::container::small_vector<Level<Unit>, Inline>;

  Unit begin{};
  Levels levels{};

  Walk() = default;
  Walk(const Walk&) = default;
  // A move never throws: a vector that grows then moves its walks and does not copy them.
  Walk(Walk&&) noexcept = default;
  Walk& operator=(const Walk&) = default;
  Walk& operator=(Walk&&) noexcept = default;
  ~Walk() = default;

  /// How many places the walk visits; a repeated place counts each time.
  [[nodiscard]] std::uint64_t elements() const {
    std::uint64_t count = 1;
    for (const Level<Unit>& level : levels) count *= level.count;
    return count;
  }

  /// The distance from the first place to one past the last when each place takes `each`. Zero when
  /// there is no place.
  [[nodiscard]] Unit span(Unit each) const {
    for (const Level<Unit>& level : levels) {
      if (level.count == 0) return Unit{};
      each += level.stride * (level.count - 1);
    }
    return each;
  }

  /// Adds a level inside the others. A level of one step is left out. A level that continues the
  /// one outside it joins that one.
  void addInside(const Level<Unit>& level) {
    if (level.count == 1) return;
    const bool continues = !levels.empty() && levels.back().stride == level.stride * level.count;
    if (continues) {
      levels.back() = {levels.back().count * level.count, level.stride};
    } else {
      levels.push_back(level);
    }
  }

  /// Joins levels until there are as few as possible. The places and their order stay.
  void normalize() {
    const Levels all = std::move(levels);
    levels.clear();
    for (const Level<Unit>& level : all) addInside(level);
  }

  friend bool operator==(const Walk& a, const Walk& b) {
    return a.begin == b.begin && a.levels == b.levels;
  }
};

/// A copy of `walk` in which `convert` gives every offset and distance in another unit.
template <typename To, std::size_t Inline = 4, typename Unit, std::size_t AnyInline,
          typename Convert>
Walk<To, Inline> converted(const Walk<Unit, AnyInline>& walk, const Convert& convert) {
  Walk<To, Inline> result{convert(walk.begin)};
  for (const Level<Unit>& level : walk.levels) {
    result.levels.push_back({level.count, convert(level.stride)});
  }
  return result;
}

/// The walk over one end of a walk over two places, and over the other end.
template <std::size_t Inline = 4, typename From, typename To, std::size_t AnyInline>
Walk<From, Inline> fromEnd(const Walk<Ends<From, To>, AnyInline>& walk) {
  return converted<From, Inline>(walk, [](const Ends<From, To>& ends) { return ends.from; });
}
template <std::size_t Inline = 4, typename From, typename To, std::size_t AnyInline>
Walk<To, Inline> toEnd(const Walk<Ends<From, To>, AnyInline>& walk) {
  return converted<To, Inline>(walk, [](const Ends<From, To>& ends) { return ends.to; });
}

/// The walk with its two ends exchanged: what was read is written.
template <typename From, typename To>
Walk<Ends<To, From>> swapped(const Walk<Ends<From, To>>& walk) {
  return converted<Ends<To, From>>(walk, [](const Ends<From, To>& ends) {
    return Ends<To, From>{ends.to, ends.from};
  });
}

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
