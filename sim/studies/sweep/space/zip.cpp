// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text/json.h"
#include "base/text/message.h"

namespace ipusim::sweep {

namespace {

constexpr const char* kZipKey = "zip";
constexpr std::size_t kFewestAxes = 2;

bool isListOfAxes(const SortedJson& list) {
  return list.is_array() && list.size() >= kFewestAxes &&
         std::all_of(list.begin(), list.end(),
                     [](const SortedJson& name) { return name.is_string(); });
}

/// The list of each axis.
class Lists {
 public:
  Lists(const ConfigReader& sweep, const std::vector<Axis>& axes)
      : sweep_(sweep), axes_(axes), list_of_(axes.size(), kNone) {
    if (!sweep.has(kZipKey)) return;
    const ConfigValues values = sweep.values();
    const SortedJson& lists = values.json().at(kZipKey);
    const bool well_formed =
        lists.is_array() && std::all_of(lists.begin(), lists.end(), isListOfAxes);
    if (!well_formed) {
      throw sweep.error(kZipKey,
                        R"(lists of two axes or more, like [["workload.m", "workload.n"]])");
    }
    for (std::size_t list = 0; list < lists.size(); ++list) add(list, lists[list]);
  }

  [[nodiscard]] bool together(std::size_t a, std::size_t b) const {
    return a == b || (list_of_[a] != kNone && list_of_[a] == list_of_[b]);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void add(std::size_t list, const SortedJson& names) {
    const std::size_t first = indexOf(names.front().get<std::string>());
    for (const SortedJson& name : names) {
      const std::size_t axis = indexOf(name.get<std::string>());
      if (list_of_[axis] != kNone) {
        throw sweep_.error(kZipKey, inQuotes(axes_[axis].key) + " once");
      }
      expectAsMany(axes_[first], axes_[axis]);
      list_of_[axis] = list;
    }
  }

  void expectAsMany(const Axis& first, const Axis& axis) const {
    if (axis.values.size() == first.values.size()) return;
    throw sweep_.error(kZipKey, fmt::format("axes of equal length ({} has {} values, {} has {})",
                                            inQuotes(first.key), first.values.size(),
                                            inQuotes(axis.key), axis.values.size()));
  }

  [[nodiscard]] std::size_t indexOf(const std::string& key) const {
    std::vector<std::string> keys;
    for (const Axis& axis : axes_) keys.push_back(axis.key);
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      throw sweep_.error(kZipKey, "keys of [axes], not " + inQuotes(key) + didYouMean(key, keys));
    }
    return static_cast<std::size_t>(found - keys.begin());
  }

  const ConfigReader& sweep_;
  const std::vector<Axis>& axes_;
  std::vector<std::size_t> list_of_;
};

/// Removes a point that equals the one before it. Ranges of few whole numbers have such points.
void dropRepetitions(Dimension& dimension) {
  for (std::size_t i = dimension.count() - 1; i > 0; --i) {
    const bool repeats = std::all_of(
        dimension.axes.begin(), dimension.axes.end(),
        [i](const Axis& axis) { return axis.values[i].toml == axis.values[i - 1].toml; });
    if (!repeats) continue;
    for (Axis& axis : dimension.axes) {
      axis.values.erase(axis.values.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace

std::vector<Dimension> zipAxes(const ConfigReader& sweep, const std::vector<Axis>& axes) {
  const Lists lists(sweep, axes);
  std::vector<Dimension> dimensions;
  std::vector<bool> taken(axes.size(), false);
  for (std::size_t first = 0; first < axes.size(); ++first) {
    if (taken[first]) continue;
    Dimension dimension;
    for (std::size_t axis = first; axis < axes.size(); ++axis) {
      if (!lists.together(first, axis)) continue;
      taken[axis] = true;
      dimension.axes.push_back(axes[axis]);
    }
    dropRepetitions(dimension);
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

}  // namespace ipusim::sweep
