// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim::cli {

/// How the program ends; said in --help and in docs/reference/cli.md.
enum class ExitCode : int {
  Done = 0,          ///< also when the program does not fit: the answer says so
  WrongNumbers = 1,  ///< it ran, and a check found a wrong number
  ToMend = 2,        ///< the user can mend it
  OurBug = 70,
  Interrupted = 130,
};

}  // namespace ipusim::cli
