// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/config/config_reader.h"

// The constants of energy and area, as bands: no public source has one of them to the last digit.

namespace ipusim::energy {

/// What the model of energy and area takes for granted. Energies are those of a GC200 at its own
/// voltage.
enum class Constant : std::uint8_t {
  LeakageWatts,       ///< of a GC200 at 20 degrees Celsius
  DieCelsius,         ///< temperature of a die that works
  ClockPicojoules,    ///< of a tile in a cycle, busy or not: clock tree, exchange clock, idle PHYs
  IssuePicojoules,    ///< of a bundle: fetch, decode, registers
  HalfMacPicojoules,  ///< of a multiply-add in half
  FloatMacPicojoules,
  FlopPicojoules,  ///< of an operation outside the AMP engines
  SramPicojoulesPerByte,
  WirePicojoulesPerBitMm,
  PathFactor,  ///< length of wires over that of the tile pitch
  SyncPicojoules,
  LinkPicojoulesPerBit,
  HostPicojoulesPerBit,
  StreamingPicojoulesPerBit,
  PlatformWatts,     ///< of an M2000 besides its four IPUs
  BowVoltageSquare,  ///< (voltage of Bow / voltage of GC200)^2
  SramShare,         ///< of the die of a GC200
  ProcessorShare,    ///< of the die of a GC200
  AmpShare,          ///< of the processor of a tile
  Lanes,             ///< of IPU-Links and PCIe
  LaneMm2,
  OtherMm2,  ///< of a die besides tiles, exchange and lanes
};
inline constexpr std::size_t kConstants = 22;
inline constexpr double kBitsPerByte = 8;

/// How a constant lies between the quantiles of its band.
enum class Shape : std::uint8_t {
  Lognormal,  ///< for what is above zero and known up to a factor
  Normal,
};

/// A constant with its 5 % and 95 % quantiles.
struct Band {
  double median = 0;
  double low = 0;
  double high = 0;
  Shape shape = Shape::Lognormal;
  std::string source;
  std::string identified_by;  ///< the published rows that narrow it; empty when none does
};

/// The correlation of two constants, of their standard normal scores.
struct Correlation {
  Constant one;
  Constant other;
  double value;
};

struct Constants {
  std::array<Band, kConstants> bands;
  std::vector<Correlation> correlations;

  [[nodiscard]] const Band& of(Constant constant) const {
    return bands[static_cast<std::size_t>(constant)];
  }
};

/// The key of a constant, such as "clock_picojoules".
const char* keyOf(Constant constant);
const std::array<Constant, kConstants>& allConstants();

/// The constants before any row is looked at: those of the file alone.
Constants readPriors(const ConfigReader& file);
/// The constants of configs/energy/gc200.toml with what `ipusim calibrate` found. The bands of its
/// key `include` take the place of earlier ones. Read once. Throws ConfigError.
const Constants& shippedConstants();
/// The files that energy and area depend on. Throws ConfigError.
std::vector<std::filesystem::path> constantFiles();
/// Such constants of any file.
Constants readConstants(const ConfigReader& file);

}  // namespace ipusim::energy
