// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/layer.h"

// Computes with plain numbers, as a reference for the layers. Matrices are row-major.

namespace ipusim::workloads {

/// The product (rows, inputs) x (inputs, outputs).
Values multiplied(const Values& rows, const Values& matrix, std::uint64_t inputs,
                  std::uint64_t outputs);

/// Adds `vector` to every row.
void addToRows(const Values& vector, Values& rows);

}  // namespace ipusim::workloads
