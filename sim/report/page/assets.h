// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The files of assets/, which the build puts into the program (cmake/EmbedAssets.cmake).

namespace ipusim::run::assets {

extern const std::string_view kPage;
extern const std::string_view kStyle;
extern const std::string_view kScript;
extern const std::string_view kCharts;  ///< empty in a build without the library

}  // namespace ipusim::run::assets
