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
  IpusimProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments);
  /// Standard output goes to a descriptor that is open here.
  IpusimProcess(std::filesystem::path folder, const std::vector<std::string>& arguments, int out);
  /// The same under a launcher: its words stand before the program.
  IpusimProcess(std::filesystem::path folder, const std::vector<std::string>& launcher,
                const std::vector<std::string>& arguments);

  void interrupt() const;
  /// As kill -9 does.
  void kill() const;
  Finished wait();
  /// Processes that it started itself and that are still there.
  [[nodiscard]] std::vector<pid_t> children() const;

 private:
  void start(std::vector<std::string> words, int out);

  std::filesystem::path folder_;
  pid_t process_ = -1;
};

/// Runs it to its end.
Finished ipusim(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// The same with a standard output that takes nothing: a pipe that nobody reads, a full disk.
Finished ipusimIntoClosedPipe(const std::filesystem::path& folder,
                              const std::vector<std::string>& arguments);
Finished ipusimIntoFullDisk(const std::filesystem::path& folder,
                            const std::vector<std::string>& arguments);

std::string textOf(const std::filesystem::path& path);

}  // namespace ipusim::cli
