// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim::cli {

/// How the program ends; said in --help and in the README.
enum ExitCode : int {
  kDone = 0,          ///< also when the program does not fit: the answer says so
  kWrongNumbers = 1,  ///< it ran, and a check found a wrong number
  kToMend = 2,        ///< the user can mend it
  kOurBug = 70,
  kInterrupted = 130,
};

}  // namespace ipusim::cli
