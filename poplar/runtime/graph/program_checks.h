// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>

#include "poplar/runtime/graph/program_data.h"

namespace poplar::detail {

/// Throws control_program_error unless the step has the tensors and the inner steps of its kind,
/// each as that kind needs it. Numbers of compute sets, streams and functions are not looked at.
void checkStep(const ProgramData& step);

/// How deep programs nest, those that a Call names among them. Steps are added after their inner
/// steps, and functions after those that they call.
class Nesting {
 public:
  /// Deeper programs are not saved, so that a file cannot exhaust the stack of its reader.
  static constexpr std::size_t kDeepest = 1000;

  /// Throws control_program_error for a step that is deeper, and for a Call of a function that is
  /// none of `functions`.
  void add(const ProgramData& step, const std::vector<Ref<ProgramData>>& functions);

 private:
  [[nodiscard]] std::size_t depthOf(const ProgramData& step) const;

  std::unordered_map<const ProgramData*, std::size_t> depths_;
};

}  // namespace poplar::detail
