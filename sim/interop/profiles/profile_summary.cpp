// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/profile_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text/json.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/interop/profiles/vendor_words.h"

namespace ipusim::interop {

namespace {

constexpr std::string_view kBlanks = " \t\r";

/// A line of the text as `label: value`; a line without a colon has no value.
struct Line {
  std::size_t number;
  std::string label;
  std::string value;
};

/// A member of the result, and the label of the line whose number it is.
struct Member {
  const char* section;
  const char* key;
  std::string_view label;
};

constexpr std::array<Member, 18> kMembers = {{
    {"machine", "tiles", "Total Tiles"},
    {"machine", "sram_per_tile_bytes", "Memory Per-Tile"},
    {"machine", "total_sram_bytes", "Total Memory"},
    {"machine", "clock_hz", "Clock Speed (approx)"},
    {"graph", "vertices", "Number of vertices"},
    {"graph", "edges", "Number of edges"},
    {"graph", "variables", "Number of variables"},
    {"graph", "compute_sets", "Number of compute sets"},
    {"memory", "total_including_gaps_bytes", "Including Gaps"},
    {"memory", "total_bytes", "Non-interleaved"},
    {"memory", "total_bytes", "Interleaved"},
    {"memory", "total_bytes", "Overflowed"},
    {"memory", "max_tile_bytes", "Maximum (Excluding Gaps)"},
    {"time", "cycles", "Total cycles"},
    {"time", "compute_cycles", "Tile average compute cycles (including idle threads)"},
    {"time", "exchange_cycles", "Tile average IPU exchange cycles"},
    {"time", "host_cycles", "Tile average host exchange cycles"},
    {"time", "sync_cycles", "Tile average sync cycles"},
}};

/// Units after a number. The vendor's kilobyte is 1024 bytes: 624.0 kB are the 638976 B of a tile.
double scaleOf(std::string_view unit) {
  constexpr double kKibi = 1024;
  constexpr double kMega = 1e6;
  if (unit.substr(0, 2) == "kB") return kKibi;
  if (unit.substr(0, 2) == "MB") return kKibi * kKibi;
  if (unit.substr(0, 2) == "GB") return kKibi * kKibi * kKibi;
  if (unit.substr(0, 3) == "MHz") return kMega;
  return 1;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

class SummaryReader {
 public:
  SummaryReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Recording read() {
    while (const std::optional<Line> line = next()) take(*line);
    if (!known_) {
      throw ConfigError(file_ +
                        ":1: wanted a profile in JSON or the text of printProfileSummary, found " +
                        inQuotes(text_.substr(0, text_.find('\n'))));
    }
    const Json& machine = recording_.figures["machine"];
    if (machine.contains("sram_per_tile_bytes")) {
      recording_.figures["memory"]["capacity_tile_bytes"] = machine.at("sram_per_tile_bytes");
    }
    return std::move(recording_);
  }

 private:
  std::optional<Line> next() {
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = trimmed(text_.substr(at_, end - at_));
    at_ = end + 1;
    ++line_;
    // A name of a vertex type has colons itself.
    const std::size_t colon = line.rfind(": ");
    if (colon == std::string_view::npos) return Line{line_, std::string(line), ""};
    return Line{line_, std::string(line.substr(0, colon)),
                std::string(trimmed(line.substr(colon + 1)))};
  }

  void take(const Line& line) {
    if (!line.value.empty()) {
      const bool taken = in_vertex_types_ || takeMember(line) || takeCategory(line);
      if (!taken) nameNotHeld(line.label);
    } else if (!line.label.empty() && line.label.back() == ':') {
      beginSection(line.label.substr(0, line.label.size() - 1));
    } else {
      takeFit(line);
    }
  }

  void nameNotHeld(const std::string& label) {
    std::vector<std::string>& names = recording_.not_held;
    const std::string name = oneLine(label);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  void beginSection(const std::string& heading) {
    constexpr std::string_view kData = "Vertex Data";
    in_vertex_types_ = heading == "Cycles by vertex type" || heading == "By Type";
    in_vertex_data_ = heading.compare(0, kData.size(), kData) == 0 ||
                      (in_vertex_data_ && heading == "By Category");
    if (in_vertex_types_ || in_vertex_data_) nameNotHeld(heading);
  }

  bool takeMember(const Line& line) {
    const auto* const member =
        std::find_if(kMembers.begin(), kMembers.end(),
                     [&](const Member& known) { return known.label == line.label; });
    if (member == kMembers.end()) return false;
    known_ = true;
    const double value = numberOf(line);
    Json& section = recording_.figures[member->section];
    if (std::string_view(member->key) == "clock_hz") {
      section["clock_hz"] = value;
      return true;
    }
    const std::uint64_t had = section.value(member->key, std::uint64_t{0});
    const bool adds = std::string_view(member->key) == "total_bytes";
    section[member->key] = (adds ? had : 0) + static_cast<std::uint64_t>(value);
    if (std::string_view(member->key) == "max_tile_bytes") section["max_tile"] = tileOf(line);
    return true;
  }

  bool takeCategory(const Line& line) {
    if (in_vertex_data_) return true;
    const std::optional<MemoryCategory> category = categoryInSummary(line.label);
    if (!category) return false;
    recording_.add(*category, Bytes(static_cast<std::uint64_t>(numberOf(line))), {});
    return true;
  }

  /// Reads "0 tile(s) out of memory".
  void takeFit(const Line& line) {
    if (line.label.find(" tile(s) out of memory") == std::string::npos) return;
    recording_.figures["fits"] = line.label.compare(0, 2, "0 ") == 0;
  }

  [[nodiscard]] double numberOf(const Line& line) const {
    std::string digits;
    std::size_t end = 0;
    for (; end < line.value.size(); ++end) {
      const char c = line.value[end];
      if (c == ',') continue;
      if (c != '.' && (c < '0' || c > '9')) break;
      digits += c;
    }
    double value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    constexpr double kMost = 9007199254740992.0;  // 2^53: whole numbers up to here are exact
    value *= scaleOf(trimmed(std::string_view(line.value).substr(end)));
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || value > kMost) {
      fail(line, "a number");
    }
    return value;
  }

  [[nodiscard]] std::uint64_t tileOf(const Line& line) const {
    constexpr std::string_view kOn = "on tile ";
    const std::size_t begin = line.value.find(kOn);
    std::uint64_t tile = 0;
    if (begin != std::string::npos) {
      const char* const from = line.value.data() + begin + kOn.size();
      const auto parsed = std::from_chars(from, line.value.data() + line.value.size(), tile);
      if (parsed.ec == std::errc()) return tile;
    }
    fail(line, "a number of bytes \"on tile\" and its number");
  }

  [[noreturn]] void fail(const Line& line, const std::string& wanted) const {
    throw ConfigError(fmt::format("{}:{}: {}: wanted {}, found {}", file_, line.number,
                                  oneLine(line.label), wanted, inQuotes(line.value)));
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  bool known_ = false;
  bool in_vertex_types_ = false;
  bool in_vertex_data_ = false;
  Recording recording_;
};

}  // namespace

Recording readProfileSummary(std::string_view text, const std::string& file) {
  return SummaryReader(text, file).read();
}

}  // namespace ipusim::interop
