// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "poplar/StringRef.hpp"
#include "poplar/TargetType.hpp"
#include "poplar/Type.hpp"
#include "poplar/detail/target_api.hpp"

namespace poplar {

/// The machine that a graph is made for: plain numbers.
class Target {
 public:
  Target() : data_() {}
  explicit Target(const detail::TargetData& data) : data_(data) {}

  static Target createIPUTarget(unsigned ipus, const StringRef& = "", const OptionFlags& = {}) {
    return Target(detail::hardwareTarget(ipus));
  }
  static Target createIPUTarget(unsigned ipus, unsigned tiles_per_ipu, const StringRef& = "",
                                const OptionFlags& = {}) {
    detail::TargetData data = detail::hardwareTarget(ipus);
    data.tiles_per_ipu = tiles_per_ipu;
    return Target(data);
  }

  /// One tile with 1 GiB of memory and one worker, for tests of codelets.
  static Target createCPUTarget(bool /*accurate_half*/ = true, unsigned ipus = 1) {
    detail::TargetData data = detail::modelTarget(detail::textOf(std::string("ipu2")));
    data.type = TargetType::CPU;
    data.ipus = ipus;
    data.tiles_per_ipu = 1;
    data.workers = 1;
    data.bytes_per_tile = 1U << 30;
    return Target(data);
  }
  /// A target that differs from this one in its numbers of IPUs and tiles.
  Target createVirtualTarget(unsigned ipus, unsigned tiles_per_ipu) const {
    detail::TargetData data = data_;
    data.ipus = ipus;
    data.tiles_per_ipu = tiles_per_ipu;
    return Target(data);
  }

  TargetType getTargetType() const { return data_.type; }
  std::string getTargetArchString() const { return data_.architecture; }
  unsigned getNumTiles() const { return data_.ipus * data_.tiles_per_ipu; }
  unsigned getTilesPerIPU() const { return data_.tiles_per_ipu; }
  unsigned getNumIPUs() const { return data_.ipus; }
  unsigned getNumWorkerContexts() const { return data_.workers; }
  unsigned getBytesPerTile() const { return data_.bytes_per_tile; }
  unsigned getExchangeBytesPerCycle() const { return data_.exchange_bytes_per_cycle; }
  double getTileClockFrequency() const { return data_.clock_hz; }
  unsigned getDataPathWidth() const { return 64; }
  std::size_t getTypeSize(const Type& type) const { return detail::bytesOf(type.id()); }
  /// How many elements one load of the data path brings.
  unsigned getVectorWidth(const Type& type) const {
    return type == FLOAT ? 2 : type == HALF ? 4 : detail::bytesOf(type.id()) == 1 ? 8 : 1;
  }
  unsigned getFloatVectorWidth() const { return getVectorWidth(FLOAT); }
  unsigned getHalfVectorWidth() const { return getVectorWidth(HALF); }
  unsigned getAtomicStoreGranularity() const { return 4; }
  unsigned getRptCountMax() const { return 0xfff; }  // 12 bits of the instruction
  unsigned getNumStrideBits() const { return 10; }

  const detail::TargetData& data() const { return data_; }

  friend bool operator==(const Target& a, const Target& b) {
    return a.data_.type == b.data_.type && a.data_.ipus == b.data_.ipus &&
           a.data_.tiles_per_ipu == b.data_.tiles_per_ipu &&
           std::strcmp(a.data_.preset, b.data_.preset) == 0;
  }
  friend bool operator!=(const Target& a, const Target& b) { return !(a == b); }

 private:
  detail::TargetData data_;
};

inline void copyFloatToDeviceHalf(const Target&, const float* from, void* to, std::size_t count) {
  detail::toHalf(from, to, count);
}
inline void copyDeviceHalfToFloat(const Target&, const void* from, float* to, std::size_t count) {
  detail::fromHalf(from, to, count);
}
inline void copyDoubleToDeviceHalf(const Target&, const double* from, void* to, std::size_t count) {
  const std::vector<float> floats(from, from + count);
  detail::toHalf(floats.data(), to, count);
}
inline void copyDeviceHalfToDouble(const Target&, const void* from, double* to, std::size_t count) {
  std::vector<float> floats(count);
  detail::fromHalf(from, floats.data(), count);
  for (std::size_t i = 0; i < count; ++i) to[i] = floats[i];
}

}  // namespace poplar
