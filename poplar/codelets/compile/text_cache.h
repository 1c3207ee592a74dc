// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "poplar/codelets/codelets.h"

// Codelets of one process by the text of their source, so that the compiler is not even asked to
// preprocess a text that it has seen. Threads may call these at the same time.

namespace ipusim::codelets {

/// What tells a source and its options apart from all others; nothing where the text or an option
/// names files of the user, which may change, or the time of day.
std::optional<std::string> textKey(const CodeletSource& source, const CompileOptions& options);

/// The codelets that were kept under a key, if any.
std::optional<Codelets> findByText(const std::string& key);
/// Keeps codelets; of a few hundred keys, the last ones.
void keepByText(const std::string& key, const Codelets& codelets);

}  // namespace ipusim::codelets
