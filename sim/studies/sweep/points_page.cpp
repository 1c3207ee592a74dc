// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/points_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numbers/number_in.h"
#include "base/text/json.h"
#include "sim/report/page/page_data.h"
#include "sim/studies/sweep/findings.h"

namespace ipusim::sweep {

namespace {

/// The number that a cell is, or else its text.
Json cellValue(const std::string& text) {
  if (const auto number = finiteNumberIn(text)) return *number;
  return text.empty() ? Json() : Json(text);
}

/// A column as it grows: points without a value have null.
class PageColumns {
 public:
  void add(const std::string& key, bool is_axis, std::size_t point, const std::string& text) {
    const auto [found, is_first] = indices_.emplace(key, columns_.size());
    if (is_first) columns_.push_back({key, is_axis, {}});
    std::vector<Json>& values = columns_[found->second].values;
    values.resize(point);
    values.push_back(cellValue(text));
  }

  /// An axis is listed with all its values: it names the points.
  [[nodiscard]] Json data(std::size_t points) {
    Json data = Json::array();
    for (Column& column : columns_) {
      column.values.resize(points);
      Json entry = {{"key", column.key}};
      if (column.is_axis) entry["axis"] = true;
      const bool is_constant =
          !column.is_axis && std::all_of(column.values.begin(), column.values.end(),
                                         [&](const Json& v) { return v == column.values[0]; });
      if (is_constant) {
        entry["value"] = column.values.empty() ? Json() : column.values[0];
      } else {
        entry["values"] = std::move(column.values);
      }
      data.push_back(std::move(entry));
    }
    return data;
  }

  [[nodiscard]] std::size_t count() const { return columns_.size(); }

 private:
  struct Column {
    std::string key;
    bool is_axis;
    std::vector<Json> values;
  };
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> indices_;
};

/// The points of a page, with room for some cells.
class PagePoints {
 public:
  PagePoints(const Sweep& sweep, std::size_t most_cells)
      : sweep_(sweep), axes_(sweep.axes()), room_(most_cells) {}

  void add(std::uint64_t point, const PointResult& result) {
    const Json scalars = Json::parse(result.result);
    const std::size_t cells = axes_.size() + scalars.size();
    if (cells > room_) {
      ++left_out_;
      return;
    }
    room_ -= cells;
    const std::vector<const AxisValue*> values = sweep_.valuesAt(point);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      columns_.add(axes_[a]->key, true, points_.size(), values[a]->shown);
    }
    for (const auto& [path, text] : scalars.items()) {
      columns_.add(path, false, points_.size(), text.get<std::string>());
    }
    points_.push_back(point);
    status_.push_back(nameOf(result.status));
    reasons_.push_back(result.reason);
  }

  void addTo(Json& data) {
    data["points"] = points_;
    data["status"] = std::move(status_);
    data["reasons"] = std::move(reasons_);
    data["columns"] = columns_.data(points_.size());
    data["left_out"] = Json::array();
    if (left_out_ > 0) {
      data["left_out"].push_back(
          fmt::format("{} points, which are in {}", left_out_, kResultsFile));
    }
  }

 private:
  const Sweep& sweep_;
  std::vector<const Axis*> axes_;
  std::size_t room_;
  std::size_t left_out_ = 0;
  std::vector<std::uint64_t> points_;
  Json status_ = Json::array();
  Json reasons_ = Json::array();
  PageColumns columns_;
};

}  // namespace

Json pointsPageData(const std::string& name, const Sweep& sweep, const SweepStore& store,
                    const Wanted& wanted, std::size_t most_cells) {
  Json data = {{"schema", report::kPageSchema}, {"name", name}};
  PagePoints points(sweep, most_cells);
  if (wanted) {
    store.forEach([&](std::uint64_t point, const PointResult& result) {
      if (wanted(point)) points.add(point, result);
    });
  }
  store.forEach([&](std::uint64_t point, const PointResult& result) {
    if (!wanted || !wanted(point)) points.add(point, result);
  });
  points.addTo(data);
  data["findings"] = findingsOf(sweep, store);
  return data;
}

}  // namespace ipusim::sweep
