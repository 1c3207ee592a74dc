// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/error_boundary.h"
#include "base/numbers/whole_number.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/interop/topology/topology_header.h"

namespace ipusim::interop {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::uint64_t kMostSize = 1U << 20U;
constexpr std::size_t kMostLayers = 10'000;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The cells of a line, without empty ones at its end.
std::vector<std::string_view> cellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

class TopologyParser {
  using Column = TopologyColumn;

 public:
  TopologyParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {
    if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      rest_.remove_prefix(kByteOrderMark.size());
    }
  }

  std::vector<TopologyLayer> run() {
    readHeader();
    std::vector<TopologyLayer> layers;
    while (nextLine()) {
      if (layers.size() == kMostLayers) {
        throw error(fmt::format("at most {} layers", kMostLayers), "more");
      }
      layers.push_back(readLayer());
    }
    if (layers.empty()) throw error("a layer below the header", "the end of the file");
    return layers;
  }

 private:
  /// Goes to the next line that is not blank. False at the end of the file.
  bool nextLine() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      cells_ = cellsOf(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (!cells_.empty()) return true;
    }
    return false;
  }

  void readHeader() {
    const std::string wanted = "a header with the names of the columns";
    if (!nextLine()) throw error(wanted, "an empty file");
    const bool has_number = std::any_of(cells_.begin(), cells_.end(), [](std::string_view cell) {
      return wholeNumberIn(cell).has_value();
    });
    if (has_number) throw error(wanted, "numbers");
    width_ = cells_.size();
    columns_ = translateErrors<workloads::OperandError>(
        [&] { return topologyColumns(cells_); },
        [&](const workloads::OperandError& fault) {
          return ConfigError(fmt::format("{}:{}: {}", name_, line_, fault.what()));
        });
  }

  TopologyLayer readLayer() {
    if (cells_.size() != width_) {
      throw error(fmt::format("{} columns, as in the header", width_),
                  fmt::format("{}", cells_.size()));
    }
    TopologyLayer layer{layerName(), line_, {}, 1};
    if (columns_.count(Column::Batch) > 0) layer.batch = number(Column::Batch);
    if (areProducts(columns_)) {
      layer.shape = TopologyProduct{number(Column::M), number(Column::N), number(Column::K)};
    } else {
      layer.shape = readConvolution();
    }
    return layer;
  }

  TopologyConvolution readConvolution() const {
    const bool has_width = columns_.count(Column::StrideWidth) > 0;
    const TopologyConvolution conv{number(Column::IfmapHeight),
                                   number(Column::IfmapWidth),
                                   number(Column::FilterHeight),
                                   number(Column::FilterWidth),
                                   number(Column::Channels),
                                   number(Column::Filters),
                                   number(Column::Stride),
                                   number(has_width ? Column::StrideWidth : Column::Stride),
                                   cells_.front().find("DP") != std::string_view::npos};
    expectInside(Column::FilterHeight, conv.filter_height, conv.ifmap_height);
    expectInside(Column::FilterWidth, conv.filter_width, conv.ifmap_width);
    return conv;
  }

  void expectInside(Column column, std::uint64_t filter, std::uint64_t ifmap) const {
    if (filter <= ifmap) return;
    throw columnError(column, fmt::format("a filter of at most {}, as the map", ifmap),
                      fmt::format("{}", filter));
  }

  [[nodiscard]] std::uint64_t number(Column column) const {
    const std::string_view cell = cells_[columns_.at(column)];
    const std::optional<std::uint64_t> value = wholeNumberIn(cell);
    if (!value || *value < 1 || *value > kMostSize) {
      throw columnError(column, fmt::format("a whole number from 1 to {}", kMostSize),
                        inQuotes(std::string(cell)));
    }
    return *value;
  }

  /// The name of a layer. A name that comes again gets a number.
  std::string layerName() {
    std::string name = oneLine(std::string(cells_.front()));
    std::replace(name.begin(), name.end(), '/', '.');  // a '/' ends the name of a layer
    if (name.empty()) throw columnError(Column::Layer, "the name of a layer", "nothing");
    std::string unique = name;
    for (std::size_t& uses = uses_[name]; !names_.insert(unique).second;) {
      unique = fmt::format("{}:{}", name, ++uses + 1);
    }
    return unique;
  }

  [[nodiscard]] ConfigError error(const std::string& wanted, const std::string& found) const {
    return ConfigError(fmt::format("{}:{}: wanted {}, found {}", name_,
                                   std::max<std::size_t>(line_, 1), wanted, found));
  }
  [[nodiscard]] ConfigError columnError(Column column, const std::string& wanted,
                                        const std::string& found) const {
    return ConfigError(fmt::format("{}:{}: column {} ({}): wanted {}, found {}", name_, line_,
                                   columns_.at(column) + 1, nameOf(column), wanted, found));
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 0;
  std::size_t width_ = 0;  // of the header
  TopologyColumns columns_;
  std::vector<std::string_view> cells_;
  std::map<std::string, std::size_t> uses_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<TopologyLayer> parseTopology(std::string_view text, const std::string& name) {
  return TopologyParser(text, name).run();
}

}  // namespace ipusim::interop
