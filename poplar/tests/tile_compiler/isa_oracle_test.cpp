// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "poplar/tests/tile_compiler/mini_language.h"
#include "poplar/tile_compiler/compile.h"
#include "tests/support/oracle_csv.h"

// tile_isa.csv: functions whose instructions the expected assembly of llvm/test/CodeGen/Colossus
// shows, in public forks of LLVM for the tile, and blocks of published output of popc. The column
// `source` names the file of each.

namespace ipusim::tile_compiler {
namespace {

constexpr double kExactShare = 0.95;     // of the functions
constexpr double kLoopMeanError = 0.05;  // of the slots of a turn

/// What the model makes of a row, all blocks or its loop alone.
struct Counted {
  unsigned main = 0;
  unsigned aux = 0;
  unsigned bundles = 0;
  std::size_t slots = 0;
  std::string sequence;

  void add(const CompiledBlock& block) {
    main += block.main;
    aux += block.aux;
    bundles += block.bundles;
    slots += block.sequence.size();
    sequence += block.sequence;
  }
};

LoopForm formOf(const tests::OracleRow& row) {
  return row.text("loop_form") == "add+brnz" ? LoopForm::AddBranch : LoopForm::CountDown;
}

struct Answer {
  Counted all;
  Counted loop;
};

Answer answerTo(const tests::OracleRow& row) {
  const Function function = tests::parseMini(row.text("input"), formOf(row));
  TileCompiler compiler;
  compiler.co_issue = row.text("coissue") == "off" ? CoIssue::Alone : CoIssue::Pairs;
  Answer answer;
  for (const CompiledBlock& block : compileForTile(function, compiler).blocks) {
    answer.all.add(block);
    if (function.blocks[block.source].loop_depth > 0) answer.loop.add(block);
  }
  return answer;
}

/// Rows on whole published codelets describe them in prose rather than in the small language.
bool isProse(const tests::OracleRow& row) {
  if (row.text("source").rfind("popc output", 0) != 0) return false;
  try {
    tests::parseMini(row.text("input"));
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

/// What the model makes of a row; nothing that it counts where the row has unknown words.
Answer answerOrNothing(const tests::OracleRow& row) {
  try {
    return answerTo(row);
  } catch (const std::invalid_argument& unknown) {
    Answer nothing;
    nothing.all.sequence = unknown.what();
    nothing.loop.sequence = unknown.what();
    return nothing;
  }
}

std::string shown(const tests::OracleRow& row, const Counted& counted) {
  return row.where() + " " + row.text("id") + " " + row.text("function") + ": wanted " +
         row.text("sequence") + " " + row.text("slots") + " slots, " + row.text("bundles") +
         " bundles, found " + counted.sequence + "; " + row.text("input") + "\n";
}

TEST(IsaOracle, CountsTheSlotsAndBundlesOfFunctions) {
  std::size_t rows = 0;
  std::size_t exact = 0;
  std::string missed;
  for (const tests::OracleRow& row : tests::readOracle("tile_isa.csv")) {
    if (row.text("slots").empty() || isProse(row)) continue;
    ++rows;
    const Counted found = answerOrNothing(row).all;
    if (found.slots == row.number("slots") && found.bundles == row.number("bundles")) {
      ++exact;
    } else {
      missed += shown(row, found);
    }
  }
  ASSERT_GT(rows, 0U);
  RecordProperty("functions", static_cast<int>(rows));
  RecordProperty("exact", static_cast<int>(exact));
  EXPECT_GE(static_cast<double>(exact), kExactShare * static_cast<double>(rows))
      << exact << " of " << rows << " functions\n"
      << missed;
}

TEST(IsaOracle, CountsTheSlotsOfATurnOfALoop) {
  double error = 0;
  std::size_t rows = 0;
  std::string shown_loops;
  for (const tests::OracleRow& row : tests::readOracle("tile_isa.csv")) {
    if (row.text("loop_slots").empty() || isProse(row)) continue;
    ++rows;
    const Counted found = answerOrNothing(row).loop;
    const double wanted = row.real("loop_slots");
    error += std::abs(static_cast<double>(found.slots) - wanted) / wanted;
    shown_loops += row.text("id") + " " + row.text("loop_slots") + " " + found.sequence + "\n";
  }
  if (rows == 0) GTEST_SKIP() << "no loops in the folder that IPUSIM_ORACLE_DIR names";
  EXPECT_LE(error / static_cast<double>(rows), kLoopMeanError) << shown_loops;
}

}  // namespace
}  // namespace ipusim::tile_compiler
