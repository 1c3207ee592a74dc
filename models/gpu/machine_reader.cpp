// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "base/config/preset_chain.h"
#include "models/gpu/machine.h"
#include "models/gpu/machine_fields.h"

namespace ipusim::gpu {
namespace {

constexpr double kLargestError = 1e16;
constexpr const char* kNumber = "{value = NUMBER, kind = \"KIND\", source = \"TEXT\"}";

const PresetFolder& presets() {
  static const PresetFolder kFolder("configs/gpus");
  return kFolder;
}

double readValue(const ConfigReader& table, const std::string& key, const MachineField& field) {
  if (field.number == Number::Real) return table.real(key, field.low, field.high);
  return static_cast<double>(table.whole(key, static_cast<std::uint64_t>(field.low),
                                         static_cast<std::uint64_t>(field.high)));
}

/// Reads how well the number is known, as a calibration or the author of the preset wrote it.
void readErrors(const ConfigReader& number, Constant& constant) {
  constant.standard_error = number.real("standard_error", 0, kLargestError, 0);
  if (number.has("unit")) static_cast<void>(number.text("unit"));
  if (!number.has("correlations")) return;
  const ConfigReader others = number.table("correlations");
  for (const std::string& key : others.keys()) {
    constant.correlations.emplace_back(key, others.real(key, -1, 1));
  }
}

Constant readConstant(const PresetLayer& layer, const MachineField& field) {
  const ConfigPlace number = layer.numberAt(field.key, kNumber);
  const double value = readValue(number.table, number.key, field);
  if (layer.form() == NumberForm::Plain) {
    return {field.key, value, Provenance::Assumed, "the config"};
  }
  Constant constant{field.key, value, readWord(number.table, "kind", kProvenanceWords),
                    number.table.text("source")};
  readErrors(number.table, constant);
  return constant;
}

/// Applies the layer to `machine`. A layer without a base has all keys.
void readMachineLayer(const PresetLayer& layer, Machine& machine) {
  if (const auto name = layer.name()) machine.name = *name;
  const bool whole = machine.constants.empty();
  machine.constants.resize(machineFields().size());
  for (std::size_t i = 0; i < machineFields().size(); ++i) {
    const MachineField& field = machineFields()[i];
    if (!whole && !layer.has(field.key)) continue;
    machine.constants[i] = readConstant(layer, field);
    field.set(machine, machine.constants[i].value);
  }
  layer.expectAllRead();
}

Machine read(const PresetChain& chain) {
  Machine machine{};
  for (const PresetLayer& layer : chain.layers()) readMachineLayer(layer, machine);
  return machine;
}

}  // namespace

Machine readMachine(const ConfigReader& config, std::string_view key) {
  return read(PresetChain(presets(), config, key));
}

Machine readPreset(const std::string& name_or_path) {
  return readPreset(presets().read(name_or_path, "gpu"));
}

Machine readPreset(const ConfigReader& preset) {
  return read(PresetChain(presets(), preset));
}

std::vector<std::string> presetNames() {
  return presets().names();
}

}  // namespace ipusim::gpu
