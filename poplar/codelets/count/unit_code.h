// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "poplar/codelets/count/count.h"
#include "poplar/codelets/vertex_type.h"

namespace ipusim::codelets {

/// The version of LLVM that reads the code, and so of the clang that writes it.
constexpr int kLlvmVersion = 16;

/// The code of a unit of codelets, as LLVM has it.
class UnitCode {
 public:
  /// Reads LLVM's text or bitcode that `clang -O2 -Xclang -disable-llvm-passes -g` wrote for a
  /// target with 32-bit pointers. Throws ConfigError where `file` cannot be read as such.
  explicit UnitCode(const std::string& file);
  UnitCode(const UnitCode&) = delete;
  UnitCode& operator=(const UnitCode&) = delete;
  ~UnitCode();

  /// The vertex types. They come by file, line and name. Throws CompileError, with file and line,
  /// where code holds inline assembly.
  [[nodiscard]] std::vector<VertexType> vertices() const;
  /// The list of destructors becomes the functions of `symbols`, so that the optimiser drops all
  /// that they do not use.
  void keepOnly(const std::vector<std::string>& symbols);
  /// Optimises the code and adds counters to it.
  CountedModule count(const CountOptions& options);
  /// Writes the code as text. Throws ConfigError where `file` cannot be written.
  void write(const std::string& file) const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace ipusim::codelets
