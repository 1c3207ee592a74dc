// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

// What `ipusim validate` prints. No locale; the same bytes for the same verdicts.

namespace ipusim::validate {

/// A line a row, the reasons of those that are not ok, then the errors by kind.
std::string tableText(const std::vector<Verdict>& verdicts);

/// One object: {rows: [...], kinds: [...]}. Shares are in [0, 1]; what there is not is null.
std::string jsonText(const std::vector<Verdict>& verdicts);

/// The errors by kind and the rows as two tables of Markdown, then the reasons.
std::string markdownText(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
