// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ipusim::workloads {

/// The bytes of a trace, one part after the other.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills at most `size` bytes. Returns how many; 0 at the end only. Throws ConfigError, which
  /// names the file, for bytes that cannot be read.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
  /// How many bytes of the file itself have been read. Those of a compressed file are fewer than
  /// what it holds.
  [[nodiscard]] virtual std::uint64_t fileBytes() const = 0;
};

/// Opens a file. The end of its name says how it is compressed: .gz (gzip), .zst (Zstandard) or
/// not at all. What a compressed file holds is bounded in proportion to the file: a file that
/// would hold more is refused while it is read.
std::unique_ptr<ByteSource> openBytes(const std::filesystem::path& file);

/// Bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> bytesInMemory(std::string_view bytes);

/// `text` compressed as the name of `file` says.
std::string compressedFor(const std::filesystem::path& file, std::string text);

}  // namespace ipusim::workloads
