// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_reader.h"
#include "models/ipu/machine/machine_reader.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void config(std::string_view bytes) {
  expectOneLine([&] {
    const ConfigReader read = ConfigReader::fromText(bytes, "fuzz");
    static_cast<void>(read.values());
    read.expectAllRead();
  });
  expectOneLine([&] { readPreset(ConfigReader::fromText(bytes, "fuzz")); });
  expectOneLine([&] { readMachine(ConfigReader::fromText(bytes, "fuzz")); });
  expectOneLine([&] {
    const Override override = Override::parse(bytes);
    const ConfigReader read = ConfigReader::fromText("machine = \"toy\"", "fuzz", {override});
    static_cast<void>(read.values());
    readMachine(read);
    read.expectAllRead();
  });
}

}  // namespace ipusim::fuzz
