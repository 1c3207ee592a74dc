// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/numbers/number_in.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/text/quantity.h"

namespace ipusim::sweep {

namespace {

constexpr std::size_t kLongestValue = 40;
/// With more combinations of the other axes than this, equal extents are counted.
constexpr std::size_t kMostGroups = 4;
constexpr double kPerGiga = 1e9;

std::string bytesOf(double bytes) {
  return report::bytesText(Bytes(static_cast<std::uint64_t>(bytes)));
}
std::string rateOf(double gigaflops) {
  return report::rateText(gigaflops * kPerGiga);
}
std::string samplesOf(double samples) {
  return report::countText(static_cast<std::uint64_t>(samples)) + " samples/s";
}

/// What runs are compared by, with words for its least and its most.
struct Measure {
  const char* path;
  const char* least;
  const char* most;
  std::string (*text)(double value);
};

constexpr std::array<Measure, 5> kMeasures = {{
    {"time.seconds", "fastest", "slowest", report::secondsText},
    {"step.seconds", "fastest step", "slowest step", report::secondsText},
    {"work.gflops_per_second", "lowest rate", "highest rate", rateOf},
    {"step.samples_per_second", "fewest samples", "most samples", samplesOf},
    {"memory.max_tile_bytes", "least on a tile", "most on a tile", bytesOf},
}};

/// A point that was run.
struct Found {
  bool fits;
  std::vector<std::string> axes;  ///< its values, in the order of the axes
  std::array<std::optional<double>, kMeasures.size()> measures;
};

std::vector<Found> pointsOf(const Sweep& sweep, const SweepStore& store) {
  std::vector<Found> points;
  store.forEach([&](std::uint64_t number, const PointResult& result) {
    if (result.status != Status::Ok && result.status != Status::DoesNotFit) return;
    Found& point = points.emplace_back();
    point.fits = result.status == Status::Ok;
    for (const AxisValue* value : sweep.valuesAt(number)) point.axes.push_back(value->shown);
    const Json scalars = Json::parse(result.result);
    for (std::size_t m = 0; m < kMeasures.size(); ++m) {
      const auto found = scalars.find(kMeasures[m].path);
      if (found != scalars.end()) point.measures[m] = finiteNumberIn(found->get<std::string>());
    }
  });
  return points;
}

class Findings {
 public:
  Findings(const Sweep& sweep, const SweepStore& store)
      : axes_(sweep.axes()), points_(pointsOf(sweep, store)), stored_(store.points().size()) {}

