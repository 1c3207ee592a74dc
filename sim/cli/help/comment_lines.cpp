// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/comment_lines.h"

#include <sstream>

namespace ipusim::cli {

std::string commentLines(const std::string& text) {
  constexpr std::size_t kLineLength = 100;
  std::string lines;
  std::string line = "#";
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kLineLength && line.size() > 1) {
      lines += line + '\n';
      line = "#";
    }
    line += ' ' + word;
  }
  return lines + line + '\n';
}

}  // namespace ipusim::cli
