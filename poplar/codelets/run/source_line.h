// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/codelets/run/link.h"

namespace ipusim::codelets {

/// `file:line` of an instruction, by addr2line of binutils; empty where that is not known. `object`
/// is the file that holds the section.
std::string sourceLine(const std::string& object, const Section& section, std::uint32_t offset);

}  // namespace ipusim::codelets
