// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/device_step.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::parallel {

namespace {

using Devices = std::vector<std::uint32_t>;
using Axes = std::vector<std::uint32_t>;

/// The axes along which the devices of a step exchange. None: a device by itself, or all.
Axes axesOf(const Collective& step, const ArrayType& before) {
  const auto minor = [&before](std::uint32_t dimension, std::uint32_t count) {
    const auto begin = before[dimension].axes.begin();
    return Axes(begin, begin + count);
  };
  if (const auto* gather = std::get_if<Gather>(&step)) {
    return minor(gather->dimension, gather->axes);
  }
  if (const auto* move = std::get_if<AllToAll>(&step)) return minor(move->from, move->axes);
  return {};
}

/// Per device, the other devices that differ from it along `axes` only.
std::vector<Devices> othersAlong(const Axes& axes, const Mesh& mesh) {
  std::map<std::uint32_t, Devices> groups;
  const auto group_of = [&](std::uint32_t device) {
    for (const std::uint32_t axis : axes) {
      device -= mesh.coordinate(device, axis) * mesh.stride(axis);
    }
    return device;
  };
  const std::uint32_t devices = mesh.devices();
  for (std::uint32_t device = 0; device < devices; ++device) {
    groups[group_of(device)].push_back(device);
  }
  std::vector<Devices> others;
  for (std::uint32_t device = 0; device < devices; ++device) {
    Devices group = groups[group_of(device)];
    group.erase(std::find(group.begin(), group.end(), device));
    others.push_back(std::move(group));
  }
  return others;
}

/// The largest block of each dimension that no cell divides.
std::vector<std::uint64_t> commonBlock(const std::vector<const Cells*>& all) {
  std::vector<std::uint64_t> block(all.front()->front().offset.size(), 0);
  for (const Cells* cells : all) {
    for (const Cell& cell : *cells) {
      for (std::size_t d = 0; d < block.size(); ++d) {
        block[d] = std::gcd(block[d], std::gcd(cell.offset[d], cell.extent[d]));
      }
    }
  }
  return block;
}

Cell coarse(Cell cell, const std::vector<std::uint64_t>& block) {
  for (std::size_t d = 0; d < block.size(); ++d) {
    cell.offset[d] /= block[d];
    cell.extent[d] /= block[d];
  }
  return cell;
}

using Index = std::vector<std::uint64_t>;

std::size_t placeIn(const Cell& cell, const Index& index) {
  std::size_t place = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    place = place * cell.extent[d] + (index[d] - cell.offset[d]);
  }
  return place;
}

/// The values of one device, row-major in its cell.
using Values = std::vector<Index>;

Values valuesOf(const Cell& cell) {
  Values values;
  forEachElement(cell, [&values](const Index& index) { values.push_back(index); });
  return values;
}

void copyCommon(const Cell& from, const Values& values, const Cell& to, Values& taken) {
  forEachElement(common(from, to), [&](const Index& index) {
    taken[placeIn(to, index)] = values[placeIn(from, index)];
  });
}

/// Cuts `cut` out of `cell`, and appends what is left in boxes.
void appendRest(Cell cell, const Cell& cut, std::vector<Cell>& rest) {
  if (cut.elements() == 0) {
    rest.push_back(std::move(cell));
    return;
  }
  for (std::size_t d = 0; d < cell.offset.size(); ++d) {
    const std::uint64_t end = cell.offset[d] + cell.extent[d];
    const std::uint64_t cut_end = cut.offset[d] + cut.extent[d];
    if (cell.offset[d] < cut.offset[d]) {
      rest.push_back(cell);
      rest.back().extent[d] = cut.offset[d] - cell.offset[d];
    }
    if (cut_end < end) {
      rest.push_back(cell);
      rest.back().offset[d] = cut_end;
      rest.back().extent[d] = end - cut_end;
    }
    cell.offset[d] = cut.offset[d];
    cell.extent[d] = cut.extent[d];
  }
}

/// Whether two steps are one exchange along two axes.
bool isOneExchange(const Collective& a, const Collective& b) {
  if (const auto* move = std::get_if<AllToAll>(&a)) {
    const auto* next = std::get_if<AllToAll>(&b);
    return next != nullptr && next->from == move->from && next->to == move->to;
  }
  return a.index() == b.index() && !std::holds_alternative<Permute>(a);
}

}  // namespace

std::uint64_t Cell::elements() const {
  return std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>());
}

Cell common(const Cell& a, const Cell& b) {
  Cell both;
  for (std::size_t d = 0; d < a.offset.size(); ++d) {
    const std::uint64_t begin = std::max(a.offset[d], b.offset[d]);
    const std::uint64_t end = std::min(a.offset[d] + a.extent[d], b.offset[d] + b.extent[d]);
    both.offset.push_back(begin);
    both.extent.push_back(end > begin ? end - begin : 0);
  }
  return both;
}

