// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "models/ipu/engines/chip/chip_signals.h"
#include "models/ipu/engines/chip/exchange_fabric.h"
#include "models/ipu/engines/chip/host_link.h"
#include "models/ipu/engines/chip/loop_control.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/modelled_host.h"
#include "models/ipu/engines/chip/modelled_streaming.h"
#include "models/ipu/engines/chip/pod_link.h"
#include "models/ipu/engines/chip/report.h"
#include "models/ipu/engines/chip/streaming_link.h"
#include "models/ipu/engines/chip/sync_network.h"
#include "models/ipu/engines/chip/tile.h"

namespace ipusim {

/// The modules of a chip. They are made while the chip is, and so are its children.
struct Chip::Modules {
  Modules(const ChipPrograms& of_programs, const ChipOptions& options);

  models::SyncNetwork sync;
  models::ExchangeFabric exchange;
  models::HostLink host;
  models::PodLink pod;
  models::StreamingLink streaming;
  sc_core::sc_vector<models::Tile> tiles;
  const ChipPrograms& programs;
  models::MachineClock clock;
  models::LoopControl loops;
  ChipResult measured;
  std::unique_ptr<models::ChipSignals> signals;
  std::unique_ptr<models::ModelledHost> modelled_host;
  std::unique_ptr<models::ModelledStreaming> modelled_streaming;
  bool verified;

 private:
  void makeTiles(const ChipOptions& options);
  void connect(const ChipOptions& options);
};

Chip::Modules::Modules(const ChipPrograms& of_programs, const ChipOptions& options)
    : sync("sync", of_programs.timing),
      exchange("exchange", of_programs),
      host("host", of_programs),
      pod("pod", of_programs),
      streaming("streaming", of_programs),
      tiles("tile"),
      programs(of_programs),
      clock(of_programs.timing.clock_hz),
      loops("loops", of_programs.tiles.size()),
      verified(options.verified) {
  measured.tiles = static_cast<std::uint32_t>(programs.tiles.size());
  measured.busy.resize(std::size_t{programs.steps} * measured.tiles);
  measured.spans.resize(programs.steps);
  measured.finish.resize(measured.tiles);
  makeTiles(options);
  connect(options);
}

void Chip::Modules::makeTiles(const ChipOptions& options) {
  if (options.signals) {
    signals = std::make_unique<models::ChipSignals>("signals", programs, tiles, options.observer);
  }
  Observer* observer = options.observer;
  if (options.signals) observer = signals.get();
  exchange.observe(observer);
  const models::Tile::Setup setup{measured, observer, options.signals};
  tiles.init(measured.tiles, [&](const char* tile_name, std::size_t index) {
    return new models::Tile(tile_name, static_cast<std::uint32_t>(index), programs, setup);
  });
  for (models::Tile& tile : tiles) {
    tile.sync(sync);
    tile.exchange(exchange);
    tile.host(host);
    tile.pod(pod);
    tile.streaming(streaming);
    tile.loops(loops);
  }
}

void Chip::Modules::connect(const ChipOptions& options) {
  host.sync(sync);
  pod.sync(sync);
  streaming.sync(sync);
  streaming.pod(pod);
  if (!options.foreign_host) {
    modelled_host =
        std::make_unique<models::ModelledHost>("modelled_host", programs.timing.clock_hz);
    host.socket.bind(modelled_host->socket);
  }
  if (options.foreign_streaming || programs.remote_transfers.empty()) return;
  modelled_streaming = std::make_unique<models::ModelledStreaming>(
      "modelled_streaming", std::vector<const ChipPrograms*>{&programs},
      std::vector<std::uint32_t>{0});
  streaming.socket.bind(modelled_streaming->sockets[0]);
}

Chip::Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs,
           const ChipOptions& options)
    : sc_module(name), modules_(std::make_unique<Modules>(programs, options)) {}

Chip::~Chip() = default;

void Chip::bindHost(ChipTarget& memory) {
  modules_->host.socket.bind(memory);
}

void Chip::bindStreaming(ChipTarget& memory) {
  modules_->streaming.socket.bind(memory);
}

void Chip::bindPod(ChipTarget& network) {
  modules_->pod.socket.bind(network);
}

void Chip::end_of_elaboration() {
  try {
    if (!modules_->verified) verify(modules_->programs);
  } catch (const InternalError& error) {
    models::reportError(kProgramReport, error.what());
  } catch (const CountError&) {
    models::reportTooLong();
  }
  if (!modules_->clock.isResolved()) {
    models::reportError(kClockReport,
                        "SystemC's time resolution is too coarse for the machine's clock");
  }
}

bool Chip::finished() const {
  const auto& tiles = modules_->tiles;
  return std::all_of(tiles.begin(), tiles.end(),
                     [](const models::Tile& tile) { return tile.finished(); });
}

ChipResult Chip::takeResult() {
  check(finished(), "the simulation ended and a tile did not");
  ChipResult result = std::move(modules_->measured);
  for (const models::Tile& tile : modules_->tiles) result.tile_steps += tile.opsSimulated();
  result.iterations_simulated = modules_->tiles[0].iterationsSimulated();
  result.end = *std::max_element(result.finish.begin(), result.finish.end());
  return result;
}

void Chip::trace(sc_core::sc_trace_file* file) const {
  check(modules_->signals != nullptr, "a chip is traced that has no signals");
  for (const models::Tile& tile : modules_->tiles) tile.signals()->trace(file);
}

void Chip::trace(sc_core::sc_trace_file* file, TileId tile) const {
  check(modules_->signals != nullptr, "a tile is traced that has no signals");
  modules_->tiles[tile.tile()].signals()->trace(file);
}

}  // namespace ipusim
