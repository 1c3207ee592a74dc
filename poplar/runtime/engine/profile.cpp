// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/engine/engine_data.h"
#include "poplar/runtime/engine/options.h"
#include "poplar/runtime/engine/profile_energy.h"
#include "poplar/runtime/graph/edge_alignment.h"
#include "poplar/runtime/graph/element_bytes.h"
#include "sim/report/text/activity.h"
#include "sim/run/summary/summarize.h"

namespace poplar::detail {

using ipusim::Cycles;
using ipusim::MemoryCategory;

namespace {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// A number of cycles or bytes with one digit behind the point.
std::string grouped(double number) {
  const auto tenths = static_cast<std::uint64_t>(std::llround(number * 10));
  return fmt::format("{}.{}", grouped(tenths / 10), tenths % 10);
}

/// What an engine did so far, as results of the project.
struct Profile {
  ipusim::GraphCounts counts;
  std::vector<ipusim::TileResult> tiles;
  ipusim::MemoryResult memory;
  ipusim::TimeResult time;
  Cycles end;
};

Profile profileOf(const EngineData& engine) {
  if (!engine.loaded) throw profiling_disabled("profile: wanted an engine that is loaded");
  const auto& executable = engine.executable->executable;
  ipusim::ChipResult measured = engine.loaded->clock.result();
  measured.end = ipusim::excess(engine.loaded->clock.end(), engine.profile_begin);
  for (std::uint32_t t = 0; t < measured.tiles; ++t) {
    measured.finish.push_back(ipusim::excess(engine.loaded->clock.now(t), engine.profile_begin));
  }
  Profile profile;
  profile.counts = ipusim::run::countsOf(executable);
  profile.tiles = ipusim::run::summarizeTiles(executable, measured);
  profile.memory = ipusim::run::summarizeMemory(profile.tiles);
  profile.time =
      ipusim::run::summarizeTime(profile.tiles, measured.end, executable.system.ipu.clock_hz);
  profile.end = measured.end;
  return profile;
}

std::string targetText(const TargetData& target) {
  const double tile = target.bytes_per_tile / 1024.0;
  const unsigned tiles = target.ipus * target.tiles_per_ipu;
  const std::string total = fmt::format("{:.1f} MB", tile * tiles / 1024);
  return fmt::format(
      "Target:\n"
      "  Number of IPUs:         {0}\n"
      "  Tiles per IPU:          {1}\n"
      "  Total Tiles:            {2}\n"
      "  Memory Per-Tile:        {3:.1f} kB\n"
      "  Total Memory:           {4}\n"
      "  Clock Speed (approx):   {5} MHz\n"
      "  Number of Replicas:     1\n"
      "  IPUs per Replica:       {0}\n"
      "  Tiles per Replica:      {2}\n"
      "  Memory per Replica:     {4}\n\n",
      target.ipus, grouped(std::uint64_t{target.tiles_per_ipu}), grouped(std::uint64_t{tiles}),
      tile, total, grouped(target.clock_hz / 1e6));
}

/// Where edges do not lie as their fields say.
std::string alignmentText(const EngineData& engine) {
  const EdgeAlignment edges = alignmentOf(*engine.executable);
  if (edges.stated == 0) return {};
  return fmt::format("  Edges with MinAlign:    {:>12}\n  Of these, not so:       {:>12}\n",
                     grouped(edges.stated), grouped(edges.missed));
}

std::string graphText(const Profile& profile, const EngineData& engine) {
  const std::string text = fmt::format(
      "Graph:\n"
      "  Number of vertices:     {:>12}\n"
      "  Number of edges:        {:>12}\n"
      "  Number of variables:    {:>12}\n"
      "  Number of compute sets: {:>12}\n",
      grouped(profile.counts.vertices), grouped(profile.counts.edges),
      grouped(profile.counts.variables), grouped(profile.counts.compute_sets));
  return text + alignmentText(engine) + "\n";
}

std::string memoryText(const Profile& profile) {
  const ipusim::MemoryResult& memory = profile.memory;
  std::string text = fmt::format(
      "Memory Usage:\n"
      "  Total:\n"
      "    Including Gaps:         {} B\n"
      "    Excluding Gaps:         {} B\n"
      "      By Data Type:\n",
      grouped(memory.total_including_gaps.value()), grouped(memory.total.value()));
  for (std::size_t c = 0; c < memory.by_category.size(); ++c) {
    text += fmt::format("        {:<28} {:>14} B\n",
                        ipusim::keyOf(static_cast<MemoryCategory>(c)) + std::string(":"),
                        grouped(memory.by_category[c].value()));
  }
  const auto over = std::count_if(profile.tiles.begin(), profile.tiles.end(),
                                  [](const auto& tile) { return tile.over > ipusim::Bytes(0); });
  const auto largest = std::max_element(
      profile.tiles.begin(), profile.tiles.end(),
      [](const auto& a, const auto& b) { return a.including_gaps < b.including_gaps; });
  const auto line = [](std::uint64_t bytes) {
    return fmt::format("{} ({:.1f} K)", grouped(bytes), static_cast<double>(bytes) / 1024);
  };
  return text + fmt::format(
                    "  By Tile (Excluding Gaps):\n"
                    "    Maximum (Including Gaps): {} on tile {}\n"
                    "    Maximum (Excluding Gaps): {} on tile {}\n"
                    "    {} tile(s) out of memory\n\n",
                    line(largest->including_gaps.value()), largest - profile.tiles.begin(),
                    line(memory.max_tile_bytes.value()), memory.max_tile, over);
}

std::string averageLine(const char* name, Cycles cycles, Cycles total) {
  const auto part = static_cast<double>(cycles.value());
  const double percent = total == Cycles(0) ? 0 : 100 * part / static_cast<double>(total.value());
  return fmt::format("  {:<52} {} ({:.1f}% of total)\n", name, grouped(part), percent);
}

/// What the answer owes to iterations that were not computed.
std::string iterationsText(const EngineData& engine) {
  if (engine.iterations_not_computed == 0) return {};
  return fmt::format(
      "  {} iterations of Repeats took the time of the last one computed, of {} each; their\n"
      "  numbers do not exist\n\n",
      grouped(engine.iterations_not_computed), grouped(engine.functional_steps));
}

std::string timeText(const Profile& profile, double clock_hz) {
  const ipusim::TimeResult& time = profile.time;
  std::string text = "Execution:\n\n";
  text += fmt::format("  {:<52} {} (approx {} microseconds)\n",
                      "Total cycles:", grouped(time.cycles.value()),
                      grouped(static_cast<double>(time.cycles.value()) / clock_hz * 1e6));
  text += averageLine("Tile average compute cycles (including idle threads):", time.compute,
                      time.cycles);
  text += averageLine("Tile average IPU exchange cycles:", time.exchange, time.cycles);
  text += averageLine("Tile average global exchange cycles:", time.links, time.cycles);
  text +=
      averageLine("Tile average host exchange cycles:", time.host + time.streaming, time.cycles);
  text += averageLine("Tile average sync cycles:", time.sync, time.cycles);
  return text + "\n";
}

/// A step that ran: its cycles are those of the tile that spent most in it.
struct StepLine {
  std::uint32_t step;
  std::string name;
  ipusim::StepKind kind;
  std::uint64_t plays;
  Cycles most;
};

std::vector<StepLine> stepLines(const EngineData& engine) {
  std::vector<StepLine> lines;
  const auto& steps = engine.executable->executable.lowered.steps;
  const auto& clock = engine.loaded->clock;
  const ipusim::ChipResult measured = clock.result();
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    if (clock.plays()[s] == 0) continue;
    StepLine line{s, steps[s].name, steps[s].kind, clock.plays()[s], {}};
    for (std::uint32_t t = 0; t < measured.tiles; ++t) {
      line.most = std::max(line.most, measured.busyOf(s, t));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string stepsText(const EngineData& engine) {
  std::string text = "  Steps (times run, most cycles of a tile):\n";
  for (const StepLine& line : stepLines(engine)) {
    text += fmt::format("    {:<48} {:<10} {:>10} {:>16}\n", line.name, ipusim::nameOf(line.kind),
                        grouped(line.plays), grouped(line.most.value()));
  }
  return text + "\n";
}

/// What the program says of its vertices, beside what their code takes.
std::string estimatesText(const EngineData& engine) {
  if (!engine.loaded->codelets) return {};
  const EstimateTally tally = engine.loaded->codelets->estimates();
  if (tally.calls == 0) return {};
  const bool are_used = engine.cycles_from == CyclesFrom::Estimates;
  return fmt::format(
      "  Estimates of the program, of {} calls of vertices: {} cycles of workers, {} by their "
      "code; the time "
      "is "
      "that of the {}\n\n",
      grouped(tally.calls), grouped(tally.estimated.value()), grouped(tally.counted.value()),
      are_used ? "estimates" : "code");
}

constexpr std::size_t kShownLines = 10;

std::string linesText(const EngineData& engine) {
  if (!engine.loaded->codelets) return {};
  const std::vector<HotLine> lines = engine.loaded->codelets->hotLines();
  if (lines.empty()) return {};
  std::uint64_t all = 0;
  for (const HotLine& line : lines) all += line.slots;
  std::string text = "  Hottest lines of codelets (issue slots of all workers):\n";
  for (std::size_t l = 0; l < std::min(lines.size(), kShownLines); ++l) {
    const double percent = 100.0 * static_cast<double>(lines[l].slots) / static_cast<double>(all);
    text += fmt::format("    {:<56} {:>20} ({:.1f}%)\n",
                        fmt::format("{}:{}", lines[l].file, lines[l].line), grouped(lines[l].slots),
                        percent);
  }
  return text + "\n";
}

}  // namespace

void profileSummary(const EngineData* engine, const Options& options, Sink sink) {
  const Profile profile = profileOf(*engine);
  write(sink, targetText(engine->state().target));
  write(sink, graphText(profile, *engine));
  write(sink, memoryText(profile));
  write(sink, timeText(profile, engine->state().target.clock_hz));
  write(sink, energyLines(profiledEnergy(*engine)));
  write(sink, iterationsText(*engine));
  write(sink, estimatesText(*engine));
  if (optionIs(options, "showExecutionSteps", "true")) {
    write(sink, stepsText(*engine));
    write(sink, linesText(*engine));
  }
}

void profileJson(const EngineData* engine, Sink sink) {
  const Profile profile = profileOf(*engine);
  const ipusim::TimeResult& time = profile.time;
  ipusim::Json json;
  json["target"] = {{"tiles", profile.tiles.size()}, {"clock_hz", engine->state().target.clock_hz}};
  json["graph"] = {{"vertices", profile.counts.vertices},
                   {"edges", profile.counts.edges},
                   {"variables", profile.counts.variables},
                   {"compute_sets", profile.counts.compute_sets}};
  if (const EdgeAlignment edges = alignmentOf(*engine->executable); edges.stated > 0) {
    json["graph"]["aligned_edges"] = edges.stated;
    json["graph"]["misaligned_edges"] = edges.missed;
  }
  json["memory"] = {{"total_bytes", profile.memory.total.value()},
                    {"always_live_bytes", profile.memory.always_live.value()},
                    {"peak_not_always_live_bytes", profile.memory.peak_not_always_live.value()},
                    {"max_tile_bytes", profile.memory.max_tile_bytes.value()},
                    {"max_tile", profile.memory.max_tile}};
  json["time"] = {{"cycles", time.cycles.value()},
                  {"compute_cycles", time.compute.value()},
                  {"exchange_cycles", time.exchange.value()},
                  {"host_cycles", time.host.value()},
                  {"sync_cycles", time.sync.value()}};
  const ProfiledEnergy profiled = profiledEnergy(*engine);
  addEnergy(profiled, json);
  if (engine->iterations_not_computed > 0) {
    json["functional"] = {{"steps", engine->functional_steps},
                          {"iterations_not_computed", engine->iterations_not_computed}};
  }
  for (const StepLine& line : stepLines(*engine)) {
    const ipusim::StepResult& step = profiled.result.steps[line.step];
    json["steps"].push_back({{"name", line.name},
                             {"kind", ipusim::nameOf(line.kind)},
                             {"iterations", line.plays},
                             {"cycles", line.most.value()},
                             {"activity", ipusim::report::stepActivityJson(step.activity)}});
  }
  if (engine->loaded->codelets) {
    for (const HotLine& line : engine->loaded->codelets->hotLines()) {
      json["lines"].push_back({{"file", line.file}, {"line", line.line}, {"slots", line.slots}});
    }
  }
  write(sink, json.dump(2) + "\n");
}

}  // namespace poplar::detail
