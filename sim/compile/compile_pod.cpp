// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile_pod.h"

#include <algorithm>
#include <cmath>
#include <optional>
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
    volume.activity += of_ipu.volumes[s].activity;
  }
  all.exchange_code.insert(all.exchange_code.end(), of_ipu.exchange_code.begin(),
                           of_ipu.exchange_code.end());
  all.activity_of_tile.insert(all.activity_of_tile.end(), of_ipu.activity_of_tile.begin(),
                              of_ipu.activity_of_tile.end());
}

/// What all global exchanges make of a tile.
struct TileTraffic {
  std::uint64_t exchanges = 0;  ///< in which the tile takes part
  std::uint64_t packets_sent = 0;
  Activity activity;  ///< over the run
};

/// What a tile does in one global exchange.
struct TilePart {
  Bytes received;
  TileWords words;
  Bytes on_links;
  bool takes_part = false;
};

/// The exchanges between IPUs: their cost, their volume, and their code and headers.
class GlobalExchanges {
 public:
  GlobalExchanges(const Pod& pod, const TileSpace& space)
      : pod_(pod),
        space_(space),
        routes_(pod),
        traffic_(space.tiles()),
        parts_(space.tiles()),
        sets_between_(std::size_t{pod.ipus} * pod.ipus) {}

  /// Adds a step that runs so often.
  GlobalExchange add(const Step& step, std::uint64_t iterations, const std::vector<Block>& blocks,
                     ExchangeVolume& volume) {
    std::vector<models::TileFlow> flows;
    step.messages.forEach([&](const Message& message) {
      const MessageForm& form = step.messages.formOf(message);
      const std::uint32_t from = blocks[indexOf(message.from)].tile.tile();
      const std::uint32_t to = blocks[indexOf(message.to)].tile.tile();
      flows.push_back({from, to, form.bytes()});
      const std::uint64_t packets = models::packetsOf(pod_.timing, form.bytes());
      traffic_[from].packets_sent += packets;
      TilePart& sender = partOf(from);
      sender.words.sent += form.words();
      sender.on_links += onLinks(flows.back(), packets);
      TilePart& receiver = partOf(to);
      receiver.words.received += form.words();
      receiver.received += form.bytes();
    });
    for (const std::uint32_t tile : in_step_) {
      addPart(tile, parts_[tile], iterations, volume);
      parts_[tile] = {};
    }
    in_step_.clear();
    volume.messages = step.messages.size();
    models::GlobalExchangeCost cost = models::globalExchangeCost(pod_, routes_, flows);
    return {cost.sync, cost.transfer, std::move(cost.loads)};
  }

  /// Adds a header for every packet, and code: an entry for each exchange and a send for each
  /// packet.
  void addFixedBytes(std::vector<CategoryBytes>& bytes) const {
    const CodeSizes& sizes = pod_.ipu.code;
    for (std::size_t t = 0; t < traffic_.size(); ++t) {
      const std::uint64_t exchanges = traffic_[t].exchanges;
      const std::uint64_t packets = traffic_[t].packets_sent;
      if (exchanges == 0) continue;
      at(bytes[t], MemoryCategory::GlobalExchangeHeaders) += packets * pod_.timing.packet_header;
      at(bytes[t], MemoryCategory::GlobalExchangeCode) +=
          exchanges * sizes.exchange_entry + packets * sizes.exchange_per_send;
    }
  }

  /// Adds what each tile did over the run.
  void addActivity(std::vector<Activity>& of_tile) const {
    for (std::size_t t = 0; t < traffic_.size(); ++t) of_tile[t] += traffic_[t].activity;
  }

 private:
  /// What a tile does in the step that is being added.
  TilePart& partOf(std::uint32_t tile) {
    TilePart& part = parts_[tile];
    if (!part.takes_part) in_step_.push_back(tile);
    part.takes_part = true;
    return part;
  }

