// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ipusim::fuzz {

/// A right input of some kind.
struct Seed {
  std::string name;  ///< name of the file, as messages show it
  std::string bytes;
};

/// A kind of input, and its reader. `read` catches ConfigErrors of one line. Any other exception is
/// a fault.
struct Kind {
  std::string name;
  std::vector<Seed> seeds;
  std::function<void(const Seed&)> read;
};

/// Every kind of input, read in this process. `folder` is for files. The working directory must be
/// the source tree.
std::vector<Kind> kindsHere(const std::string& folder);

/// Most kinds of input, read by the built program. `folder` is for files.
std::vector<Kind> kindsOf(const std::string& program, const std::string& folder);

}  // namespace ipusim::fuzz
