// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip.h"

#include <algorithm>
#include <utility>

#include "ipusim/chip/report.h"
#include "ipusim/error.h"

namespace ipusim {

Chip::Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs,
           const ChipOptions& options)
    : sc_module(name),
      sync("sync", programs.timing),
      exchange("exchange", programs),
      host("host", programs),
      pod("pod", programs),
      streaming("streaming", programs),
      tiles("tile"),
      programs_(programs),
      clock_(programs.timing.clock_hz),
      loops_("loops", programs.tiles.size()),
      verified_(options.verified) {
  measured_.tiles = static_cast<std::uint32_t>(programs.tiles.size());
  measured_.busy.resize(std::size_t{programs.steps} * measured_.tiles);
  measured_.spans.resize(programs.steps);
  measured_.finish.resize(measured_.tiles);
  if (options.signals) {
    signals_ = std::make_unique<ChipSignals>("signals", programs, tiles, options.observer);
  }
  Observer* observer = options.observer;
  if (options.signals) observer = signals_.get();
  exchange.observe(observer);
  const Tile::Setup setup{measured_, observer, options.signals};
  tiles.init(measured_.tiles, [&](const char* tile_name, std::size_t index) {
    return new Tile(tile_name, static_cast<std::uint32_t>(index), programs, setup);
  });
  for (Tile& tile : tiles) {
    tile.sync(sync);
    tile.exchange(exchange);
    tile.host(host);
    tile.pod(pod);
    tile.streaming(streaming);
    tile.loops(loops_);
  }
  bindHost(options);
  bindStreaming(options);
}

void Chip::bindHost(const ChipOptions& options) {
  host.sync(sync);
  pod.sync(sync);
  if (options.foreign_host) return;
  modelled_host_ = std::make_unique<ModelledHost>("modelled_host", programs_.timing.clock_hz);
  host.socket.bind(modelled_host_->socket);
}

void Chip::bindStreaming(const ChipOptions& options) {
  streaming.sync(sync);
  streaming.pod(pod);
  if (options.foreign_streaming || programs_.remote_transfers.empty()) return;
  modelled_streaming_ = std::make_unique<ModelledStreaming>(
      "modelled_streaming", std::vector<const ChipPrograms*>{&programs_},
      std::vector<std::uint32_t>{0});
  streaming.socket.bind(modelled_streaming_->sockets[0]);
}

void Chip::end_of_elaboration() {
  try {
    if (!verified_) verify(programs_);
  } catch (const InternalError& error) {
    reportError(kProgramReport, error.what());
  } catch (const CountError&) {
    reportTooLong();
  }
  if (!clock_.isResolved()) {
    reportError(kClockReport, "SystemC's time resolution is too coarse for the machine's clock");
  }
}

bool Chip::finished() const {
  return std::all_of(tiles.begin(), tiles.end(), [](const Tile& tile) { return tile.finished(); });
}

ChipResult Chip::takeResult() {
  check(finished(), "the simulation ended and a tile did not");
  ChipResult result = std::move(measured_);
  for (const Tile& tile : tiles) result.tile_steps += tile.opsSimulated();
  result.iterations_simulated = tiles[0].iterationsSimulated();
  result.end = *std::max_element(result.finish.begin(), result.finish.end());
  return result;
}

void Chip::trace(sc_core::sc_trace_file* file) const {
  check(signals_ != nullptr, "a chip is traced that has no signals");
  for (const Tile& tile : tiles) tile.signals()->trace(file);
}

void Chip::trace(sc_core::sc_trace_file* file, TileId tile) const {
  check(signals_ != nullptr, "a tile is traced that has no signals");
  tiles[tile.tile()].signals()->trace(file);
}

}  // namespace ipusim
