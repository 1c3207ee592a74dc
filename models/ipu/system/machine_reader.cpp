// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/powers_of_two.h"
#include "base/preset_folder.h"
#include "base/preset_reader.h"
#include "models/ipu/system/machine.h"
#include "models/ipu/system/machine_fields.h"

namespace ipusim::models {
namespace {

namespace fs = std::filesystem;

constexpr double kMinClock = 1.0;
constexpr double kMaxClock = 1e12;
constexpr double kLargestError = 1e16;
constexpr std::size_t kLongestName = 64;
constexpr const char* kSourcedNumber = "{value = NUMBER, source = \"TEXT\"}";

/// How a table writes its numbers.
enum class Form : std::uint8_t {
  Sourced,  ///< `{value = 4, source = "data sheet"}`, in a preset
  Plain,    ///< `4`, in a config or an override
};

/// The files that led here by `base`.
using Chain = std::vector<fs::path>;

const PresetFolder& presets() {
  static const PresetFolder kFolder("configs/machines");
  return kFolder;
}

/// A number's table and its key there.
struct NumberPlace {
  ConfigReader table;
  std::string key;
};

NumberPlace numberAt(const ConfigReader& config, const std::string& key, Form form) {
  if (form == Form::Plain) return {config, key};
  if (!config.isTable(key)) throw config.error(key, kSourcedNumber);
  ConfigReader entry = config.table(key);
  if (entry.text("source").find_first_not_of(' ') == std::string::npos) {
    throw entry.error("source", "a text that says where the number is from");
  }
  return {std::move(entry), "value"};
}

/// Keeps what a calibration says of a number; whatever was known of another value no longer holds.
void readError(const NumberPlace& number, const char* key, double value, Machine& machine) {
  std::vector<FittedConstant>& fitted = machine.fitted;
  fitted.erase(std::remove_if(fitted.begin(), fitted.end(),
                              [key](const FittedConstant& one) { return one.key == key; }),
               fitted.end());
  if (number.key != "value" || !number.table.has("standard_error")) return;
  for (const char* told : {"unit", "kind"}) static_cast<void>(number.table.text(told, ""));
  fitted.push_back({key, value, number.table.real("standard_error", 0, kLargestError)});
}

void readNumbers(const ConfigReader& config, Form form, Machine& machine) {
  const std::optional<PresetReader> preset =
      form == Form::Sourced ? std::make_optional<PresetReader>(config) : std::nullopt;
  for (const MachineField& field : machineFields()) {
    const ConfigReader& holder = preset ? preset->holderOf(field.key) : config;
    if (!holder.has(field.key)) continue;
    const NumberPlace number = numberAt(holder, field.key, form);
    const std::uint64_t value = number.table.whole(number.key, field.low, field.high);
    field.set(machine, value);
    readError(number, field.key, static_cast<double>(value), machine);
  }
  if (preset) preset->expectIncludedRead();
  if (config.has("clock_hz")) {
    const NumberPlace number = numberAt(config, "clock_hz", form);
    machine.clock_hz = number.table.real(number.key, kMinClock, kMaxClock);
  }
}

void readTexts(const ConfigReader& config, Machine& machine) {
  if (config.has("exchange")) {
    const bool bound = config.choice("exchange", {"scheduled", "bound"}) == "bound";
    machine.exchange = bound ? ExchangeMode::Bound : ExchangeMode::Scheduled;
  }
  if (config.has("name")) {
    machine.name = config.text("name");
    if (machine.name.empty() || machine.name.size() > kLongestName) {
      throw config.error("name", fmt::format("a text of 1 to {} bytes", kLongestName));
    }
  }
}

/// A machine that starts from nothing needs every key.
void expectComplete(const ConfigReader& config) {
  const PresetReader preset(config);
  std::vector<std::string> missing;
  for (const MachineField& field : machineFields()) {
    if (!preset.has(field.key)) missing.emplace_back(field.key);
  }
  if (!config.has("clock_hz")) missing.emplace_back("clock_hz");
  if (!missing.empty()) throw config.error(missing.front(), kSourcedNumber);
  if (!config.has("exchange")) throw config.error("exchange", "scheduled or bound");
}

/// Rules between two keys are told at the one that this table gives.
void checkRegions(const ConfigReader& config, Form form, const Machine& machine) {
  if (machine.code_region <= machine.sram_per_tile) return;
  const bool at_region = config.has("code_region_bytes");
  const std::string key = at_region ? "code_region_bytes" : "sram_per_tile_bytes";
  const NumberPlace number = numberAt(config, key, form);
  const std::string wanted =
      at_region ? fmt::format("at most sram_per_tile_bytes, {}", machine.sram_per_tile.value())
                : fmt::format("at least code_region_bytes, {}, or that one lowered beside it",
                              machine.code_region.value());
  throw number.table.error(number.key, wanted);
}

void checkPowersOfTwo(const ConfigReader& config, Form form, const Machine& machine) {
  const auto expect = [&](const char* key, Bytes bytes) {
    if (isPowerOfTwo(bytes.value())) return;
    const NumberPlace number = numberAt(config, key, form);
    throw number.table.error(number.key, "a power of two");
  };
  expect("data_path_bytes", machine.data_path);
  expect("atomic_store_bytes", machine.atomic_store);
}

/// What `config` says on top of `machine`.
Machine readLayer(const ConfigReader& config, Form form, Machine machine) {
  readNumbers(config, form, machine);
  readTexts(config, machine);
  config.expectAllRead();
  checkRegions(config, form, machine);
  checkPowersOfTwo(config, form, machine);
  return machine;
}

Machine readPresetAfter(const ConfigReader& preset, Chain chain);

/// The machine that `base` names. The files of `chain` wait for it, so it must be none of them.
Machine readBase(const ConfigReader& config, Chain chain) {
  const ConfigReader base = presets().readAt(config, "base");
  const fs::path file = fs::weakly_canonical(base.file());
  if (std::find(chain.begin(), chain.end(), file) != chain.end()) {
    throw config.error("base", "a preset that does not lead back to this one");
  }
  chain.push_back(file);
  return readPresetAfter(base, std::move(chain));
}

Machine readPresetAfter(const ConfigReader& preset, Chain chain) {
  Machine machine{};
  if (preset.has("base")) {
    machine = readBase(preset, std::move(chain));
  } else {
    expectComplete(preset);
  }
  machine.name = preset.file().stem().string();
  return readLayer(preset, Form::Sourced, std::move(machine));
}

}  // namespace

Machine readMachine(const ConfigReader& config, std::string_view key) {
  if (!config.isTable(key)) return readPreset(presets().readAt(config, key));
  const ConfigReader table = config.table(key);
  return readLayer(table, Form::Plain, readBase(table, {}));
}

Machine readPreset(const std::string& name_or_path) {
  return readPreset(presets().read(name_or_path, "machine"));
}

Machine readPreset(const ConfigReader& preset) {
  Chain chain;
  if (!preset.file().empty()) chain.push_back(fs::weakly_canonical(preset.file()));
  return readPresetAfter(preset, std::move(chain));
}

std::vector<std::string> presetNames() {
  return presets().names();
}

}  // namespace ipusim::models
