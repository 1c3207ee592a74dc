// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/error.h"

namespace ipusim::codelets {

/// No compiler at hand, or none of the version that this program reads. One line.
class CompilerMissing : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// The compiler refused a codelet. The text has its messages, each with file and line.
class CompileError : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

}  // namespace ipusim::codelets
