// SPDX-License-Identifier: Apache-2.0
#include "tests/chip/difference.h"

namespace ipusim::models {

namespace {

std::string differ(const std::string& where, std::uint64_t a, std::uint64_t b) {
  return a == b ? "" : where + ": " + std::to_string(a) + " and " + std::to_string(b);
}

std::string inTile(const ChipResult& a, const ChipResult& b, std::uint32_t tile) {
  const std::string name = "tile " + std::to_string(tile);
  const std::size_t steps = a.busy.size() / a.tiles;
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::string where = name + ", step " + std::to_string(step);
    std::string found = differ(where, a.busyOf(step, tile).value(), b.busyOf(step, tile).value());
    if (!found.empty()) return found;
  }
  return differ(name + ", finish", a.finish[tile].value(), b.finish[tile].value());
}

std::string inSpan(const ChipResult& a, const ChipResult& b, std::size_t step) {
  const std::string name = "step " + std::to_string(step);
  std::string found =
      differ(name + ", start", a.spans[step].start.value(), b.spans[step].start.value());
  if (!found.empty()) return found;
  return differ(name + ", end", a.spans[step].end.value(), b.spans[step].end.value());
}

}  // namespace

std::string differenceInTime(const ChipResult& a, const ChipResult& b) {
  if (a.tiles != b.tiles || a.busy.size() != b.busy.size() || a.spans.size() != b.spans.size() ||
      a.finish.size() != b.finish.size()) {
    return "the shapes";
  }
  for (std::uint32_t tile = 0; tile < a.tiles; ++tile) {
    std::string found = inTile(a, b, tile);
    if (!found.empty()) return found;
  }
  for (std::size_t step = 0; step < a.spans.size(); ++step) {
    std::string found = inSpan(a, b, step);
    if (!found.empty()) return found;
  }
  return differ("end", a.end.value(), b.end.value());
}

std::string difference(const ChipResult& a, const ChipResult& b) {
  std::string found = differenceInTime(a, b);
  if (found.empty()) found = differ("iterations", a.iterations_simulated, b.iterations_simulated);
  if (found.empty()) found = differ("tile steps", a.tile_steps, b.tile_steps);
  return found;
}

}  // namespace ipusim::models
