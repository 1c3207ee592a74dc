// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace ipusim {

/// Writes the whole of `text`. Waits for a descriptor that does not block, and goes on after a
/// signal. Returns the error that stopped it, if any.
std::error_code writeAll(int descriptor, std::string_view text);

}  // namespace ipusim
