// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ipusim::executor {

/// What a byte of a block holds before the program writes it. Elements of such bytes are NaN in
/// half and float, and -1 or the largest number in the integers.
constexpr std::byte kPoison{0xFF};

}  // namespace ipusim::executor
