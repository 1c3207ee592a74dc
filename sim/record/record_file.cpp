// SPDX-License-Identifier: Apache-2.0
#include "sim/record/record_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error_boundary.h"
#include "base/files/read_file.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/message.h"
#include "base/text/word_hash.h"
#include "ipusim/error.h"
#include "sim/record/record_bytes.h"
#include "sim/record/record_checks.h"

namespace ipusim::record {

namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kLongestHead = 4096;
/// A hundred times what a program of 2,944 tiles and 24,000 steps takes.
constexpr std::uint64_t kMostMebibytes = 256;

std::string hashText(std::string_view bytes) {
  return fmt::format("{:016x}", wordHash(bytes));
}

/// Takes one record from the front of a file's bytes.
class RecordTaker {
 public:
  RecordTaker(std::string_view& bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  RecordedProgram take() {
    const Json line = takeLine();
    const JsonReader head(line, file_);
    RecordedProgram program = decoded(takeBody(head));
    compare(head, "ipu", program.ipu);
    compare(head, "system", program.system);
    compare(head, "cycles", program.cycles.value());
    compare(head, "ipus", program.ipus());
    compare(head, "tiles_per_ipu", program.tilesPerIpu());
    compare(head, "steps_run", program.order().size());
    return program;
  }

 private:
  [[nodiscard]] ConfigError error(const std::string& fault) const {
    return ConfigError(
        fmt::format("{}: {}; `ipusim poplar run --record` writes it anew", oneLine(file_), fault));
  }

  Json takeLine() {
    const std::size_t end = bytes_.substr(0, kLongestHead).find('\n');
    const std::string_view line = bytes_.substr(0, end);
    if (end == std::string_view::npos || line.substr(0, kBegin.size()) != kBegin) {
      throw error(fmt::format("wanted an execution record, which begins with {}, found {}", kBegin,
                              inQuotes(line)));
    }
    Json json = parseJson(line, file_);
    bytes_.remove_prefix(end + 1);
    const JsonReader head(json, file_);
    const std::uint64_t version = head.at("ipusim_record").count();
    if (version != kVersion) {
      head.at("ipusim_record").fail(fmt::format("version {} of the format", kVersion));
    }
    return json;
  }

  std::string_view takeBody(const JsonReader& head) {
    const std::uint64_t size = head.at("bytes").count();
    if (size > bytes_.size()) {
      throw error(
          fmt::format("wanted {} bytes behind the line of a record, found {}: the file is cut off",
                      size, bytes_.size()));
    }
    const std::string_view body = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    const std::string hash = hashText(body);
    if (head.at("hash").text() != hash) {
      head.at("hash").fail(fmt::format("\"{}\", that of the bytes", hash),
                           inQuotes(head.at("hash").text()) + ": the file is damaged");
    }
    return body;
  }

  [[nodiscard]] RecordedProgram decoded(std::string_view body) const {
    RecordedProgram program;
    const auto read = [&] {
      RecordReader reader(body);
      reader(program.ipu, program.system, program.cycles, program.steps, program.run);
      if (!reader.isAtEnd()) throw ConfigError("more bytes than its lists have");
    };
    translateErrors<ConfigError>(read, [&](const ConfigError& found) {
      return error(
          fmt::format("wanted the bytes of a record of this version, found {}", found.what()));
    });
    translateErrors<ConfigError>([&] { checkRecord(program); },
                                 [&](const ConfigError& fault) { return error(fault.what()); });
    return program;
  }

  static void compare(const JsonReader& head, const std::string& key, std::uint64_t in_record) {
    const std::uint64_t found = head.at(key).count();
    if (found == in_record) return;
    head.at(key).fail(fmt::format("{}, as the programs of the record have", in_record),
                      std::to_string(found));
  }

  static void compare(const JsonReader& head, const std::string& key,
                      const std::string& in_record) {
    const std::string found = head.at(key).text();
    if (found == in_record) return;
    head.at(key).fail(fmt::format("{}, as the bytes of the record have", inQuotes(in_record)),
                      inQuotes(found));
  }

  static constexpr std::string_view kBegin = R"({"ipusim_record":)";

  std::string_view& bytes_;
  const std::string& file_;
};

}  // namespace

std::string recordText(const RecordedProgram& program) {
  RecordWriter writer;
  writer(program.ipu, program.system, program.cycles, program.steps, program.run);
  const std::string body = writer.take();
  const Json head = {{"ipusim_record", kVersion},
                     {"ipu", program.ipu},
                     {"ipus", program.ipus()},
                     {"system", program.system},
                     {"tiles_per_ipu", program.tilesPerIpu()},
                     {"steps_run", program.order().size()},
                     {"cycles", program.cycles.value()},
                     {"bytes", body.size()},
                     {"hash", hashText(body)}};
  return head.dump() + '\n' + body;
}

std::vector<RecordedProgram> recordsIn(std::string_view bytes, const std::string& file) {
  std::vector<RecordedProgram> records;
  do {
    records.push_back(RecordTaker(bytes, file).take());
  } while (!bytes.empty());
  return records;
}

std::vector<RecordedProgram> readRecords(const std::filesystem::path& file) {
  return recordsIn(readFile(file, kMostMebibytes), file.string());
}

}  // namespace ipusim::record
