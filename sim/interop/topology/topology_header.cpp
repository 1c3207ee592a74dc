// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "base/text/message.h"

namespace ipusim::interop {

namespace {

using Column = TopologyColumn;

struct ColumnName {
  std::string_view name;  ///< in small letters, without all that is no letter
  Column column;
};

/// The names of SCALE-Sim's own files, and what other files call the same.
constexpr std::array kColumnNames{
    ColumnName{"layer", Column::Layer},
    ColumnName{"layername", Column::Layer},
    ColumnName{"name", Column::Layer},
    ColumnName{"ifmapheight", Column::IfmapHeight},
    ColumnName{"ifmaph", Column::IfmapHeight},
    ColumnName{"inputheight", Column::IfmapHeight},
    ColumnName{"ifmapwidth", Column::IfmapWidth},
    ColumnName{"ifmapw", Column::IfmapWidth},
    ColumnName{"inputwidth", Column::IfmapWidth},
    ColumnName{"filterheight", Column::FilterHeight},
    ColumnName{"filterh", Column::FilterHeight},
    ColumnName{"filterwidth", Column::FilterWidth},
    ColumnName{"filterw", Column::FilterWidth},
    ColumnName{"channel", Column::Channels},
    ColumnName{"channels", Column::Channels},
    ColumnName{"numchannels", Column::Channels},
    ColumnName{"filters", Column::Filters},
    ColumnName{"numfilter", Column::Filters},
    ColumnName{"numfilters", Column::Filters},
    ColumnName{"stride", Column::Stride},
    ColumnName{"strides", Column::Stride},
    ColumnName{"strideheight", Column::Stride},
    ColumnName{"strideh", Column::Stride},
    ColumnName{"stridewidth", Column::StrideWidth},
    ColumnName{"stridew", Column::StrideWidth},
    ColumnName{"m", Column::M},
    ColumnName{"n", Column::N},
    ColumnName{"k", Column::K},
    ColumnName{"batch", Column::Batch},
    ColumnName{"batchsize", Column::Batch},
};

constexpr std::array kOfConvolutions{Column::Layer,        Column::IfmapHeight, Column::IfmapWidth,
                                     Column::FilterHeight, Column::FilterWidth, Column::Channels,
                                     Column::Filters,      Column::Stride};
constexpr std::array kOfProducts{Column::Layer, Column::M, Column::N, Column::K};

constexpr const char* kWantedColumns =
    "the columns Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num "
    "Filter, Strides, or Layer, M, N, K; beside them Stride Width and Batch Size";

std::optional<Column> columnNamed(std::string_view cell) {
  std::string name;
  for (const char c : cell) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) name += static_cast<char>(std::tolower(byte));
  }
  const auto* const found = std::find_if(kColumnNames.begin(), kColumnNames.end(),
                                         [&](const ColumnName& one) { return one.name == name; });
  if (found == kColumnNames.end()) return std::nullopt;
  return found->column;
}

/// The columns in the order of SCALE-Sim.
TopologyColumns byPlace() {
  TopologyColumns columns;
  for (const Column column : kOfConvolutions) columns.emplace(column, columns.size());
  return columns;
}

template <typename Wanted>
void expectColumns(const TopologyColumns& columns, const Wanted& wanted) {
  for (const Column column : wanted) {
    if (columns.count(column) == 0) {
      throw workloads::OperandError(kWantedColumns, fmt::format("no column {}", nameOf(column)));
    }
  }
}

/// A product has no columns of a convolution.
void expectOneForm(const TopologyColumns& columns) {
  for (const auto& [column, place] : columns) {
    const bool is_of_both = column == Column::Layer || column == Column::Batch;
    const bool is_of_products = column >= Column::M && column <= Column::K;
    if (is_of_both || is_of_products) continue;
    throw workloads::OperandError(kWantedColumns,
                                  fmt::format("{} beside {}", nameOf(column), nameOf(Column::M)));
  }
}

}  // namespace

const char* nameOf(TopologyColumn column) {
  constexpr std::array kNames{"Layer",
                              "IFMAP Height",
                              "IFMAP Width",
                              "Filter Height",
                              "Filter Width",
                              "Channels",
                              "Num Filter",
                              "Strides",
                              "Stride Width",
                              "M",
                              "N",
                              "K",
                              "Batch Size"};
  return kNames.at(static_cast<std::size_t>(column));
}

bool areProducts(const TopologyColumns& columns) {
  return columns.count(Column::M) > 0;
}

TopologyColumns topologyColumns(const std::vector<std::string_view>& header) {
  TopologyColumns columns;
  std::optional<std::size_t> stranger;
  bool is_known = false;
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::optional<Column> column = c == 0 ? Column::Layer : columnNamed(header[c]);
    is_known = is_known || (c > 0 && column);
    if (!column) {
      stranger = stranger.value_or(c);
    } else if (!columns.emplace(*column, c).second) {
      throw workloads::OperandError(kWantedColumns, fmt::format("{} twice", nameOf(*column)));
    }
  }
  if (!is_known && header.size() == kOfConvolutions.size()) return byPlace();
  if (stranger) {
    throw workloads::OperandError(
        kWantedColumns,
        fmt::format("{} in column {}", inQuotes(std::string(header[*stranger])), *stranger + 1));
  }
  if (areProducts(columns)) {
    expectColumns(columns, kOfProducts);
    expectOneForm(columns);
  } else {
    expectColumns(columns, kOfConvolutions);
  }
  return columns;
}

}  // namespace ipusim::interop
