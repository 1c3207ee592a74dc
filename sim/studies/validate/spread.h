// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::validate {

/// The TOML file configs/spread.toml. For each kind of prediction it holds the number of rows that
/// nothing was fitted to, and the root mean square of ln(predicted / published) over them; then the
/// figures over all rows of the IPU, and over all rows of GPUs. Sorted by kind. Ratios and
/// conditions do not count. Rows on several IPUs are apart: their error is that of the share of the
/// time in which tiles do not compute. They count only where their computing is known, as it is
/// when the row states it: the computing of a kind that has rows on one IPU is off as these rows
/// say.
std::string spreadText(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
