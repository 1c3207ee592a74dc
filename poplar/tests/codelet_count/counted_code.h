// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/files/scratch_folder.h"
#include "poplar/codelets/count/unit_code.h"

namespace ipusim::codelets {

/// For which processor a text is compiled: that of tiles, or this computer, which can run it.
enum class CompiledFor : std::uint8_t { Tile, Host };

/// A text of C++ through clang and UnitCode. Throws std::runtime_error where clang refuses it.
class CountedCode {
 public:
  CountedCode(const std::string& text, const CountOptions& options,
              CompiledFor target = CompiledFor::Tile);
  CountedCode(const CountedCode&) = delete;
  CountedCode& operator=(const CountedCode&) = delete;
  ~CountedCode();

  [[nodiscard]] const CountedModule& counted() const { return counted_; }
  /// Slots of the counters of a function, in order. `part` is a part of its symbol.
  [[nodiscard]] std::vector<std::uint64_t> slotsOf(const std::string& part) const;

  /// The address of a function that is loaded into this program. Needs CompiledFor::Host.
  void* load(const std::string& symbol);
  /// The counts since the last call.
  std::vector<std::uint64_t> takeCounts();

 private:
  ScratchFolder folder_;
  CountedModule counted_;
  void* library_ = nullptr;
};

/// False where this computer has no clang of version 16 for the tests.
bool hasClang();

}  // namespace ipusim::codelets
