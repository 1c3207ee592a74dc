// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim {

// Ids of the errors that the chip reports, all of severity SC_ERROR. A platform may handle them
// with sc_report_handler; otherwise sc_start throws the error as an sc_report.

/// The programs are invalid: see `verify`.
inline constexpr const char* kProgramReport = "/ipusim/program";
/// Two transmissions meet on a port.
inline constexpr const char* kFabricReport = "/ipusim/fabric";
/// The target behind the host link answers with an error.
inline constexpr const char* kHostReport = "/ipusim/host";
/// The target behind the streaming link answers with an error.
inline constexpr const char* kStreamingReport = "/ipusim/streaming";
/// An iteration was assumed equal to the one before it, and is not.
inline constexpr const char* kLoopReport = "/ipusim/loop";
/// A time is beyond the last cycle, or the resolution of SystemC's time cannot tell two cycles
/// apart.
inline constexpr const char* kClockReport = "/ipusim/clock";

void reportError(const char* id, const std::string& what);
/// Reports that the program runs beyond the last cycle.
void reportTooLong();

}  // namespace ipusim