  /// Whole packets, on every set of links that the flow goes over.
  Bytes onLinks(const models::TileFlow& flow, std::uint64_t packets) {
    const std::uint32_t from = flow.from / space_.tiles_per_ipu;
    const std::uint32_t to = flow.to / space_.tiles_per_ipu;
    auto& sets = sets_between_[std::size_t{from} * pod_.ipus + to];
    if (!sets) sets = routes_.between(from, to).size();
    return (flow.bytes + packets * pod_.timing.packet_header) * *sets;
  }

  /// A word runs on the spine of the sender's IPU and on that of the receiver's IPU.
  void addPart(std::uint32_t tile, const TilePart& part, std::uint64_t iterations,
               ExchangeVolume& volume) {
    const TileWords& words = part.words;
    Activity activity =
        activityOfWords(words, words.sent + words.received, pod_.ipu, tile % space_.tiles_per_ipu);
    activity.link_bytes = part.on_links;
    volume.activity += activity;
    volume.bytes += part.received;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, part.received);
    traffic_[tile].activity += activity * iterations;
    ++traffic_[tile].exchanges;
  }

  static Bytes& at(CategoryBytes& tile, MemoryCategory category) {
    return tile[static_cast<std::size_t>(category)];
  }

  const Pod& pod_;
  const TileSpace& space_;
  models::Routes routes_;
  std::vector<TileTraffic> traffic_;    ///< one entry per tile
  std::vector<TilePart> parts_;         ///< one entry per tile, of the step that is being added
  std::vector<std::uint32_t> in_step_;  ///< the tiles that take part in it
  /// How many sets of links lie from one IPU to another, by from * ipus + to.
  std::vector<std::optional<std::uint64_t>> sets_between_;
};

/// Schedules the exchanges of each IPU and writes its program.
void writePrograms(const TileSpace& space, TimingMode timing, WithoutCost without_cost,
                   Executable& executable) {
  PodPart& part = *executable.pod;
  const Machine& ipu = part.pod.ipu;
  IpuCutter cutter(executable.lowered, space);
  for (std::uint32_t i = 0; i < space.ipus; ++i) {
    const Lowered& lowered = cutter.partOf(i);
    Scheduled scheduled = schedule(lowered, ipu, ipu.exchange);
    addTraffic(scheduled.traffic, executable.traffic);
    ChipPrograms programs = emit(lowered, std::move(scheduled.plans), ipu, without_cost);
    programs.timing = timingOf(ipu, ipu, timing);
    programs.host_transfers = hostTransfersOf(lowered.steps, ipu);
    addRemoteTransfers(lowered, ipu, space.ipus, programs);
    programs.in_pod = true;
    programs.global_exchanges = static_cast<std::uint32_t>(part.programs.exchanges.size());
    addIpu(std::move(programs), part.programs);
  }
}

}  // namespace

Executable compiledForPod(Lowered lowered, const Pod& pod, TimingMode timing,
                          WithoutCost without_cost) {
  const TileSpace space{pod.ipus, pod.ipu.tiles};
  Executable executable;
  executable.lowered = std::move(lowered);
  executable.machine = flatMachine(pod);
  executable.pod = PodPart{pod, {}};
  executable.traffic.volumes.resize(executable.lowered.steps.size());
  PodPrograms& programs = executable.pod->programs;
  programs.link_sets = static_cast<std::uint32_t>(pod.links.size());
  GlobalExchanges exchanges(pod, space);
  const std::vector<std::uint64_t> iterations =
      iterationsOf(executable.lowered.control, executable.lowered.steps.size());
  for (std::size_t s = 0; s < executable.lowered.steps.size(); ++s) {
    const Step& step = executable.lowered.steps[s];
    if (step.kind != StepKind::GlobalExchange) continue;
    programs.exchanges.push_back(exchanges.add(step, iterations[s], executable.lowered.blocks,
                                               executable.traffic.volumes[s]));
  }
  writePrograms(space, timing, without_cost, executable);
  exchanges.addActivity(executable.traffic.activity_of_tile);
  std::vector<CategoryBytes> fixed =
      fixedBytes(executable.lowered, executable.traffic.exchange_code, pod.ipu);
  exchanges.addFixedBytes(fixed);
  executable.memory = layOut(executable.lowered, pod.ipu, fixed);
  return executable;
}

}  // namespace ipusim::compiler
