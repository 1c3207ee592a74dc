// SPDX-License-Identifier: Apache-2.0
#include "tests/reduce_planner/plan_rows.h"

#include <algorithm>
#include <functional>
#include <set>

namespace ipusim::workloads {

namespace {

using models::ReduceOp;
using tests::OracleRow;

constexpr const char* kNotApplicable = "";
constexpr const char* kNoStages = "-";
constexpr std::uint64_t kLongSync = 150;  ///< cycles, of the column that ends in sync150

ElementType elementTypeOf(const OracleRow& row, const char* column) {
  if (row.text(column) == "half") return ElementType::Half;
  if (row.text(column) == "float") return ElementType::Float;
  throw row.unknown(column);
}

ReduceOp reduceOpOf(const OracleRow& row) {
  if (row.text("op") == "ADD") return ReduceOp::Add;
  if (row.text("op") == "MAX") return ReduceOp::Maximum;
  throw row.unknown("op");
}

/// The columns of a row that has tiles of its own: an even number of them on each tile.
std::uint64_t stackedWidth(std::uint64_t columns, std::uint64_t tiles) {
  return roundUp(ceilDiv(columns, std::min(tiles, std::max<std::uint64_t>(1, columns / 2))),
                 std::uint64_t{2});
}

std::vector<HeldRows> stacked(std::uint64_t tiles, std::uint64_t rows, std::uint64_t columns) {
  std::vector<HeldRows> held;
  if (rows > tiles) {
    for (std::uint64_t t = 0; t < tiles; ++t) {
      const std::uint64_t own = ceilDiv(rows - t, tiles);
      held.push_back({TileId(static_cast<std::uint32_t>(t)), 0, columns, 1, own, columns});
    }
    return held;
  }
  const std::uint64_t each = tiles / rows;
  const std::uint64_t width = stackedWidth(columns, each);
  for (std::uint64_t r = 0; r < rows; ++r) {
    std::uint64_t tile = r * each;
    for (std::uint64_t begin = 0; begin < columns; begin += width, ++tile) {
      const std::uint64_t end = std::min(columns, begin + width);
      held.push_back({TileId(static_cast<std::uint32_t>(tile)), begin, end});
    }
  }
  return held;
}

std::vector<HeldRows> heldOf(const Architecture& machine, const OracleRow& row) {
  const std::uint64_t rows = row.number("rows");
  const std::uint64_t columns = row.number("columns");
  const std::string& layout = row.text("layout");
  if (layout == "stacked") return stacked(machine.tiles, rows, columns);
  const auto linear = mappedLinearly(machine, elementTypeOf(row, "type"), rows * columns);
  if (layout == "outer") return heldOfRows(columns, linear);
  if (layout == "inner") return heldOfColumns(rows, linear);
  throw row.unknown("layout");
}

template <typename Intervals>
std::map<TileId, std::uint64_t> elementsOn(const Intervals& intervals) {
  std::map<TileId, std::uint64_t> elements;
  for (const auto& one : intervals) elements[one.tile] += one.end - one.begin;
  return elements;
}

std::uint64_t mostOf(const std::map<TileId, std::uint64_t>& elements) {
  std::uint64_t most = 0;
  for (const auto& [tile, count] : elements) most = std::max(most, count);
  return most;
}

/// One number a stage, between semicolons.
std::string ofStages(const ReducePlan& plan,
                     const std::function<std::uint64_t(const IntermediateStage&)>& number) {
  std::string text;
  for (const IntermediateStage& stage : plan.intermediate) {
    text += (text.empty() ? "" : ";") + std::to_string(number(stage));
  }
  return text.empty() ? kNoStages : text;
}

std::uint64_t fewestPartials(const IntermediateStage& stage) {
  const auto& all = stage.reductions;
  const auto fewest = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.last - a.first < b.last - b.first;
  });
  return fewest->last - fewest->first;
}

std::uint64_t mostPartials(const IntermediateStage& stage) {
  std::uint64_t most = 0;
  for (const PartialReduction& one : stage.reductions) most = std::max(most, one.last - one.first);
  return most;
}

using Cells = std::map<std::string, std::string>;

