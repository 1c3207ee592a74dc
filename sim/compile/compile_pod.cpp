// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile_pod.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "models/ipu/cost/global_exchange.h"
#include "sim/compile/exchange_plan.h"
#include "sim/compile/memory.h"
#include "sim/compile/placement.h"
#include "sim/compile/row_copy.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

namespace {

/// Cuts a lowered program into those of the IPUs. Blocks keep their numbers, and get the numbers
/// that their tiles have on their own IPU.
class IpuCutter {
 public:
  IpuCutter(const Lowered& lowered, const TileSpace& space) : lowered_(lowered), space_(space) {
    part_.control = lowered.control;
    part_.positions = lowered.positions;
    part_.blocks = lowered.blocks;
    for (Block& block : part_.blocks) block.tile = onIpu(block.tile);
  }

  /// The part of an IPU: all steps, each with what the IPU does in it. The next call replaces it.
  const Lowered& partOf(std::uint32_t ipu) {
    part_.steps.clear();
    for (const Step& step : lowered_.steps) part_.steps.push_back(partOf(step, ipu));
    return part_;
  }

 private:
  [[nodiscard]] TileId onIpu(TileId tile) const {
    return TileId(tile.tile() % space_.tiles_per_ipu);
  }

  [[nodiscard]] Step partOf(const Step& step, std::uint32_t ipu) const {
    Step part{step.name, step.kind, {}, {}};
    for (const BoundFamily& family : step.families) {
      if (space_.ipuOf(family.tile) != ipu) continue;
      part.families.push_back(
          {family.type, onIpu(family.tile), family.count, family.takes_turns, {}});
    }
    for (const auto& [tile, cycles] : step.measured) {
      if (space_.ipuOf(tile) == ipu) part.measured.emplace(onIpu(tile), cycles);
    }
    if (step.kind == StepKind::Exchange) part.messages = messagesOf(step.messages, ipu);
    part.host = step.host;
    if (step.kind == StepKind::HostCopy) part.host.bytes = hostBytesOf(step.host, ipu);
    if (step.kind == StepKind::RemoteBegin) part.remote = rowCopyOf(step.remote, ipu);
    return part;
  }

  [[nodiscard]] RowCopy rowCopyOf(const RowCopy& row, std::uint32_t ipu) const {
    RowCopy part = row;
    part.parts.clear();
    for (const RowPart& one : row.parts) {
      if (space_.ipuOf(lowered_.blocks[indexOf(one.block)].tile) == ipu) part.parts.push_back(one);
    }
    return part;
  }

  [[nodiscard]] Messages messagesOf(const Messages& messages, std::uint32_t ipu) const {
    Messages part = messages;
    for (const MessageRun& run : part.takeAll()) {
      run.forEach([&](const Message& message) {
        const TileId sender = lowered_.blocks[indexOf(message.from)].tile;
        if (space_.ipuOf(sender) == ipu) part.add(message);
      });
    }
    return part;
  }

  /// The IPU's share of a host copy, by its share of the variables. Every IPU has a link to the
  /// host.
  [[nodiscard]] Bytes hostBytesOf(const HostCopy& copy, std::uint32_t ipu) const {
    std::uint64_t here = 0;
    std::uint64_t all = 0;
    for (const VariableId variable : copy.variables) {
      for (const BlockId id : lowered_.share_of[indexOf(variable)]) {
        if (id == kNoBlock) continue;
        const Block& block = lowered_.blocks[indexOf(id)];
        all += block.bytes.value();
        if (space_.ipuOf(block.tile) == ipu) here += block.bytes.value();
      }
    }
    if (all == 0) return Bytes(0);
    const double share = static_cast<double>(here) / static_cast<double>(all);
    return Bytes(
        static_cast<std::uint64_t>(std::llround(share * static_cast<double>(copy.bytes.value()))));
  }

  const Lowered& lowered_;
  const TileSpace& space_;
  Lowered part_;
};

/// Adds what the IPU's exchanges amount to.
void addTraffic(const Traffic& of_ipu, Traffic& all) {
  for (std::size_t s = 0; s < of_ipu.volumes.size(); ++s) {
    ExchangeVolume& volume = all.volumes[s];
    volume.bytes += of_ipu.volumes[s].bytes;
    volume.messages += of_ipu.volumes[s].messages;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, of_ipu.volumes[s].max_tile_bytes);
  }
  all.exchange_code.insert(all.exchange_code.end(), of_ipu.exchange_code.begin(),
                           of_ipu.exchange_code.end());
}

/// What all global exchanges make of a tile.
struct TileTraffic {
  std::uint64_t exchanges = 0;  ///< in which the tile takes part
  std::uint64_t packets_sent = 0;
};

