// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/config_file.h"

#include "sim/cli/trace_file.h"

namespace ipusim::cli {

namespace {

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

bool isTrace(const std::string& file) {
  return endsWith(file, ".ipt") || endsWith(file, ".ipt.gz") || endsWith(file, ".ipt.zst");
}

ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits) {
  if (isTrace(file)) return configOfTrace(file, overrides, limits);
  return ConfigReader::fromFile(findConfigFile(file, {}), overrides);
}

}  // namespace ipusim::cli
