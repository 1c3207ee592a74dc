// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// Sets what the programs and functions of `data` play: the same steps, but copies that follow one
/// another in a Sequence are one, where none of them reads or writes what another one writes. They
/// then take one exchange and one entry in the code of a tile, as those of the vendor's compiler
/// do, and no order among them can be seen.
void mergeCopies(ExecutableData& data);

}  // namespace poplar::detail
