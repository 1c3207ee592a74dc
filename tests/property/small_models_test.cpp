// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/property/random_model.h"
#include "tests/property/sound_run.h"
#include "tests/support/temporary_folder.h"

// Small random ONNX models. Each is a legal program, whose numbers are right on tiles.

namespace ipusim::run {

TEST(SmallModels, RunAndHaveTheirNumbersOnTiles) {
  constexpr std::uint64_t kModels = 200;
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= kModels; ++seed) {
    const DrawnModel model = randomModel(seed, folder / "model.onnx");
    (void)folder.write("model.onnx", model.bytes);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, model.config));
    expectSoundRun(ConfigReader::fromText(model.config, "test"), Numbers::Checked);
    if (HasFatalFailure()) return;
  }
}

}  // namespace ipusim::run