  [[nodiscard]] std::vector<std::string> lines() const {
    if (points_.size() < 2) return {};
    std::vector<std::string> lines = fitLines();
    for (std::size_t m = 0; m < kMeasures.size(); ++m) {
      std::string line = measureLine(m);
      if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  /// The fit of the points with one combination of the other axes, by the number on the axis.
  using Fits = std::map<double, bool>;

  [[nodiscard]] std::string pair(std::size_t axis, const Found& point) const {
    return fmt::format("{} = {}", axes_[axis]->key, oneLine(point.axes[axis], kLongestValue));
  }

  /// True when the value on `axis` decides that on `other`, as it does for axes that go together
  /// and for an axis of one value.
  [[nodiscard]] bool decides(std::size_t axis, std::size_t other) const {
    std::map<std::string, std::string> known;
    return std::all_of(points_.begin(), points_.end(), [&](const Found& point) {
      return known.emplace(point.axes[axis], point.axes[other]).first->second == point.axes[other];
    });
  }

  /// The axes that tell the points with one value on `axis` apart.
  [[nodiscard]] std::vector<std::size_t> othersOf(std::size_t axis) const {
    std::vector<std::size_t> others;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (a != axis && !decides(axis, a)) others.push_back(a);
    }
    return others;
  }

  /// The fits by combination of the other axes. Empty where the axis has anything but numbers.
  [[nodiscard]] std::map<std::string, Fits> groupsBy(std::size_t axis) const {
    const std::vector<std::size_t> others = othersOf(axis);
    std::map<std::string, Fits> groups;
    for (const Found& point : points_) {
      const std::optional<double> number = finiteNumberIn(point.axes[axis]);
      if (!number) return {};
      std::string name;
      for (const std::size_t other : others) {
        name += (name.empty() ? " with " : ", ") + pair(other, point);
      }
      groups[name].emplace(*number, point.fits);
    }
    return groups;
  }

  static bool changes(const Fits& fits) {
    return std::any_of(fits.begin(), fits.end(),
                       [&](const auto& one) { return one.second != fits.begin()->second; });
  }

  /// Where the points fit, such as "up to 4096", with the values between that do not.
  static std::string extentOf(const Fits& fits) {
    const auto fit = [](const auto& one) { return one.second; };
    const auto first = std::find_if(fits.begin(), fits.end(), fit);
    if (first == fits.end()) return "nowhere";
    const auto last = std::find_if(fits.rbegin(), fits.rend(), fit);
    std::string text = "everywhere";
    if (last->first < fits.rbegin()->first) text = fmt::format("up to {}", last->first);
    if (first->first > fits.begin()->first) {
      text = last == fits.rbegin() ? fmt::format("from {} on", first->first)
                                   : fmt::format("from {} to {}", first->first, last->first);
    }
    std::string without;
    for (const auto& [value, fits_there] : fits) {
      if (fits_there || value < first->first || value > last->first) continue;
      without += fmt::format("{}{}", without.empty() ? "" : ", ", value);
    }
    return without.empty() ? text : text + " but not at " + oneLine(without, kLongestValue);
  }

  /// The extents that most groups have, with the number of groups.
  static std::string countedExtents(const std::map<std::string, Fits>& groups) {
    std::map<std::string, std::size_t> counts;
    for (const auto& [name, fits] : groups) ++counts[extentOf(fits)];
    std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (order.size() > kMostGroups) order.resize(kMostGroups);
    std::string text;
    std::size_t others = groups.size();
    for (const auto& [extent, count] : order) {
      text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", extent, count);
      others -= count;
    }
    if (others > 0) text += fmt::format(", otherwise in {}", others);
    return text + fmt::format(" of {} combinations of the other axes", groups.size());
  }

  static std::string extentsOf(const std::map<std::string, Fits>& groups) {
    if (groups.size() > kMostGroups) return countedExtents(groups);
    std::string text;
    for (const auto& [name, fits] : groups) {
      text += (text.empty() ? "" : "; ") + extentOf(fits) + name;
    }
    return text;
  }

  [[nodiscard]] std::vector<std::string> fitLines() const {
    const auto fitting = std::count_if(points_.begin(), points_.end(),
                                       [](const Found& point) { return point.fits; });
    if (fitting == 0) return {"no point fits"};
    if (static_cast<std::size_t>(fitting) == points_.size()) {
      return {points_.size() == stored_ ? "all points fit" : "all points that are valid fit"};
    }
    std::vector<std::string> lines;
    std::set<std::size_t> told;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const bool is_told = std::any_of(
          told.begin(), told.end(), [&](std::size_t t) { return decides(t, a) && decides(a, t); });
      const std::map<std::string, Fits> groups = groupsBy(a);
      const bool decides_fit = std::any_of(groups.begin(), groups.end(),
                                           [](const auto& one) { return changes(one.second); });
      if (is_told || !decides_fit) continue;
      told.insert(a);
      lines.push_back(fmt::format("{}: fits {}", axes_[a]->key, extentsOf(groups)));
    }
    return lines;
  }

  [[nodiscard]] std::string placeOf(const Found& point) const {
    std::string text;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const bool is_one = std::all_of(points_.begin(), points_.end(), [&](const Found& other) {
        return other.axes[a] == points_.front().axes[a];
      });
      if (!is_one) text += (text.empty() ? "" : ", ") + pair(a, point);
    }
    return text;
  }

  /// The least and the most of a measure. Empty where fewer than two points that fit have it, or
  /// all have the same.
  [[nodiscard]] std::string measureLine(std::size_t m) const {
    const Found* least = nullptr;
    const Found* most = nullptr;
    for (const Found& point : points_) {
      if (!point.fits || !point.measures[m]) continue;
      if (least == nullptr || *point.measures[m] < *least->measures[m]) least = &point;
      if (most == nullptr || *point.measures[m] > *most->measures[m]) most = &point;
    }
    if (least == nullptr || *least->measures[m] == *most->measures[m]) return "";
    const Measure& measure = kMeasures[m];
    return fmt::format("{}: {} at {}; {}: {} at {}", measure.least,
                       measure.text(*least->measures[m]), placeOf(*least), measure.most,
                       measure.text(*most->measures[m]), placeOf(*most));
  }

  std::vector<const Axis*> axes_;
  std::vector<Found> points_;
  std::size_t stored_;  ///< with those that could not be run
};

}  // namespace

std::vector<std::string> findingsOf(const Sweep& sweep, const SweepStore& store) {
  return Findings(sweep, store).lines();
}

}  // namespace ipusim::sweep
