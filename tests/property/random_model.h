// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ipusim::run {

/// A small random ONNX model: operators in any order that their shapes allow, results that nothing
/// reads, a second output, trained or not. Each is a legal program.
struct DrawnModel {
  std::string bytes;
  std::string config;  ///< of the model in `file`, on few tiles
};

/// A seed gives the same bytes everywhere.
DrawnModel randomModel(std::uint64_t seed, const std::filesystem::path& file);

}  // namespace ipusim::run
