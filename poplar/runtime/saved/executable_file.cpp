// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "base/text/word_hash.h"
#include "poplar/detail/engine_api.hpp"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/saved/executable_reader.h"
#include "poplar/runtime/saved/executable_writer.h"

// A saved executable is a head, then the bytes of executable_writer.h. The head is a line that
// names the format, the number of those bytes and their hash, both as 16 hexadecimal digits.

namespace poplar::detail {

namespace {

constexpr std::string_view kFormat = "ipusim executable 1\n";
constexpr std::size_t kDigits = 16;
static_assert(kFormat.size() + 2 * kDigits == kExecutableHead);

std::string_view viewOf(Text text) {
  return {text.data, text.size};
}

file_load_error fault(const std::string& wanted, const std::string& found) {
  return file_load_error(fmt::format("executable: wanted {}, found {}", wanted, found).c_str());
}

/// What a file begins with, for a message.
std::string beginOf(std::string_view head) {
  if (head.empty()) return "an empty one or none";
  std::string begin(head.substr(0, kFormat.size() - 1));
  std::replace_if(
      begin.begin(), begin.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("one that begins with \"{}\"", begin);
}

/// The number at a place of the head.
std::uint64_t numberAt(std::string_view head, std::size_t at) {
  const std::string_view digits = head.substr(at, kDigits);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number, 16);
  if (error == std::errc() && end == digits.end()) return number;
  throw fault("a head of hexadecimal digits", beginOf(digits));
}

}  // namespace

void saveExecutable(const ExecutableData* executable, Sink to) {
  const std::string bytes = bytesOf(*executable);
  const std::string head =
      fmt::format("{}{:016x}{:016x}", kFormat, bytes.size(), ipusim::wordHash(bytes));
  to.append(to.to, textOf(head));
  to.append(to.to, textOf(bytes));
}

std::size_t bytesBehind(Text head) {
  const std::string_view found = viewOf(head);
  if (found.substr(0, kFormat.size()) != kFormat) {
    throw fault("a file that Executable::serialize of this version wrote", beginOf(found));
  }
  if (found.size() == kExecutableHead) return numberAt(found, kFormat.size());
  throw fault(fmt::format("a head of {} bytes", kExecutableHead),
              fmt::format("a file of {}, which is cut off", found.size()));
}

ExecutableData* loadExecutable(Text head, Text bytes) {
  const std::size_t wanted = bytesBehind(head);
  if (bytes.size != wanted) {
    throw fault(fmt::format("{} bytes behind the head", wanted),
                fmt::format("{}: the file is cut off", bytes.size));
  }
  const std::uint64_t hash = numberAt(viewOf(head), kFormat.size() + kDigits);
  if (const std::uint64_t found = ipusim::wordHash(viewOf(bytes)); found != hash) {
    throw fault(fmt::format("bytes of the hash {:016x}", hash),
                fmt::format("{:016x}: the file is damaged", found));
  }
  try {
    std::unique_ptr<ExecutableData> executable = executableFrom(viewOf(bytes));
    compile(*executable);
    return executable.release();
  } catch (const no_environment&) {
    throw;
  } catch (const graph_memory_allocation_error&) {
    throw;
  } catch (const std::exception& error) {
    throw fault("a graph and programs of this version", error.what());
  }
}

}  // namespace poplar::detail
