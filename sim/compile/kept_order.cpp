// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/kept_order.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "base/disk_cache.h"

namespace ipusim::compiler {

namespace {

const std::string kStage = "exchange order";

template <typename Number>
void append(std::string& bytes, const std::vector<Number>& numbers) {
  static_assert(std::is_integral_v<Number> || std::is_enum_v<Number>);
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

std::vector<std::uint64_t> numbersOf(const Interconnect& interconnect) {
  const Fabric& fabric = interconnect.fabric;
  return {interconnect.tiles,
          fabric.tiles_per_column,
          fabric.tiles_per_row,
          fabric.tiles_per_bus,
          fabric.start_delay_longest.value(),
          fabric.start_delay_per_column.value(),
          fabric.start_delay_per_row.value(),
          fabric.start_delay_per_receiver_row.value()};
}

}  // namespace

std::string keyOf(const Interconnect& interconnect, const StreamSet& set) {
  std::string key;
  append(key, numbersOf(interconnect));  // the delays of the streams follow from these numbers
  constexpr std::size_t kNumbers = 6;
  std::vector<std::uint64_t> streams;
  streams.reserve(kNumbers * set.streams.size());
  for (const Stream& stream : set.streams) {
    streams.insert(streams.end(), {stream.sender.tile(), static_cast<std::uint64_t>(stream.kind),
                                   stream.send_ports, stream.receive_ports, stream.send.value(),
                                   stream.receive.value()});
  }
  append(key, std::vector<std::uint64_t>{set.streams.size()});
  append(key, streams);
  append(key, set.ports);
  return key;
}

std::optional<KeptOrder> findOrder(const std::string& key) {
  DiskCache* cache = diskCache();
  const std::optional<std::string> bytes = cache ? cache->find(kStage, key) : std::nullopt;
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  if (!bytes || bytes->size() < kNumber || bytes->size() % kNumber != 0) return std::nullopt;
  KeptOrder kept;
  kept.order.resize(bytes->size() / kNumber - 1);
  std::memcpy(&kept.split_load, bytes->data(), kNumber);
  std::memcpy(kept.order.data(), bytes->data() + kNumber, bytes->size() - kNumber);
  return kept;
}

void keepOrder(const std::string& key, const KeptOrder& kept) {
  DiskCache* cache = diskCache();
  if (cache == nullptr) return;
  std::string bytes;
  append(bytes, std::vector<std::uint32_t>{kept.split_load});
  append(bytes, kept.order);
  cache->keep(kStage, key, bytes);
}

bool isOrderOf(const StreamOrder& order, std::size_t streams) {
  if (order.size() != streams) return false;
  std::vector<bool> seen(streams);
  for (const std::uint32_t s : order) {
    if (s >= streams || seen[s]) return false;
    seen[s] = true;
  }
  return true;
}

}  // namespace ipusim::compiler
