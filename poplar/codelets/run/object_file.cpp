// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/object_file.h"

#include <elf.h>

#include <cstring>

#include "ipusim/error.h"

namespace ipusim::codelets {

namespace {

/// That of a page: no code asks for more.
constexpr std::uint32_t kObjectFileMostAlignment = 4096;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename SectionPart>
  [[nodiscard]] SectionPart at(std::size_t offset) const {
    SectionPart part;
    const std::string_view from = slice(offset, sizeof(SectionPart));
    std::memcpy(&part, from.data(), sizeof(SectionPart));
    return part;
  }
  [[nodiscard]] std::string_view slice(std::size_t offset, std::size_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      throw ConfigError("a compiled codelet is cut off");
    }
    return bytes_.substr(offset, size);
  }

 private:
  std::string_view bytes_;
};

std::string_view textAt(std::string_view table, std::size_t offset) {
  if (offset >= table.size()) return {};
  const std::size_t end = table.find('\0', offset);
  return table.substr(offset, end == std::string_view::npos ? end : end - offset);
}

Section readSection(const Reader& reader, const Elf32_Shdr& header, std::string_view names) {
  Section section;
  section.name = textAt(names, header.sh_name);
  section.size = header.sh_size;
  section.alignment = header.sh_addralign == 0 ? 1 : header.sh_addralign;
  section.link = header.sh_link;
  section.is_allocated = (header.sh_flags & SHF_ALLOC) != 0;
  section.is_code = (header.sh_flags & SHF_EXECINSTR) != 0;
  section.is_writable = (header.sh_flags & SHF_WRITE) != 0;
  if (header.sh_type != SHT_NOBITS) section.bytes = reader.slice(header.sh_offset, header.sh_size);
  return section;
}

void readSymbols(const Section& table, std::string_view names, std::vector<Symbol>& symbols) {
  const Reader reader(table.bytes);
  for (std::size_t at = 0; at + sizeof(Elf32_Sym) <= table.size; at += sizeof(Elf32_Sym)) {
    const auto entry = reader.at<Elf32_Sym>(at);
    Symbol symbol{textAt(names, entry.st_name), entry.st_shndx, entry.st_value, entry.st_size,
                  ELF32_ST_BIND(entry.st_info) == STB_LOCAL};
    if (entry.st_shndx >= SHN_LORESERVE) symbol.section = 0;
    symbols.push_back(symbol);
  }
}

void expectPresent(bool holds) {
  if (!holds) throw ConfigError("a compiled codelet names what it does not have");
}

void checkRelocation(const Relocation& relocation, const Section& section, std::size_t symbols) {
  const std::uint32_t bytes = relocation.type == R_X86_64_NONE ? 0
                              : relocation.type == R_X86_64_64 ? 8
                                                               : 4;
  expectPresent(relocation.symbol < symbols);
  expectPresent(relocation.offset <= section.size && bytes <= section.size - relocation.offset);
}

/// Throws ConfigError for numbers that name what the file does not have. The code itself is native
/// code, and is not looked at.
void checkNumbers(const std::vector<Section>& sections, const std::vector<Symbol>& symbols) {
  for (const Symbol& symbol : symbols) {
    expectPresent(symbol.section < sections.size());
    if (symbol.section == 0) continue;
    const std::uint32_t size = sections[symbol.section].size;
    expectPresent(symbol.value <= size && symbol.size <= size - symbol.value);
  }
  for (const Section& section : sections) {
    expectPresent((section.alignment & (section.alignment - 1)) == 0 &&
                  section.alignment <= kObjectFileMostAlignment);
    for (const Relocation& each : section.relocations)
      checkRelocation(each, section, symbols.size());
  }
}

void readRelocations(const Section& table, Section& target) {
  const Reader reader(table.bytes);
  for (std::size_t at = 0; at + sizeof(Elf32_Rela) <= table.size; at += sizeof(Elf32_Rela)) {
    const auto entry = reader.at<Elf32_Rela>(at);
    target.relocations.push_back(
        {entry.r_offset, ELF32_R_TYPE(entry.r_info), ELF32_R_SYM(entry.r_info), entry.r_addend});
  }
}

}  // namespace

ObjectFile::ObjectFile(std::string_view bytes) {
  const Reader reader(bytes);
  const auto header = reader.at<Elf32_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_X86_64 ||
      header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_type != ET_REL) {
    throw ConfigError("a compiled codelet is no object file of x32");
  }
  std::vector<Elf32_Shdr> headers;
  for (std::size_t index = 0; index < header.e_shnum; ++index) {
    headers.push_back(reader.at<Elf32_Shdr>(header.e_shoff + index * sizeof(Elf32_Shdr)));
  }
  if (header.e_shstrndx >= headers.size()) throw ConfigError("a compiled codelet has no names");
  const Elf32_Shdr& names_header = headers[header.e_shstrndx];
  const std::string_view names = reader.slice(names_header.sh_offset, names_header.sh_size);
  sections.reserve(headers.size());
  for (const Elf32_Shdr& each : headers) sections.push_back(readSection(reader, each, names));
  for (std::size_t index = 0; index < headers.size(); ++index) {
    if (headers[index].sh_type == SHT_SYMTAB) {
      readSymbols(sections[index], sections.at(headers[index].sh_link).bytes, symbols);
    } else if (headers[index].sh_type == SHT_RELA) {
      Section& target = sections.at(headers[index].sh_info);
      if (target.is_allocated) readRelocations(sections[index], target);
    }
  }
  checkNumbers(sections, symbols);
}

}  // namespace ipusim::codelets
