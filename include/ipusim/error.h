// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace ipusim {

/// An error that the user can mend. The program prints one line and exits with code 2.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A mistake in a graph that a caller built. The text names the tensor, the vertex or the tile.
class GraphError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bug of this project: exit code 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A sum of work, bytes or cycles, or a product of sizes, that 64 bits cannot hold. A caller that
/// knows the config turns it into a ConfigError.
class CountError : public std::overflow_error {
 public:
  using std::overflow_error::overflow_error;
};

[[noreturn]] void throwCountError();

/// Throws InternalError with `what` unless `holds`.
void check(bool holds, const char* what);
void check(bool holds, const std::string& what);

}  // namespace ipusim
