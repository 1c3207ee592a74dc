// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::validate {

/// How far off the predictions of one kind are. Only rows that are ok count.
struct Errors {
  double median_percent = 0;  ///< median of |error|; for an even count the mean of the middle two
  double worst_percent = 0;   ///< largest |error|
  double within_10_percent = 0;  ///< share of rows with |error| of at most 10 %, in [0, 1]
  double within_30_percent = 0;
};

/// The errors of the rows of one kind and role.
struct KindErrors {
  std::string kind;
  Role role = Role::Validate;
  std::uint64_t rows = 0;        ///< all rows of this kind and role
  std::uint64_t count = 0;       ///< rows that are ok
  std::optional<Errors> errors;  ///< none when no row is ok
};

/// The errors by kind and role, in the order of first appearance.
std::vector<KindErrors> errorsByKind(const std::vector<Verdict>& verdicts);

}  // namespace ipusim::validate
