// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/tile_list.h"

#include <fmt/format.h>

#include <charconv>

namespace ipusim::workloads {

namespace {

/// Takes a number off the front of `text`. None when there is none.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

bool take(char letter, std::string_view& text) {
  if (text.empty() || text.front() != letter) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<TileList::Range> TileList::parseRange(std::string_view text, std::uint64_t limit) {
  const auto first = takeNumber(text);
  if (!first || *first >= limit) return std::nullopt;
  if (text.empty()) return Range{*first, 1, 1};
  if (!take('-', text)) return std::nullopt;
  const auto last = takeNumber(text);
  if (!last || *last < *first || *last >= limit) return std::nullopt;
  std::optional<std::uint64_t> step = 1;
  if (take('/', text)) step = takeNumber(text);
  if (!text.empty() || !step || *step == 0) return std::nullopt;
  if ((*last - *first) % *step != 0) return std::nullopt;
  return Range{*first, (*last - *first) / *step + 1, *step};
}

std::optional<TileList> TileList::parse(std::string_view text, std::uint64_t limit) {
  TileList list;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto range = parseRange(text.substr(0, comma), limit);
    if (!range) return std::nullopt;
    list.ranges_.push_back(*range);
    list.size_ += range->count;
    if (comma == std::string_view::npos) return list;
    text.remove_prefix(comma + 1);
  }
}

void TileList::add(std::uint32_t tile) {
  ++size_;
  if (!ranges_.empty()) {
    Range& last = ranges_.back();
    if (last.count == 1 && tile > last.first) {
      last = {last.first, 2, tile - last.first};
      return;
    }
    if (last.count > 1 && tile == last.next()) {
      ++last.count;
      return;
    }
  }
  ranges_.push_back({tile, 1, 1});
}

std::string TileList::text() const {
  std::string text;
  for (const Range& range : ranges_) {
    if (!text.empty()) text += ',';
    text += std::to_string(range.first);
    if (range.count == 1) continue;
    const std::uint64_t last = range.first + (range.count - 1) * range.step;
    text += range.step == 1 ? fmt::format("-{}", last) : fmt::format("-{}/{}", last, range.step);
  }
  return text;
}

}  // namespace ipusim::workloads
