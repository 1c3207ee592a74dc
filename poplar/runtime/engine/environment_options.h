// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/detail/engine_api.hpp"

namespace poplar::detail {

/// Options of a program, and those of the environment variables POPLAR_ENGINE_OPTIONS and
/// POPLAR_RUNTIME_OPTIONS, which take the place of them. Each holds an object of JSON whose values
/// are text. Source: the user guide of Poplar 3.3.
class WithEnvironment {
 public:
  /// The texts of `options` must outlive this. Throws invalid_option for a variable that holds
  /// something else.
  explicit WithEnvironment(const Options& options);
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

  [[nodiscard]] Options options() const { return {texts_.data(), texts_.size()}; }

 private:
  std::vector<std::string> kept_;
  std::vector<Text> texts_;
};

}  // namespace poplar::detail
