// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// The graph and the programs that bytesOf() wrote, not compiled yet. Throws some std::exception
/// for bytes that are no such thing.
std::unique_ptr<ExecutableData> executableFrom(std::string_view bytes);

}  // namespace poplar::detail
