// SPDX-License-Identifier: Apache-2.0
#include "ipusim/tile_program.h"

namespace ipusim {

namespace {

/// `clock_start` is the cycle in which the release reached the tile of the port.
std::string describe(const ChipPrograms& programs, std::uint32_t index, PortDirection direction,
                     Cycles clock_start) {
  const Transmission& transmission = programs.transmissions[index];
  const std::string receivers =
      transmission.receivers == 1
          ? "tile " + std::to_string(programs.receiversOf(transmission).first->tile())
          : std::to_string(transmission.receivers) + " tiles";
  const Cycles begin = clock_start + transmission.start;
  const Cycles held = direction == PortDirection::Send ? transmission.length
                                                       : transmission.length + transmission.control;
  return "transmission " + std::to_string(index) + " (tile " +
         std::to_string(transmission.from.tile()) + " to " + receivers + ", cycles " +
         std::to_string(begin.value()) + " to " + std::to_string((begin + held).value()) + ")";
}

}  // namespace

std::string collisionOnPort(const ChipPrograms& programs, Port port, Cycles release,
                            std::uint32_t first, std::uint32_t second) {
  const std::uint32_t tile = port.tile.tile();
  const Cycles clock_start = release + programs.timing.sync_distance[tile];
  const Cycles cycle = clock_start + programs.transmissions[second].start;
  const char* direction = port.direction == PortDirection::Send ? "send" : "receive";
  return "tile " + std::to_string(tile) + ": two messages meet on its " + direction +
         " port in cycle " + std::to_string(cycle.value()) + ": " +
         describe(programs, first, port.direction, clock_start) + " and " +
         describe(programs, second, port.direction, clock_start);
}

}  // namespace ipusim
