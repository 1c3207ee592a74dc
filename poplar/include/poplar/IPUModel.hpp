// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "poplar/Device.hpp"

namespace poplar {

/// Makes a device of one or more IPUs with some numbers of one's own. A device of a model takes the
/// cycles of the code that runs, as any other.
struct IPUModel {
  enum class RelativeSyncDelayType { AUTO, NO_DELAY };

  std::string IPUVersion;
  unsigned numIPUs = 1;
  unsigned tilesPerIPU;
  unsigned numWorkerContexts;
  unsigned memoryBytesPerTile;
  double tileClockFrequency;
  unsigned exchangeBytesPerCycle;
  bool compileIPUCode = false;
  // Syncs and copies take what they take on the machine, whatever these say.
  unsigned tilesPerSuperTile = 4;
  unsigned memcpyBytesPerCycle = 8;
  unsigned instructionBytes = 4;
  unsigned minIPUSyncDelay = 0;
  unsigned globalSyncCycles = 0;
  RelativeSyncDelayType relativeSyncDelay = RelativeSyncDelayType::AUTO;

  explicit IPUModel(const char* version = "ipu2")
      : IPUVersion(version), data_(detail::modelTarget(StringText(version))) {
    tilesPerIPU = data_.tiles_per_ipu;
    numWorkerContexts = data_.workers;
    memoryBytesPerTile = data_.bytes_per_tile;
    tileClockFrequency = data_.clock_hz;
    exchangeBytesPerCycle = data_.exchange_bytes_per_cycle;
  }

  Device createDevice(const OptionFlags& = OptionFlags(), bool /*accurate_half*/ = false,
                      unsigned id = 0) const {
    detail::TargetData data = data_;
    if (numWorkerContexts != data.workers || exchangeBytesPerCycle != data.exchange_bytes_per_cycle)
      throw invalid_machine_model(
          "IPUModel: wanted the workers and the exchange of the chip, found other numbers");
    data.ipus = numIPUs;
    data.tiles_per_ipu = tilesPerIPU;
    data.bytes_per_tile = memoryBytesPerTile;
    data.clock_hz = tileClockFrequency;
    return Device(Target(data), id);
  }

 private:
  static detail::Text StringText(const char* text) { return detail::textOf(StringRef(text)); }

  detail::TargetData data_;
};

}  // namespace poplar
