// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>

#include "sim/compile/executable.h"

namespace ipusim::run {

/// What message buffers hold: copies of variables on other tiles.
class BufferContents {
 public:
  explicit BufferContents(const compiler::Executable& executable) : executable_(executable) {}

  /// Hears the messages of a step.
  void add(const compiler::Step& step);

  /// The variable that most bytes in `buffer` come from, of the steps that were added. kNoVariable
  /// where they come from other buffers, or from no message.
  [[nodiscard]] VariableId variableIn(BlockId buffer) const;

 private:
  const compiler::Executable& executable_;
  std::unordered_map<std::uint32_t, std::map<VariableId, Bytes>> bytes_in_;  ///< by buffer
};

}  // namespace ipusim::run
