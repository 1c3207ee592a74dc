// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ipusim::workloads {

/// Tiles in an order, as text such as "0-1471", "0-1470/2" or "100-1471,0-99".
class TileList {
 public:
  /// None when the text is no such list. Tiles are below `limit`.
  static std::optional<TileList> parse(std::string_view text, std::uint64_t limit);

  /// Adds a tile to the end.
  void add(std::uint32_t tile);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::string text() const;

  /// Calls `visit` with each tile, in order.
  template <typename Visit>
  void forEach(const Visit& visit) const {
    for (const Range& range : ranges_) {
      for (std::uint64_t t = 0; t < range.count; ++t) {
        visit(static_cast<std::uint32_t>(range.first + t * range.step));
      }
    }
  }

 private:
  struct Range {
    std::uint64_t first;
    std::uint64_t count;
    std::uint64_t step;

    [[nodiscard]] std::uint64_t next() const { return first + count * step; }
  };
  static std::optional<Range> parseRange(std::string_view text, std::uint64_t limit);

  std::vector<Range> ranges_;
  std::uint64_t size_ = 0;
};

}  // namespace ipusim::workloads
