// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/preset_folder.h"
#include "base/preset_reader.h"
#include "models/gpu/machine.h"
#include "models/gpu/machine_fields.h"

namespace ipusim::gpu {
namespace {

namespace fs = std::filesystem;

constexpr double kLargestError = 1e16;
constexpr const char* kNumber = "{value = NUMBER, kind = \"KIND\", source = \"TEXT\"}";
constexpr std::array<Provenance, 4> kProvenances = {Provenance::Spec, Provenance::Transfer,
                                                    Provenance::Fitted, Provenance::Assumed};

/// The files that led here by `base`.
using Chain = std::vector<fs::path>;

const PresetFolder& presets() {
  static const PresetFolder kFolder("configs/gpus");
  return kFolder;
}

Provenance readKind(const ConfigReader& number) {
  std::vector<std::string> names;
  names.reserve(kProvenances.size());
  for (const Provenance kind : kProvenances) names.emplace_back(nameOf(kind));
  const std::string name = number.choice("kind", names);
  const auto found = std::find(names.begin(), names.end(), name);
  return kProvenances.at(static_cast<std::size_t>(found - names.begin()));
}

double readValue(const ConfigReader& table, const std::string& key, const MachineField& field) {
  if (field.number == Number::Real) return table.real(key, field.low, field.high);
  return static_cast<double>(table.whole(key, static_cast<std::uint64_t>(field.low),
                                         static_cast<std::uint64_t>(field.high)));
}

/// What a calibration, or whoever wrote the preset, says of how well the number is known.
void readErrors(const ConfigReader& number, Constant& constant) {
  constant.standard_error = number.real("standard_error", 0, kLargestError, 0);
  if (number.has("unit")) static_cast<void>(number.text("unit"));
  if (!number.has("correlations")) return;
  const ConfigReader others = number.table("correlations");
  for (const std::string& key : others.keys()) {
    constant.correlations.emplace_back(key, others.real(key, -1, 1));
  }
}

Constant readConstant(const ConfigReader& preset, const MachineField& field) {
  if (!preset.isTable(field.key)) throw preset.error(field.key, kNumber);
  const ConfigReader number = preset.table(field.key);
  const double value = readValue(number, "value", field);
  std::string source = number.text("source");
  if (source.find_first_not_of(' ') == std::string::npos) {
    throw number.error("source", "a text that says where the number is from");
  }
  Constant constant{field.key, value, readKind(number), std::move(source)};
  readErrors(number, constant);
  return constant;
}

Machine readAfter(const ConfigReader& preset, Chain chain);

/// The machine that `base` names. The files of `chain` wait for it, so it must be none of them.
Machine readBase(const ConfigReader& preset, Chain chain) {
  const ConfigReader base = presets().readAt(preset, "base");
  const fs::path file = fs::weakly_canonical(base.file());
  if (std::find(chain.begin(), chain.end(), file) != chain.end()) {
    throw preset.error("base", "a preset that does not lead back to this one");
  }
  chain.push_back(file);
  return readAfter(base, std::move(chain));
}

/// The preset's own numbers, on top of those of its base.
Machine readAfter(const ConfigReader& preset, Chain chain) {
  const PresetReader numbers(preset);
  const bool has_base = preset.has("base");
  Machine machine = has_base ? readBase(preset, std::move(chain)) : Machine{};
  machine.name = preset.file().stem().string();
  machine.constants.resize(machineFields().size());
  for (std::size_t i = 0; i < machineFields().size(); ++i) {
    const MachineField& field = machineFields()[i];
    if (has_base && !numbers.has(field.key)) continue;
    machine.constants[i] = readConstant(numbers.holderOf(field.key), field);
    field.set(machine, machine.constants[i].value);
  }
  numbers.expectAllRead();
  return machine;
}

/// A base and plain numbers on top of it. It keeps the name of its base.
Machine readTable(const ConfigReader& table) {
  Machine machine = readBase(table, {});
  for (std::size_t i = 0; i < machineFields().size(); ++i) {
    const MachineField& field = machineFields()[i];
    if (!table.has(field.key)) continue;
    const double value = readValue(table, field.key, field);
    machine.constants[i] = {field.key, value, Provenance::Assumed, "the config"};
    field.set(machine, value);
  }
  table.expectAllRead();
  return machine;
}

}  // namespace

const char* nameOf(Provenance kind) {
  switch (kind) {
    case Provenance::Spec:
      return "spec";
    case Provenance::Transfer:
      return "transfer";
    case Provenance::Fitted:
      return "fitted";
    case Provenance::Assumed:
      return "assumed";
  }
  throw InternalError("no such provenance");
}

Machine readMachine(const ConfigReader& config, std::string_view key) {
  if (config.isTable(key)) return readTable(config.table(key));
  return readPreset(presets().readAt(config, key));
}

Machine readPreset(const std::string& name_or_path) {
  return readPreset(presets().read(name_or_path, "gpu"));
}

Machine readPreset(const ConfigReader& preset) {
  Chain chain;
  if (!preset.file().empty()) chain.push_back(fs::weakly_canonical(preset.file()));
  return readAfter(preset, std::move(chain));
}

std::vector<std::string> presetNames() {
  return presets().names();
}

}  // namespace ipusim::gpu
