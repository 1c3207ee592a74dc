// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ipusim::codelets {

/// A place that the linker fills with an address.
struct Relocation {
  std::uint32_t offset = 0;  ///< in its section
  std::uint32_t type = 0;    ///< R_X86_64_…
  std::uint32_t symbol = 0;
  std::int32_t addend = 0;
};

struct Section {
  std::string_view name;
  std::string_view bytes;  ///< empty where all are zero
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;
  std::uint32_t link = 0;  ///< the section that this one tells of
  bool is_allocated = false;
  bool is_code = false;
  bool is_writable = false;
  std::vector<Relocation> relocations;
};

struct Symbol {
  std::string_view name;
  std::uint32_t section = 0;  ///< 0: of another object
  std::uint32_t value = 0;
  std::uint32_t size = 0;
  bool is_local = false;
};

/// A relocatable ELF file for x32. The text must outlive this object.
struct ObjectFile {
  std::vector<Section> sections;
  std::vector<Symbol> symbols;

  /// Throws ConfigError where `bytes` are no such file.
  explicit ObjectFile(std::string_view bytes);
};

}  // namespace ipusim::codelets
