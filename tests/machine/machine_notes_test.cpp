// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/machine_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/ipu/machine/machine_reader.h"

namespace ipusim::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ConfigReader withMachine(const std::string& machine) {
  return ConfigReader::fromText("machine = " + machine + "\n", "test.toml");
}

std::vector<std::string> notesOn(const std::string& machine) {
  return machineNotes(withMachine(machine));
}

TEST(MachineNotes, SayThatAPresetHasAnotherName) {
  EXPECT_THAT(notesOn("'gc200-sdk'"), ElementsAre(HasSubstr("is called gc200-624k now")));
  EXPECT_THAT(notesOn("{base = 'gc200-sdk', tiles = 4}"),
              ElementsAre(HasSubstr("is called gc200-624k now")));
  EXPECT_EQ(readMachine(withMachine("'gc200-sdk'")).name, "gc200-624k");
}

TEST(MachineNotes, SayThatTheRegionForCodeStaysWhereTheMemoryDoesNot) {
  EXPECT_THAT(notesOn("{base = 'gc200', sram_per_tile_bytes = 1_222_826}"),
              ElementsAre(HasSubstr("code_region_bytes, is the 212992 bytes of before")));
  EXPECT_THAT(notesOn("{base = 'gc200', sram_per_tile_bytes = 1_222_826, "
                      "code_region_bytes = 425_984}"),
              IsEmpty());
}

TEST(MachineNotes, SayNothingOfWhatIsShipped) {
  for (const char* name : {"'gc200'", "'gc200-624k'", "'bow'", "'c600'", "'gc2'", "'m2000'"}) {
    EXPECT_THAT(notesOn(name), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace ipusim::models
