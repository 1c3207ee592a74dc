// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <string>

namespace ipusim::codelets {

/// Appends what printf makes of `format` for code with 32-bit pointers and long numbers of 4 bytes.
/// Such code passes arguments as code of this program does, each in a word of 8 bytes.
void appendPrintf(std::string& text, const char* format, va_list arguments);

}  // namespace ipusim::codelets
