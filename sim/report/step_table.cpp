// SPDX-License-Identifier: Apache-2.0
#include "sim/report/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/report/quantity.h"
#include "sim/report/text_layout.h"

namespace ipusim::run {

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
double meanOf(const RunResult& result, const StepResult& step) {
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

  void add(const RunResult& result, const StepResult& other) {
    times += other.iterations;
    mean_cycles += meanOf(result, other);
    bytes += movedBy(other);
  }
};

using TableSteps = std::vector<const StepResult*>;

Row rowOf(const RunResult& result, const StepResult& step) {
  Row row{step.name, kindText(step.kind), 0, 0, {}, &step};
  row.add(result, step);
  return row;
}

Row rowOf(const RunResult& result, const std::string& name, const char* kind,
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
std::vector<Row> sharedRows(const RunResult& result, const TableOptions& options,
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

double meanIdle(const RunResult& result) {
  if (result.in_use) return result.in_use->idle_cycles;
  double idle = 0;
  for (const TileResult& tile : result.tiles) idle += static_cast<double>(tile.idle.value());
  return result.tiles.empty() ? 0 : idle / static_cast<double>(result.tiles.size());
}

std::string cyclesText(double cycles) {
  return countText(static_cast<std::uint64_t>(std::llround(cycles)), kStepTableCyclesWidth - 1);
}

std::string lineOf(const Row& row, const TableOptions& options) {
  const bool is_wide = options.width >= kWide;
  const std::size_t rest = kKindWidth + kTimesWidth + 2 * kStepTableCyclesWidth + kBytesWidth +
                           (is_wide ? kTileWidth : 0);
  const std::size_t name_width = options.width - 2 - rest;
  std::string line = fmt::format(
      "  {:<{}}{:<{}}{:>{}}{:>{}}{:>{}}{:>{}}", shortened(shownName(row.name), name_width - 1),
      name_width, row.kind, kKindWidth, row.times > 0 ? countText(row.times, kTimesWidth - 1) : "",
      kTimesWidth,
      row.step != nullptr ? countText(row.step->cycles.value(), kStepTableCyclesWidth - 1) : "",
      kStepTableCyclesWidth, cyclesText(row.mean_cycles), kStepTableCyclesWidth,
      row.bytes > Bytes(0) ? bytesText(row.bytes) : "", kBytesWidth);
  if (is_wide && row.step != nullptr) {
    line += fmt::format("{:>{}}", row.step->max_tile, kTileWidth);
  }
  return line + (row.step != nullptr && row.step->measured ? "  measured" : "") + '\n';
}

std::string headingOf(const TableOptions& options) {
  const bool is_wide = options.width >= kWide;
  const std::size_t columns = kTimesWidth + 2 * kStepTableCyclesWidth + kBytesWidth;
  const std::size_t before = options.width - columns - (is_wide ? kTileWidth : 0);
  std::string line =
      fmt::format("{:>{}}{:>{}}{:>{}}{:>{}}", "times", before + kTimesWidth, "busiest tile",
                  kStepTableCyclesWidth, "mean tile", kStepTableCyclesWidth, "bytes", kBytesWidth);
  if (is_wide) line += fmt::format("{:>{}}", "on tile", kTileWidth);
  return line + '\n';
}

}  // namespace

std::string stepsText(const RunResult& result, const TableOptions& options) {
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
  text += headingOf(options);
  Row total{"total", "", 0, 0, {}, nullptr};
  for (const StepResult& step : result.steps) total.add(result, step);
  for (const StepResult* step : steps) text += lineOf(rowOf(result, *step), options);
  for (const Row& row : shared) text += lineOf(row, options);
  const double idle = meanIdle(result);
  if (idle >= 1) text += lineOf({"idle after its last step", "", 0, idle, {}, nullptr}, options);
  total.times = 0;
  total.mean_cycles += idle;
  return text + lineOf(total, options) + '\n';
}

}  // namespace ipusim::run
