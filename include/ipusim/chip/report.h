// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim {

// Ids of what the chip reports, all of severity SC_ERROR. A platform may hook them with
// sc_report_handler; an error that is not hooked is thrown out of sc_start as an sc_report.

/// Programs that no chip takes: see `verify`.
inline constexpr const char* kProgramReport = "/ipusim/program";
/// Two transmissions meet on a port.
inline constexpr const char* kFabricReport = "/ipusim/fabric";
/// The target behind the host link answers with an error.
inline constexpr const char* kHostReport = "/ipusim/host";
/// An iteration that was taken for equal to the one before it is not.
inline constexpr const char* kLoopReport = "/ipusim/loop";
/// Cycles beyond the last one, or a resolution of SystemC's time that cannot tell two cycles apart.
inline constexpr const char* kClockReport = "/ipusim/clock";

void reportError(const char* id, const std::string& what);
/// The program runs beyond the last cycle.
void reportTooLong();

}  // namespace ipusim
