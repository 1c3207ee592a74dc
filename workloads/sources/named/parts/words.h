// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/sources/workload.h"

// The common part of the workloads that only move data. Data are words of four bytes, which a check
// takes for floats.

namespace ipusim::workloads {

/// Reads the key `bytes` as a number of words.
std::uint64_t readWords(const ConfigReader& config);

/// Adds a variable of floats that lives always and is not mapped yet.
Tensor addWords(Graph& graph, const Shape& shape, const std::string& name);

/// The reference for one input and one output: row r of `received` is row rows[r] of the input.
Reference copiedReference(const Tensor& received, const std::vector<std::uint64_t>& rows);

}  // namespace ipusim::workloads
