// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/sweep_identity.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "models/ipu/energy/constants.h"
#include "sim/run/uncertainty.h"

namespace ipusim::sweep {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 4> kPlaces = {"{}", "configs/machines/{}.toml",
                                                "configs/systems/{}.toml", "configs/gpus/{}.toml"};

/// FNV-1a. Source: http://www.isthe.com/chongo/tech/comp/fnv/ (offset basis and prime for 64 bits).
class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    }
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// The file that a text names. None for a text that names no file, as most texts of a config.
std::optional<fs::path> fileNamed(const std::string& name, const fs::path& beside) {
  const auto file = resultOrNone<ConfigError>([&] { return findConfigFile(name, beside); });
  std::error_code unreachable;
  return file && fs::is_regular_file(*file, unreachable) ? file : std::nullopt;
}

/// The files that the texts of a config name, and the files that the texts of those files name.
class NamedFiles {
 public:
  void addFilesOf(const SortedJson& config, const fs::path& beside) {
    if (config.is_string()) addText(config.get<std::string>(), beside);
    if (!config.is_structured()) return;
    for (const SortedJson& value : config) addFilesOf(value, beside);
  }

  [[nodiscard]] const std::map<std::string, std::string>& hashes() const { return hashes_; }

 private:
  void addText(const std::string& text, const fs::path& beside) {
    for (const char* place : kPlaces) {
      const std::string name = fmt::format(fmt::runtime(place), text);
      const std::optional<fs::path> file = fileNamed(name, beside);
      if (!file || !hashes_.emplace(name, hashOfFile(*file)).second) continue;
      if (file->extension() == ".toml") addFilesOf(readOrNothing(*file).json(), *file);
    }
  }

  /// A file that is not TOML names no other files. The points that use it report what is wrong.
  static ConfigValues readOrNothing(const fs::path& file) {
    return resultOrNone<ConfigError>([&] { return ConfigReader::fromFile(file).values(); })
        .value_or(ConfigValues());
  }

  std::map<std::string, std::string> hashes_;
};

Json dimensionsOf(const Sweep& sweep) {
  Json dimensions = Json::array();
  for (const Dimension& dimension : sweep.dimensions) {
    Json axes = Json::object();
    for (const Axis& axis : dimension.axes) {
      for (const AxisValue& value : axis.values) axes[axis.key].push_back(Json::parse(value.toml));
    }
    dimensions.push_back(std::move(axes));
  }
  return dimensions;
}

Json hashesOf(const Sweep& sweep) {
  NamedFiles files;
  files.addFilesOf(dimensionsOf(sweep), sweep.run->file());
  files.addFilesOf(sweep.run->values().json(), sweep.run->file());
  Json costs = Json::array();
  for (const fs::path& file : energy::constantFiles()) costs.push_back(hashOfFile(file));
  return {{"files", files.hashes()},
          {"spread", hashOfFile(run::spreadFile())},
          {"costs", std::move(costs)}};
}

ConfigError noAxes() {
  return ConfigError("wanted the axes of a sweep in its store, found something else");
}

Dimension dimensionOf(const Json& axes) {
  if (!axes.is_object() || axes.empty()) throw noAxes();
  Dimension dimension;
  for (const auto& [key, values] : axes.items()) {
    Axis axis;
    axis.key = key;
    axis.values.reserve(values.size());
    for (const Json& value : values) axis.values.push_back(axisValue(value.dump()));
    dimension.axes.push_back(std::move(axis));
  }
  for (const Axis& axis : dimension.axes) {
    if (axis.values.empty() || axis.values.size() != dimension.count()) throw noAxes();
  }
  return dimension;
}

}  // namespace

SweepIdentity identify(const Sweep& sweep, Engine engine, std::string program) {
  Json config = {{"engine", nameOf(engine)},
                 {"axes", dimensionsOf(sweep)},
                 {"where", sweep.where ? sweep.where->text() : ""},
                 {"run", sweep.run->values().json()}};
  config.update(hashesOf(sweep));
  return {std::move(program), config.dump()};
}

std::string fileHashes(const Sweep& sweep) {
  return hashesOf(sweep).dump();
}

Sweep sweepOf(const SweepIdentity& identity) {
  Sweep sweep;
  const Json config = Json::parse(identity.config, nullptr, false);
  const Json dimensions = config.is_object() ? config.value("axes", Json()) : Json();
  std::uint64_t numbers = 1;
  for (const Json& axes : dimensions) {
    sweep.dimensions.push_back(dimensionOf(axes));
    if (__builtin_mul_overflow(numbers, sweep.dimensions.back().count(), &numbers)) throw noAxes();
  }
  return sweep;
}

std::string hashOf(const std::string& text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

/// The largest file that a sweep may depend on: room for a matrix with all its entries.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 32U;

std::string hashOfFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Hash hash;
  std::array<char, 65536> part{};
  std::uint64_t bytes = 0;
  do {
    file.read(part.data(), part.size());
    hash.add({part.data(), static_cast<std::size_t>(file.gcount())});
    bytes += static_cast<std::uint64_t>(file.gcount());
    if (bytes > kLargestFile) {
      throw ConfigError(
          fmt::format("{}: wanted a file of at most 4 GiB, found a larger one", path.string()));
    }
  } while (file);
  if (!file.eof()) {
    throw ConfigError(fmt::format("{}: wanted a readable file, found one that cannot be read",
                                  oneLine(path.string(), kPathLength)));
  }
  return hash.text();
}

}  // namespace ipusim::sweep
