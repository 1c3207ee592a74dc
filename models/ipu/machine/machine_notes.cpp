// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/machine_notes.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/config/preset_folder.h"
#include "base/text/json.h"
#include "models/ipu/machine/machine_presets.h"
#include "models/ipu/machine/system.h"

namespace ipusim {

namespace {

/// Presets of one chip name memories that differ by less: 900 MB and 624 KiB a tile.
constexpr double kEqualMemories = 0.1;

std::optional<std::string> renamed(const ConfigReader& config, std::string_view key) {
  const auto name = config.isTable(key) ? config.table(key).peekText("base") : config.peekText(key);
  if (!name || presentName(*name) == *name) return std::nullopt;
  return fmt::format(
      "the machine {} is called {} now: it is the chip with the memory that the "
      "vendor's compiler reports, and no version of that compiler",
      *name, presentName(*name));
}

/// A number of a layer. 0 where the layer has none.
double numberIn(const PresetLayer& layer, const char* key) {
  const std::optional<SortedJson> value = layer.valueOf(key);
  return value && value->is_number() ? value->get<double>() : 0;
}

/// The region for code stays where a layer changes the memory around it alone.
std::optional<std::string> keptCodeRegion(const PresetChain& chain) {
  double memory = 0;
  double region = 0;
  double beside_region = 0;  // the memory of the layer that has the region
  for (const PresetLayer& layer : chain.layers()) {
    if (layer.has("sram_per_tile_bytes")) memory = numberIn(layer, "sram_per_tile_bytes");
    if (!layer.has("code_region_bytes")) continue;
    region = numberIn(layer, "code_region_bytes");
    beside_region = memory;
  }
  if (beside_region <= 0) return std::nullopt;
  if (std::abs(memory / beside_region - 1) < kEqualMemories) return std::nullopt;
  return fmt::format(
      "a tile has {:.0f} bytes in place of {:.0f}, and its region for code, "
      "code_region_bytes, is the {:.0f} bytes of before: set it too, or code that "
      "is larger does not fit",
      memory, beside_region, region);
}

}  // namespace

std::vector<std::string> machineNotes(const ConfigReader& config, std::string_view key) {
  std::vector<std::string> notes;
  if (namesSystem(config, key)) return notes;
  if (auto note = renamed(config, key)) notes.push_back(*std::move(note));
  if (auto note = keptCodeRegion(machineChain(config, key))) notes.push_back(*std::move(note));
  return notes;
}

}  // namespace ipusim
