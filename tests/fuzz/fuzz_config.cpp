// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "models/ipu/machine.h"
#include "sim/base/config_reader.h"

// Whatever the bytes, reading them ends in a machine or in a ConfigError of one line.

namespace {

using ipusim::ConfigError;
using ipusim::ConfigReader;
using ipusim::Override;

/// Runs `read`; stops the fuzzer on a message that is no single line.
template <typename Read>
void expectOneLine(const Read& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    const bool one_line = std::none_of(message.begin(), message.end(), [](char c) {
      constexpr unsigned char kFirstPrintable = 0x20;
      return static_cast<unsigned char>(c) < kFirstPrintable;
    });
    if (!message.empty() && one_line) return;
    std::cerr << "not one line: " << message << '\n';
    std::abort();
  }
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expectOneLine([&] {
    const ConfigReader config = ConfigReader::fromText(text, "fuzz");
    static_cast<void>(config.json());
    config.expectAllRead();
  });
  expectOneLine([&] { ipusim::models::readPreset(ConfigReader::fromText(text, "fuzz")); });
  expectOneLine([&] { ipusim::models::readMachine(ConfigReader::fromText(text, "fuzz")); });
  expectOneLine([&] {
    const Override override = Override::parse(text);
    const ConfigReader config = ConfigReader::fromText("machine = \"toy\"", "fuzz", {override});
    static_cast<void>(config.json());
    ipusim::models::readMachine(config);
    config.expectAllRead();
  });
  return 0;
}
