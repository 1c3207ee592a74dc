// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/text/json.h"
#include "sim/report/timeline/context_slices.h"

namespace ipusim::report {

namespace {

constexpr std::uint32_t kNotShown = ~std::uint32_t{0};
constexpr std::uint32_t kChip = 0;     // the process; tiles follow
constexpr std::uint32_t kProgram = 0;  // the thread; worker contexts and the supervisor follow
const std::string kRepeated = "\"iterations that repeat the ones before\"";

std::uint32_t sendThread(const ChipTiming& timing) {
  return timing.workers + 2;
}
std::uint32_t receiveThread(const ChipTiming& timing) {
  return timing.workers + 3;
}

Cycles busyCycles(const TileResult& tile) {
  return tile.compute + tile.copy + tile.exchange;
}

/// What `tile` holds in each step: the most where a step stands at several positions.
std::vector<Bytes> liveBytes(const Result& result, std::uint32_t tile) {
  std::vector<Bytes> live(result.steps.size(), result.tiles[tile].always_live);
  const std::vector<Bytes> others = result.liveness.bytesOf(tile, result.positions.size());
  for (std::size_t p = 0; p < result.positions.size(); ++p) {
    Bytes& bytes = live[result.positions[p]];
    bytes = std::max(bytes, result.tiles[tile].always_live + others[p]);
  }
  return live;
}

/// A transmission on the clock of a tile: times count from when the release reaches it.
Interval onClockOf(const ChipTiming& timing, TileId tile, TileId from, const Interval& when) {
  const Cycles there = timing.sync_distance[from.tile()];
  const Cycles here = timing.sync_distance[tile.tile()];
  return {when.step, excess(when.begin, there) + here, excess(when.end, there) + here,
          when.iterations};
}

}  // namespace

std::vector<ShownTile> shownTiles(const Result& result, const std::vector<std::uint32_t>& named) {
  std::vector<std::uint32_t> order(result.tiles.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&result](std::uint32_t a, std::uint32_t b) {
    return busyCycles(result.tiles[a]) > busyCycles(result.tiles[b]);
  });
  std::vector<ShownTile> shown;
  const auto add = [&shown](std::uint32_t tile, const char* why) {
    const bool is_there = std::any_of(shown.begin(), shown.end(),
                                      [tile](const ShownTile& one) { return one.tile == tile; });
    if (!is_there) shown.push_back({tile, why});
  };
  if (!order.empty()) add(order.front(), "busy longest");
  if (!order.empty()) add(order[order.size() / 2], "median");
  for (const std::uint32_t tile : named) add(tile, "");
  return shown;
}

Timeline::Timeline(const ChipPrograms& programs, const Result& expected,
                   const std::vector<ShownTile>& shown, Sink sink, Observer* next)
    : programs_(programs),
      next_(next),
      events_(programs.timing.clock_hz, std::move(sink)),
      place_of_tile_(programs.tiles.size(), kNotShown),
      end_(expected.time.cycles) {
  for (const StepResult& step : expected.steps) {
    steps_.push_back({jsonString(step.name), nameOf(step.kind)});
  }
  nameChip(expected);
  for (const ShownTile& tile : shown) {
    place_of_tile_[tile.tile] = static_cast<std::uint32_t>(shown_.size());
    shown_.push_back(shownOf(tile, expected));
    nameTile(tile);
  }
  findPorts();
  // A Sync that takes no time on a tile is not told, and would not end its superstep.
  if (programs.timing.sync_base > Cycles(0)) {
    chip_.emplace(static_cast<std::uint32_t>(programs.tiles.size()));
  }
}

void Timeline::nameChip(const Result& expected) {
  events_.nameProcess(kChip, "chip " + expected.machine.name);
  events_.nameThread({kChip, kProgram}, "phases");
  other_ = SortedJson{{"machine", expected.machine.name},
                      {"clock_hz", expected.machine.clock_hz},
                      {"cycles", expected.time.cycles.value()}}
               .dump(-1, ' ', true, SortedJson::error_handler_t::replace);
}

void Timeline::nameTile(const ShownTile& tile) {
  const std::uint32_t process = shown_.back().process;
  const std::string why = tile.why.empty() ? "" : fmt::format(" ({})", tile.why);
  events_.nameProcess(process, fmt::format("tile {}{}", tile.tile, why));
  events_.nameThread({process, kProgram}, "program");
  const ChipTiming& timing = programs_.timing;
  for (std::uint32_t worker = 0; worker < timing.workers; ++worker) {
    events_.nameThread({process, worker + 1}, fmt::format("worker {}", worker));
  }
  events_.nameThread({process, timing.workers + 1}, "supervisor");
  events_.nameThread({process, sendThread(timing)}, "send port");
  events_.nameThread({process, receiveThread(timing)}, "receive port");
}

