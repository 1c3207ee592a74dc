// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/results_csv.h"

#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "base/text/json.h"
#include "sim/report/csv.h"

namespace ipusim::sweep {

namespace {

/// Columns by name, numbered in the order in which they appear.
class CsvColumns {
 public:
  void add(const std::string& name) {
    if (indices_.emplace(name, names_.size()).second) names_.push_back(name);
  }
  [[nodiscard]] std::size_t indexOf(const std::string& name) const { return indices_.at(name); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> indices_;
};

CsvColumns columnsOf(const Sweep& sweep, const SweepStore& store, const Wanted& wanted) {
  CsvColumns columns;
  for (const Axis* axis : sweep.axes()) columns.add(axis->key);
  columns.add("status");
  store.forEach([&](std::uint64_t point, const PointResult& result) {
    if (!wanted(point)) return;
    const Json scalars = Json::parse(result.result);
    for (const auto& [path, text] : scalars.items()) columns.add(path);
  });
  return columns;
}

std::string statusCell(const PointResult& result) {
  const std::string status = nameOf(result.status);
  return result.reason.empty() ? status : status + ": " + result.reason;
}

std::string rowOf(const Sweep& sweep, const CsvColumns& columns, std::uint64_t point,
                  const PointResult& result) {
  std::vector<std::string> cells;
  cells.reserve(columns.names().size());
  for (const AxisValue* value : sweep.valuesAt(point)) cells.push_back(value->shown);
  cells.push_back(statusCell(result));
  cells.resize(columns.names().size());
  const Json scalars = Json::parse(result.result);
  for (const auto& [path, cell] : scalars.items()) {
    cells[columns.indexOf(path)] = cell.get<std::string>();
  }
  return report::csvLine(cells);
}

}  // namespace

void writeTable(const report::OutputFolder& folder, const std::string& file, const Sweep& sweep,
                const SweepStore& store, const Wanted& wanted) {
  const CsvColumns columns = columnsOf(sweep, store, wanted);
  folder.write(file, [&](const Sink& sink) {
    sink(report::csvLine(columns.names()));
    store.forEach([&](std::uint64_t point, const PointResult& result) {
      if (wanted(point)) sink(rowOf(sweep, columns, point, result));
    });
  });
}

void writeResults(const report::OutputFolder& folder, const Sweep& sweep, const SweepStore& store) {
  writeTable(folder, kResultsFile, sweep, store, [](std::uint64_t) { return true; });
}

}  // namespace ipusim::sweep
