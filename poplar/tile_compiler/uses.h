// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "poplar/tile_compiler/function.h"

namespace ipusim::tile_compiler {

/// A place of an operation.
struct Site {
  BlockId block = 0;
  std::size_t index = 0;
};

/// An access that steps its pointer for nothing: it makes the stepped pointer beside its own work.
struct Step {
  ValueId stepped = 0;
  Site access;
  std::size_t after = 0;  ///< the place in the block behind which the access must stand
};

/// Who defines and who uses each value of a function, and what follows from that alone.
class Uses {
 public:
  explicit Uses(const Function& function);

  [[nodiscard]] const Operation* definition(ValueId value) const;
  [[nodiscard]] const std::vector<Site>& users(ValueId value) const { return users_[value]; }
  [[nodiscard]] const Operation& at(const Site& site) const;
  [[nodiscard]] std::optional<Site> site(ValueId value) const { return definitions_[value]; }
  [[nodiscard]] bool hasOneUse(ValueId value) const { return users_[value].size() == 1; }
  /// True when the value is used, and only to decide branches, selects and exits.
  [[nodiscard]] bool isOnlyACondition(ValueId value) const;
  /// The register file of a value. A load whose users all change the file goes there directly.
  [[nodiscard]] Lane laneOfValue(ValueId value) const;
  /// The value itself, or the one whose register it shares at no cost.
  [[nodiscard]] Operand resolve(Operand operand) const;

  /// The access that also steps the pointer, where `value` is a pointer after its step.
  [[nodiscard]] std::optional<Site> stepOf(ValueId value) const;
  /// The stepped value that the access at this place makes, if any.
  [[nodiscard]] std::optional<ValueId> steppedBy(const Operation& access) const;
  /// The places of a block's operations, with each stepping access behind the last look at its
  /// pointer.
  [[nodiscard]] std::vector<std::size_t> orderOf(BlockId block) const;

 private:
  void findSteps();
  [[nodiscard]] bool isFree(const Operation& operation) const;

  const Function* function_;
  std::vector<std::optional<Site>> definitions_;
  std::vector<std::vector<Site>> users_;
  std::map<ValueId, Step> steps_;
  std::map<const Operation*, ValueId> stepped_;
};

}  // namespace ipusim::tile_compiler
