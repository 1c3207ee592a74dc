// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/poplar_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/record/record_file.h"
#include "sim/record/replay.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_table.h"

namespace ipusim::cli {

namespace {

using record::RecordedProgram;
using record::Replayed;

/// A step that ran.
struct StepRow {
  const record::RecordedStep& step;
  std::uint64_t runs;
  Cycles most;  ///< that one tile spends in the step, over all its runs
};

std::vector<StepRow> rowsOf(const RecordedProgram& program, const Replayed& replayed) {
  std::vector<std::uint64_t> runs(program.steps.size());
  for (const std::uint32_t step : program.order()) {
    if (step != models::StepRecord::kBarrier) ++runs[step];
  }
  std::vector<StepRow> rows;
  for (std::size_t s = 0; s < runs.size(); ++s) {
    if (runs[s] == 0) continue;
    const auto first =
        replayed.tiles.busy.begin() + static_cast<std::ptrdiff_t>(s * replayed.tiles.tiles);
    rows.push_back(
        {program.steps[s], runs[s], *std::max_element(first, first + replayed.tiles.tiles)});
  }
  return rows;
}

/// What a replay of a record found.
class Answer {
 public:
  Answer(const RecordedProgram& program, Replayed replayed, Engine engine)
      : program_(program), replayed_(std::move(replayed)), engine_(engine) {}

  [[nodiscard]] bool isAsRun() const { return replayed_.tiles.end == program_.cycles; }

  [[nodiscard]] std::string text() const {
    const double clock = program_.run.programs.chips.front().timing.clock_hz;
    const std::uint64_t end = replayed_.tiles.end.value();
    std::string text = fmt::format(
        "{} of {}, {} each{}\n{} on {}: {} cycles ({}), {}\n\n",
        report::countOf(program_.ipus(), "IPU"), oneLine(program_.ipu),
        report::countOf(program_.tilesPerIpu(), "tile"), linksText(),
        report::countOf(program_.order().size(), "step"), nameOf(engine_), report::countText(end),
        report::secondsText(static_cast<double>(end) / clock), verdict());
    report::TextTable table({{48, report::Align::Left}, {16, report::Align::Left}, {8}, {16}},
                            {0, 1});
    table.add({"step", "kind", "runs", "most cycles"});
    for (const StepRow& row : rowsOf(program_, replayed_)) {
      table.add({oneLine(row.step.name, kNameWidth), nameOf(row.step.kind),
                 report::countText(row.runs), report::countText(row.most.value())});
    }
    return text + table.text();
  }

  [[nodiscard]] Json json() const {
    Json json = {{"ipu", program_.ipu},
                 {"ipus", program_.ipus()},
                 {"system", program_.system},
                 {"tiles_per_ipu", program_.tilesPerIpu()},
                 {"engine", nameOf(engine_)},
                 {"steps_run", program_.order().size()},
                 {"cycles", replayed_.tiles.end.value()},
                 {"recorded_cycles", program_.cycles.value()}};
    json["steps"] = Json::array();
    for (const StepRow& row : rowsOf(program_, replayed_)) {
      json["steps"].push_back({{"name", row.step.name},
                               {"kind", nameOf(row.step.kind)},
                               {"runs", row.runs},
                               {"max_tile_cycles", row.most.value()}});
    }
    json["links"] = Json::array();
    for (const LinkUse& use : replayed_.links) {
      json["links"].push_back({{"bytes", use.bytes.value()}, {"busy_cycles", use.busy.value()}});
    }
    return json;
  }

 private:
  static constexpr std::size_t kNameWidth = 44;

  [[nodiscard]] std::string linksText() const {
    if (program_.ipus() == 1) return "";
    Bytes bytes;
    for (const LinkUse& use : replayed_.links) bytes += use.bytes;
    return fmt::format(", with the links of {}: {} on links", oneLine(program_.system),
                       report::bytesText(bytes));
  }
  [[nodiscard]] std::string verdict() const {
    if (isAsRun()) return "as the run took";
    return fmt::format("where the run took {}", report::countText(program_.cycles.value()));
  }

  const RecordedProgram& program_;
  Replayed replayed_;
  Engine engine_;
};

Answer answerOf(const RecordedProgram& program, const PoplarReplayArguments& arguments) {
  const auto replay =
      arguments.engine == Engine::SystemC ? record::replayOnChips : record::replayByClosedForm;
  Replayed replayed = translateErrors<ConfigError>(
      [&] { return replay(program); },
      [&](const ConfigError& error) {
        return ConfigError(fmt::format("{}: {}", oneLine(arguments.file), error.what()));
      });
  return {program, std::move(replayed), arguments.engine};
}

}  // namespace

ExitCode poplarReplay(const PoplarReplayArguments& arguments) {
  std::string text;
  auto all = Json::array();
  bool as_run = true;
  {
    RunWatch watch(arguments.limits, arguments.engine);
    watch.now("reading the record");
    const std::vector<RecordedProgram> records = record::readRecords(arguments.file);
    watch.now("simulating");
    for (const RecordedProgram& program : records) {
      const Answer answer = answerOf(program, arguments);
      as_run = as_run && answer.isAsRun();
      if (arguments.form == Form::Json) {
        all.push_back(answer.json());
      } else {
        text += (text.empty() ? "" : "\n") + answer.text();
      }
    }
  }
  // Names of steps are those of the program, in whatever encoding.
  constexpr auto kReplace = Json::error_handler_t::replace;
  print(arguments.form == Form::Json ? all.dump(2, ' ', false, kReplace) + '\n' : text);
  return as_run ? ExitCode::Done : ExitCode::WrongNumbers;
}

}  // namespace ipusim::cli
