// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim::cli {

/// How the program ends. --help and docs/reference/cli.md list the codes too.
enum class ExitCode : int {
  Done = 0,          ///< also when the simulated program does not fit: the answer says so
  WrongNumbers = 1,  ///< a check found a wrong number
  UserError = 2,     ///< an error that the user can mend
  OurBug = 70,
  Interrupted = 130,
};

}  // namespace ipusim::cli