Timeline::Shown Timeline::shownOf(const ShownTile& tile, const Result& expected) const {
  Shown shown{tile.tile, static_cast<std::uint32_t>(shown_.size() + 1), {}, {}, {}, {}, {}};
  shown.end = excess(expected.time.cycles, expected.tiles[tile.tile].idle);
  shown.compute.resize(expected.steps.size());
  for (const TileOp& op : programs_.tiles[tile.tile].ops) {
    if (op.kind == OpKind::Compute) shown.compute[indexOf(op.step)] = &op;
  }
  shown.live = liveBytes(expected, tile.tile);
  return shown;
}

void Timeline::findPorts() {
  for (std::uint32_t t = 0; t < programs_.transmissions.size(); ++t) {
    const Transmission& sent = programs_.transmissions[t];
    hold(t, sent.from, PortUse::Send);
    for (const TileId tile : programs_.lendersOf(sent)) hold(t, tile, PortUse::Send);
    for (const TileId tile : programs_.receiversOf(sent)) hold(t, tile, PortUse::Receive);
  }
}

void Timeline::hold(std::uint32_t transmission, TileId tile, PortUse use) {
  const std::uint32_t place = place_of_tile_[tile.tile()];
  if (place != kNotShown) held_[transmission].push_back({place, use});
}

void Timeline::busy(TileId tile, OpKind kind, const Interval& when) {
  if (next_ != nullptr) next_->busy(tile, kind, when);
  if (chip_) write(chip_->add(tile, kind, when));
  const std::uint32_t place = place_of_tile_[tile.tile()];
  if (place != kNotShown) write(shown_[place], kind, when);
}

void Timeline::transmission(std::uint32_t transmission, const Interval& when) {
  if (next_ != nullptr) next_->transmission(transmission, when);
  const auto found = held_.find(transmission);
  if (found == held_.end()) return;
  const ChipTiming& timing = programs_.timing;
  const Transmission& sent = programs_.transmissions[transmission];
  for (const Held& held : found->second) {
    const Shown& shown = shown_[held.shown];
    Interval there = onClockOf(timing, TileId(shown.tile), sent.from, when);
    const bool receives = held.use == PortUse::Receive;
    if (receives) there.end += sent.control;
    const StepText& step = steps_[indexOf(when.step)];
    events_.add(
        {shown.process, receives ? receiveThread(timing) : sendThread(timing)},
        {step.name, receives ? "receive" : "send", there.begin, there.end, there.iterations});
  }
}

void Timeline::sync(const Interval& when) {
  if (next_ != nullptr) next_->sync(when);
}

void Timeline::hostTransfer(std::uint32_t transfer, const Interval& when) {
  if (next_ != nullptr) next_->hostTransfer(transfer, when);
}

/// Nothing is between two slices but iterations that the engine skipped.
void Timeline::fillGap(Track track, Cycles& reached, Cycles begin) {
  if (begin > reached) events_.add(track, {kRepeated, "repeated", reached, begin});
  reached = begin;
}

void Timeline::write(const std::vector<ChipPhase>& phases) {
  for (const ChipPhase& phase : phases) {
    const StepText& step = steps_[indexOf(phase.step)];
    fillGap({kChip, kProgram}, chip_reached_, phase.begin);
    events_.add({kChip, kProgram},
                {step.name, step.kind, phase.begin, phase.end, phase.iterations});
    chip_reached_ = phase.end;
  }
}

void Timeline::write(Shown& shown, OpKind kind, const Interval& when) {
  const StepText& step = steps_[indexOf(when.step)];
  const Bytes live = shown.live[indexOf(when.step)];
  fillGap({shown.process, kProgram}, shown.reached, when.begin);
  if (live != shown.counted) {
    events_.count(shown.process, "live memory", when.begin, live);
    shown.counted = live;
  }
  events_.add({shown.process, kProgram},
              {step.name, step.kind, when.begin, when.end, when.iterations});
  shown.reached = when.end;
  if (kind == OpKind::Compute) writeContexts(shown, when);
}

void Timeline::writeContexts(const Shown& shown, const Interval& when) {
  const TileOp* op = shown.compute[indexOf(when.step)];
  if (op == nullptr) return;
  const VertexRun* first = programs_.tiles[shown.tile].vertices.data() + op->first;
  const StepText& step = steps_[indexOf(when.step)];
  contextSlices(
      programs_.timing, first, first + op->count, when.begin, [&](const ContextSlice& slice) {
        events_.add(
            {shown.process, slice.context + 1},
            {step.name, step.kind, slice.begin, slice.end, when.iterations, slice.vertices});
      });
}

void Timeline::finish() {
  if (chip_) {
    write(chip_->finish());
    fillGap({kChip, kProgram}, chip_reached_, end_);
  }
  for (Shown& shown : shown_) fillGap({shown.process, kProgram}, shown.reached, shown.end);
  events_.finish(other_);
}

}  // namespace ipusim::report
