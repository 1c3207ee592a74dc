// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/exchange_ports.h"

#include <algorithm>
#include <cmath>

namespace ipusim::models {

namespace {

/// Rounded factors may lift a product of a whole number of cycles above that number.
constexpr double kRounding = 1e-12;

/// The pair of contexts that a tile reaches, of `pairs`. On an IPU with 64 contexts, these are bits
/// 0 and 2 to 5 of the number of the tile.
/// Source: osmarks/ipu-stack, whose bitmap of a context has tiles at 2 * (tile / 64) + bit 1.
std::uint32_t contextsOf(std::uint32_t tile, std::uint32_t pairs) {
  return (tile / 4 * 2 + tile % 2) % pairs;
}

}  // namespace

ExchangePorts::ExchangePorts(const Machine& ipu, std::uint32_t ipus, std::uint32_t contexts)
    : ipu_(ipu),
      contexts_(contexts),
      pairs_((contexts + 1) / 2),
      of_tile_(std::size_t{ipus} * ipu.tiles),
      of_contexts_(std::size_t{ipus} * pairs_) {}

void ExchangePorts::add(std::uint32_t tile, Bytes bytes) {
  const std::uint32_t ipu = tile / ipu_.tiles;
  of_tile_[tile] += bytes;
  of_contexts_[std::size_t{ipu} * pairs_ + contextsOf(tile % ipu_.tiles, pairs_)] += bytes;
}

double ExchangePorts::seconds() const {
  const auto word = static_cast<double>(ipu_.fabric.exchange_rate.value());
  const double words_per_cycle = static_cast<double>(contexts_) / static_cast<double>(pairs_);
  const auto fullest = [](const std::vector<Bytes>& loads) {
    return static_cast<double>(std::max_element(loads.begin(), loads.end())->value());
  };
  const double bytes_cycles = std::max(fullest(of_tile_), fullest(of_contexts_) / words_per_cycle);
  return bytes_cycles / word / ipu_.clock_hz;
}

Cycles cyclesIn(double seconds, double clock_hz) {
  constexpr double kEndOfCount = 18446744073709551616.0;  // 2^64
  const double cycles = std::ceil(seconds * clock_hz * (1 - kRounding));
  if (cycles >= kEndOfCount) throwCountError();
  return Cycles(static_cast<std::uint64_t>(cycles));
}

}  // namespace ipusim::models
