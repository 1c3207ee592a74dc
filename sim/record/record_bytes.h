// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/packed_number.h"
#include "ipusim/error.h"
#include "sim/record/record_members.h"

// The bytes of a record: whole numbers are packed, and a list has its length in front. A number
// with a fraction has the 8 bytes of IEEE 754, the lowest first.

namespace ipusim::record {

static_assert(std::numeric_limits<double>::is_iec559);

class RecordWriter {
 public:
  template <typename... Objects>
  void operator()(const Objects&... objects) {
    (put(objects), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void put(const T& object) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      appendPacked(bytes_, static_cast<std::uint64_t>(object));
    } else {
      Members<T>::of(*this, object);
    }
  }
  void put(double number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <typename Tag>
  void put(const Count<Tag>& count) {
    put(count.value());
  }
  void put(const TileId& tile) { (*this)(tile.ipu(), tile.tile()); }
  template <typename T>
  void put(const SharedList<T>& items) {
    put(items.items());
  }
  template <typename T>
  void put(const std::vector<T>& items) {
    put(items.size());
    for (const T& item : items) put(item);
  }

  std::string bytes_;
};

/// Throws ConfigError, which says what was found, where bytes are missing and for a number that is
/// too large for its place.
class RecordReader {
 public:
  /// The bytes must outlive this.
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename... Objects>
  void operator()(Objects&... objects) {
    (get(objects), ...);
  }
  [[nodiscard]] bool isAtEnd() const { return bytes_.empty(); }

 private:
  std::string_view takeBytes(std::uint64_t count) {
    if (count > bytes_.size()) throw ConfigError("fewer bytes than its lists have");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::uint64_t takeNumber(std::uint64_t last = ~std::uint64_t{0}) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += kPackedBits) {
      const auto byte = static_cast<unsigned char>(takeBytes(1).front());
      number |= byte % kPackedMore << shift;
      if (byte >= kPackedMore) continue;
      if (number <= last) return number;
      break;
    }
    throw ConfigError("a number that is too large for its place");
  }
  /// The number of items that follow, each of which takes a byte at least.
  std::size_t takeSize() {
    const std::uint64_t count = takeNumber();
    if (count > bytes_.size()) throw ConfigError("fewer bytes than its lists have");
    return count;
  }

  template <typename T>
  void get(T& object) {
    if constexpr (std::is_same_v<T, bool>) {
      object = takeNumber(1) == 1;
    } else if constexpr (std::is_enum_v<T>) {
      object = static_cast<T>(takeNumber(static_cast<std::uint64_t>(lastOf(T{}))));
    } else if constexpr (std::is_integral_v<T>) {
      static_assert(std::is_unsigned_v<T>);
      object = static_cast<T>(takeNumber(std::numeric_limits<T>::max()));
    } else {
      Members<T>::of(*this, object);
    }
  }
  void get(double& number) { std::memcpy(&number, takeBytes(sizeof number).data(), sizeof number); }
  void get(std::string& text) { text = takeBytes(takeSize()); }
  template <typename Tag>
  void get(Count<Tag>& count) {
    count = Count<Tag>(takeNumber());
  }
  void get(TileId& tile) {
    const std::uint64_t ipu = takeNumber((std::uint64_t{1} << TileId::kIpuBits) - 1);
    const std::uint64_t on_ipu = takeNumber((std::uint64_t{1} << TileId::kTileBits) - 1);
    tile = TileId(static_cast<std::uint32_t>(ipu), static_cast<std::uint32_t>(on_ipu));
  }
  template <typename T>
  void get(SharedList<T>& items) {
    std::vector<T> own;
    get(own);
    items = std::move(own);
  }
  template <typename T>
  void get(std::vector<T>& items) {
    for (std::size_t left = takeSize(); left > 0; --left) {
      T item{};
      get(item);
      items.push_back(std::move(item));
    }
  }

  std::string_view bytes_;
};

}  // namespace ipusim::record
