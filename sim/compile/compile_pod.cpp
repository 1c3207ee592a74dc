// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile_pod.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/ipu/cost/global_exchange.h"
#include "sim/compile/exchange_plan.h"
#include "sim/compile/memory.h"
#include "sim/compile/placement.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

namespace {

/// Cuts a lowered program into those of the IPUs. Blocks keep their numbers, and get the numbers
/// that their tiles have on their own IPU.
class IpuCutter {
 public:
  IpuCutter(const Lowered& lowered, const TileSpace& space)
      : lowered_(lowered), space_(space), blocks_(lowered.blocks) {
    for (Block& block : blocks_) block.tile = onIpu(block.tile);
  }

  /// The part of an IPU. It has all steps, and of each what the IPU does in it.
  [[nodiscard]] Lowered partOf(std::uint32_t ipu) const {
    Lowered part;
    part.control = lowered_.control;
    part.positions = lowered_.positions;
    part.blocks = blocks_;
    for (const Step& step : lowered_.steps) part.steps.push_back(partOf(step, ipu));
    return part;
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
    if (step.kind == StepKind::Exchange) part.messages = messagesOf(step.messages, ipu);
    part.host = step.host;
    if (step.kind == StepKind::HostCopy) part.host.bytes = hostBytesOf(step.host, ipu);
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
    return Bytes(static_cast<std::uint64_t>(share * static_cast<double>(copy.bytes.value())));
  }

  const Lowered& lowered_;
  const TileSpace& space_;
  std::vector<Block> blocks_;
};

/// Adds what the IPU's exchanges amount to.
void addTraffic(const Traffic& of_ipu, Traffic& all) {
  all.volumes.resize(of_ipu.volumes.size());
  for (std::size_t s = 0; s < of_ipu.volumes.size(); ++s) {
    ExchangeVolume& volume = all.volumes[s];
    volume.bytes += of_ipu.volumes[s].bytes;
    volume.messages += of_ipu.volumes[s].messages;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, of_ipu.volumes[s].max_tile_bytes);
  }
  all.exchange_code.insert(all.exchange_code.end(), of_ipu.exchange_code.begin(),
                           of_ipu.exchange_code.end());
}

/// What one tile does in one global exchange.
struct TileTraffic {
  Bytes received;
  std::uint64_t packets_sent = 0;
  bool takes_part = false;
};

/// The exchanges between IPUs: their cost, their volume, and their code and headers.
class GlobalExchanges {
 public:
  GlobalExchanges(const Pod& pod, const TileSpace& space)
      : pod_(pod), space_(space), routes_(pod) {}

  GlobalExchange add(const Step& step, const std::vector<Block>& blocks, ExchangeVolume& volume) {
    std::vector<models::TileFlow> flows;
    std::vector<TileTraffic> tiles(space_.tiles());
    step.messages.forEach([&](const Message& message) {
      const Bytes bytes = step.messages.formOf(message).bytes();
      const std::uint32_t from = blocks[indexOf(message.from)].tile.tile();
      const std::uint32_t to = blocks[indexOf(message.to)].tile.tile();
      flows.push_back({from, to, bytes});
      tiles[from].packets_sent += models::packetsOf(pod_.timing, bytes);
      tiles[to].received += bytes;
      tiles[from].takes_part = tiles[to].takes_part = true;
    });
    for (const TileTraffic& tile : tiles) {
      volume.bytes += tile.received;
      volume.max_tile_bytes = std::max(volume.max_tile_bytes, tile.received);
    }
    volume.messages = step.messages.size();
    parts_.push_back(std::move(tiles));
    models::GlobalExchangeCost cost = models::globalExchangeCost(pod_, routes_, flows);
    return {cost.sync, cost.transfer, std::move(cost.loads)};
  }

  /// Adds a header for every packet, and code: an entry for each exchange and a send for each
  /// packet.
  void addFixedBytes(std::vector<CategoryBytes>& bytes) const {
    const CodeSizes& sizes = pod_.ipu.code;
    for (const std::vector<TileTraffic>& tiles : parts_) {
      for (std::size_t t = 0; t < tiles.size(); ++t) {
        if (!tiles[t].takes_part) continue;
        const std::uint64_t packets = tiles[t].packets_sent;
        at(bytes[t], MemoryCategory::GlobalExchangeHeaders) += packets * pod_.timing.packet_header;
        at(bytes[t], MemoryCategory::GlobalExchangeCode) +=
            sizes.exchange_entry + packets * sizes.exchange_per_send;
      }
    }
  }

 private:
  static Bytes& at(CategoryBytes& tile, MemoryCategory category) {
    return tile[static_cast<std::size_t>(category)];
  }

  const Pod& pod_;
  const TileSpace& space_;
  models::Routes routes_;
  std::vector<std::vector<TileTraffic>> parts_;  ///< one entry per exchange
};

/// Schedules the exchanges of each IPU and writes its program.
void writePrograms(const TileSpace& space, TimingMode timing, Executable& executable) {
  PodPart& part = *executable.pod;
  const Machine& ipu = part.pod.ipu;
  const IpuCutter cutter(executable, space);
  for (std::uint32_t i = 0; i < space.ipus; ++i) {
    const Lowered lowered = cutter.partOf(i);
    Scheduled scheduled = schedule(lowered, ipu, ipu.exchange);
    addTraffic(scheduled.traffic, executable);
    ChipPrograms programs = emit(lowered, std::move(scheduled.plans), ipu);
    programs.timing = timingOf(ipu, ipu, timing);
    programs.host_transfers = hostTransfersOf(lowered.steps, ipu);
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
  std::vector<CategoryBytes> fixed = fixedBytes(executable, executable.exchange_code, pod.ipu.code);
  exchanges.addFixedBytes(fixed);
  static_cast<Placed&>(executable) = layOut(executable, pod.ipu, fixed);
  return executable;
}

}  // namespace ipusim::compiler
