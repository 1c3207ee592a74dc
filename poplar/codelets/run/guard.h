// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

// Native code of the user, entered so that it may fail: its faults come back as values.

namespace ipusim::codelets {

enum class FaultKind : std::uint8_t { None, Memory, Arithmetic, Instruction, TimeLimit, Stopped };

/// How a call of native code ended.
struct CallResult {
  FaultKind fault = FaultKind::None;
  std::uint64_t value = 0;       ///< what the function returned
  std::uint64_t code = 0;        ///< where the fault came up; 0 where a function stopped the call
  std::uint64_t address = 0;     ///< of Memory: what was touched
  const char* reason = nullptr;  ///< of Stopped
};

/// Code that may run: from `begin` up to `end`.
struct CodeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Calls `function(a, b)` on a stack below 4 GB that belongs to this thread. The call ends as a
/// fault on a wild access, a division by zero, after `limit`, or by stopCall().
CallResult enterGuarded(CodeRange code, std::uint64_t function, std::uint64_t a, std::uint64_t b,
                        std::chrono::milliseconds limit);

/// Ends the call of native code that this thread is in. `reason` must live as long as the thread.
[[noreturn]] void stopCall(const char* reason);

/// Where the call of this thread prints to.
std::string& printedText();

}  // namespace ipusim::codelets
