// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ipusim::cli {

/// What a process left behind.
struct Finished {
  int exit_code = -1;  ///< 128 + the signal's number when a signal ended it
  std::string out;
  std::string err;
};

/// The built program in a process. Its output goes to files in `folder`.
class IpusimProcess {
 public:
  IpusimProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments);
  /// Standard output goes to a descriptor of this process.
  IpusimProcess(std::filesystem::path folder, const std::vector<std::string>& arguments, int out);
  /// Starts the program by a launcher, whose words come before it.
  IpusimProcess(std::filesystem::path folder, const std::vector<std::string>& launcher,
                const std::vector<std::string>& arguments);

  void interrupt() const;
  void signal(int number) const;
  /// Kills it like kill -9.
  void kill() const;
  Finished wait();
  /// The living processes that the program started.
  [[nodiscard]] std::vector<pid_t> children() const;

 private:
  void start(std::vector<std::string> words, int out);

  std::filesystem::path folder_;
  pid_t process_ = -1;
};

/// Runs the program to its end.
Finished ipusim(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// Runs the program with a standard output that takes nothing: a pipe without a reader, or a full
/// disk.
Finished ipusimIntoClosedPipe(const std::filesystem::path& folder,
                              const std::vector<std::string>& arguments);
Finished ipusimIntoFullDisk(const std::filesystem::path& folder,
                            const std::vector<std::string>& arguments);

std::string textOf(const std::filesystem::path& path);

}  // namespace ipusim::cli
