// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <istream>
#include <ostream>
#include <string>

#include "poplar/Graph.hpp"
#include "poplar/OptionFlags.hpp"
#include "poplar/Program.hpp"
#include "poplar/detail/engine_api.hpp"

namespace poplar {

/// Hears of the steps of a compilation: the step and the number of steps.
using ProgressFunc = std::function<void(int, int)>;

namespace detail {

/// The next `count` bytes, or as many as there are.
inline std::string readUpTo(std::istream& in, std::size_t count) {
  std::string bytes;
  char piece[4096];
  while (in && bytes.size() < count) {
    in.read(piece, static_cast<std::streamsize>(std::min(sizeof piece, count - bytes.size())));
    bytes.append(piece, static_cast<std::size_t>(in.gcount()));
  }
  return bytes;
}

}  // namespace detail

/// A compiled graph with its programs.
class Executable {
 public:
  Executable() = default;
  explicit Executable(detail::ExecutableData* data) : data_(data) {}
  Executable(const Executable&) = delete;
  Executable(Executable&&) = default;
  Executable& operator=(const Executable&) = delete;
  Executable& operator=(Executable&&) = default;

  /// Writes graph, programs and compiled codelets. Streams should be binary.
  void serialize(std::ostream& out) const {
    detail::saveExecutable(data(), detail::Sink{&out, [](void* to, detail::Text text) {
                                                  static_cast<std::ostream*>(to)->write(
                                                      text.data,
                                                      static_cast<std::streamsize>(text.size));
                                                }});
  }
  /// Reads what serialize() wrote, and compiles it again. Throws file_load_error for anything else,
  /// a stream that is not open included.
  static Executable deserialize(std::istream& in) {
    const std::string head = detail::readUpTo(in, detail::kExecutableHead);
    const std::size_t count = detail::bytesBehind(detail::textOf(head));
    const std::string bytes = detail::readUpTo(in, count);
    return Executable(detail::loadExecutable(detail::textOf(head), detail::textOf(bytes)));
  }

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
