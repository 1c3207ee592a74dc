// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/machine_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/config/preset_chain.h"
#include "base/numbers/powers_of_two.h"
#include "models/ipu/machine/machine_fields.h"
#include "models/ipu/machine/machine_presets.h"

namespace ipusim {
namespace {

constexpr double kMinClock = 1.0;
constexpr double kMaxClock = 1e12;
constexpr double kLargestError = 1e16;

const PresetFolder& machinePresets() {
  static const PresetFolder kFolder("configs/machines");
  return kFolder;
}

/// Stores what a calibration says about a number. What was known about an earlier value no longer
/// holds.
void readError(const ConfigPlace& number, const char* key, double value, Machine& machine) {
  std::vector<FittedConstant>& fitted = machine.fitted;
  fitted.erase(std::remove_if(fitted.begin(), fitted.end(),
                              [key](const FittedConstant& one) { return one.key == key; }),
               fitted.end());
  if (number.key != "value" || !number.table.has("standard_error")) return;
  for (const char* told : {"unit", "kind"}) static_cast<void>(number.table.text(told, ""));
  fitted.push_back({key, value, number.table.real("standard_error", 0, kLargestError)});
}

void readNumbers(const PresetLayer& layer, Machine& machine) {
  for (const MachineField& field : machineFields()) {
    if (!layer.has(field.key)) continue;
    const ConfigPlace number = layer.numberAt(field.key, kSourcedNumber);
    const std::uint64_t value = number.table.whole(number.key, field.low, field.high);
    field.set(machine, value);
    readError(number, field.key, static_cast<double>(value), machine);
  }
  if (layer.has("clock_hz")) {
    const ConfigPlace number = layer.numberAt("clock_hz", kSourcedNumber);
    machine.clock_hz = number.table.real(number.key, kMinClock, kMaxClock);
  }
}

Silicon readSilicon(const ConfigReader& config) {
  const std::string name = config.choice("silicon", {"unknown", "gc200", "bow", "gc2"});
  if (name == "gc200") return Silicon::Gc200;
  if (name == "bow") return Silicon::Bow;
  return name == "gc2" ? Silicon::Gc2 : Silicon::Unknown;
}

void readTexts(const ConfigReader& config, Machine& machine) {
  if (config.has("silicon")) machine.silicon = readSilicon(config);
  if (config.has("exchange")) {
    const bool bound = config.choice("exchange", {"scheduled", "bound"}) == "bound";
    machine.exchange = bound ? ExchangeMode::Bound : ExchangeMode::Scheduled;
  }
}

/// Throws unless the layer, which has no base, has every key.
void expectCompleteMachine(const PresetLayer& layer) {
  std::vector<std::string> missing;
  for (const MachineField& field : machineFields()) {
    if (!layer.has(field.key)) missing.emplace_back(field.key);
  }
  if (!layer.has("clock_hz")) missing.emplace_back("clock_hz");
  const ConfigReader& config = layer.config();
  if (!missing.empty()) throw config.error(missing.front(), kSourcedNumber);
  if (!config.has("exchange")) throw config.error("exchange", "scheduled or bound");
}

/// A rule between two keys is reported at the key that this layer gives.
void checkRegions(const PresetLayer& layer, const Machine& machine) {
  if (machine.code_region <= machine.sram_per_tile) return;
  const bool at_region = layer.has("code_region_bytes");
  const std::string key = at_region ? "code_region_bytes" : "sram_per_tile_bytes";
  const ConfigPlace number = layer.numberAt(key, kSourcedNumber);
  const std::string wanted =
      at_region ? fmt::format("at most sram_per_tile_bytes, {}", machine.sram_per_tile.value())
                : fmt::format("at least code_region_bytes, {}, or that one lowered beside it",
                              machine.code_region.value());
  throw number.table.error(number.key, wanted);
}

void checkPowersOfTwo(const PresetLayer& layer, const Machine& machine) {
  const auto expect = [&](const char* key, Bytes bytes) {
    if (isPowerOfTwo(bytes.value())) return;
    const ConfigPlace number = layer.numberAt(key, kSourcedNumber);
    throw number.table.error(number.key, "a power of two");
  };
  expect("data_path_bytes", machine.data_path);
  expect("atomic_store_bytes", machine.atomic_store);
}

/// Applies the layer to `machine`.
void readLayer(const PresetLayer& layer, Machine& machine) {
  if (const auto name = layer.name()) machine.name = *name;
  readNumbers(layer, machine);
  readTexts(layer.config(), machine);
  layer.expectAllRead();
  checkRegions(layer, machine);
  checkPowersOfTwo(layer, machine);
}

Machine machineOf(const PresetChain& chain) {
  expectCompleteMachine(chain.layers().front());
  Machine machine{};
  for (const PresetLayer& layer : chain.layers()) readLayer(layer, machine);
  return machine;
}

}  // namespace

PresetChain machineChain(const ConfigReader& config, std::string_view key) {
  return {machinePresets(), config, key};
}

Machine readMachine(const ConfigReader& config, std::string_view key) {
  return machineOf(machineChain(config, key));
}

Machine readPreset(const std::string& name_or_path) {
  return readPreset(machinePresets().read(name_or_path, "machine"));
}

Machine readPreset(const ConfigReader& preset) {
  return machineOf(PresetChain(machinePresets(), preset));
}

std::vector<std::string> presetNames() {
  return machinePresets().names();
}

}  // namespace ipusim
