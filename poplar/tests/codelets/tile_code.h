// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "poplar/codelets/codelets.h"

namespace ipusim::codelets {

/// Compiles a text named codelet.cpp, after the lines that all codelets of these tests begin with.
Codelets compileText(const std::string& text, const CompileOptions& options = {});

/// Skips every test of the suite where there is no compiler for codelets.
class WithClang : public testing::Test {
 protected:
  void SetUp() override;
};

/// Codelets and the memories of a few tiles. A vertex lies at the start of its tile's memory, and
/// its data behind it.
class TileCode {
 public:
  static constexpr std::uint32_t kTiles = 3;
  static constexpr std::uint32_t kTileBytes = 65536;

  explicit TileCode(Codelets codelets, const ExecutionOptions& options = {});

  /// The bytes at `offset` in the memory of a tile.
  [[nodiscard]] std::byte* at(std::uint32_t tile, std::uint32_t offset) const {
    return memory_.at(tile) + offset;
  }
  [[nodiscard]] std::uint32_t address(std::uint32_t tile, std::uint32_t offset) const {
    return memory_.address(tile) + offset;
  }

  /// Writes the value of a plain member.
  template <typename Value>
  void setMember(const std::string& vertex, const std::string& field, Value value,
                 std::uint32_t tile = 0) {
    std::memcpy(at(tile, fieldOf(vertex, field).offset), &value, sizeof value);
  }
  /// Connects an edge to `count` elements at `offset`.
  void connect(const std::string& vertex, const std::string& field, std::uint32_t offset,
               std::uint32_t count, std::uint32_t tile = 0);

  template <typename Value>
  void write(std::uint32_t offset, const std::vector<Value>& values, std::uint32_t tile = 0) {
    std::memcpy(at(tile, offset), values.data(), values.size() * sizeof(Value));
  }
  template <typename Value>
  [[nodiscard]] Value read(std::uint32_t offset, std::uint32_t tile = 0) const {
    Value value{};
    std::memcpy(&value, at(tile, offset), sizeof value);
    return value;
  }

  Outcome run(const std::string& vertex, std::uint32_t tile = 0, unsigned worker = 0);
  /// What the fault says that the run ends with; empty where it ends well.
  std::string faultOf(const std::string& vertex, std::uint32_t tile = 0);
  [[nodiscard]] const Codelets& codelets() const { return codelets_; }
  [[nodiscard]] Execution& execution() { return execution_; }
  [[nodiscard]] std::size_t indexOf(const std::string& vertex) const;

 private:
  [[nodiscard]] const Field& fieldOf(const std::string& vertex, const std::string& field) const;

  Codelets codelets_;
  LowMemory memory_;
  Execution execution_;
};

}  // namespace ipusim::codelets
