// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "sim/execute/element_value.h"

namespace poplar::detail {

using ipusim::Machine;

namespace {

/// Whether a name is that of a system and of no machine.
bool isSystem(const std::string& name) {
  const auto has = [&name](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(ipusim::systemNames()) && !has(ipusim::presetNames());
}

/// The machine of that name, or that of the IPUs of a system.
Machine preset(const std::string& name) {
  try {
    return isSystem(name) ? ipusim::readSystem(name).ipu : ipusim::readPreset(name);
  } catch (const ipusim::ConfigError& error) {
    throw no_environment(fmt::format("{} (IPUSIM_HOME names the folder whose configs/ has the "
                                     "machines)",
                                     error.what())
                             .c_str());
  }
}

/// What `__IPU_ARCH_VERSION__` and the vendor call the generation of a preset.
const char* architectureOf(const std::string& name) {
  if (name.rfind("gc2", 0) == 0 && name.rfind("gc200", 0) != 0) return "ipu1";
  return name == "bow" || name == "c600" ? "ipu21" : "ipu2";
}

TargetData targetFrom(TargetType type, const std::string& name, unsigned ipus) {
  const Machine machine = preset(name);
  TargetData target{};
  target.type = type;
  target.ipus = ipus;
  target.tiles_per_ipu = machine.tiles;
  target.workers = machine.workers_per_tile;
  target.bytes_per_tile = static_cast<unsigned>(machine.sram_per_tile.value());
  target.exchange_bytes_per_cycle = static_cast<unsigned>(machine.fabric.exchange_rate.value());
  target.clock_hz = machine.clock_hz;
  if (name.size() >= kPresetName) throw invalid_machine_model("machine: wanted a shorter name");
  std::strncpy(target.preset, name.c_str(), kPresetName - 1);
  std::strncpy(target.architecture, architectureOf(machine.name), sizeof target.architecture - 1);
  return target;
}

}  // namespace

TargetData hardwareTarget(unsigned ipus) {
  const char* named = std::getenv("IPUSIM_POPLAR_TARGET");
  return targetFrom(TargetType::IPU, named == nullptr ? "gc200" : named, ipus);
}

TargetData modelTarget(Text version) {
  const std::string name = stringOf(version);
  if (name == "ipu1") return targetFrom(TargetType::IPU_MODEL, "gc2", 1);
  if (name == "ipu2") return targetFrom(TargetType::IPU_MODEL, "gc200", 1);
  if (name == "ipu21") return targetFrom(TargetType::IPU_MODEL, "bow", 1);
  throw invalid_machine_model(
      fmt::format("IPUModel: wanted ipu1, ipu2 or ipu21, found {}", name).c_str());
}

namespace {

/// Codelets address tile memories below 4 GB.
constexpr unsigned kMostIpus = 4;

void expectFewIpus(const TargetData& target) {
  if (target.ipus >= 1 && target.ipus <= kMostIpus) return;
  throw poplar_error(fmt::format("target: wanted 1 to {} IPUs, whose tile memories find room below "
                                 "4 GB, found {}",
                                 kMostIpus, target.ipus)
                         .c_str());
}

Machine asAsked(Machine machine, const TargetData& target) {
  machine.tiles = target.tiles_per_ipu;
  machine.sram_per_tile = ipusim::Bytes(target.bytes_per_tile);
  machine.clock_hz = target.clock_hz;
  return machine;
}

/// The system that has IPUs of that preset: the one that it names, its own where there is one, else
/// the links and the memory of an M2000.
std::string tableOf(const std::string& preset) {
  if (isSystem(preset)) return fmt::format("base = \"{}\"", preset);
  if (preset == "gc2") return "base = \"c2-pod16\"";
  if (preset == "c600") return "base = \"c600\"";
  return fmt::format("base = \"m2000\", ipu = \"{}\"", preset);
}

}  // namespace

Machine machineOf(const TargetData& target) {
  expectFewIpus(target);
  return asAsked(preset(target.preset), target);
}

ipusim::System systemOf(const TargetData& target, const Machine& machine) {
  if (target.ipus == 1) return machine;
  expectFewIpus(target);
  try {
    const auto config = ipusim::ConfigReader::fromText(
        fmt::format("machine = {{{}, ipus = {}}}\n", tableOf(target.preset), target.ipus),
        "target");
    ipusim::System system = ipusim::readSystem(config, "machine");
    system.ipu = asAsked(std::move(system.ipu), target);
    return system;
  } catch (const ipusim::ConfigError& error) {
    throw invalid_machine_model(error.what());
  }
}

void toHalf(const float* from, void* to, std::size_t count) {
  auto* bytes = static_cast<std::byte*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    ipusim::executor::storeElement(ipusim::ElementType::Half, from[i], bytes + 2 * i);
  }
}

void fromHalf(const void* from, float* to, std::size_t count) {
  const auto* bytes = static_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < count; ++i) {
    to[i] =
        static_cast<float>(ipusim::executor::loadElement(ipusim::ElementType::Half, bytes + 2 * i));
  }
}

}  // namespace poplar::detail
