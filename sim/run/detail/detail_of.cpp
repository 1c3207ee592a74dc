// SPDX-License-Identifier: Apache-2.0
#include "sim/run/detail/detail_of.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "workloads/vertices/products/weights_use.h"

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::Step;

namespace {

/// A page holds so many values of bands and steps in about 3 MB.
constexpr std::uint64_t kMostCells = 250'000;

BandValues cyclesOf(std::uint32_t step, const ChipResult& measured, const TileBands& bands) {
  BandValues values;
  for (std::uint32_t first = 0; first < measured.tiles; first += bands.tiles_per_band) {
    const std::uint32_t end = std::min(first + bands.tiles_per_band, measured.tiles);
    Cycles most;
    for (std::uint32_t t = first; t < end; ++t) most = std::max(most, measured.busyOf(step, t));
    append(most.value(), values);
  }
  return values;
}

/// Groups are told apart by the name of the type: a page has no room for each set of parameters.
class Groups {
 public:
  explicit Groups(const Machine& machine) : machine_(machine) {}

  void add(const BoundFamily& family) {
    const VertexType& type = *family.type;
    VertexGroup& group = groups_[type.name];
    group.type = type.name;
    group.kind = type.kind;
    group.flops += type.work.flops * family.count;
    if (type.cost) addCycles(type, group);
    group.vertices += family.count;
    tiles_[type.name].insert(family.tile.tile());
  }

  std::vector<VertexGroup> take() {
    std::vector<VertexGroup> list;
    for (auto& [name, group] : groups_) {
      group.tiles = static_cast<std::uint32_t>(tiles_[name].size());
      list.push_back(std::move(group));
    }
    std::stable_sort(list.begin(), list.end(), [](const VertexGroup& a, const VertexGroup& b) {
      return a.vertices > b.vertices;
    });
    return list;
  }

 private:
  void addCycles(const VertexType& type, VertexGroup& group) const {
    const Cycles cycles = type.cycles(machine_);
    group.least = group.vertices == 0 ? cycles : std::min(group.least, cycles);
    if (cycles < group.most) return;
    group.most = cycles;
    group.rows_per_weights = workloads::positionsPerWeights(type);
  }

  const Machine& machine_;
  std::map<std::string, VertexGroup> groups_;
  std::map<std::string, std::set<std::uint32_t>> tiles_;
};

}  // namespace

TileBands bandsFor(std::uint32_t tiles, std::size_t steps) {
  const std::uint64_t cells = std::uint64_t{tiles} * steps;
  const std::uint64_t per_band = std::max<std::uint64_t>((cells + kMostCells - 1) / kMostCells, 1);
  return {tiles, static_cast<std::uint32_t>(std::min<std::uint64_t>(per_band, tiles))};
}

std::vector<VertexGroup> vertexGroups(const Step& step, const Machine& machine) {
  Groups groups(machine);
  for (const BoundFamily& family : step.families) groups.add(family);
  return groups.take();
}

ProgramDetail detailOf(const Executable& executable, const Measured& measured,
                       const TileBands& bands, const FirstIterations* heard) {
  ProgramDetail detail;
  detail.tiles_per_band = bands.tiles_per_band;
  detail.steps.resize(executable.lowered.steps.size());
  for (std::uint32_t s = 0; s < executable.lowered.steps.size(); ++s) {
    StepDetail& step = detail.steps[s];
    step.vertices = vertexGroups(executable.lowered.steps[s], executable.system.ipu);
    step.cycles = cyclesOf(s, measured.tiles, bands);
    if (heard != nullptr) step.first_iteration = heard->of(s);
  }
  addTraffic(executable, bands, detail);
  addLayouts(executable, detail);
  return detail;
}

}  // namespace ipusim::run
