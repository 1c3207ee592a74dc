// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "poplar/Graph.hpp"
#include "poplar/OptionFlags.hpp"
#include "poplar/Program.hpp"
#include "poplar/detail/engine_api.hpp"

namespace poplar {

/// Hears of the steps of a compilation: the step and the number of steps.
using ProgressFunc = std::function<void(int, int)>;

/// A compiled graph with its programs.
class Executable {
 public:
  Executable() = default;
  explicit Executable(detail::ExecutableData* data) : data_(data) {}
  Executable(const Executable&) = delete;
  Executable(Executable&&) = default;
  Executable& operator=(const Executable&) = delete;
  Executable& operator=(Executable&&) = default;

  detail::ExecutableData* data() const {
    if (!data_) throw poplar_error("executable: wanted a compiled one, found an empty one");
    return data_.get();
  }

 private:
  detail::Handle<detail::ExecutableData> data_;
};

inline Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs,
                               const OptionFlags& options = {},
                               const ProgressFunc& progress = ProgressFunc(),
                               const DebugContext& = {}) {
  std::vector<const detail::ProgramData*> all;
  for (const program::Program& each : programs) all.push_back(each.data());
  const std::vector<detail::Text> texts = detail::textsOf(options);
  if (progress) progress(0, 1);
  Executable executable(detail::makeExecutable(graph.data(), all.data(), all.size(),
                                               detail::Options{texts.data(), texts.size()}));
  if (progress) progress(1, 1);
  return executable;
}

}  // namespace poplar
