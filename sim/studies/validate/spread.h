// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::validate {

/// The TOML file configs/spread.toml. For each kind of prediction it holds the number of rows that
/// nothing was fitted to, the root mean square of ln(predicted / published) over them, and each row
/// on an IPU with its sizes; then the figures over all rows of the IPU, and over all rows of GPUs.
/// Sorted by kind. Ratios and conditions do not count. Rows on several IPUs are apart: their error
/// is that of the share of the time in which tiles do not compute. Those count whose kind of
/// computing has no rows on one IPU: the error of any other is that of its computing, too, which
/// would count twice.
std::string spreadText(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
