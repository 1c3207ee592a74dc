// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ipusim/error.h"

// Readers of what others write. Whatever the bytes are, each reader ends in an answer or in a
// ConfigError of one line, which it catches. Any other exception is a fault of this project.

namespace ipusim::fuzz {

/// Reads TOML as a config, a machine preset and a run config, and as the text of a --set.
void config(std::string_view bytes);
/// Reads a condition, and evaluates it over keys of every kind.
void expression(std::string_view bytes);
/// Reads the store of a sweep. The bytes are a store, or changes to a whole store. A change has
/// three bytes: two are the place, and one is added to the byte there. A changed store must give
/// what was stored, or nothing.
void store(std::string_view bytes);
/// A table of measurements.
void csv(std::string_view bytes);
/// A Matrix Market file.
void matrix(std::string_view bytes);
/// A trace. What is read must be written, and then read and written as the same bytes.
void trace(std::string_view bytes);
/// A profile of a real machine, whose result is written and compared with itself.
void profile(std::string_view bytes);
/// A Chakra trace, which becomes a graph for the toy machine.
void chakra(std::string_view bytes);
/// An ONNX model, which becomes a network.
void onnx(std::string_view bytes);
/// An ONNX model, which is compiled for a few tiles and computed there.
void onnxCheck(std::string_view bytes);
/// A file of execution records, as it is and under a hash that is right. What is read must be
/// written, and then read and written as the same bytes. A record of few tiles is replayed.
void record(std::string_view bytes);
/// The text of a network.
void network(std::string_view bytes);
/// A topology file, whose layers become networks.
void topology(std::string_view bytes);

/// Runs `read`. Throws std::logic_error when an error has more than one line.
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
