// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/numbers/packed_number.h"
#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "ipusim/units.h"

// Objects as bytes. Whole numbers are packed, a list has its length in front, and a number with a
// fraction has the 8 bytes of IEEE 754, the lowest first.

namespace ipusim {

static_assert(std::numeric_limits<double>::is_iec559);

/// Writes objects. `Derived` has `putMembers(object)` for types that have members, and a `put` for
/// each type that this class does not write.
template <typename Derived>
class PackedWriter {
 public:
  template <typename... Objects>
  void operator()(const Objects&... objects) {
    (derived().put(objects), ...);
  }
  std::string take() { return std::move(bytes_); }

 protected:
  void putNumber(std::uint64_t number) { appendPacked(bytes_, number); }
  void putBytes(const void* data, std::size_t count) {
    if (count > 0) bytes_.append(static_cast<const char*>(data), count);
  }
  template <typename Items>
  void putItems(const Items& items) {
    putNumber(items.size());
    for (const auto& item : items) derived().put(item);
  }

  template <typename T>
  void put(const T& object) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      putNumber(static_cast<std::uint64_t>(object));
    } else {
      derived().putMembers(object);
    }
  }
  void put(const double& number) { putBytes(&number, sizeof number); }
  void put(const std::string& text) {
    putNumber(text.size());
    putBytes(text.data(), text.size());
  }
  template <typename Tag>
  void put(const Count<Tag>& count) {
    putNumber(count.value());
  }
  void put(const TileId& tile) {
    putNumber(tile.ipu());
    putNumber(tile.tile());
  }
  template <typename T>
  void put(const std::vector<T>& items) {
    putItems(items);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  std::string bytes_;
};

/// Reads what PackedWriter writes. `Derived` has `getMembers(object)`, a static `lastOf<T>()` that
/// gives the number of the last value of an enumeration, and a `get` for each type that this class
/// does not read. Throws ConfigError, which says what was found, where bytes are missing and for a
/// number that is too large for its place.
template <typename Derived>
class PackedReader {
 public:
  /// The bytes must outlive this.
  explicit PackedReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename... Objects>
  void operator()(Objects&... objects) {
    (derived().get(objects), ...);
  }
  [[nodiscard]] bool isAtEnd() const { return bytes_.empty(); }

 protected:
  std::string_view takeBytes(std::uint64_t count) {
    expectBytes(count);
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::uint64_t takeNumber() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += kPackedBits) {
      const auto byte = static_cast<unsigned char>(takeBytes(1).front());
      const std::uint64_t bits = byte % kPackedMore;
      if (bits > ~std::uint64_t{0} >> shift) break;
      number |= bits << shift;
      if (byte < kPackedMore) return number;
    }
    throw ConfigError("a number of more than 64 bits");
  }
  std::uint64_t takeNumberUpTo(std::uint64_t last) {
    const std::uint64_t number = takeNumber();
    if (number <= last) return number;
    throwTooLarge();
  }
  /// The number of items that follow, each of which takes a byte at least.
  std::size_t takeSize() {
    const std::uint64_t count = takeNumber();
    expectBytes(count);
    return count;
  }
  template <typename T>
  T take() {
    T object{};
    derived().get(object);
    return object;
  }
  template <typename Items>
  void getItems(Items& items) {
    for (std::size_t left = takeSize(); left > 0; --left) {
      items.push_back(take<typename Items::value_type>());
    }
  }

  template <typename T>
  void get(T& object) {
    if constexpr (std::is_same_v<T, bool>) {
      object = takeNumberUpTo(1) == 1;
    } else if constexpr (std::is_enum_v<T>) {
      object = static_cast<T>(takeNumberUpTo(Derived::template lastOf<T>()));
    } else if constexpr (std::is_integral_v<T>) {
      const std::uint64_t number = takeNumber();
      object = static_cast<T>(number);
      if (static_cast<std::uint64_t>(object) != number) throwTooLarge();
    } else {
      derived().getMembers(object);
    }
  }
  void get(double& number) { std::memcpy(&number, takeBytes(sizeof number).data(), sizeof number); }
  void get(std::string& text) { text = takeBytes(takeSize()); }
  template <typename Tag>
  void get(Count<Tag>& count) {
    count = Count<Tag>(takeNumber());
  }
  void get(TileId& tile) {
    const std::uint64_t ipu = takeNumberUpTo((std::uint64_t{1} << TileId::kIpuBits) - 1);
    const std::uint64_t on_ipu = takeNumberUpTo((std::uint64_t{1} << TileId::kTileBits) - 1);
    tile = TileId(static_cast<std::uint32_t>(ipu), static_cast<std::uint32_t>(on_ipu));
  }
  template <typename T>
  void get(std::vector<T>& items) {
    getItems(items);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  void expectBytes(std::uint64_t wanted) const {
    if (wanted <= bytes_.size()) return;
    throw ConfigError("fewer bytes than its lists have: " + std::to_string(bytes_.size()) + " of " +
                      std::to_string(wanted));
  }
  [[noreturn]] static void throwTooLarge() {
    throw ConfigError("a number that is too large for its place");
  }

  std::string_view bytes_;
};

}  // namespace ipusim
