// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/parallel/redistribution/collective.h"

namespace ipusim::parallel {

/// Where the part of an array lies that one device holds: one entry per dimension.
struct Cell {
  std::vector<std::uint64_t> offset;
  std::vector<std::uint64_t> extent;

  [[nodiscard]] std::uint64_t elements() const;
  friend bool operator==(const Cell& a, const Cell& b) {
    return a.offset == b.offset && a.extent == b.extent;
  }
};

/// Calls visit(index) for each element of the cell, row-major. The index is that in the array, one
/// entry per dimension.
template <typename Visit>
void forEachElement(const Cell& cell, const Visit& visit) {
  std::vector<std::uint64_t> index = cell.offset;
  for (std::uint64_t left = cell.elements(); left > 0; --left) {
    visit(index);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < cell.offset[d] + cell.extent[d]) break;
      index[d] = cell.offset[d];
    }
  }
}

/// The elements of both cells. An extent is 0 where they have none in common.
Cell common(const Cell& a, const Cell& b);

/// One entry per device.
using Cells = std::vector<Cell>;
Cells cellsOf(const ArrayType& type, const Mesh& mesh);

/// One exchange among the devices.
struct DeviceStep {
  Cells after;
  /// Per device, the devices whose elements it may take. A device may always take its own.
  std::vector<std::vector<std::uint32_t>> senders;
};

/// Whether neighbouring gathers, slices, and all-to-alls between the same dimensions of a plan are
/// one exchange along the axes of all of them.
enum class Neighbours : bool { Apart, Joined };

/// What the devices do in each step of a plan: a slice takes nothing from others, a gather and an
/// all-to-all take from the devices along their axes, a permutation is permutationStep().
std::vector<DeviceStep> deviceSteps(const Plan& plan, const ArrayType& source, const Mesh& mesh,
                                    Neighbours neighbours = Neighbours::Joined);

/// One exchange in which each device takes the whole cell `after` from one holder of it. All
/// holders send equally often. A device that holds its cell already keeps it.
DeviceStep permutationStep(const Cells& before, Cells after);

/// One exchange in which each device takes all that it lacks from any device that holds it.
DeviceStep directStep(const Cells& source, const Cells& target);

/// Elements that go from one device to another.
struct Transfer {
  std::uint32_t from;
  std::uint32_t to;
  Cell elements;
};

/// Who sends what to whom in a step. A device takes elements of its own first. Throws InternalError
/// where no sender holds an element that a device needs.
std::vector<Transfer> transfersOf(const DeviceStep& step, const Cells& before);

/// Runs the steps on every device with a value per element, and says whether each device then holds
/// what `target` asks for. Blocks that no cell divides are run as one value.
bool moveToTarget(const std::vector<DeviceStep>& steps, const Cells& source, const Cells& target);

/// The elements that a device must receive in any method, since its part of the target is not in
/// its part of the source.
struct LeastReceived {
  std::uint64_t of_a_device;  ///< of the device that must receive most
  std::uint64_t total;        ///< of all devices
};
LeastReceived leastReceived(const Cells& source, const Cells& target);

}  // namespace ipusim::parallel
