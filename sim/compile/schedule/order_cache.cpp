// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/order_cache.h"

#include <cstring>
#include <deque>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files/disk_cache.h"
#include "base/numbers/packed_number.h"

namespace ipusim::compiler {

namespace {

const std::string kStage = "exchange order";

/// What the orders in memory, with their keys, may take together.
constexpr std::size_t kMostBytes = 32'000'000;
/// An order of streams with more ports than these would push out too many others.
constexpr std::size_t kMostPorts = 1'000'000;

/// The orders that were found last, in memory.
class OrderMemory {
 public:
  std::optional<CachedOrder> find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = orders_.find(key);
    return found == orders_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Forgets the oldest orders where all together would take too much.
  void keep(std::string key, CachedOrder kept) {
    const std::size_t bytes = bytesOf(key, kept);
    if (bytes > kMostBytes) return;
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = orders_.emplace(std::move(key), std::move(kept));
    if (!is_new) return;
    by_age_.push_back(&*entry);
    bytes_ += bytes;
    while (bytes_ > kMostBytes) forgetOldest();
  }

 private:
  using Orders = std::unordered_map<std::string, CachedOrder>;

  static std::size_t bytesOf(const std::string& key, const CachedOrder& kept) {
    return key.size() + kept.order.size() * sizeof(kept.order.front());
  }

  void forgetOldest() {
    const Orders::value_type& oldest = *by_age_.front();
    by_age_.pop_front();
    bytes_ -= bytesOf(oldest.first, oldest.second);
    orders_.erase(orders_.find(oldest.first));
  }

  mutable std::mutex mutex_;
  Orders orders_;
  std::deque<const Orders::value_type*> by_age_;  // the oldest first
  std::size_t bytes_ = 0;
};

OrderMemory& memory() {
  static OrderMemory memory;
  return memory;
}

/// Appends numbers to a text, small ones in few bytes.
class KeyWriter {
 public:
  explicit KeyWriter(std::size_t numbers) { key_.reserve(2 * numbers); }

  void add(std::uint64_t number) { appendPacked(key_, number); }

  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

template <typename Number>
void append(std::string& bytes, const std::vector<Number>& numbers) {
  static_assert(std::is_integral_v<Number>);
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

/// The order that the disk cache keeps for the key.
std::optional<CachedOrder> readOrder(const std::string& key) {
  DiskCache* cache = diskCache();
  const std::optional<std::string> bytes = cache ? cache->find(kStage, key) : std::nullopt;
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  if (!bytes || bytes->size() < kNumber || bytes->size() % kNumber != 0) return std::nullopt;
  CachedOrder kept;
  kept.order.resize(bytes->size() / kNumber - 1);
  std::memcpy(&kept.split_load, bytes->data(), kNumber);
  std::memcpy(kept.order.data(), bytes->data() + kNumber, bytes->size() - kNumber);
  return kept;
}

void writeOrder(const std::string& key, const CachedOrder& kept) {
  DiskCache* cache = diskCache();
  if (cache == nullptr) return;
  std::string bytes;
  append(bytes, std::vector<std::uint32_t>{kept.split_load});
  append(bytes, kept.order);
  cache->keep(kStage, key, bytes);
}

}  // namespace

bool mayKeepOrder(const StreamSet& set) {
  return diskCache() != nullptr || set.ports.size() <= kMostPorts;
}

std::string keyOf(const Interconnect& interconnect, const StreamSet& set) {
  constexpr std::size_t kNumbers = 6;
  KeyWriter key(kNumbers * set.streams.size() + set.ports.size());
  const Fabric& fabric = interconnect.fabric;
  // The delays of the streams follow from these numbers.
  for (const std::uint64_t number :
       {std::uint64_t{interconnect.tiles}, std::uint64_t{fabric.tiles_per_column},
        std::uint64_t{fabric.tiles_per_row}, std::uint64_t{fabric.tiles_per_bus},
        fabric.start_delay_longest.value(), fabric.start_delay_per_column.value(),
        fabric.start_delay_per_row.value(), fabric.start_delay_per_receiver_row.value()}) {
    key.add(number);
  }
  key.add(set.streams.size());
  for (const ExchangeStream& stream : set.streams) {
    key.add(stream.sender.tile());
    key.add(static_cast<std::uint64_t>(stream.kind));
    key.add(stream.send_ports);
    key.add(stream.receive_ports);
    key.add(stream.send.value());
    key.add(stream.receive.value());
  }
  for (const PortId port : set.ports) key.add(static_cast<std::uint64_t>(port));
  return key.take();
}

std::optional<CachedOrder> findOrder(const std::string& key) {
  if (std::optional<CachedOrder> kept = memory().find(key)) return kept;
  std::optional<CachedOrder> kept = readOrder(key);
  if (kept) memory().keep(key, *kept);
  return kept;
}

void cacheOrder(std::string key, CachedOrder kept) {
  writeOrder(key, kept);
  memory().keep(std::move(key), std::move(kept));
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
