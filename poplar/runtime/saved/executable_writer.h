// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// The graph and the programs of an executable, as bytes that ExecutableReader reads. Objects that
/// are held more than once are written once. Throws poplar_error for a library vertex that no entry
/// of the table of vertex types makes.
std::string bytesOf(const ExecutableData& executable);

}  // namespace poplar::detail
