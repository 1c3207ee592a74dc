// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/record/recorded_program.h"

// A file of execution records, one behind the other. Each is a line of JSON, then as many bytes as
// that line says (record_bytes.h). The line tells people, and tools that know no more of the
// format, what was recorded.

namespace ipusim::record {

/// One record as a file has it.
std::string recordText(const RecordedProgram& program);

/// The records of a file's bytes; there is at least one. `file` is its name in messages. Throws
/// ConfigError of one line for a file that is cut off, damaged, or no record of this version.
std::vector<RecordedProgram> recordsIn(std::string_view bytes, const std::string& file);

/// Reads a file. Throws ConfigError.
std::vector<RecordedProgram> readRecords(const std::filesystem::path& file);

}  // namespace ipusim::record
