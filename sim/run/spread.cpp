// SPDX-License-Identifier: Apache-2.0
#include "sim/run/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/config/config_reader.h"
#include "base/text/json.h"

namespace ipusim::run {

namespace {

constexpr const char* kSpreadFile = "configs/spread.toml";
constexpr const char* kSeed = "seed";  // any seed is as near as any other
constexpr const char* kMeasured = "measured";
constexpr const char* kErrorPercent = "error_percent";
constexpr const char* kGpuPrefix = "gpu ";
constexpr const char* kAnyIpu = "any run";
constexpr const char* kAnyGpu = "any program";
constexpr std::uint64_t kEnoughRows = 3;
constexpr std::uint64_t kMostRows = 1'000'000;
constexpr double kMostPercent = 1000;
constexpr double kLargestSize = 1e18;
constexpr double kNearFactor = 2;
constexpr double kGrain = 8;

/// A published row: where it was measured, and how far its prediction is off.
struct MeasuredRow {
  Sizes sizes;
  double relative = 0;
};

struct Spread {
  std::uint64_t rows = 0;
  double relative = 0;
  std::vector<MeasuredRow> measured;
};

MeasuredRow readRow(const ConfigReader& entry) {
  MeasuredRow row;
  row.relative = entry.real(kErrorPercent, 0, kMostPercent) / 100;
  for (const std::string& key : entry.keys()) {
    if (key != kErrorPercent) row.sizes[key] = entry.real(key, -kLargestSize, kLargestSize);
  }
  return row;
}

Spread readSpread(const ConfigReader& entry) {
  Spread spread{
      entry.whole("rows", 1, kMostRows), entry.real("spread_percent", 0, kMostPercent) / 100, {}};
  if (!entry.has(kMeasured)) return spread;
  const ConfigReader measured = entry.table(kMeasured);
  for (const std::string& id : measured.keys()) {
    spread.measured.push_back(readRow(measured.table(id)));
  }
  return spread;
}

std::map<std::string, Spread> readSpreads() {
  std::map<std::string, Spread> spreads;
  const ConfigReader file = ConfigReader::fromFile(spreadFile());
  for (const std::string& kind : file.keys()) spreads[kind] = readSpread(file.table(kind));
  file.expectAllRead();
  return spreads;
}

Spread spreadIn(const std::string& name) {
  static const std::map<std::string, Spread> kSpreads = readSpreads();
  const auto found = kSpreads.find(name);
  return found == kSpreads.end() ? Spread{} : found->second;
}

bool isOnGrain(double size) {
  return std::fmod(size, kGrain) == 0;
}

bool isAlike(double one, double other) {
  if (one == other) return true;
  if (one <= 0 || other <= 0) return false;
  return one <= kNearFactor * other && other <= kNearFactor * one;
}

bool isNear(double one, double other) {
  return isAlike(one, other) && isOnGrain(one) == isOnGrain(other);
}

double sizeIn(const Sizes& sizes, const std::string& key) {
  const auto found = sizes.find(key);
  return found == sizes.end() ? 1 : found->second;
}

double rootMeanSquare(const std::vector<double>& errors) {
  double squares = 0;
  for (const double error : errors) squares += error * error;
  return errors.empty() ? 0 : std::sqrt(squares / static_cast<double>(errors.size()));
}

/// True when `compare` holds for each size of the one and the same of the other. A size that one of
/// the two lacks counts as 1.
template <typename Compare>
bool holdsForAll(const Sizes& one, const Sizes& other, Compare compare) {
  const auto all = [compare](const Sizes& from, const Sizes& to) {
    return std::all_of(from.begin(), from.end(), [&](const auto& size) {
      return compare(size.second, sizeIn(to, size.first));
    });
  };
  return all(one, other) && all(other, one);
}

/// `alike` rows have sizes within the factor, and may need another padding.
std::string whyWider(std::uint64_t near, std::uint64_t alike, std::uint64_t rows) {
  if (rows == 0) return "no published run is of this kind";
  if (near == 0) {
    std::string why = fmt::format("none of the {} published runs of this kind is near", rows);
    if (alike > 0) {
      why += fmt::format(", the {} of like sizes {} padded differently", alike,
                         alike == 1 ? "is" : "are");
    }
    return why;
  }
  return fmt::format("only {} of the {} published runs of this kind {} near", near, rows,
                     near == 1 ? "is" : "are");
}

}  // namespace

Sizes sizesOf(const SortedJson& config) {
  Sizes sizes;
  if (!config.is_object() || !config.contains("workload")) return sizes;
  for (const auto& [key, value] : config.at("workload").items()) {
    if (value.is_number() && key != kSeed) sizes[key] = value.get<double>();
    if (!value.is_array()) continue;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i].is_number()) sizes[fmt::format("{}_{}", key, i)] = value[i].get<double>();
    }
  }
  return sizes;
}

bool areNear(const Sizes& one, const Sizes& other) {
  return holdsForAll(one, other, isNear);
}

std::filesystem::path spreadFile() {
  return findConfigFile(kSpreadFile, {});
}

Uncertainty spreadOf(const std::string& kind) {
  const Spread own = spreadIn(kind);
  Uncertainty uncertainty;
  uncertainty.kind = kind;
  uncertainty.rows = own.rows;
  uncertainty.spread = own.relative;
  if (own.rows >= kEnoughRows) return uncertainty;
  const Spread all = spreadIn(kind.rfind(kGpuPrefix, 0) == 0 ? kAnyGpu : kAnyIpu);
  uncertainty.spread = std::max(own.relative, all.relative);
  return uncertainty;
}

Uncertainty spreadOf(const std::string& kind, const Sizes& sizes) {
  const Spread own = spreadIn(kind);
  std::vector<double> errors;
  std::uint64_t alike = 0;
  for (const MeasuredRow& row : own.measured) {
    if (holdsForAll(row.sizes, sizes, isAlike)) ++alike;
    if (areNear(row.sizes, sizes)) errors.push_back(row.relative);
  }
  Uncertainty uncertainty = spreadOf(kind);
  uncertainty.near_rows = errors.size();
  const double near = rootMeanSquare(errors);
  uncertainty.spread = std::max(near, uncertainty.spread);
  if (errors.size() >= kEnoughRows) return uncertainty;
  uncertainty.spread = std::max(uncertainty.spread, spreadIn(kAnyIpu).relative);
  uncertainty.wider_because = whyWider(errors.size(), alike, own.rows);
  return uncertainty;
}

}  // namespace ipusim::run
