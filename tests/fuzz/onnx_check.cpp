// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/config/config_reader.h"
#include "ipusim/error.h"
#include "sim/run/check/check_experiment.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/small_run.h"

namespace ipusim::fuzz {

namespace {

/// A config of the model `bytes`, which stands in a file of this process.
ConfigReader configOf(std::string_view bytes) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fuzz." + std::to_string(getpid()) + ".onnx");
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  return ConfigReader::fromText(
      "machine = {base = \"gc200\", tiles = 8}\n[workload]\nkind = \"onnx\"\nfile = \"" +
          file.string() + "\"\n",
      "run");
}

}  // namespace

void onnxCheck(std::string_view bytes) {
  expectOneLine([&] {
    const run::Experiment experiment = run::prepare(configOf(bytes), refuseLongCheck);
    if (run::outOfMemory(experiment)) return;
    // Changed weights may be so large or small that numbers round away: a verdict is no fault.
    static_cast<void>(run::checkNumbers(experiment));
  });
}

}  // namespace ipusim::fuzz
