// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/sources/workload.h"

// What the workloads that only move data have in common: words of four bytes, floats to the check.

namespace ipusim::workloads {

/// The key `bytes`, in words.
std::uint64_t readWords(const ConfigReader& config);

/// A variable of floats that lives always, not mapped yet.
Tensor addWords(Graph& graph, const Shape& shape, const std::string& name);

/// For one input and one output: row r of `received` is row rows[r] of what is sent.
Reference copiedReference(const Tensor& received, const std::vector<std::uint64_t>& rows);

}  // namespace ipusim::workloads
