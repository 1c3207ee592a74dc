// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config_reader.h"

namespace ipusim::answer {

/// What a config asks for.
enum class RunKind : std::uint8_t {
  Program,   ///< a program on one or several IPUs, or layers that are programs of their own
  Parallel,  ///< training or inference by stages, replicas and shards: it has a table [parallel]
  Gpu,       ///< a program on a GPU without an IPU beside it: it has `gpu` at its top
};

/// The only place that reads the kind of a run.
RunKind kindOf(const ConfigReader& config);

/// What was wanted where a config of another kind was found, as the end of an error.
struct ProgramWanted {
  std::string in_place_of_gpu;
  std::string in_place_of_parallel;
};

/// Throws ConfigError at the key of the kind unless `config` is a RunKind::Program.
void expectProgram(const ConfigReader& config, const ProgramWanted& wanted);

}  // namespace ipusim::answer
