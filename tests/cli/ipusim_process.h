// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ipusim::cli {

/// What a process left behind.
struct Finished {
  int exit_code = -1;  ///< 128 + the signal's number where one ended it
  std::string out;
  std::string err;
};

/// The built program, running. Its output goes to files in `folder`.
class IpusimProcess {
 public:
  /// `out` takes standard output in place of a file, e.g. /dev/full.
  IpusimProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                const std::string& out = "");

  void interrupt() const;
  Finished wait();

 private:
  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t process_ = -1;
};

/// Runs it to its end.
Finished ipusim(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// Runs it with nobody to read its standard output.
Finished ipusimIntoClosedPipe(const std::filesystem::path& folder,
                              const std::vector<std::string>& arguments);

std::string textOf(const std::filesystem::path& path);

}  // namespace ipusim::cli
