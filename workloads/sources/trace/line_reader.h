// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/json_line.h"

namespace ipusim::workloads {

/// Cuts bytes into lines and parses each line as JSON.
class LineReader {
 public:
  /// `source` and `name`, which stands for the file, must outlive this. A line has at most
  /// `line_bytes`, and values lie at most `nesting` deep in one another.
  LineReader(ByteSource& source, const std::string& name, std::uint64_t line_bytes,
             std::uint64_t nesting);

  /// The next line that is not empty; none at the end. Valid until the next call.
  std::optional<JsonValue> next();
  [[nodiscard]] LinePlace place() const { return {&name_, line_}; }

 private:
  std::optional<std::string_view> nextLine();
  bool readMore();
  /// Throws for a line of more bytes than the limit.
  void expectShort(std::size_t bytes);
  JsonValue parse(std::string_view line);

  ByteSource& source_;
  const std::string& name_;
  std::uint64_t line_bytes_;
  std::uint64_t nesting_;
  std::uint64_t line_ = 0;
  std::vector<char> bytes_;   ///< with room for the padding that the parser needs
  std::size_t begin_ = 0;     ///< where the part that is not parsed yet begins
  std::size_t searched_ = 0;  ///< no line ends before it
  std::size_t end_ = 0;
  simdjson::dom::parser parser_;
};

}  // namespace ipusim::workloads