void addInput(Cells& cells, const ReduceProblem& problem, const ReducePlan& plan) {
  std::map<TileId, std::uint64_t> elements;
  for (const HeldRows& own : problem.held) elements[own.tile] += own.columns() * own.rows();
  cells["in_tiles"] = std::to_string(elements.size());
  cells["in_max_elems"] = std::to_string(mostOf(elements));
  cells["max_tile_spread"] = std::to_string(PartialColumns(problem.held).mostTiles());
  const bool is_local = plan.form == ReduceForm::OnTile;
  cells["on_tile_stage"] = is_local ? "local" : plan.on_tile ? "1" : "0";
  cells["ip_tiles"] = is_local ? kNotApplicable : std::to_string(elements.size());
}

void addStages(Cells& cells, const ReducePlan& plan) {
  cells["i2i_stages"] = std::to_string(plan.intermediate.size());
  cells["i2i_pieces"] = ofStages(plan, [](const auto& s) { return s.reductions.size(); });
  cells["i2i_min_partials"] = ofStages(plan, fewestPartials);
  cells["i2i_max_partials"] = ofStages(plan, mostPartials);
  cells["i2i_tiles"] =
      ofStages(plan, [](const auto& s) { return elementsOn(s.reductions).size(); });
  const FinalStage& final = plan.final;
  const auto outputs = elementsOn(final.reduced);
  std::uint64_t fewest = final.sources.mostTiles();
  for (const auto& region : final.sources.regions()) fewest = std::min(fewest, region.depth);
  cells["final_tiles"] = std::to_string(outputs.size());
  cells["final_max_outputs"] = std::to_string(mostOf(outputs));
  cells["final_min_partials"] = std::to_string(fewest);
  cells["final_max_partials"] = std::to_string(final.sources.mostTiles());
}

void addPlace(Cells& cells, const Architecture& machine, ReduceProblem problem,
              const FinalStage& final) {
  const auto is_there = [](const FinalStage& stage) {
    return stage.place == FinalPlace::AtOutput ? "1" : "0";
  };
  cells["balanced_cycles_sync0"] = std::to_string(final.balanced_cycles.value());
  cells["dest_cycles_sync0"] = std::to_string(final.at_output_cycles.value());
  cells["reduce_at_dest_sync0"] = is_there(final);
  problem.sync = Cycles(kLongSync);
  cells["reduce_at_dest_sync150"] = is_there(planReduce(machine, std::move(problem)).final);
}

}  // namespace

ReduceProblem reduceProblemOf(const Architecture& machine, const OracleRow& row) {
  const ElementType type = elementTypeOf(row, "type");
  ReduceProblem problem =
      reduceProblem(reduceOpOf(row), type, elementTypeOf(row, "acc_type"), heldOf(machine, row));
  const std::uint64_t columns = row.number("columns");
  const std::string& given = row.text("out_given");
  if (given == "linear") {
    problem.output_given = mappedLinearly(machine, type, columns);
  } else if (given == "one") {
    problem.output_given = {{TileId(0), 0, columns}};
  } else if (given != "no") {
    throw row.unknown("out_given");
  }
  // The file has plans with these partials also where the output is half.
  problem.between_tiles = problem.in_vertex = elementTypeOf(row, "acc_type");
  return problem;
}

std::map<std::string, std::string> plannedCells(const Architecture& machine, const OracleRow& row) {
  const ReduceProblem problem = reduceProblemOf(machine, row);
  const ReducePlan plan = planReduce(machine, problem);
  Cells cells;
  addInput(cells, problem, plan);
  const bool has_stages = plan.form == ReduceForm::Stages;
  if (has_stages) addStages(cells, plan);
  if (has_stages && problem.output_given) addPlace(cells, machine, problem, plan.final);
  // What does not apply is empty.
  for (const char* column : {"i2i_stages", "i2i_pieces", "i2i_min_partials", "i2i_max_partials",
                             "i2i_tiles", "final_tiles", "final_max_outputs", "final_min_partials",
                             "final_max_partials", "balanced_cycles_sync0", "dest_cycles_sync0",
                             "reduce_at_dest_sync0", "reduce_at_dest_sync150"}) {
    cells.try_emplace(column, kNotApplicable);
  }
  return cells;
}

}  // namespace ipusim::workloads
