// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/config/words.h"
#include "sim/report/json.h"

namespace ipusim::report {

/// The order of the rows of steps.
enum class StepOrder : std::uint8_t { Program, Cycles, Bytes };

constexpr Words<StepOrder, 3> kStepOrders{{
    {StepOrder::Program, "program"},
    {StepOrder::Cycles, "cycles"},
    {StepOrder::Bytes, "bytes"},
}};

constexpr std::size_t kPageWidth = 80;  ///< columns of a table where nobody asks for others
constexpr std::size_t kNarrowest = 80;
constexpr std::size_t kWidest = 400;

/// How much of a result its table shows.
struct TableOptions {
  Stats stats = Stats::Without;
  std::size_t width = kPageWidth;  ///< columns, from kNarrowest to kWidest
  bool all = false;  ///< every step and every variable of the fullest tile, not the largest alone
  StepOrder order = StepOrder::Program;
  bool colours = false;  ///< those of a terminal
};

}  // namespace ipusim::report
