// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The files of assets/, which the build puts into the program (cmake/EmbedAssets.cmake).

namespace ipusim::report::assets {

extern const std::string_view kPage;
extern const std::string_view kStyle;
extern const std::string_view kCharts;  ///< empty in a build without the library

// Scripts. A page has the common ones, those of its kind, and then the one that starts it.
extern const std::string_view kCommonScript;
extern const std::string_view kRunScript;
extern const std::string_view kParallelScript;
extern const std::string_view kPointsScript;
extern const std::string_view kChangesScript;
extern const std::string_view kStartScript;

}  // namespace ipusim::report::assets