Cells cellsOf(const ArrayType& type, const Mesh& mesh) {
  Cells cells(mesh.devices());
  for (std::uint32_t device = 0; device < cells.size(); ++device) {
    for (const ArrayDimension& dimension : type) {
      cells[device].offset.push_back(dimension.offset(mesh, device));
      cells[device].extent.push_back(dimension.local(mesh));
    }
  }
  return cells;
}

DeviceStep permutationStep(const Cells& before, Cells after) {
  std::map<Index, Devices> holders;
  for (std::uint32_t device = 0; device < before.size(); ++device) {
    holders[before[device].offset].push_back(device);
  }
  std::map<Index, std::size_t> turn;
  std::vector<Devices> senders(after.size());
  for (std::size_t device = 0; device < after.size(); ++device) {
    if (before[device] == after[device]) continue;
    const Index& cell = after[device].offset;
    const Devices& held_by = holders.at(cell);
    senders[device] = {held_by[turn[cell]++ % held_by.size()]};
  }
  return {std::move(after), std::move(senders)};
}

std::vector<DeviceStep> deviceSteps(const Plan& plan, const ArrayType& source, const Mesh& mesh,
                                    Neighbours neighbours) {
  const bool are_joined = neighbours == Neighbours::Joined;
  std::vector<DeviceStep> steps;
  ArrayType type = source;
  Cells cells = cellsOf(source, mesh);
  for (std::size_t s = 0; s < plan.size();) {
    Axes axes;
    const std::size_t first = s;
    do {
      const Axes more = axesOf(plan[s], type);
      axes.insert(axes.end(), more.begin(), more.end());
      type = apply(plan[s], type, mesh);
      ++s;
    } while (are_joined && s < plan.size() && isOneExchange(plan[first], plan[s]));
    steps.push_back(std::holds_alternative<Permute>(plan[first])
                        ? permutationStep(cells, cellsOf(type, mesh))
                        : DeviceStep{cellsOf(type, mesh), othersAlong(axes, mesh)});
    cells = steps.back().after;
  }
  return steps;
}

DeviceStep directStep(const Cells& source, const Cells& target) {
  const auto devices = static_cast<std::uint32_t>(source.size());
  std::map<Index, Devices> holders;
  for (std::uint32_t device = 0; device < devices; ++device) {
    holders[source[device].offset].push_back(device);
  }
  DeviceStep step{target, {}};
  for (std::uint32_t device = 0; device < devices; ++device) {
    Devices senders;
    for (const auto& [offset, held_by] : holders) {
      if (common(source[held_by.front()], target[device]).elements() == 0) continue;
      senders.push_back(held_by[device % held_by.size()]);
    }
    step.senders.push_back(std::move(senders));
  }
  return step;
}

std::vector<Transfer> transfersOf(const DeviceStep& step, const Cells& before) {
  std::vector<Transfer> transfers;
  for (std::uint32_t device = 0; device < step.after.size(); ++device) {
    std::vector<Cell> missing;
    appendRest(step.after[device], common(step.after[device], before[device]), missing);
    for (const std::uint32_t sender : step.senders[device]) {
      std::vector<Cell> still;
      for (const Cell& cell : missing) {
        const Cell sent = common(cell, before[sender]);
        if (sent.elements() > 0) transfers.push_back({sender, device, sent});
        appendRest(cell, sent, still);
      }
      missing = std::move(still);
    }
    check(missing.empty(), "a step in which nobody sends what a device needs");
  }
  return transfers;
}

bool moveToTarget(const std::vector<DeviceStep>& steps, const Cells& source, const Cells& target) {
  std::vector<const Cells*> all{&source, &target};
  for (const DeviceStep& step : steps) all.push_back(&step.after);
  const std::vector<std::uint64_t> block = commonBlock(all);
  Cells cells;
  std::vector<Values> held;
  for (const Cell& cell : source) {
    cells.push_back(coarse(cell, block));
    held.push_back(valuesOf(cells.back()));
  }
  for (const DeviceStep& step : steps) {
    std::vector<Values> next;
    Cells after;
    for (std::uint32_t device = 0; device < cells.size(); ++device) {
      after.push_back(coarse(step.after[device], block));
      Values& values = next.emplace_back(after.back().elements());
      for (const std::uint32_t sender : step.senders[device]) {
        copyCommon(cells[sender], held[sender], after.back(), values);
      }
      copyCommon(cells[device], held[device], after.back(), values);
    }
    cells = std::move(after);
    held = std::move(next);
  }
  for (std::size_t device = 0; device < target.size(); ++device) {
    if (held[device] != valuesOf(coarse(target[device], block))) return false;
  }
  return true;
}

LeastReceived leastReceived(const Cells& source, const Cells& target) {
  LeastReceived least{0, 0};
  for (std::size_t device = 0; device < source.size(); ++device) {
    const std::uint64_t wanted =
        target[device].elements() - common(source[device], target[device]).elements();
    least.of_a_device = std::max(least.of_a_device, wanted);
    least.total += wanted;
  }
  return least;
}

}  // namespace ipusim::parallel
