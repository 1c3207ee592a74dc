// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <regex>
#include <string>

#include "base/text/word_hash.h"
#include "ipusim/error.h"
#include "sim/record/record_file.h"
#include "sim/record/replay.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

namespace {

/// The bytes, with the size and the hash of what lies behind the first line written into that line:
/// a changed record is then read to its end.
std::string withRightHash(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return std::string(bytes);
  const std::string_view body = bytes.substr(end + 1);
  std::string head(bytes.substr(0, end));
  head = std::regex_replace(head, std::regex(R"("bytes":[0-9]+)"),
                            fmt::format("\"bytes\":{}", body.size()));
  head = std::regex_replace(head, std::regex(R"("hash":"[0-9a-f]*")"),
                            fmt::format("\"hash\":\"{:016x}\"", wordHash(body)));
  return fmt::format("{}\n{}", head, body);
}

void readAndReplay(const std::string& bytes) {
  constexpr std::uint64_t kMostTiles = 64;
  for (const record::RecordedProgram& program : record::recordsIn(bytes, "fuzz")) {
    const std::string text = record::recordText(program);
    const auto again = record::recordsIn(text, "again");
    check(again.size() == 1 && record::recordText(again.front()) == text,
          "a record is what is read of its text");
    if (program.tilesPerIpu() * program.ipus() > kMostTiles) continue;
    static_cast<void>(record::replayByClosedForm(program));
  }
}

}  // namespace

void record(std::string_view bytes) {
  expectOneLine([&] { readAndReplay(std::string(bytes)); });
  expectOneLine([&] { readAndReplay(withRightHash(bytes)); });
}

}  // namespace ipusim::fuzz