/// The exchanges between IPUs: their cost, their volume, and their code and headers.
class GlobalExchanges {
 public:
  GlobalExchanges(const Pod& pod, const TileSpace& space)
      : pod_(pod), routes_(pod), traffic_(space.tiles()), received_(space.tiles()) {}

  GlobalExchange add(const Step& step, const std::vector<Block>& blocks, ExchangeVolume& volume) {
    std::vector<models::TileFlow> flows;
    std::set<std::uint32_t> tiles;
    step.messages.forEach([&](const Message& message) {
      const Bytes bytes = step.messages.formOf(message).bytes();
      const std::uint32_t from = blocks[indexOf(message.from)].tile.tile();
      const std::uint32_t to = blocks[indexOf(message.to)].tile.tile();
      flows.push_back({from, to, bytes});
      traffic_[from].packets_sent += models::packetsOf(pod_.timing, bytes);
      received_[to] += bytes;
      tiles.insert({from, to});
    });
    for (const std::uint32_t tile : tiles) {
      ++traffic_[tile].exchanges;
      const Bytes received = std::exchange(received_[tile], Bytes(0));
      volume.bytes += received;
      volume.max_tile_bytes = std::max(volume.max_tile_bytes, received);
    }
    volume.messages = step.messages.size();
    models::GlobalExchangeCost cost = models::globalExchangeCost(pod_, routes_, flows);
    return {cost.sync, cost.transfer, std::move(cost.loads)};
  }

  /// Adds a header for every packet, and code: an entry for each exchange and a send for each
  /// packet.
  void addFixedBytes(std::vector<CategoryBytes>& bytes) const {
    const CodeSizes& sizes = pod_.ipu.code;
    for (std::size_t t = 0; t < traffic_.size(); ++t) {
      const auto& [exchanges, packets] = traffic_[t];
      if (exchanges == 0) continue;
      at(bytes[t], MemoryCategory::GlobalExchangeHeaders) += packets * pod_.timing.packet_header;
      at(bytes[t], MemoryCategory::GlobalExchangeCode) +=
          exchanges * sizes.exchange_entry + packets * sizes.exchange_per_send;
    }
  }

 private:
  static Bytes& at(CategoryBytes& tile, MemoryCategory category) {
    return tile[static_cast<std::size_t>(category)];
  }

  const Pod& pod_;
  models::Routes routes_;
  std::vector<TileTraffic> traffic_;  ///< one entry per tile
  std::vector<Bytes> received_;       ///< one entry per tile: in the exchange that is being added
};

/// Schedules the exchanges of each IPU and writes its program.
void writePrograms(const TileSpace& space, TimingMode timing, Executable& executable) {
  PodPart& part = *executable.pod;
  const Machine& ipu = part.pod.ipu;
  IpuCutter cutter(executable, space);
  for (std::uint32_t i = 0; i < space.ipus; ++i) {
    const Lowered& lowered = cutter.partOf(i);
    Scheduled scheduled = schedule(lowered, ipu, ipu.exchange);
    addTraffic(scheduled.traffic, executable);
    ChipPrograms programs = emit(lowered, std::move(scheduled.plans), ipu);
    programs.timing = timingOf(ipu, ipu, timing);
    programs.host_transfers = hostTransfersOf(lowered.steps, ipu);
    addRemoteTransfers(lowered, ipu, space.ipus, programs);
    programs.in_pod = true;
    programs.global_exchanges = static_cast<std::uint32_t>(part.programs.exchanges.size());
    addIpu(std::move(programs), part.programs);
  }
}

}  // namespace

Executable compiledForPod(Lowered lowered, const Pod& pod, TimingMode timing) {
  const TileSpace space{pod.ipus, pod.ipu.tiles};
  Executable executable;
  static_cast<Lowered&>(executable) = std::move(lowered);
  executable.machine = flatMachine(pod);
  executable.pod = PodPart{pod, {}};
  executable.volumes.resize(executable.steps.size());
  PodPrograms& programs = executable.pod->programs;
  programs.link_sets = static_cast<std::uint32_t>(pod.links.size());
  GlobalExchanges exchanges(pod, space);
  for (std::size_t s = 0; s < executable.steps.size(); ++s) {
    const Step& step = executable.steps[s];
    if (step.kind != StepKind::GlobalExchange) continue;
    programs.exchanges.push_back(exchanges.add(step, executable.blocks, executable.volumes[s]));
  }
  writePrograms(space, timing, executable);
  std::vector<CategoryBytes> fixed = fixedBytes(executable, executable.exchange_code, pod.ipu);
  exchanges.addFixedBytes(fixed);
  static_cast<Placed&>(executable) = layOut(executable, pod.ipu, fixed);
  return executable;
}

}  // namespace ipusim::compiler
