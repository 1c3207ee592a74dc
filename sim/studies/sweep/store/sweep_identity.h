// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ipusim/result.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// All that the results of a sweep depend on. Results of different identities must not be mixed.
struct SweepIdentity {
  std::string program;  ///< the version of ipusim
  /// JSON: the engine, the axes, the run config, a hash of each file that texts of these name
  /// (presets of machines and GPUs with those that they are based on, matrices), and a hash of the
  /// spreads that bands are made of, and hashes of the constants of energy and area.
  std::string config;
};

/// The identity of `sweep` when `program` runs it. Throws ConfigError when a file is unreadable.
SweepIdentity identify(const Sweep& sweep, Engine engine, std::string program);

/// JSON: the hashes of files that identify() takes. With its config, the result of a point depends
/// on nothing else.
std::string fileHashes(const Sweep& sweep);

/// The sweep of an identity, without its condition: the numbers of points mean the same points.
/// Throws ConfigError for a config that identify() did not make.
Sweep sweepOf(const SweepIdentity& identity);

/// A 64-bit hash as hexadecimal digits.
std::string hashOf(const std::string& text);
std::string hashOfFile(const std::filesystem::path& path);

}  // namespace ipusim::sweep
