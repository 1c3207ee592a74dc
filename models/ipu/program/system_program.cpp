// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/program/system_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "ipusim/error.h"

namespace ipusim {

bool operator==(const LinkUse& a, const LinkUse& b) {
  return a.bytes == b.bytes && a.busy == b.busy;
}

namespace {

template <typename List, typename Same>
bool areEqualLists(const List& a, const List& b, const Same& same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Compares the fields that `fields` ties together.
template <typename List, typename Fields>
bool haveEqualFields(const List& a, const List& b, const Fields& fields) {
  return areEqualLists(a, b, [&](const auto& x, const auto& y) { return fields(x) == fields(y); });
}

bool areEqualTiles(const TileProgram& a, const TileProgram& b) {
  return areEqualLists(a.ops, b.ops, [](const TileOp& x, const TileOp& y) { return x == y; }) &&
         haveEqualFields(a.vertices, b.vertices,
                         [](const VertexRun& run) {
                           return std::make_tuple(run.kind, run.count, run.cycles);
                         }) &&
         a.waits == b.waits;
}

bool areEqualTimings(const ChipTiming& a, const ChipTiming& b) {
  return a.clock_hz == b.clock_hz && a.workers == b.workers && a.vertex_launch == b.vertex_launch &&
         a.supervisor_call == b.supervisor_call && a.compute_set_entry == b.compute_set_entry &&
         a.sync_base == b.sync_base && a.sync_distance == b.sync_distance &&
         a.streaming == b.streaming;
}

bool areEqualTransmissions(const std::vector<Transmission>& a, const std::vector<Transmission>& b) {
  return haveEqualFields(a, b, [](const Transmission& one) {
    return std::make_tuple(one.from, one.first_tile, one.lenders, one.receivers, one.start,
                           one.length, one.control, one.bytes);
  });
}

/// The ops at which a chip meets others, or begins and ends a loop around such a barrier.
std::vector<TileOp> barriersOf(const ChipPrograms& programs) {
  std::vector<TileOp> barriers;
  for (const TileOp& op : programs.tiles.front().ops) {
    if (op.kind == OpKind::GlobalExchange || op.kind == OpKind::RemoteBegin ||
        op.kind == OpKind::RepeatBegin) {
      barriers.push_back(op);
    } else if (op.kind == OpKind::RepeatEnd) {
      if (barriers.back().kind == OpKind::RepeatBegin) {
        barriers.pop_back();
      } else {
        barriers.push_back(op);
      }
    }
  }
  return barriers;
}

void verifyBarriers(const SystemPrograms& system) {
  const std::vector<TileOp> first = barriersOf(system.chips.front());
  for (std::uint32_t ipu = 0; ipu < system.chip_of_ipu.size(); ++ipu) {
    const std::vector<TileOp> own = barriersOf(system.chips[system.chip_of_ipu[ipu]]);
    const auto [here, there] = std::mismatch(
        first.begin(), first.end(), own.begin(), own.end(), [](const TileOp& a, const TileOp& b) {
          return a.kind == b.kind && a.first == b.first && a.iterations == b.iterations;
        });
    if (here == first.end() && there == own.end()) continue;
    const TileOp& missed = here != first.end() ? *here : *there;
    const std::uint32_t absent = here != first.end() ? ipu : 0;
    if (missed.kind == OpKind::RepeatBegin || missed.kind == OpKind::RepeatEnd) {
      throw InternalError(fmt::format("IPU {} is not in the loops of the other IPUs", absent));
    }
    throw InternalError(
        fmt::format("IPU {} never comes to {}, where the others of its sync group wait", absent,
                    nameOfBarrier(missed.kind, missed.first)));
  }
}

}  // namespace

bool areEqual(const ChipPrograms& a, const ChipPrograms& b) {
  return a.steps == b.steps && a.in_pod == b.in_pod && a.global_exchanges == b.global_exchanges &&
         areEqualTimings(a.timing, b.timing) && areEqualLists(a.tiles, b.tiles, areEqualTiles) &&
         haveEqualFields(
             a.exchanges, b.exchanges,
             [](const Exchange& one) { return std::make_pair(one.first, one.count); }) &&
         areEqualTransmissions(a.transmissions, b.transmissions) &&
         a.transmission_tiles == b.transmission_tiles && a.remote_transfers == b.remote_transfers &&
         haveEqualFields(a.host_transfers, b.host_transfers, [](const HostTransfer& one) {
           return std::make_tuple(one.cycles, one.bytes, one.to_chip);
         });
}

void addIpu(ChipPrograms program, SystemPrograms& system) {
  const auto same = std::find_if(system.chips.begin(), system.chips.end(),
                                 [&](const ChipPrograms& one) { return areEqual(one, program); });
  system.chip_of_ipu.push_back(static_cast<std::uint32_t>(same - system.chips.begin()));
  if (same == system.chips.end()) system.chips.push_back(std::move(program));
}

const ChipPrograms& SystemPrograms::only() const {
  check(ipus() == 1, "one IPU");
  return chips.front();
}

SystemPrograms everyChip(const SystemPrograms& system) {
  SystemPrograms every;
  every.exchanges = system.exchanges;
  every.link_sets = system.link_sets;
  for (const std::uint32_t chip : system.chip_of_ipu) {
    every.chip_of_ipu.push_back(static_cast<std::uint32_t>(every.chips.size()));
    every.chips.push_back(system.chips[chip]);
  }
  return every;
}

void verify(const SystemPrograms& system) {
  check(!system.chip_of_ipu.empty(), "a pod has IPUs");
  for (const std::uint32_t chip : system.chip_of_ipu) {
    check(chip < system.chips.size(), "every IPU has a program");
  }
  for (const ChipPrograms& chip : system.chips) {
    verify(chip);
    check(chip.in_pod || system.ipus() == 1, "a chip knows that it is one of several");
    check(chip.global_exchanges == system.exchanges.size(),
          "a chip knows the exchanges of its pod");
    check(chip.steps == system.chips.front().steps, "all chips have the same steps");
    check(chip.timing.streaming == system.chips.front().timing.streaming,
          "all chips have equal streaming memories");
  }
  for (const GlobalExchange& exchange : system.exchanges) {
    for (const LinkLoad& load : exchange.loads) {
      check(load.set < system.link_sets, "a load is on a set of links");
    }
  }
  verifyBarriers(system);
}

std::string nameOfBarrier(OpKind kind, std::uint32_t index) {
  return fmt::format("{} {}",
                     kind == OpKind::GlobalExchange ? "global exchange" : "remote transfer", index);
}

void addLoads(const GlobalExchange& exchange, std::uint64_t times, std::vector<LinkUse>& links) {
  for (const LinkLoad& load : exchange.loads) {
    LinkUse& use = links[load.set];
    use.bytes += times * load.bytes;
    use.busy += times * load.busy;
  }
}

ChipResult overAllIpus(const SystemPrograms& system, MeasuredSystem measured) {
  if (system.ipus() == 1) return std::move(measured.chips.front());
  ChipResult all;
  const ChipResult& first = measured.chips.front();
  const std::size_t steps = first.spans.size();
  all.tiles = first.tiles * static_cast<std::uint32_t>(system.chip_of_ipu.size());
  all.busy.resize(steps * all.tiles);
  all.spans.resize(steps);
  for (std::size_t ipu = 0; ipu < system.chip_of_ipu.size(); ++ipu) {
    const ChipResult& chip = measured.chips[system.chip_of_ipu[ipu]];
    for (std::size_t s = 0; s < steps; ++s) {
      std::copy_n(chip.busy.begin() + static_cast<std::ptrdiff_t>(s * chip.tiles), chip.tiles,
                  all.busy.begin() + static_cast<std::ptrdiff_t>(s * all.tiles + ipu * chip.tiles));
      all.spans[s].start = std::min(all.spans[s].start, chip.spans[s].start);
      all.spans[s].end = std::max(all.spans[s].end, chip.spans[s].end);
    }
    all.finish.insert(all.finish.end(), chip.finish.begin(), chip.finish.end());
    all.end = std::max(all.end, chip.end);
  }
  for (const ChipResult& chip : measured.chips) {
    all.iterations_simulated += chip.iterations_simulated;
    all.tile_steps += chip.tile_steps;
  }
  return all;
}

}  // namespace ipusim
