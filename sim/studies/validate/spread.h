// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::validate {

/// The TOML file configs/spread.toml: by kind of prediction, how many rows there are that nothing
/// was fitted to, and the root mean square of ln(predicted / published) over them; and the same
/// over all rows of the IPU, and of GPUs. Sorted by kind. Ratios and conditions do not count.
std::string spreadText(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
