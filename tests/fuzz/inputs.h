// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ipusim/error.h"

// What the program reads that others write. Whatever the bytes, each of these ends in an answer or
// in a ConfigError of one line, which they take; anything else that leaves them is a fault of ours.

namespace ipusim::fuzz {

/// TOML as a config, a preset of a machine and a run config; and as the text of a --set.
void config(std::string_view bytes);
/// A condition, evaluated over keys of every kind.
void expression(std::string_view bytes);
/// The store of a sweep: its bytes, or changes to one that is whole (three bytes each: two of the
/// place, one that is added to what is there). Of the latter it gives what was kept, or nothing.
void store(std::string_view bytes);
/// A table of measurements.
void csv(std::string_view bytes);
/// A Matrix Market file.
void matrix(std::string_view bytes);

/// Runs `read`; throws std::logic_error where it says what is wrong in anything but one line.
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
    if (message.empty() || !one_line) throw std::logic_error("not one line: " + message);
  }
}

}  // namespace ipusim::fuzz
