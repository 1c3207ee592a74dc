// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

// What `ipusim validate` prints. The text depends on the verdicts alone, not on the locale.

namespace ipusim::validate {

/// One line per row, then the reasons of rows that are not ok, then the errors by kind.
std::string tableText(const std::vector<Verdict>& verdicts);

/// One object: {rows: [...], kinds: [...]}. Shares are in [0, 1]. A missing value is null.
std::string jsonText(const std::vector<Verdict>& verdicts);

/// Two tables of Markdown, with the errors by kind and with the rows, then the reasons.
std::string markdownText(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
