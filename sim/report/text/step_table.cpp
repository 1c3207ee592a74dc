// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kMostSteps = 14;
constexpr std::size_t kKindWidth = 9;
constexpr std::size_t kTimesWidth = 7;
constexpr std::size_t kStepTableCyclesWidth = 13;
constexpr std::size_t kBytesWidth = 9;
constexpr std::size_t kTileWidth = 9;  // a column of wide tables
constexpr std::size_t kWide = kPageWidth + kTileWidth;

/// The kind of a step in at most eight letters.
const char* kindText(StepKind kind) {
  if (kind == StepKind::RemoteBegin) return "begin";
  return kind == StepKind::GlobalExchange ? "links" : nameOf(kind);
}

/// What a step moves in all its iterations.
Bytes movedBy(const StepResult& step) {
  return (step.exchange.bytes + step.host + step.remote) * step.iterations;
}

/// The cycles of a step on the mean tile: of those in use, where others do nothing but wait.
double meanOf(const run::RunResult& result, const StepResult& step) {
  if (!result.in_use) return step.mean_cycles;
  return result.in_use->step_cycles.at(static_cast<std::size_t>(&step - result.steps.data()));
}

/// A row of one step, or of several that share it.
struct Row {
  std::string name;
  const char* kind = "";
  std::uint64_t times = 0;
  double mean_cycles = 0;
  Bytes bytes;
  const StepResult* step = nullptr;  ///< null where several share the row

  void add(const run::RunResult& result, const StepResult& other) {
    times += other.iterations;
    mean_cycles += meanOf(result, other);
    bytes += movedBy(other);
  }
};

using TableSteps = std::vector<const StepResult*>;

Row rowOf(const run::RunResult& result, const StepResult& step) {
  Row row{step.name, kindText(step.kind), 0, 0, {}, &step};
  row.add(result, step);
  return row;
}

Row rowOf(const run::RunResult& result, const std::string& name, const char* kind,
          const TableSteps& steps) {
  Row row{name, kind, 0, 0, {}, nullptr};
  for (const StepResult* step : steps) row.add(result, *step);
  return row;
}

std::uint64_t keyOf(const StepResult& step, StepOrder order) {
  return order == StepOrder::Bytes ? movedBy(step).value() : step.cycles.value();
}

void sortBy(StepOrder order, TableSteps& steps) {
  std::stable_sort(steps.begin(), steps.end(), [&](const StepResult* a, const StepResult* b) {
    return keyOf(*a, order) > keyOf(*b, order);
  });
}

/// Takes the steps that share rows out of `steps`: syncs, and all but the longest of the others.
std::vector<Row> sharedRows(const run::RunResult& result, const TableOptions& options,
                            TableSteps& steps) {
  std::vector<Row> rows;
  if (options.all) return rows;
  const auto waits = [](const StepResult* step) { return step->kind == StepKind::Sync; };
  const auto first_sync = std::stable_partition(steps.begin(), steps.end(), std::not_fn(waits));
  const TableSteps syncs(first_sync, steps.end());
  steps.erase(first_sync, steps.end());
  if (steps.size() > kMostSteps) {
    sortBy(options.order, steps);
    const auto cut = steps.begin() + kMostSteps;
    const TableSteps others(cut, steps.end());
    steps.erase(cut, steps.end());
    std::sort(steps.begin(), steps.end());  // the pointers into one vector are in program order
    rows.push_back(rowOf(
        result,
        countOf(others.size(), options.order == StepOrder::Bytes ? "other step" : "shorter step"),
        "", others));
  }
  if (!syncs.empty()) rows.push_back(rowOf(result, countOf(syncs.size(), "sync"), "sync", syncs));
  return rows;
}

double meanIdle(const run::RunResult& result) {
  if (result.in_use) return result.in_use->idle_cycles;
  double idle = 0;
  for (const TileResult& tile : result.tiles) idle += static_cast<double>(tile.idle.value());
  return result.tiles.empty() ? 0 : idle / static_cast<double>(result.tiles.size());
}

std::string cyclesText(double cycles) {
  return countText(static_cast<std::uint64_t>(std::llround(cycles)), kStepTableCyclesWidth - 1);
}

bool isWide(const TableOptions& options) {
  return options.width >= kWide;
}

/// The names of steps take what the other columns leave.
std::size_t nameWidth(const TableOptions& options) {
  constexpr std::size_t kOthers =
      kKindWidth + kTimesWidth + 2 * kStepTableCyclesWidth + kBytesWidth;
  return options.width - TextSpacing().indent - kOthers - (isWide(options) ? kTileWidth : 0);
}

std::vector<TextColumn> columnsFor(const TableOptions& options) {
  std::vector<TextColumn> columns = {
      {nameWidth(options), Align::Left}, {kKindWidth, Align::Left}, {kTimesWidth},
      {kStepTableCyclesWidth},           {kStepTableCyclesWidth},   {kBytesWidth}};
  if (isWide(options)) columns.push_back({kTileWidth});
  columns.push_back({0, Align::Left});
  return columns;
}

std::vector<std::string> cellsOf(const Row& row, const TableOptions& options) {
  std::vector<std::string> cells = {
      shortened(shownName(row.name), nameWidth(options) - 1),
      row.kind,
      row.times > 0 ? countText(row.times, kTimesWidth - 1) : "",
      row.step != nullptr ? countText(row.step->cycles.value(), kStepTableCyclesWidth - 1) : "",
      cyclesText(row.mean_cycles),
      row.bytes > Bytes(0) ? bytesText(row.bytes) : ""};
  if (row.step == nullptr) return cells;
  if (isWide(options)) cells.push_back(std::to_string(row.step->max_tile));
  if (row.step->measured) cells.emplace_back("  measured");
  return cells;
}

std::vector<std::string> headings(const TableOptions& options) {
  std::vector<std::string> cells = {"", "", "times", "busiest tile", "mean tile", "bytes"};
  if (isWide(options)) cells.emplace_back("on tile");
  return cells;
}

}  // namespace

std::string stepsText(const run::RunResult& result, const TableOptions& options) {
  TableSteps steps;
  for (const StepResult& step : result.steps) steps.push_back(&step);
  const std::vector<Row> shared = sharedRows(result, options, steps);
  if (options.order != StepOrder::Program) sortBy(options.order, steps);
  // Both forms stay within a page.
  const std::string of_what =
      result.in_use ? fmt::format("all times, mean of {}", countOf(result.in_use->tiles, "tile"))
                    : "cycles and bytes of all times";
  std::string text =
      fmt::format("STEPS     {}, {}; {}\n", countOf(result.graph.compute_sets, "compute set"),
                  countOf(result.graph.exchanges, "exchange"), of_what);
  TextTable table(columnsFor(options));
  table.add(headings(options));
  Row total{"total", "", 0, 0, {}, nullptr};
  for (const StepResult& step : result.steps) total.add(result, step);
  for (const StepResult* step : steps) table.add(cellsOf(rowOf(result, *step), options));
  for (const Row& row : shared) table.add(cellsOf(row, options));
  const double idle = meanIdle(result);
  if (idle >= 1)
    table.add(cellsOf({"idle after its last step", "", 0, idle, {}, nullptr}, options));
  total.times = 0;
  total.mean_cycles += idle;
  table.add(cellsOf(total, options));
  return text + table.text() + '\n';
}

}  // namespace ipusim::report
