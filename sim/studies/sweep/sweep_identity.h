// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ipusim/result.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::explore {

/// All that the results of a sweep depend on. Results of two identities do not go together.
struct SweepIdentity {
  std::string program;  ///< the version of ipusim
  /// JSON: the engine, the axes, the run config, and a hash of each file that texts of these name
  /// (presets of machines and GPUs with those they are based on, matrices) and of the spreads that
  /// bands are made of.
  std::string config;
};

/// The identity of `sweep` when `program` runs it. Throws ConfigError where a file is unreadable.
SweepIdentity identify(const Sweep& sweep, Engine engine, std::string program);

/// The sweep that it is of, but for its condition: the numbers mean the same points. Throws
/// ConfigError where a config is none that identify() gave.
Sweep sweepOf(const SweepIdentity& identity);

/// A hash of 64 bits as hexadecimal digits.
std::string hashOf(const std::string& text);
std::string hashOfFile(const std::filesystem::path& path);

}  // namespace ipusim::explore
