// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace ipusim {

/// Writes the whole of `text`. A descriptor that does not block is waited for, a signal in between
/// is no end of it. Gives what stopped it, if anything did.
std::error_code writeAll(int descriptor, std::string_view text);

}  // namespace ipusim
