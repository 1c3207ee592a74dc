// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"

namespace ipusim::models {

struct Engine {
  const char* name;
  ChipResult (*run)(const ChipPrograms&, Observer*);
};

/// A rule of tile_program.h, counted by hand: both engines must keep it.
class BothEngines : public testing::TestWithParam<Engine> {
 protected:
  static ChipResult run(const ChipPrograms& programs, Observer* observer = nullptr) {
    return GetParam().run(programs, observer);
  }
};

inline constexpr std::array<Engine, 2> kEngines = {
    {{"Chip", simulateChip}, {"ClosedForm", closedForm}}};

inline std::string engineName(const testing::TestParamInfo<Engine>& info) {
  return info.param.name;
}

}  // namespace ipusim::models
